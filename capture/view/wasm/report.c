/* SPDX-License-Identifier: MIT */
/* Gives the stored items to the analyses, in order. Learns names in the same order, so that each item has the names of
 * its time. Before the range, uses only the few events that affect names. */
#include "view/wasm/report.h"

#include <stdlib.h>

#include "figures/figures.h"
#include "txtap/inner/figure_json.h"
#include "txtap/inner/flow.h"
#include "txtap/inner/registry.h"

#ifdef VIEW_TABLES_MAX /* the fuzzer uses small tables, which are faster */
#define REPORT_LIMITS                                                                                                  \
    ((struct txtap_analysis_limits){VIEW_TABLES_MAX, VIEW_TABLES_MAX, VIEW_TABLES_MAX, 0, VIEW_TABLES_MAX})
#define REPORT_STEPS 256u
#else
#define REPORT_LIMITS txtap_analysis_limits_default()
#endif

#define NOTE_WORTH 32u /* a note counts as this many events, because it takes the same time */

/* The answer of a report. */
enum answer { ANSWER_REPORT, ANSWER_FLOW, ANSWER_NOTHING };

struct report {
    struct view_trace *trace;
    uint32_t sections; /* the analysed sections; 0: all */
    struct txtap_analysis *analysis;
    struct txtap_why *why;
    struct txtap_zephyr_logger *logger; /* NULL: the events are ThreadX's */
    const struct txtap_registry *names; /* names at the current event */
    struct txtap_registry learnt;       /* the names, if they come from a recording */
    struct txtap_object *objects;       /* memory of learnt */
    const struct txtap_registry *given; /* the names that the analysis has */
    uint32_t generation;                /* generation of these names when the analysis got them */
    uint64_t from, to;
    enum answer answer;
    uint64_t resets;
    uint32_t noted;          /* events before this index were passed to txtap_registry_note() */
    uint32_t index, end;     /* index of the next event, and end of the events */
    uint32_t note, note_end; /* index of the next note, and end of the notes */
    struct txtap_findings findings;
    bool done;
};

/* ---- input of the analysis ---- */

static bool is_restart(const struct txtap_item *item)
{
    return item->kind == TXTAP_ITEM_MARK &&
           (item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED);
}

/* Returns true for gaps and resets before the range, which do not belong to it. */
static bool is_before(const struct report *report, const struct txtap_item *item)
{
    return report->from > 0 && report->given == NULL && (item->kind == TXTAP_ITEM_GAP || is_restart(item));
}

/* Does the same as report_input_take() of the program. */
static enum txtap_status give(void *self, const struct txtap_item *item)
{
    struct report *report = self;

    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks > report->to)
        return TXTAP_END;
    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks < report->from)
        return TXTAP_OK;
    if (item->kind == TXTAP_ITEM_EVENT &&
        (report->given != report->names || report->generation != report->names->generation)) {
        report->given = report->names;
        report->generation = report->names->generation;
        txtap_analysis_names(report->analysis, report->names);
        txtap_analysis_objects(report->analysis, report->names);
    }
    if (is_before(report, item))
        return TXTAP_OK;
    report->resets += is_restart(item);
    return txtap_analysis_take(report->analysis, item);
}

static enum txtap_status give_translated(struct report *report, const struct txtap_item *item)
{
    return report->logger != NULL ? txtap_zephyr_logger_take(report->logger, item) : give(report, item);
}

/* ---- notes ---- */

static void note_event(struct report *report, uint32_t index)
{
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event event;

    store_get(&report->trace->store, index, &event, words);
    txtap_registry_note(&report->learnt, &event);
}

/* Passes all events of the block to txtap_registry_note(), before the first of these events is given to the
 * analysis. */
static void take_noted(struct report *report, const struct stored_note *note)
{
    const struct store *store = &report->trace->store;
    uint32_t end = note->index + note->count < report->end ? note->index + note->count : report->end;
    uint32_t at = note->index > 0 ? deque_above(&store->naming, note->index - 1) : store->naming.first;

    for (; at < store->naming.end; at++) {
        uint32_t index = *(uint32_t *)deque_at(&store->naming, at);

        if (index >= end)
            break;
        note_event(report, index);
    }
    if (end > note->index)
        note_event(report, end - 1);
    report->noted = note->index + note->count;
}

static void take_objects(struct report *report, const struct stored_note *note)
{
    const struct txtap_recording_item block = {
        .type = TXTAP_RECORDING_OBJECTS, .fresh = note->fresh, .objects = note->bytes, .objects_bytes = note->length};

    txtap_recording_objects(&block, &report->learnt);
}

