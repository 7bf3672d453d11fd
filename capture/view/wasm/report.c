/* SPDX-License-Identifier: MIT */
/*
 * Gives all that is held to the analyses again, in its order. Names are learnt again, too, as they were known then.
 * Blocks whose events neither create nor delete anything are skipped before the range.
 */
#include "view/wasm/report.h"

#include <stdlib.h>

#include "txtap/figure_json.h"

struct replay {
    struct view_trace *trace;
    struct txtap_analysis *analysis;
    struct txtap_zephyr_logger *logger; /* NULL: the events are ThreadX's */
    const struct txtap_registry *names; /* of the present event */
    struct txtap_registry learnt;       /* names, if they are those of a recording */
    struct txtap_object *objects;       /* of learnt */
    const struct txtap_registry *given; /* names that the analysis has, */
    uint32_t generation;                /* as they were then */
    uint64_t from, to;
    uint64_t resets;
    uint32_t noted; /* events before that index were noted */
};

/* ---- what the analysis is given ---- */

/* As report_input_take() of the program does it. */
static enum txtap_status give(void *self, const struct txtap_item *item)
{
    struct replay *replay = self;

    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks > replay->to)
        return TXTAP_END;
    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks < replay->from)
        return TXTAP_OK;
    if (item->kind == TXTAP_ITEM_EVENT &&
        (replay->given != replay->names || replay->generation != replay->names->generation)) {
        replay->given = replay->names;
        replay->generation = replay->names->generation;
        txtap_analysis_objects(replay->analysis, replay->names);
    }
    if (item->kind == TXTAP_ITEM_MARK)
        replay->resets += item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED;
    return txtap_analysis_take(replay->analysis, item);
}

static enum txtap_status give_translated(struct replay *replay, const struct txtap_item *item)
{
    return replay->logger != NULL ? txtap_zephyr_logger_take(replay->logger, item) : give(replay, item);
}

/* ---- notes ---- */

static void note_events(struct replay *replay, uint32_t first, uint32_t count)
{
    const struct store *store = &replay->trace->store;
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event event;

    for (uint32_t i = 0; i < count && first + i < store_end(store); i++) {
        store_get(store, first + i, &event, words);
        txtap_registry_note(&replay->learnt, &event);
    }
}

/* Also of a block that changes nothing the last event is noted: names count events. */
static void take_noted(struct replay *replay, const struct stored_note *note)
{
    if (note->changes)
        note_events(replay, note->index, note->count);
    else
        note_events(replay, note->index + note->count - 1, 1);
    replay->noted = note->index + note->count;
}

static void take_objects(struct replay *replay, const struct stored_note *note)
{
    const struct txtap_recording_item block = {
        .type = TXTAP_RECORDING_OBJECTS, .fresh = note->fresh, .objects = note->bytes, .objects_bytes = note->length};

    txtap_recording_objects(&block, &replay->learnt);
}

static enum txtap_status take_note(struct replay *replay, const struct stored_note *note)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP};

    switch (note->kind) {
    case STORED_GAP:
        item.gap = note->gap;
        break;
    case STORED_MARK:
        item.kind = TXTAP_ITEM_MARK;
        item.mark = note->mark;
        break;
    case STORED_RESTART:
        item.kind = TXTAP_ITEM_RESTART;
        item.header = note->header;
        break;
    case STORED_OBJECTS:
        take_objects(replay, note);
        return TXTAP_OK;
    case STORED_NOTED:
        take_noted(replay, note);
        return TXTAP_OK;
    }
    return give_translated(replay, &item);
}

/* ---- events ---- */

/* Ticks go on where those of a new trace begin again; the analysis is told of that as of any doubtful time. */
static enum txtap_status take_event(struct replay *replay, uint32_t index)
{
    const struct store *store = &replay->trace->store;
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    uint32_t words[STORE_WORDS_MAX];

    store_get(store, index, &item.event, words);
    item.event.ticks_doubtful = store_begins_again(store, index);
    if (replay->objects != NULL && index >= replay->noted)
        txtap_registry_note(&replay->learnt, &item.event); /* the start of its block is no longer held */
    return give_translated(replay, &item);
}

/* Another kernel's events mean something only together. */
static uint32_t first_event(const struct replay *replay)
{
    const struct store *store = &replay->trace->store;

    return replay->logger != NULL ? store_first(store) : store_at(store, replay->from);
}

