/* SPDX-License-Identifier: MIT */
/* Turns items into changes, and changes into rows. */
#include "view/wasm/timeline.h"
#include "txtap/inner/change.h"

#include <stdlib.h>

#ifndef TIMELINE_THREADS_MAX
#define TIMELINE_THREADS_MAX 2048 /* largest number of threads whose changes are shown */
#define TIMELINE_OBJECTS_MAX 8192
#endif

static void *take_page(void *self)
{
    return pool_take(self);
}

static void give_page(void *self, void *page)
{
    pool_give(self, page);
}

static enum txtap_status take_change(void *self, const struct txtap_change *change)
{
    struct timeline *timeline = self;

    timeline->told += change->kind == TXTAP_CHANGE_EVENT;
    return txtap_rows_take(timeline->rows, change);
}

bool timeline_open(struct timeline *timeline, unsigned profile)
{
    const struct txtap_change_limits limits = {.threads = TIMELINE_THREADS_MAX, .objects = TIMELINE_OBJECTS_MAX};
    void *changes = malloc(txtap_changes_bytes(&limits)), *rows = malloc(txtap_rows_bytes());

    *timeline = (struct timeline){.told = 0};
    pool_init(&timeline->pages, TXTAP_ROWS_PAGE_BYTES);
    if (changes == NULL || rows == NULL) {
        free(changes);
        free(rows);
        return false;
    }
    timeline->rows = txtap_rows_open(rows, (struct txtap_rows_pages){take_page, give_page, &timeline->pages},
                                     &(struct txtap_rows_options){.profile = profile});
    timeline->changes = txtap_changes_open(changes, &limits, (struct txtap_change_sink){take_change, timeline});
    return true;
}

void timeline_close(struct timeline *timeline)
{
    free(timeline->rows);
    free(timeline->changes);
    free(timeline->logger);
    pool_free(&timeline->pages);
    *timeline = (struct timeline){.told = 0};
}

bool timeline_from_logger(struct timeline *timeline)
{
    if (timeline->logger != NULL)
        return true;
    timeline->logger = calloc(1, sizeof *timeline->logger);
    if (timeline->logger != NULL)
        timeline->logger->next = (struct txtap_sink){txtap_changes_take, timeline->changes};
    return timeline->logger != NULL;
}

void timeline_from_ctf(struct timeline *timeline)
{
    txtap_changes_tell_all(timeline->changes);
}

static void learn(struct timeline *timeline, const struct txtap_registry *names)
{
    if (timeline->names == names && timeline->generation == names->generation)
        return;
    timeline->names = names;
    timeline->generation = names->generation;
    txtap_changes_objects(timeline->changes, names);
}

bool timeline_take(struct timeline *timeline, const struct txtap_item *item, const struct txtap_registry *names)
{
    if (item->kind == TXTAP_ITEM_EVENT && names != NULL)
        learn(timeline, names);
    if (timeline->logger != NULL)
        return txtap_zephyr_logger_take(timeline->logger, item) == TXTAP_OK;
    return txtap_changes_take(timeline->changes, item) == TXTAP_OK;
}

void timeline_end(struct timeline *timeline)
{
    if (timeline->logger != NULL)
        (void)txtap_zephyr_logger_end(timeline->logger);
    (void)txtap_changes_end(timeline->changes);
}

bool timeline_is_even(const struct timeline *timeline)
{
    struct txtap_rows_summary summary;

    txtap_rows_summary(timeline->rows, &summary);
    return timeline->logger == NULL && summary.end == timeline->told;
}

const char *timeline_lacks(const struct timeline *timeline)
{
    return timeline->logger != NULL ? txtap_zephyr_logger_lacks() : NULL;
}