static enum txtap_status take_note(struct report *report, const struct stored_note *note)
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
        take_objects(report, note);
        return TXTAP_OK;
    case STORED_NOTED:
        take_noted(report, note);
        return TXTAP_OK;
    }
    return give_translated(report, &item);
}

/* ---- events ---- */

/* Takes an event. If a new trace restarts at tick 0, the stored ticks continue, and the analysis must treat the time as
 * doubtful. */
static enum txtap_status take_event(struct report *report, uint32_t index)
{
    const struct store *store = &report->trace->store;
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    uint32_t words[STORE_WORDS_MAX];

    store_get(store, index, &item.event, words);
    if (view_trace_is_ctf(report->trace))
        view_trace_translate_back(&item.event);
    item.event.ticks_doubtful = store_begins_again(store, index);
    if (report->objects != NULL && index >= report->noted)
        txtap_registry_note(&report->learnt, &item.event); /* the start of the event's block was already dropped */
    return give_translated(report, &item);
}

/* Returns the first event to take. Another kernel's events have a meaning only together, so the first stored event is
 * needed. */
static uint32_t first_event(const struct report *report)
{
    const struct store *store = &report->trace->store;

    return report->logger != NULL ? store_first(store) : store_at(store, report->from);
}

static bool is_note_next(const struct report *report)
{
    const struct stored_note *note =
        report->note < report->note_end ? deque_at(&report->trace->store.notes, report->note) : NULL;

    return note != NULL && note->index <= report->index;
}

/* Takes the next event or note. TXTAP_END: no more items. */
static enum txtap_status take_next(struct report *report)
{
    if (is_note_next(report))
        return take_note(report, deque_at(&report->trace->store.notes, report->note++));
    return report->index < report->end ? take_event(report, report->index++) : TXTAP_END;
}

/* Returns true if the store has already dropped the next item. */
static bool is_gone(const struct report *report)
{
    const struct store *store = &report->trace->store;

    return report->index < store_first(store) || report->note < store->notes.first;
}

enum report_state report_step(struct view_trace *trace, uint32_t count)
{
    struct report *report = trace->report;

    if (report == NULL)
        return REPORT_NONE;
    if (report->done)
        return REPORT_DONE;
    if (is_gone(report)) {
        report_forget(trace);
        return REPORT_NONE;
    }
    for (uint32_t worth = 1; count > 0 && !report->done; count -= worth < count ? worth : count) {
        worth = is_note_next(report) ? NOTE_WORTH : 1;
        report->done = take_next(report) != TXTAP_OK;
    }
    return report->done ? REPORT_DONE : REPORT_MORE;
}

/* ---- the answer ---- */

struct listing {
    struct txtap_figure_json json;
    struct txtap_finding_names names;
};

const char *report_subject_name(struct view_trace *trace, const struct txtap_subject *subject)
{
    const char *name = NULL;

    if (subject->kind == TXTAP_SUBJECT_INTERRUPT)
        name = view_trace_interrupt(trace, subject->number);
    return name != NULL ? name : txtap_subject_name(subject, trace->report->names);
}

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    return report_subject_name(((const struct report *)self)->trace, subject);
}

static enum txtap_status add_figure(void *self, const struct txtap_figure *figure)
{
    struct listing *listing = self;

    txtap_figure_json_add(&listing->json, figure, listing->names.name(listing->names.self, &figure->subject),
                          listing->names.name(listing->names.self, &figure->other),
                          figure->stat[TXTAP_STAT_N].known && figure->stat[TXTAP_STAT_N].value >= 2);
    return TXTAP_OK;
}

static enum txtap_status write_out(void *self, const char *bytes, size_t length)
{
    text_add(self, bytes, length);
    return TXTAP_OK;
}

static struct txtap_figure_json_head head_of(const struct report *report)
{
    struct txtap_figure_json_head head = {.trace = report->trace->options.name,
                                          .resets = report->resets,
                                          .lacks = view_trace_lacks(report->trace),
                                          .rate = view_trace_rate(report->trace),
                                          .rate_recorded = !report->trace->options.hz_given};

    txtap_analysis_summary(report->analysis, &head.summary);
    return head;
}

/* Returns false if there is no memory. */
static bool list_flow(const struct report *report)
{
    struct view_trace *trace = report->trace;
    const struct txtap_figure_json_head head = head_of(report);
    struct txtap_flow *flow = malloc(sizeof *flow);

    if (flow == NULL)
        return false;
    txtap_flow_collect(flow, report->analysis);
    (void)txtap_flow_json(flow, &head, &(struct txtap_finding_names){name_of, report}, trace->options.tick_hz,
                          (struct txtap_writer){write_out, &trace->out});
    free(flow);
    return true;
}