static enum txtap_status replay_all(struct replay *replay)
{
    const struct store *store = &replay->trace->store;
    uint32_t note = store->notes.first, index = first_event(replay);
    enum txtap_status status = TXTAP_OK;

    for (; index <= store_end(store) && status == TXTAP_OK; index++) {
        while (note < store->notes.end && status == TXTAP_OK) {
            const struct stored_note *next = deque_at(&store->notes, note);

            if (next->index > index)
                break;
            status = take_note(replay, next);
            note++;
        }
        if (index < store_end(store) && status == TXTAP_OK)
            status = take_event(replay, index);
    }
    return status;
}

/* ---- the answer ---- */

struct listing {
    struct txtap_figure_json json;
    const struct txtap_registry *names;
};

static const char *name_of(const struct listing *listing, const struct txtap_subject *subject)
{
    bool named = subject->kind == TXTAP_SUBJECT_THREAD || subject->kind == TXTAP_SUBJECT_OBJECT;

    return named ? txtap_registry_name(listing->names, subject->number) : "";
}

static enum txtap_status add_figure(void *self, const struct txtap_figure *figure)
{
    struct listing *listing = self;

    txtap_figure_json_add(&listing->json, figure, name_of(listing, &figure->subject), name_of(listing, &figure->other),
                          figure->stat[TXTAP_STAT_N].known && figure->stat[TXTAP_STAT_N].value >= 2);
    return TXTAP_OK;
}

static enum txtap_status write_out(void *self, const char *bytes, size_t length)
{
    text_add(self, bytes, length);
    return TXTAP_OK;
}

static void list_figures(struct replay *replay)
{
    struct view_trace *trace = replay->trace;
    struct listing listing = {.json = {.writer = {write_out, &trace->out}, .tick_hz = trace->options.tick_hz},
                              .names = replay->names};
    struct txtap_figure_json_head head = {
        .trace = trace->options.name, .resets = replay->resets, .lacks = timeline_lacks(&trace->timeline)};

    txtap_analysis_summary(replay->analysis, &head.summary);
    txtap_figure_json_begin(&listing.json, &head);
    (void)txtap_analysis_figures(replay->analysis, NULL, (struct txtap_figure_sink){add_figure, &listing});
    (void)txtap_figure_json_end(&listing.json);
    text_print(&trace->out, "}\n");
}

/* A recording's names are learnt again; of a buffer they were all known before its first event. */
static bool open_replay(struct replay *replay)
{
    struct view_trace *trace = replay->trace;
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {.tick_hz = trace->options.tick_hz};

    if (trace->analysis_memory == NULL)
        trace->analysis_memory = malloc(txtap_analysis_bytes(&limits));
    if (trace->analysis_memory == NULL)
        return false;
    replay->analysis = txtap_analysis_open(trace->analysis_memory, &limits, &options);
    replay->names = &replay->learnt;
    if (trace->player.begun)
        replay->objects = malloc(VIEW_OBJECTS_MAX * sizeof *replay->objects);
    else if (trace->era_count > 0)
        replay->names = &trace->eras[0]->registry;
    txtap_registry_init(&replay->learnt, replay->objects, replay->objects != NULL ? VIEW_OBJECTS_MAX : 0);
    if (trace->timeline.logger != NULL) {
        replay->logger = calloc(1, sizeof *replay->logger);
        if (replay->logger != NULL)
            replay->logger->next = (struct txtap_sink){give, replay};
    }
    return (replay->objects != NULL || !trace->player.begun) &&
           (replay->logger != NULL || trace->timeline.logger == NULL);
}

bool answer_report(struct view_trace *trace, uint64_t from, uint64_t to)
{
    struct replay *replay = calloc(1, sizeof *replay);
    bool opened;

    text_clear(&trace->out);
    if (replay == NULL)
        return false;
    *replay = (struct replay){.trace = trace, .from = from, .to = to, .noted = store_first(&trace->store)};
    opened = open_replay(replay);
    if (opened) {
        (void)replay_all(replay);
        if (replay->logger != NULL)
            (void)txtap_zephyr_logger_end(replay->logger);
        txtap_analysis_end(replay->analysis);
        list_figures(replay);
    }
    free(replay->logger);
    free(replay->objects);
    free(replay);
    return opened && !trace->out.failed;
}
