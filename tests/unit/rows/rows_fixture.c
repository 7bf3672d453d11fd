/* SPDX-License-Identifier: MIT */
#include "rows/rows_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/scheduler.h"
#include "txtap/trace.h"
#include "txtap/inner/change.h"

/* ---- memory ---- */

struct memory {
    uint32_t used, most;
    max_align_t rows[];
};

static void *take_page(void *self)
{
    struct memory *memory = self;
    void *page;

    if (memory->used == memory->most)
        return NULL;
    memory->used++;
    page = malloc(TXTAP_ROWS_PAGE_BYTES);
    cr_assert_not_null(page);
    return memset(page, 0xA5, TXTAP_ROWS_PAGE_BYTES);
}

static void give_page(void *self, void *page)
{
    struct memory *memory = self;

    memory->used--;
    free(page);
}

struct txtap_rows *fixture_open(const struct txtap_rows_options *options, uint32_t pages_most)
{
    struct memory *memory = malloc(sizeof *memory + txtap_rows_bytes());

    cr_assert_not_null(memory);
    memory->used = 0;
    memory->most = pages_most;
    return txtap_rows_open(memory->rows, (struct txtap_rows_pages){take_page, give_page, memory}, options);
}

struct txtap_rows *fixture_rows(uint32_t keep, uint32_t pages_most)
{
    return fixture_open(&(struct txtap_rows_options){.keep = keep}, pages_most);
}

void fixture_close(struct txtap_rows *rows)
{
    struct memory *memory = (struct memory *)((unsigned char *)rows - offsetof(struct memory, rows));

    txtap_rows_close(rows);
    cr_assert_eq(memory->used, 0);
    free(memory);
}

/* ---- changes ---- */

struct fan {
    const struct txtap_change_sink *sinks;
    size_t count;
};

static enum txtap_status give(void *self, const struct txtap_change *change)
{
    const struct fan *fan = self;

    for (size_t i = 0; i < fan->count; i++)
        (void)fan->sinks[i].take(fan->sinks[i].self, change);
    return TXTAP_OK;
}

static struct txtap_changes *open_changes(struct fan *fan)
{
    const struct txtap_change_limits limits = {.threads = 64, .objects = 128};
    void *memory = malloc(txtap_changes_bytes(&limits));

    cr_assert_not_null(memory);
    return txtap_changes_open(memory, &limits, (struct txtap_change_sink){give, fan});
}

static uint8_t *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;

    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*length);
    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

void fixture_feed_file(const char *path, const struct txtap_change_sink *sinks, size_t count)
{
    static struct txtap_object objects[1024];
    struct fan fan = {sinks, count};
    struct txtap_changes *changes = open_changes(&fan);
    struct txtap_trace trace;
    struct txtap_item item;
    size_t length;
    uint8_t *bytes = load(path, &length);

    cr_assert_eq(txtap_trace_open(&trace, bytes, length, objects, 1024), TXTAP_OK, "%s", path);
    txtap_changes_objects(changes, &trace.registry);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK)
        cr_assert_eq(txtap_changes_take(changes, &item), TXTAP_OK);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    free(bytes);
    free(changes);
}

void fixture_feed_made(uint64_t seed, unsigned gap_every, const struct txtap_change_sink *sinks, size_t count)
{
    static struct scheduler scheduler;
    struct fan fan = {sinks, count};
    struct txtap_changes *changes = open_changes(&fan);

    scheduler_run(&scheduler, seed);
    for (size_t i = 0; i < scheduler.count; i++) {
        struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = scheduler.events[i]};

        if (gap_every > 0 && i % gap_every == gap_every - 1)
            item = (struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {.lost = 1, .exact = true}};
        cr_assert_eq(txtap_changes_take(changes, &item), TXTAP_OK);
    }
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    free(changes);
}

uint32_t fixture_row(const struct txtap_rows *rows, enum txtap_row_kind kind, uint32_t address_or_number)
{
    struct txtap_row row;

    for (uint32_t i = 0; txtap_rows_row(rows, i, &row); i++)
        if (row.kind == kind && (row.address != 0 ? row.address : row.number) == address_or_number)
            return i;
    cr_assert_fail("no row of kind %d for %u", (int)kind, address_or_number);
    return 0;
}