static void list_figures(struct report *report)
{
    struct view_trace *trace = report->trace;
    const struct txtap_writer writer = {write_out, &trace->out};
    struct listing listing = {.json = {.writer = writer, .tick_hz = trace->options.tick_hz},
                              .names = {name_of, report}};
    const struct txtap_figure_json_head head = head_of(report);

    txtap_figure_json_begin(&listing.json, &head);
    (void)txtap_analysis_figures(report->analysis, 0, (struct txtap_figure_sink){add_figure, &listing});
    (void)txtap_figure_json_end(&listing.json);
    txtap_findings_collect(&report->findings, report->analysis);
    (void)txtap_figure_json_findings(&listing.json, &report->findings, &listing.names);
    text_print(&trace->out, ",");
    (void)txtap_why_json(report->why, &listing.names, trace->options.tick_hz, writer);
    text_print(&trace->out, "}\n");
}

/* ---- begin and end ---- */

/* Takes the names of the oldest stored event's era, because the events and blocks that contained these names may have
 * been dropped. */
static void learn_of_dropped(struct report *report)
{
    const struct view_trace *trace = report->trace;
    uint32_t first = store_first(&trace->store);
    const struct era *era = first > 0 && trace->era_count > 0 ? view_trace_era(trace, first) : NULL;

    if (era != NULL && report->objects != NULL)
        txtap_registry_restore(&report->learnt, era->registry.objects, era->registry.count);
}

/* Opens the search for causes. Only a report of a single span keeps pieces. */
static bool open_why(struct report *report, const struct txtap_why_wish *wish)
{
    struct view_trace *trace = report->trace;
    const struct txtap_analysis_limits limits = REPORT_LIMITS;
    struct txtap_why_limits own = txtap_why_limits_default(&limits);

#ifdef REPORT_STEPS
    own.steps = REPORT_STEPS;
#endif
    if (trace->why_memory == NULL)
        trace->why_memory = malloc(txtap_why_bytes(&own));
    if (trace->why_memory == NULL)
        return false;
    own.pieces = wish->select != TXTAP_WHY_WORST ? own.pieces : 0;
    report->why = txtap_why_open(trace->why_memory, &own, report->analysis, wish);
    return true;
}

/* Opens a report. For a recording, the report learns the names again. For a trace buffer that is not necessary: all its
 * names were known before its first event. */
static bool open_report(struct report *report, const struct txtap_why_wish *wish)
{
    struct view_trace *trace = report->trace;
    const struct txtap_analysis_limits limits = REPORT_LIMITS;
    const struct txtap_analysis_options options = {.tick_hz = trace->options.tick_hz, .sections = report->sections};

    if (trace->analysis_memory == NULL)
        trace->analysis_memory = malloc(txtap_analysis_bytes(&limits, 0));
    if (trace->analysis_memory == NULL)
        return false;
    report->analysis = txtap_analysis_open(trace->analysis_memory, &limits, &options);
    if (wish != NULL && !open_why(report, wish))
        return false;
    report->names = &report->learnt;
    if (trace->player.begun)
        report->objects = malloc(VIEW_OBJECTS_MAX * sizeof *report->objects);
    else if (trace->era_count > 0)
        report->names = &trace->eras[0]->registry;
    txtap_registry_init(&report->learnt, report->objects, report->objects != NULL ? VIEW_OBJECTS_MAX : 0);
    learn_of_dropped(report);
    if (trace->timeline.logger != NULL) {
        report->logger = calloc(1, sizeof *report->logger);
        if (report->logger != NULL)
            report->logger->next = (struct txtap_sink){give, report};
    }
    return (report->objects != NULL || !trace->player.begun) &&
           (report->logger != NULL || trace->timeline.logger == NULL);
}

void report_forget(struct view_trace *trace)
{
    if (trace->report == NULL)
        return;
    free(trace->report->logger);
    free(trace->report->objects);
    free(trace->report);
    trace->report = NULL;
}

static bool begin(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t sections, enum answer answer,
                  const struct txtap_why_wish *wish)
{
    const struct store *store = &trace->store;
    struct report *report;

    report_forget(trace);
    report = trace->report = calloc(1, sizeof *report);
    if (report == NULL)
        return false;
    *report = (struct report){.trace = trace,
                              .sections = sections,
                              .answer = answer,
                              .from = from,
                              .to = to,
                              .noted = store_first(store),
                              .note = store->notes.first,
                              .note_end = store->notes.end,
                              .end = store_end(store)};
    if (!open_report(report, wish)) {
        report_forget(trace);
        return false;
    }
    report->index = first_event(report);
    return true;
}

