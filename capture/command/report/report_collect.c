/* SPDX-License-Identifier: MIT */
/*
 * Passes the figures of an analysis on: all figures to the checks, and the selected figures to the report. It is an
 * error if a pattern in an option matches nothing. Otherwise the figures of a renamed thread would silently be missing.
 */
#include "command/report/report_collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/option_values.h"
#include "base/similar.h"
#include "file/ctf_directory.h"
#include "file/definitions_file.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "file/wall_range.h"
#include "options/report.h"
#include "output/report.h"
#include "txtap/inner/pattern.h"
#include "txtap/registry.h"

/* ---- the input ---- */

#define OBJECTS_MAX 65536 /* most objects at one time; a file may have more over its whole time */

static void learn(struct report_input *into)
{
    if (into->learnt && into->names->generation == into->generation)
        return;
    into->learnt = true;
    into->generation = into->names->generation;
    txtap_analysis_names(into->analysis, into->names);
    txtap_analysis_objects(into->analysis, into->names);
}

static bool is_restart(const struct txtap_item *item)
{
    return item->kind == TXTAP_ITEM_MARK &&
           (item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED);
}

/* Returns true if the item is a loss or a reset before --from. The report ignores such an item. */
static bool is_before(const struct report_input *into, const struct txtap_item *item)
{
    return into->from_ticks > 0 && !into->learnt && (item->kind == TXTAP_ITEM_GAP || is_restart(item));
}

/* Notes the number of an interrupt, if the event has one. */
static void note_interrupt(struct report_input *into, const struct txtap_event *event)
{
    uint32_t number;
    size_t i = 0;

    if (!txtap_interrupts_number(event, &number))
        return;
    while (i < into->number_count && into->numbers[i] != number)
        i++;
    if (i == into->number_count && i < REPORT_INTERRUPTS_MAX)
        into->numbers[into->number_count++] = number;
}

enum txtap_status report_input_take(void *self, const struct txtap_item *item)
{
    struct report_input *into = self;

    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks > into->to_ticks)
        return TXTAP_END;
    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks < into->from_ticks)
        return TXTAP_OK;
    if (item->kind == TXTAP_ITEM_EVENT) {
        learn(into);
        note_interrupt(into, &item->event);
    }
    stream_stats_count(&into->stats, item);
    if (is_before(into, item))
        return TXTAP_OK;
    into->resets += is_restart(item);
    (void)txtap_analysis_take(into->analysis, item);
    return into->stop != NULL ? *into->stop : TXTAP_OK;
}

/* ---- a buffer ---- */

static enum txtap_status read_buffer(struct report_input *into, const struct options *options, struct input *input,
                                     struct error *error)
{
    static struct trace_file file;
    const struct trace_file_request request = {.input = input,
                                               .has_base = options->has_base,
                                               .base = options->base,
                                               .has_address = options->target.ring.wished.has_address,
                                               .address = options->target.ring.wished.address};
    enum txtap_status status = trace_file_open(&file, &request, error);
    struct txtap_item item;

    if (status != TXTAP_OK)
        return status;
    if (!options->quiet)
        trace_file_report(&file);
    into->names = &file.trace.registry;
    while (status == TXTAP_OK && (status = txtap_trace_next(&file.trace, &item)) == TXTAP_OK)
        status = report_input_take(into, &item);
    into->registry = file.trace.registry;
    into->names = &into->registry;
    txtap_analysis_names(into->analysis, into->names);
    into->objects = file.objects;
    file.objects = NULL; /* keeps the names in memory after the file is closed */
    trace_file_close(&file);
    return status == TXTAP_END ? TXTAP_OK : status;
}

/* ---- a recording ---- */

static enum txtap_status open_names(struct report_input *into, const char *name, struct error *error)
{
    into->objects = calloc(OBJECTS_MAX, sizeof *into->objects);
    if (into->objects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);
    txtap_registry_init(&into->registry, into->objects, OBJECTS_MAX);
    into->names = &into->registry;
    return TXTAP_OK;
}

/* Limits the events to the range of the wall clock, if there is a range. */
static void limit(struct report_input *into, struct wall_range *range, const struct txtap_recording_item *block,
                  double tick_hz)
{
    if (!wall_range_is_given(range))
        return;
    wall_range_take(range, block, tick_hz);
    wall_range_limit(range, &into->from_ticks, &into->to_ticks);
}

