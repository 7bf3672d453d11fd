/* SPDX-License-Identifier: MIT */
/* What becomes of bytes and of the blocks of recordings: names are noted with the events that they are of. */
#include <stdlib.h>

#include "view/wasm/view_trace.h"

/* ---- names ---- */

bool view_trace_begin_names(struct view_trace *trace)
{
    struct txtap_object *objects = malloc(VIEW_OBJECTS_MAX * sizeof *objects);
    struct era *era = objects != NULL ? view_trace_new_era(trace) : NULL;

    if (era == NULL) {
        free(objects);
        return false;
    }
    txtap_registry_init(&era->registry, objects, VIEW_OBJECTS_MAX);
    trace->player.registry = &era->registry;
    return true;
}

static bool next_names(struct view_trace *trace)
{
    struct era *era = trace->eras[trace->era_count - 1];

    if (era->registry.count == 0 || era->index == store_end(&trace->store))
        return true;
    view_trace_finish_names(era);
    trace->timeline.names = NULL;
    return view_trace_begin_names(trace);
}

/* ---- blocks ---- */

static bool take_objects(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct stored_note *note;

    if (block->fresh && !next_names(trace))
        return false;
    note = store_note(&trace->store, STORED_OBJECTS, block->objects, block->objects_bytes);
    if (note == NULL)
        return false;
    note->fresh = block->fresh;
    return true;
}

static bool before_block(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct stored_note *note;

    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        if (trace->player.given) /* it is a restart, an item */
            return true;
        return (trace->player.begun || view_trace_begin_names(trace)) && store_header(&trace->store, &block->header);
    case TXTAP_RECORDING_OBJECTS:
        return take_objects(trace, block);
    case TXTAP_RECORDING_EVENTS:
        note = store_note(&trace->store, STORED_NOTED, NULL, 0);
        if (note == NULL)
            return false;
        note->count = block->count;
        return true;
    case TXTAP_RECORDING_DEFINITIONS: /* only the event logger's have some */
        view_trace_define_built_in(trace, block->definitions);
        return timeline_from_logger(&trace->timeline);
    default:
        return true;
    }
}

static bool take_block(void *self, const struct txtap_recording_item *block)
{
    struct view_trace *trace = self;

    if (trace->full)
        return false;
    if (trace->ctf != NULL || block->type == TXTAP_RECORDING_METADATA)
        return view_trace_take_ctf(trace, block);
    if (!before_block(trace, block)) {
        view_trace_no_memory(trace);
        return false;
    }
    return txtap_recording_play(&trace->player, block, (struct txtap_sink){view_trace_take, trace}) == TXTAP_OK;
}

void view_trace_feed(struct view_trace *trace, const uint8_t *bytes, size_t length)
{
    const char *why;

    trace->bytes += length;
    if (trace->problem.length > 0 || trace->ended)
        return;
    why = recording_feed_take(&trace->feed, bytes, length, (struct recording_feed_sink){take_block, trace});
    if (why != NULL) {
        trace->unread = !trace->feed.refused;
        view_trace_fail(trace, "%s: %s", trace->options.name, why);
    }
    view_trace_settle(trace);
}

void view_trace_load(struct view_trace *trace, const uint8_t *bytes, size_t length)
{
    if (txtap_recording_signature(bytes, length) || trace->feed.used > 0) {
        view_trace_feed(trace, bytes, length);
        return;
    }
    trace->bytes += length;
    if (trace->problem.length > 0 || trace->ended)
        return;
    view_trace_load_image(trace, bytes, length);
    view_trace_settle(trace);
}