bool report_begin(struct view_trace *trace, uint64_t from, uint64_t to, const struct txtap_why_wish *wish)
{
    return wish != NULL ? begin(trace, from, to, 0, ANSWER_REPORT, wish)
                        : begin(trace, from, to, txtap_flow_sections(), ANSWER_FLOW, NULL);
}

bool report_begin_sections(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t sections)
{
    return begin(trace, from, to, sections, ANSWER_NOTHING, NULL);
}

struct txtap_analysis *report_analysis(struct view_trace *trace)
{
    return trace->report->analysis;
}

/* Ends the analyses. False: the report is not finished, or has another answer. */
static bool complete(struct view_trace *trace, enum answer answer)
{
    struct report *report = trace->report;

    text_clear(&trace->out);
    if (report == NULL || !report->done || report->answer != answer)
        return false;
    if (report->logger != NULL)
        (void)txtap_zephyr_logger_end(report->logger);
    txtap_analysis_names(report->analysis, report->names);
    txtap_analysis_end(report->analysis);
    return true;
}

bool report_end(struct view_trace *trace)
{
    if (!complete(trace, ANSWER_NOTHING))
        return false;
    report_forget(trace);
    return true;
}

/* Adds the kernel's values, which are of the whole trace. */
static void add_stacks(struct report *report)
{
    if (report->from == 0 && report->to == UINT64_MAX)
        txtap_analysis_stacks(report->analysis, report->trace->stacks, report->trace->stack_count);
}

struct giving {
    report_take *take;
    void *self;
    const struct report *report;
};

static enum txtap_status give_figure(void *self, const struct txtap_figure *figure)
{
    struct giving *giving = self;

    giving->take(giving->self, figure, name_of(giving->report, &figure->subject),
                 name_of(giving->report, &figure->other));
    return TXTAP_OK;
}

/* Ends the analyses, and gives their figures to `take`. False: the report is not finished. */
static bool give_all(struct view_trace *trace, report_take *take, void *self)
{
    struct giving giving = {take, self, trace->report};

    if (!complete(trace, ANSWER_REPORT))
        return false;
    add_stacks(trace->report);
    (void)txtap_analysis_figures(trace->report->analysis, 0, (struct txtap_figure_sink){give_figure, &giving});
    return true;
}

bool report_give(struct view_trace *trace, report_take *take, void *self, struct txtap_analysis_summary *summary)
{
    if (!give_all(trace, take, self))
        return false;
    txtap_analysis_summary(trace->report->analysis, summary);
    report_forget(trace);
    return true;
}

bool report_figures(struct view_trace *trace, report_take *take, void *self, struct figures *figures)
{
    struct report *report = trace->report;

    if (!give_all(trace, take, self))
        return false;
    txtap_findings_collect(&report->findings, report->analysis);
    (void)view_trace_interrupt(trace, 0); /* makes the names */
    figures->trace = trace->options.name;
    figures->resets = report->resets;
    figures->lacks = view_trace_lacks(trace);
    figures->registry = report->names;
    figures->interrupts = &trace->interrupts;
    figures->findings = &report->findings;
    figures->why = report->why;
    txtap_analysis_summary(report->analysis, &figures->summary);
    return true;
}

bool report_answer(struct view_trace *trace)
{
    bool flow = trace->report != NULL && trace->report->answer == ANSWER_FLOW, listed = true;

    if (!complete(trace, flow ? ANSWER_FLOW : ANSWER_REPORT))
        return false;
    add_stacks(trace->report);
    if (flow)
        listed = list_flow(trace->report);
    else
        list_figures(trace->report);
    report_forget(trace);
    return listed && !trace->out.failed;
}

bool report_answer_why(struct view_trace *trace)
{
    struct report *report = trace->report;
    struct txtap_why_summary summary;

    if (!complete(trace, ANSWER_REPORT))
        return false;
    if (txtap_why_summary(report->why, &summary)) {
        text_print(&trace->out, "{");
        (void)txtap_why_json(report->why, &(struct txtap_finding_names){name_of, report}, trace->options.tick_hz,
                             (struct txtap_writer){write_out, &trace->out});
        text_print(&trace->out, "}\n");
    } else {
        text_print(&trace->out, "null");
    }
    report_forget(trace);
    return !trace->out.failed;
}