static enum txtap_status play(struct report_input *into, const struct options *options, struct recording_reader *reader,
                              struct error *error)
{
    struct wall_range range;
    static struct txtap_recording_player player;
    static struct txtap_channels channels;
    struct txtap_recording_item block;
    enum txtap_status status;

    txtap_recording_player_init(&player, &into->registry);
    channels.count = channels.word_count = 0;
    player.channels = &channels;
    wall_range_init(&range, options->since_us, options->until_us, into->from_ticks, into->to_ticks);
    while ((status = recording_reader_next(reader, &block, error)) == TXTAP_OK) {
        if (block.type == TXTAP_RECORDING_DEFINITIONS) /* only recordings from the event logger have such a block */
            status = translation_from_logger(&into->translation, error);
        limit(into, &range, &block, options_known_rate(options).hz);
        if (into->begun_us == 0 && block.type == TXTAP_RECORDING_EVENTS &&
            block.unix_us + block.span_us >= options->since_us)
            into->begun_us = block.unix_us;
        if (!into->identity->scanned)
            identity_take(into->identity, &block);
        if (status == TXTAP_OK)
            status = txtap_recording_play(&player, &block, (struct txtap_sink){translation_take, &into->translation});
        if (status != TXTAP_OK)
            break;
    }
    return status == TXTAP_END ? TXTAP_OK : status;
}

static enum txtap_status read_recording(struct report_input *into, const struct options *options, struct input *input,
                                        struct error *error)
{
    static struct recording_reader reader;
    enum txtap_status status;

    if (options->has_base || options->target.ring.wished.has_address)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: a recording has addresses of its own\ndo not use --base and --address here",
                       input->name);
    status = open_names(into, input->name, error);
    if (status == TXTAP_OK)
        status = recording_reader_open(&reader, input, error);
    if (status != TXTAP_OK)
        return status;
    status = play(into, options, &reader, error);
    recording_reader_close(&reader);
    into->cut = reader.cut;
    if (!options->quiet)
        report_notes(&reader.notes);
    return status;
}

/* ---- CTF ---- */

static enum txtap_status read_directory(struct report_input *into, const char *path, struct error *error)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};
    uint8_t *stream = NULL;
    enum txtap_status status = open_names(into, path, error);

    if (status == TXTAP_OK)
        status =
            translation_from_directory(&into->translation, path, &into->registry, &stream, &item.bytes.length, error);
    item.bytes.at = stream;
    if (status == TXTAP_OK)
        status = translation_take(&into->translation, &item);
    free(stream);
    return status == TXTAP_END ? TXTAP_OK : status;
}

enum txtap_status report_input_read(struct report_input *into, const struct options *options, struct input *input,
                                    struct error *error)
{
    if (ctf_directory_is(input->name) || !txtap_recording_signature(input->head, input->head_bytes)) {
        enum txtap_status status = wall_range_refuse(options->since_us, options->until_us, input->name, error);

        if (status != TXTAP_OK)
            return status;
    }
    if (ctf_directory_is(input->name))
        return read_directory(into, input->name, error);
    if (txtap_recording_signature(input->head, input->head_bytes))
        return read_recording(into, options, input, error);
    if (options->file_count > 1)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
    return read_buffer(into, options, input, error);
}

/* ---- patterns ---- */

struct report_pattern {
    const char *option, *pattern; /* borrowed */
    uint8_t type;                 /* enum txtap_object_type: type of the objects */
    bool found;
    struct similar similar;
};

#define REPORT_PATTERNS_MAX (1 + TXTAP_ANALYSIS_PERIODS_MAX + TXTAP_ANALYSIS_LOCKS_MAX)

struct report_patterns {
    struct report_pattern at[REPORT_PATTERNS_MAX]; /* the first `count` are in use */
    size_t count;
};

/* Returns true if `pattern` matches the name of the thread or object `subject`, or is its address. name: the subject's
 * name; "" without a name. */
static bool report_pattern_means(const char *pattern, const struct txtap_subject *subject, const char *name)
{
    uint32_t address;
    char *end;

    if (option_u32(pattern, &address, &end) && *end == '\0' && address == subject->number)
        return true;
    return *name != '\0' ? txtap_pattern_matches(pattern, name) : strcmp(pattern, "*") == 0;
}

