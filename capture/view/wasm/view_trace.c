/* SPDX-License-Identifier: MIT */
/* Turns bytes into blocks of a recording and blocks into items, and stores the items with the names of their time. */
#include "view/wasm/view_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/rate.h"
#include "txtap/inner/rows_samples.h"

#define SETTLE_EVENTS 65536u /* number of events between two calls of settle() */
#define DROP_AT_ONCE  1024u  /* number of events in a page of most lists */

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

/* Drops names to which no stored event can refer. Otherwise the cost of each new name would grow. */
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

/* ---- items ---- */

/* Updates the number of events whose ticks are in the rows, because they need not be stored twice. */
static void settle(struct view_trace *trace)
{
    struct txtap_rows_summary summary;

    txtap_rows_summary(trace->timeline.rows, &summary);
    trace->even = timeline_is_even(&trace->timeline);
    trace->version++;
    if (trace->even)
        store_ticks_are_in_rows(&trace->store, summary.end);
}

/* Drops the moments of the rows that are before the store's oldest event. */
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

/* Drops the oldest events when the stored events exceed the number to keep by an eighth. */
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
    if (txtap_rows_forget_samples(trace->timeline.rows) != TXTAP_OK)
        return false;
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
        trace->counts.lost_exact = false; /* events written just before the mark may never have been read */
    }
    if (mark->kind == TXTAP_MARK_RESET || mark->kind == TXTAP_MARK_MOVED || mark->kind == TXTAP_MARK_DETACHED)
        return txtap_rows_forget_samples(trace->timeline.rows) == TXTAP_OK;
    return true;
}

