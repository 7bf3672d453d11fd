/* SPDX-License-Identifier: MIT */
/* What becomes of items. */
#include "view/wasm/view_trace.h"

#include <stdlib.h>
#include <string.h>

#define SETTLE_EVENTS 65536u /* a file may have millions */
#define DROP_AT_ONCE  1024u  /* events: a page of most lists */

void view_trace_fail(struct view_trace *trace, const char *format, ...)
{
    va_list list;

    if (trace->problem.length > 0)
        return;
    va_start(list, format);
    text_print_list(&trace->problem, format, list);
    va_end(list);
    trace->version++;
}

void view_trace_no_memory(struct view_trace *trace)
{
    trace->full = true;
    view_trace_fail(trace, "there is no memory for further events: they are not shown");
}

/* ---- names ---- */

struct era *view_trace_new_era(struct view_trace *trace)
{
    struct era **eras = realloc(trace->eras, (trace->era_count + 1) * sizeof(struct era *));
    struct era *era = NULL;

    if (eras != NULL) {
        trace->eras = eras;
        era = calloc(1, sizeof *era);
    }
    if (era == NULL)
        return NULL;
    era->index = store_end(&trace->store);
    trace->eras[trace->era_count++] = era;
    return era;
}

void view_trace_finish_names(struct era *era)
{
    struct txtap_registry *registry = &era->registry;
    struct txtap_object *objects = realloc(registry->objects, (registry->count + 1) * sizeof *objects);

    if (objects == NULL)
        return;
    registry->objects = objects;
    registry->capacity = registry->count;
}

const struct era *view_trace_era(const struct view_trace *trace, uint32_t index)
{
    size_t low = 0, high = trace->era_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (trace->eras[middle]->index <= index)
            low = middle;
        else
            high = middle;
    }
    return trace->eras[low];
}

static void free_era(struct era *era)
{
    free(era->registry.objects);
    free(era);
}

/* Forgets names that no event that is held can mean: else each new one would cost more. */
static void drop_names(struct view_trace *trace)
{
    struct era *newest = trace->era_count > 0 ? trace->eras[trace->era_count - 1] : NULL;

    if (newest != NULL)
        txtap_registry_forget(&newest->registry, store_seq(&trace->store, store_first(&trace->store)));
}

static void drop_eras(struct view_trace *trace)
{
    size_t gone = 0;

    while (gone + 1 < trace->era_count && trace->eras[gone + 1]->index <= store_first(&trace->store))
        free_era(trace->eras[gone++]);
    if (gone == 0)
        return;
    memmove(trace->eras, trace->eras + gone, (trace->era_count - gone) * sizeof *trace->eras);
    trace->era_count -= gone;
    trace->text.era = trace->json.era = NULL;
}

/* ---- items ---- */

/* What the rows have by now need not be held twice. */
void view_trace_settle(struct view_trace *trace)
{
    struct txtap_rows_summary summary;

    txtap_rows_summary(trace->timeline.rows, &summary);
    trace->even = timeline_is_even(&trace->timeline);
    trace->version++;
    if (trace->even)
        store_ticks_are_in_rows(&trace->store, summary.end);
}

/* Of the rows the same, as far as they are that far. */
static void drop_moments(struct view_trace *trace)
{
    struct txtap_rows_summary summary;
    uint32_t first = store_first(&trace->store);

    txtap_rows_summary(trace->timeline.rows, &summary);
    if (!trace->even)
        first = txtap_rows_event_at(trace->timeline.rows, store_ticks(&trace->store, first));
    if (first > summary.first)
        txtap_rows_drop(trace->timeline.rows, first - summary.first);
}

/* Forgets the oldest events beyond the number that is kept, and an eighth of it at a time. */
static void drop_oldest(struct view_trace *trace)
{
    struct store *store = &trace->store;
    uint32_t keep = trace->options.keep, held = store_end(store) - store_first(store);

    if (keep == 0 || held < keep + keep / 8 + DROP_AT_ONCE)
        return;
    store_drop(store, store_first(store) + (held - keep) / DROP_AT_ONCE * DROP_AT_ONCE);
    drop_eras(trace);
    drop_names(trace);
    drop_moments(trace);
}

static bool take_event(struct view_trace *trace, const struct txtap_event *event)
{
    if (!store_event(&trace->store, event))
        return false;
    drop_oldest(trace);
    return true;
}

static bool take_gap(struct view_trace *trace, const struct txtap_gap *gap)
{
    struct stored_note *note = store_note(&trace->store, STORED_GAP, NULL, 0);

    if (note == NULL)
        return false;
    note->gap = *gap;
    if (store_end(&trace->store) == 0) {
        trace->counts.earlier += gap->lost;
        trace->counts.earlier_exact = trace->counts.earlier_exact && gap->exact;
        return true;
    }
    trace->counts.gaps++;
    trace->counts.lost += gap->lost;
    trace->counts.lost_exact = trace->counts.lost_exact && gap->exact;
    return true;
}