static void add(struct report_patterns *patterns, const char *option, const char *pattern, uint8_t type)
{
    struct report_pattern *of = &patterns->at[patterns->count++];

    *of = (struct report_pattern){.option = option, .pattern = pattern, .type = type};
    similar_init(&of->similar, pattern);
}

static void report_patterns_init(struct report_patterns *patterns, const struct report_options *options)
{
    patterns->count = 0;
    if (options->thread != NULL)
        add(patterns, "--thread", options->thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->period_count; i++)
        add(patterns, "--period", options->periods[i].thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->lock_count; i++)
        add(patterns, "--semaphore-as-lock", options->locks[i], TXTAP_OBJECT_SEMAPHORE);
}

/* Marks each pattern that matches the subject of a figure as found. */
static void report_patterns_take(struct report_patterns *patterns, const struct txtap_subject *subject,
                                 const char *name)
{
    if (subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_OBJECT)
        return;
    for (size_t i = 0; i < patterns->count; i++) {
        struct report_pattern *of = &patterns->at[i];

        if (of->type != subject->type || of->found)
            continue;
        of->found = report_pattern_means(of->pattern, subject, name);
        if (*name != '\0')
            similar_offer(&of->similar, name);
    }
}

/* Checks that each pattern was found. Call it after the last figure. TXTAP_ERROR_USAGE: a pattern matches nothing;
 * error has the pattern and similar names. */
static enum txtap_status report_patterns_end(const struct report_patterns *patterns, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct report_pattern *of = &patterns->at[i];
        char text[SIMILAR_TEXT_BYTES], shown[128];

        if (!of->found)
            return failure(error, TXTAP_ERROR_USAGE, "%s: no %s in this trace is '%s'%s", of->option,
                           txtap_object_type_name(of->type),
                           printable(shown, sizeof shown, of->pattern, strlen(of->pattern)),
                           similar_text(&of->similar, text));
    }
    return TXTAP_OK;
}

/* Passes on the selected figures to the report, and all figures to the checks. */
struct chosen {
    const struct report_options *options;
    struct figures *figures;
    struct checks *checks;
    struct report_patterns patterns;
    bool shown; /* the report shows the section of the present figures */
};

static bool is_thread(const char *pattern, const struct txtap_subject *subject, const char *name)
{
    return subject->kind == TXTAP_SUBJECT_THREAD && report_pattern_means(pattern, subject, name);
}

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    struct chosen *chosen = self;
    const char *thread = chosen->options->thread;
    struct figures *figures = chosen->figures;
    enum txtap_status status = figures_take(figures, figure);
    const struct named_figure *last;

    if (status != TXTAP_OK)
        return status;
    last = &figures->at[figures->count - 1];
    checks_take(chosen->checks, figure, last->subject);
    report_patterns_take(&chosen->patterns, &figure->subject, last->subject);
    if (!chosen->shown || (thread != NULL && !is_thread(thread, &figure->subject, last->subject) &&
                           !is_thread(thread, &figure->other, last->other)))
        figures->count--;
    return TXTAP_OK;
}

static enum txtap_status take_sections(struct chosen *chosen, const struct txtap_analysis *analysis)
{
    uint32_t sections = chosen->options->sections;
    enum txtap_status status = TXTAP_OK;

    for (unsigned i = 0; i < TXTAP_SECTIONS && status == TXTAP_OK; i++) {
        chosen->shown = sections == 0 || (sections & TXTAP_SECTION_BIT(i)) != 0;
        status =
            txtap_analysis_figures(analysis, TXTAP_SECTION_BIT(i), (struct txtap_figure_sink){take_figure, chosen});
    }
    return status;
}

/* To check patterns of threads, adds the CPU section, because it lists all threads. To check patterns of semaphores,
 * returns all sections, because semaphores are in several sections. */
uint32_t report_sections(const struct options *options)
{
    const struct report_options *report = &options->report;
    uint32_t sections = report->sections;

    if (sections == 0 || report->lock_count > 0)
        return TXTAP_SECTIONS_ALL;
    if (report->thread != NULL || report->period_count > 0)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_CPU);
    return sections | checks_sections(options->check.checks, options->check.count);
}

/* Learns the names of interrupts, for which all numbers in the trace are needed. */
static enum txtap_status learn_interrupts(struct report_input *input, struct error *error)
{
    enum txtap_status status = definitions_load(&input->definitions, NULL, input->identity, NULL, 0, true, error);