static bool take_sample(struct view_trace *trace, const struct txtap_sample *sample)
{
    struct txtap_rows_summary summary;

    if (txtap_rows_take_sample(trace->timeline.rows, sample) != TXTAP_OK)
        return false;
    txtap_rows_summary(trace->timeline.rows, &summary);
    if (summary.samples_dropped > 0 && !trace->samples_dropped) {
        trace->samples_dropped = true;
        view_trace_note(trace, "the page has no room for all samples: the oldest samples are not shown");
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
    else if (item->kind == TXTAP_ITEM_SAMPLE)
        taken = take_sample(trace, &item->sample);
    if (item->kind == TXTAP_ITEM_EVENT && store_end(&trace->store) % SETTLE_EVENTS == 0)
        settle(trace);
    txtap_rows_define(trace->timeline.rows, view_trace_is_ctf(trace) ? NULL : trace->definitions);
    if (taken)
        taken = timeline_take(&trace->timeline, item, era != NULL ? &era->registry : NULL);
    if (!taken)
        view_trace_no_memory(trace);
    return taken ? TXTAP_OK : TXTAP_END;
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

bool view_trace_take_channel(struct view_trace *trace)
{
    if (trace->channels == NULL)
        trace->channels = calloc(1, sizeof *trace->channels);
    trace->player.channels = trace->channels;
    return trace->channels != NULL;
}

static bool before_block(struct view_trace *trace, const struct txtap_recording_item *block)
{
    struct stored_note *note;

    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        if (trace->player.given) /* the block is a restart, which also comes as an item */
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
    case TXTAP_RECORDING_DEFINITIONS: /* only recordings of the event logger have definitions */
        view_trace_define(trace, MEANING_OF_RING, block->definitions, strlen(block->definitions));
        return timeline_from_logger(&trace->timeline);
    case TXTAP_RECORDING_MEANING:
        meanings_take_piece(trace, block);
        return true;
    case TXTAP_RECORDING_CHANNEL:
        return view_trace_take_channel(trace);
    case TXTAP_RECORDING_STACKS:
        if (trace->stacks == NULL)
            trace->stacks = malloc(TXTAP_STACKS_MAX * sizeof *trace->stacks);
        trace->stack_count = trace->stacks != NULL ? txtap_stacks_take(trace->stacks, block->stacks) : 0;
        return true;
    case TXTAP_RECORDING_RATE:
        if (!trace->options.hz_given && block->rate.hz >= VIEW_HZ_LEAST) { /* a later rate is better */
            trace->rate = block->rate;
            trace->options.tick_hz = block->rate.hz;
            trace->text.era = trace->json.era = NULL;
        }
        return true;
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
    settle(trace);
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
    settle(trace);
}

/* ---- the order of several files ---- */

/* Reads blocks up to the first compressed block. Sequence numbers of events may be compressed, but not file numbers. */
static void read_start(struct txtap_recording_start *start, const uint8_t *bytes, size_t length)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed;
    bool enough = length < at || txtap_recording_open(&recording, bytes) != TXTAP_OK || recording.ctf;

    while (!enough && txtap_recording_block(&recording, bytes + at, length - at, &block, &needed) == TXTAP_OK) {
        enough =
            block.compressed || (txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK &&
                                 txtap_recording_start_take(start, &item));
        at += needed;
    }
}

bool view_trace_add_start(struct view_trace *trace, const uint8_t *bytes, size_t length, uint64_t size)
{
    struct txtap_recording_start *starts = realloc(trace->starts, (trace->start_count + 1) * sizeof *starts);
    struct txtap_recording_start *start;

    if (starts == NULL) {
        view_trace_no_memory(trace);
        return true;
    }
    trace->starts = starts;
    start = &starts[trace->start_count];
    *start = (struct txtap_recording_start){.bytes = size, .index = trace->start_count++};
    read_start(start, bytes, length);
    return start->has_buffer;
}

void view_trace_sort(struct view_trace *trace)
{
    struct txtap_recording_start *starts = trace->starts;
    struct text *out = &trace->out;
    size_t a = 0, b = 0, kept = 0;

    text_clear(out);
    if (txtap_recording_sort(starts, trace->start_count, &a, &b) != TXTAP_OK) {
        text_print(out, "{\"foreign\":[%zu,%zu]}", a, b);
        return;
    }
    text_print(out, "{\"order\":[");
    for (size_t i = 0; i < trace->start_count; i++)
        if (!starts[i].again)
            text_print(out, "%s%zu", i > 0 ? "," : "", starts[i].index);
    text_print(out, "],\"again\":[");
    for (size_t i = 0, count = 0; i < trace->start_count; i++) {
        if (starts[i].again)
            text_print(out, "%s[%zu,%zu]", count++ > 0 ? "," : "", starts[i].index, starts[kept].index);
        else
            kept = i;
    }
    text_print(out, "]}");
}

/* ---- from file to file ---- */

void view_trace_note(struct view_trace *trace, const char *text)
{
    text_print(&trace->notes, "%s\n", text);
    trace->version++;
}

void view_trace_next_file(struct view_trace *trace)
{
    const char *missing = recording_feed_next(&trace->feed);

    if (trace->unread) {
        text_print(&trace->notes, "%s\n", trace->problem.at);
        text_clear(&trace->problem);
        trace->unread = false;
    } else if (missing != NULL && trace->problem.length == 0) {
        trace->cut = true;
        text_print(&trace->notes, "%s: %s\n", trace->options.name, missing);
    }
    trace->version++;
}

/* Notes missing files of the recording, at its start and its end. */
static void note_files(struct view_trace *trace)
{
    uint32_t earlier = txtap_recording_joint_earlier(&trace->feed.joint);

    if (trace->feed.heads < 2)
        return;
    trace->cut = trace->cut || earlier > 0 || trace->feed.joint.goes_on;
    if (earlier > 0)
        text_print(&trace->notes, "%s: %" PRIu32 " file%s that the recording had before the first one %s not there\n",
                   trace->options.name, earlier, earlier > 1 ? "s" : "", earlier > 1 ? "are" : "is");
    if (trace->feed.joint.goes_on)
        text_print(&trace->notes, "%s: the recording continues in another file, which is missing\n",
                   trace->options.name);
}

/* ---- the end ---- */

static void note_clock(struct view_trace *trace)
{
    unsigned notices = txtap_clock_notices(&trace->player.maker.clock);

    for (unsigned bit = 1; bit <= TXTAP_CLOCK_NANOSECONDS; bit <<= 1)
        if ((notices & bit) != 0)
            text_print(&trace->notes, "%s\n", txtap_clock_notice_text(bit));
}

struct txtap_rate view_trace_rate(const struct view_trace *trace)
{
    const double hz = trace->options.tick_hz;

    if (trace->options.hz_given && hz > 0)
        return (struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = hz};
    return trace->rate;
}

/* Notes how exact the times are, if the recording has a measured rate. */
static void note_rate(struct view_trace *trace)
{
    const struct txtap_rate *rate = &trace->rate;
    double unit = rate->hz >= 1e6 ? 1e6 : rate->hz >= 1e3 ? 1e3 : 1;

    if (rate->how == TXTAP_RATE_MEASURED && !trace->options.hz_given)
        text_print(&trace->notes, "Times use a measured rate: %.6g %s ± %.1g %%.\n", rate->hz / unit,
                   unit >= 1e6   ? "MHz"
                   : unit >= 1e3 ? "kHz"
                                 : "Hz",
                   txtap_rate_tolerance(rate) * 100);
}

void view_trace_end(struct view_trace *trace)
{
    const char *missing = trace->feed.offset + trace->feed.used > 0 ? recording_feed_end(&trace->feed) : NULL;

    if (trace->ended)
        return;
    trace->ended = true;
    view_trace_end_ctf(trace);
    timeline_end(&trace->timeline);
    settle(trace);
    trace->cut = trace->cut || missing != NULL;
    if (missing != NULL && trace->problem.length == 0)
        text_print(&trace->notes, "%s: %s\n", trace->options.name, missing);
    note_files(trace);
    note_rate(trace);
    if (trace->player.begun)
        note_clock(trace);
}

/* ---- life ---- */

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
    meanings_free(trace);
    view_trace_free_ctf(trace);
    free(trace->analysis_memory);
    free(trace->why_memory);
    free(trace->csv);
    text_free(&trace->problem);
    text_free(&trace->notes);
    text_free(&trace->out);
    free(trace->stacks);
    free(trace->channels);
    free(trace->starts);
    free((char *)trace->options.name);
    free(trace);
}