static bool take_mark(struct view_trace *trace, const struct txtap_mark *mark)
{
    struct stored_note *note = store_note(&trace->store, STORED_MARK, mark->text, strlen(mark->text));

    if (note == NULL)
        return false;
    note->mark = *mark;
    note->mark.text = (const char *)note->bytes;
    if (mark->kind == TXTAP_MARK_RESET || mark->kind == TXTAP_MARK_MOVED) {
        trace->counts.resets++;
        trace->counts.lost_exact = false; /* what was written just before it may never have been read */
    }
    return true;
}

static bool take_restart(struct view_trace *trace, const struct txtap_header *header)
{
    struct stored_note *note = store_note(&trace->store, STORED_RESTART, NULL, 0);

    if (note == NULL)
        return false;
    note->header = *header;
    return store_header(&trace->store, header);
}

enum txtap_status view_trace_take(void *self, const struct txtap_item *item)
{
    struct view_trace *trace = self;

    return view_trace_is_ctf(trace) ? view_trace_translate(trace, item) : view_trace_take_item(trace, item);
}

enum txtap_status view_trace_take_item(struct view_trace *trace, const struct txtap_item *item)
{
    const struct era *era = trace->era_count > 0 ? trace->eras[trace->era_count - 1] : NULL;
    bool taken = true;

    if (item->kind == TXTAP_ITEM_EVENT)
        taken = take_event(trace, &item->event);
    else if (item->kind == TXTAP_ITEM_GAP)
        taken = take_gap(trace, &item->gap);
    else if (item->kind == TXTAP_ITEM_MARK)
        taken = take_mark(trace, &item->mark);
    else if (item->kind == TXTAP_ITEM_RESTART)
        taken = take_restart(trace, &item->header);
    if (item->kind == TXTAP_ITEM_EVENT && store_end(&trace->store) % SETTLE_EVENTS == 0)
        view_trace_settle(trace);
    if (taken)
        taken = timeline_take(&trace->timeline, item, era != NULL ? &era->registry : NULL);
    if (!taken)
        view_trace_no_memory(trace);
    return taken ? TXTAP_OK : TXTAP_END;
}

/* ---- the end ---- */

static void note_clock(struct view_trace *trace)
{
    unsigned notices = txtap_clock_notices(&trace->player.maker.clock);

    for (unsigned bit = 1; bit <= TXTAP_CLOCK_NANOSECONDS; bit <<= 1)
        if ((notices & bit) != 0)
            text_print(&trace->notes, "%s\n", txtap_clock_notice_text(bit));
}

void view_trace_end(struct view_trace *trace)
{
    const char *missing = trace->feed.offset + trace->feed.used > 0 ? recording_feed_end(&trace->feed) : NULL;

    if (trace->ended)
        return;
    trace->ended = true;
    view_trace_end_ctf(trace);
    timeline_end(&trace->timeline);
    view_trace_settle(trace);
    if (missing != NULL && trace->problem.length == 0)
        text_print(&trace->notes, "%s: %s\n", trace->options.name, missing);
    view_trace_note_files(trace);
    if (trace->player.begun)
        note_clock(trace);
}

/* ---- from the start to the end ---- */

struct view_trace *view_trace_new(const struct view_options *options)
{
    struct view_trace *trace = calloc(1, sizeof *trace);
    char *name = malloc(strlen(options->name) + 1);

    if (trace == NULL || name == NULL || !timeline_open(&trace->timeline, options->profile)) {
        free(trace);
        free(name);
        return NULL;
    }
    strcpy(name, options->name);
    trace->options = *options;
    trace->options.name = name;
    trace->counts.lost_exact = trace->counts.earlier_exact = true;
    trace->even = true;
    pool_init(&trace->pool, STORE_BLOCK_BYTES);
    store_init(&trace->store, &trace->pool, trace->timeline.rows);
    return trace;
}

void view_trace_free(struct view_trace *trace)
{
    if (trace == NULL)
        return;
    store_free(&trace->store);
    for (size_t i = 0; i < trace->era_count; i++)
        free_era(trace->eras[i]);
    free(trace->eras);
    pool_free(&trace->pool);
    timeline_close(&trace->timeline);
    columns_free(&trace->columns);
    free(trace->definitions);
    free(trace->user_definitions);
    view_trace_free_ctf(trace);
    free(trace->analysis_memory);
    text_free(&trace->problem);
    text_free(&trace->notes);
    text_free(&trace->out);
    free(trace->starts);
    free((char *)trace->options.name);
    free(trace);
}
