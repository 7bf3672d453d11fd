/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast the rows of a timeline are made and queried, in processor time on one core. The events of a .trx
 * file in a loop, or generated events, go through the model into rows. Then all rows are queried for all columns.
 *   bench_rows EVENTS [FILE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replay.h"
#include "workload.h"
#include "txtap/event_maker.h"
#include "txtap/inner/rows.h"
#include "txtap/inner/change.h"

#define RING_ENTRIES 4096u
#define COLUMNS      1200u
#define PAGES        1024u /* pages of a slab */
#define SLABS_MAX    1024u

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- memory: slabs, as in the page ---- */

struct slabs {
    unsigned char *at[SLABS_MAX];
    unsigned pages; /* pages taken from the slab */
};

static void *take_page(void *self)
{
    struct slabs *slabs = self;
    unsigned slab = slabs->pages / PAGES;

    if (slab == SLABS_MAX)
        return NULL;
    if (slabs->at[slab] == NULL)
        slabs->at[slab] = malloc((size_t)PAGES * TXTAP_ROWS_PAGE_BYTES);
    if (slabs->at[slab] == NULL)
        return NULL;
    return slabs->at[slab] + (size_t)(slabs->pages++ % PAGES) * TXTAP_ROWS_PAGE_BYTES;
}

static void give_page(void *self, void *page)
{
    (void)self;
    (void)page;
}

/* ---- events ---- */

struct source {
    struct txtap_header header;
    struct txtap_registry registry;
    struct txtap_object objects[64];
    struct workload workload;
    struct replay *replay; /* NULL: generated events */
    uint8_t ring[RING_ENTRIES * TXTB_ENTRY_BYTES];
};

static void open_source(struct source *source, struct replay *replay)
{
    uint8_t registry[WORKLOAD_OBJECTS * WORKLOAD_OBJECT_BYTES];

    source->header = (struct txtap_header){.timer_mask = UINT32_MAX, .name_bytes = 32};
    source->replay = replay;
    if (replay != NULL) {
        source->header.endian = replay->trace.header.endian;
        source->registry = replay->trace.registry;
        return;
    }
    workload_start(&source->workload);
    workload_registry(registry);
    txtap_registry_init(&source->registry, source->objects, sizeof source->objects / sizeof *source->objects);
    txtap_registry_update(&source->registry, &source->header, registry, sizeof registry);
}

static enum txtap_status ignore(void *self, const struct txtap_change *change)
{
    (void)self;
    (void)change;
    return TXTAP_OK;
}

/* Returns the time that the model and the sink need for all events. */
static double feed(struct replay *replay, uint64_t events, struct txtap_change_sink sink)
{
    static struct source source;
    const struct txtap_change_limits limits = {.threads = 1024, .objects = 4096};
    struct txtap_changes *changes = txtap_changes_open(malloc(txtap_changes_bytes(&limits)), &limits, sink);
    struct txtap_event_maker maker;
    struct txtap_item item;
    double taken = 0;

    if (replay != NULL)
        replay->next = 0, replay->base = 0;
    open_source(&source, replay);
    txtap_event_maker_init(&maker, UINT32_MAX, 0);
    txtap_changes_objects(changes, &source.registry);
    for (uint64_t done = 0; done < events; done += RING_ENTRIES) {
        double before;

        if (replay != NULL)
            replay_fill(replay, source.ring, RING_ENTRIES);
        else
            workload_fill(&source.workload, source.ring, RING_ENTRIES);
        before = seconds_now();
        for (size_t i = 0; i < RING_ENTRIES; i++) {
            txtap_event_maker_event(&maker, &source.header, source.ring + i * TXTB_ENTRY_BYTES, done + i, &item);
            if (txtap_changes_take(changes, &item) != TXTAP_OK)
                exit(1);
        }
        taken += seconds_now() - before;
    }
    (void)txtap_changes_end(changes);
    free(changes);
    return taken;
}

/* ---- queries ---- */

static size_t ask(const struct txtap_rows *rows, const struct txtap_rows_range *range, bool events)
{
    static struct txtap_rows_edge edges[COLUMNS + 1];
    static struct txtap_row_columns columns[COLUMNS];
    static struct txtap_row_values values[COLUMNS];
    static struct txtap_row_events counts[COLUMNS];
    struct txtap_row row;
    size_t pieces = 0;

    (void)txtap_rows_edges(rows, range, edges);
    for (uint32_t i = 0; txtap_rows_row(rows, i, &row); i++) {
        if (events)
            txtap_rows_events(rows, i, edges, range->count, counts);
        else if (row.counter)
            pieces += txtap_rows_values(rows, i, edges, range->count, values);
        else
            pieces += txtap_rows_columns(rows, i, edges, range->count, columns);
    }
    return pieces;
}

static void time_range(const struct txtap_rows *rows, const char *name, const struct txtap_rows_range *range)
{
    const unsigned times = 20;
    double before = seconds_now(), between;
    size_t pieces = 0;

    for (unsigned i = 0; i < times; i++)
        pieces = ask(rows, range, false);
    between = seconds_now();
    for (unsigned i = 0; i < times; i++)
        (void)ask(rows, range, true);
    printf("%-18s %8.3f ms, %6zu pieces; events %8.3f ms\n", name, (between - before) / times * 1e3, pieces,
           (seconds_now() - between) / times * 1e3);
}

static void time_sums(const struct txtap_rows *rows, const struct txtap_rows_summary *held)
{
    const unsigned times = 1000;
    uint64_t sums[TXTAP_ROW_STATES], whole = held->to_ticks - held->from_ticks;
    double before = seconds_now();

    for (unsigned i = 0; i < times; i++)
        for (uint32_t row = 0; row < held->rows; row++)
            txtap_rows_sums(rows, row, held->from_ticks + whole / 7 + i, held->from_ticks + whole / 2 + 3 * i, sums);
    printf("%-18s %8.3f ms\n", "sums of all rows", (seconds_now() - before) / times * 1e3);
}

static void time_questions(const struct txtap_rows *rows)
{
    struct txtap_rows_summary held;
    struct txtap_rows_range range = {.count = COLUMNS};
    uint64_t whole;

    txtap_rows_summary(rows, &held);
    whole = held.to_ticks - held.from_ticks;
    for (unsigned part = 1; part <= 1000; part *= 10) {
        char name[32];

        snprintf(name, sizeof name, "1/%u of the time", part);
        range.from = held.from_ticks + whole / 3 * (part > 1);
        range.to = range.from + whole / part;
        time_range(rows, name, &range);
    }
    time_range(rows, "all, by event", &(struct txtap_rows_range){held.first, held.end, COLUMNS, true});
    time_sums(rows, &held);
}

int main(int argc, char **argv)
{
    static struct replay replay;
    static struct slabs slabs;
    uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    struct txtap_rows *rows =
        txtap_rows_open(malloc(txtap_rows_bytes()), (struct txtap_rows_pages){take_page, give_page, &slabs},
                        &(struct txtap_rows_options){0});
    struct txtap_rows_summary held;
    double model, both;

    if (argc > 2)
        replay_open(&replay, argv[2]);
    model = feed(argc > 2 ? &replay : NULL, events, (struct txtap_change_sink){ignore, NULL});
    both = feed(argc > 2 ? &replay : NULL, events, (struct txtap_change_sink){txtap_rows_take, rows});
    txtap_rows_summary(rows, &held);
    printf("%u events, %u rows, %.1f bytes/event\n", held.end, held.rows,
           (double)held.pages * TXTAP_ROWS_PAGE_BYTES / held.end);
    printf("%.2f M events/s with the model; %.1f ns/event, of which rows %.1f\n", held.end / both * 1e-6,
           both * 1e9 / held.end, (both - model) * 1e9 / held.end);
    time_questions(rows);
    for (unsigned i = 0; i < SLABS_MAX; i++)
        free(slabs.at[i]);
    free(rows);
    return held.full;
}