    txtap_interrupts_init(&input->interrupts, input->number_count < REPORT_INTERRUPTS_MAX ? input->definitions : NULL);
    for (size_t i = 0; i < input->number_count; i++)
        txtap_interrupts_see(&input->interrupts, input->numbers[i]);
    return status;
}

static void describe(struct figures *figures, struct report_input *input, const struct options *options,
                     const struct txtap_rate *rate)
{
    txtap_analysis_summary(input->analysis, &figures->summary);
    figures->registry = input->names;
    figures->interrupts = &input->interrupts;
    figures->about = input->identity->about;
    figures->firmware = identity_text(input->identity, input->firmware);
    figures->trace = nats_shown_name(input->place, input->name);
    figures->tick_hz = rate->hz;
    figures->rate = *rate;
    figures->rate_recorded = !input->of_target && options_rate_is_recorded(options);
    figures->bucket_asked = options->report.bucket_ticks;
    if (options->report.histograms)
        figures->histograms = options->report.sections != 0 ? FIGURES_ALL_HISTOGRAMS : FIGURES_USUAL_HISTOGRAMS;
    figures->resets = input->resets;
    figures->why = input->why;
    figures->lacks = translation_lacks(&input->translation);
}

/* Collects the findings, unless the options choose other sections or a thread. Returns false if there is no memory. */
static bool collect_findings(struct figures *figures, const struct txtap_analysis *analysis,
                             const struct report_options *options)
{
    bool chosen = options->sections == 0 || (options->sections & TXTAP_SECTION_BIT(TXTAP_SECTION_FINDINGS)) != 0;

    if (!chosen || options->thread != NULL)
        return true;
    free(figures->findings); /* of an earlier call that failed */
    figures->findings = malloc(sizeof *figures->findings);
    if (figures->findings != NULL)
        txtap_findings_collect(figures->findings, analysis);
    return figures->findings != NULL;
}

/* Returns true if the caller is in the flow that the options choose. self: a struct chosen. */
static bool passes(const void *self, const struct txtap_subject *caller)
{
    const struct chosen *chosen = self;
    const struct txtap_finding_names names = figures_names(chosen->figures);

    return is_thread(chosen->options->thread, caller, names.name(names.self, caller));
}

/* Collects the flow, if the options choose it. Returns false if there is no memory. */
static bool collect_flow(const struct chosen *chosen, const struct txtap_analysis *analysis)
{
    struct figures *figures = chosen->figures;

    if (!chosen->options->flow)
        return true;
    free(figures->flow); /* of an earlier call that failed */
    figures->flow = malloc(sizeof *figures->flow);
    if (figures->flow == NULL)
        return false;
    txtap_flow_collect(figures->flow, analysis);
    if (chosen->options->thread != NULL)
        txtap_flow_keep(figures->flow, passes, chosen);
    return true;
}

enum txtap_status report_collect(struct report_results *results, struct report_input *input,
                                 const struct options *options, struct error *error)
{
    struct chosen chosen = {.options = &options->report, .figures = &results->figures, .checks = &results->checks};
    struct txtap_rate rate = options_known_rate(options);
    enum txtap_status status;

    report_patterns_init(&chosen.patterns, &options->report);
    txtap_analysis_end(input->analysis);
    if (input->stacks.count == 0 && input->identity->stacks != NULL)
        input->stacks.count = txtap_stacks_take(input->stacks.list, input->identity->stacks);
    if (input->from_ticks == 0 && input->to_ticks == UINT64_MAX) /* the kernel's values are of the whole trace */
        txtap_analysis_stacks(input->analysis, input->stacks.list, input->stacks.count);
    status = learn_interrupts(input, error);
    if (status != TXTAP_OK)
        return status;
    if (rate.how == TXTAP_RATE_UNKNOWN)
        rate = input->identity->rate;
    describe(&results->figures, input, options, &rate);
    txtap_analysis_rate(input->analysis, results->figures.tick_hz);
    results->checks.rate = rate;
    results->checks.figures = &results->figures;
    results->checks.partial = results->figures.lacks != NULL;
    if (!collect_findings(&results->figures, input->analysis, &options->report) ||
        !collect_flow(&chosen, input->analysis))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    status = take_sections(&chosen, input->analysis);
    if (status != TXTAP_OK)
        return failure(error, status, "no memory for the report");
    if (input->cut)
        checks_take_lost(&results->checks, results->figures.summary.lost, false);
    return report_patterns_end(&chosen.patterns, error);
}
