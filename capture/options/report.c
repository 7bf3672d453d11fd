/* SPDX-License-Identifier: MIT */
/* Parses the options of txtap report and txtap why. */
#include "options/report.h"

#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "txtap/analysis.h"
#include "txtap/inner/flow.h"
#include "txtap/inner/instances.h"

#define SECTION_NAMES_BYTES 320 /* size of the list of all sections */

enum key {
    KEY_FORMAT = 'f',
    KEY_SECTION = 800,
    KEY_FROM,
    KEY_TO,
    KEY_ALL,
    KEY_THREAD,
    KEY_JOB_ENDS,
    KEY_BETWEEN,
    KEY_BASELINE,
    KEY_PERIOD,
    KEY_BUCKET,
    KEY_HISTOGRAMS,
    KEY_LOCK,
    KEY_EVENT,
    KEY_AT,
    KEY_BATCH,
    KEY_WHERE,
    KEY_FLOW,
    KEY_INSTANCES,
};

const struct argp_option report_option_rows[] = {
    {"format", KEY_FORMAT, "FORMAT", 0,
     "text (default), json, csv, or html: a page with trace and report; with --flow also dot, for Graphviz", 0},
    {"section", KEY_SECTION, "NAME", 0,
     "show only this section: findings, cpu, wake, ...; several with commas; may be repeated", 0},
    {"all", KEY_ALL, NULL, 0, "also show all figures of all sections", 0},
    {"flow", KEY_FLOW, NULL, 0, "show who sends to whom through which object, how often, and how full it is", 0},
    {"thread", KEY_THREAD, "THREAD", 0, "only figures of this thread: a name, a pattern or an address", 0},
    {"from", KEY_FROM, "TIME", 0, "analyse only events from this time on: 2s, 500ms with --hz, otherwise in ticks", 0},
    {"to", KEY_TO, "TIME", 0, "analyse only events up to this time", 0},
    {"baseline", KEY_BASELINE, "FILE", 0, "compare with an older report, which -f json wrote", 0},
    {"batch", KEY_BATCH, "FOLDER", 0,
     "a row for each trace of FOLDER and its folders, or for each board of 'nats://HOST/lab.>': text, json, csv (a row "
     "for each figure), or sqlite: a database, made or updated",
     0},
    {"where", KEY_WHERE, "CONDITION", 0,
     "with --batch: list only the traces for which this is true, the worst first, such as 'wake(control).max > 200us'",
     0},
    {"histograms", KEY_HISTOGRAMS, NULL, 0,
     "draw histograms of wake, run and response; with --section, of all figures of that section", 0},
    {"instances", KEY_INSTANCES, "FIGURE", OPTION_ARG_OPTIONAL,
     "list each sample of FIGURE, such as 'response(control)', with its time: a strip and the longest, or all with "
     "--format csv or json; default: response, wake, block, hold and isr; may be repeated",
     0},
    {0},
};

const struct argp_option report_analysis_rows[] = {
    {"job-ends", KEY_JOB_ENDS, "WHEN", 0,
     "'wait' (default): every wait except for a mutex ends a job; 'any': every wait", 0},
    {"period", KEY_PERIOD, "THREAD=TIME", 0,
     "nominal period of the jobs of THREAD, such as 'net*=10ms': shows how late jobs are and how many are missing; may "
     "be repeated",
     0},
    {"bucket", KEY_BUCKET, "TIME", 0, "CPU share over time, in buckets of this width", 0},
    {"semaphore-as-lock", KEY_LOCK, "NAME", 0,
     "treat the semaphore NAME as a lock: shows how long it is held, who waits for whom; may be repeated", 0},
    {"between", KEY_BETWEEN, "FROM:TO[:WORD]", 0,
     "measure from each event FROM to the next TO in the same thread, or with the same word i1 to i4: names or ids; "
     "may be repeated",
     0},
    {0},
};

const struct argp_option why_option_rows[] = {
    {"event", KEY_EVENT, "N", 0, "explain the job, or the wait, of the thread of event N at this event", 0},
    {"thread", KEY_THREAD, "THREAD", 0, "with --at: a name, a pattern or an address", 0},
    {"at", KEY_AT, "TIME", 0,
     "explain the job, or the wait, of --thread at this time: 2s, 500ms with --hz, otherwise in ticks", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "text (default) or json", 0},
    {"from", KEY_FROM, "TIME", 0, "analyse only events from this time on", 0},
    {"to", KEY_TO, "TIME", 0, "analyse only events up to this time", 0},
    {"job-ends", KEY_JOB_ENDS, "WHEN", 0,
     "'wait' (default): every wait except for a mutex ends a job; 'any': every wait", 0},
    {"semaphore-as-lock", KEY_LOCK, "NAME", 0,
     "treat the semaphore NAME as a lock: its owner delays the threads that "
     "wait for it; may be repeated",
     0},
    {0},
};

/* Ends the program with a usage error that lists all sections. */
static void refuse_section(const struct argp_state *state, const char *text)
{
    const struct txtap_analysis_section *section;
    char names[SECTION_NAMES_BYTES] = "";

    for (size_t i = 0; (section = txtap_analysis_section(i)) != NULL; i++) {
        size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", section->name);
    }
    option_error(state, "--section: '%s' is not one of %s", text, names);
}

static void add_section(const struct argp_state *state, struct report_options *options, const char *text)
{
    const struct txtap_analysis_section *section;
    size_t section_number = 0;

    while ((section = txtap_analysis_section(section_number)) != NULL && strcmp(section->name, text) != 0)
        section_number++;
    if (section == NULL)
        refuse_section(state, text);
    options->sections |= TXTAP_SECTION_BIT(section_number);
}

/* Parses an event's id: a number, a name or a symbol. False: no such event. */
static bool event_id(const char *text, uint32_t *id)
{
    size_t count;
    const struct txtap_event_info *rows = txtap_event_table(&count);
    char *end;

    if (option_u32(text, id, &end) && *end == '\0')
        return true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, text) == 0 || strcmp(rows[i].symbol, text) == 0) {
            *id = rows[i].id;
            return true;
        }
    }
    return false;
}

static void add_between(const struct argp_state *state, struct report_options *options, char *text)
{
    static const char *const words[] = {"i1", "i2", "i3", "i4"};
    struct txtap_between *between = &options->between[options->between_count];
    char *from = strsep(&text, ":"), *to = strsep(&text, ":");

    if (options->between_count == TXTAP_ANALYSIS_BETWEEN_MAX)
        option_error(state, "--between: more than %d", TXTAP_ANALYSIS_BETWEEN_MAX);
    if (to == NULL)
        option_error(state, "--between: '%s': expected FROM:TO, such as 4100:4101", from);
    if (!event_id(from, &between->from))
        option_error(state, "--between: unknown event '%s': expected a name or an id", from);
    if (!event_id(to, &between->to))
        option_error(state, "--between: unknown event '%s': expected a name or an id", to);
    between->word = text != NULL ? option_choice(state, "--between", text, words, 4) : 4;
    options->between_count++;
}

/* Adds a period. Splits the text at its last =, because the name of a thread may also contain =. */
static void add_period(const struct argp_state *state, struct report_options *options, char *text)
{
    char *time = strrchr(text, '=');

    if (options->period_count == TXTAP_ANALYSIS_PERIODS_MAX)
        option_error(state, "--period: more than %d", TXTAP_ANALYSIS_PERIODS_MAX);
    if (time == NULL || time == text || time[1] == '\0')
        option_error(state, "--period: '%s': expected THREAD=TIME, such as 'control=10ms'", text);
    *time = '\0';
    options->periods[options->period_count].thread = text;
    options->period_times[options->period_count++] = time + 1;
}

static void finish(const struct argp_state *state, struct report_options *options, struct option_rate rate)
{
    options->to_ticks = UINT64_MAX;
    if (options->from != NULL)
        options->from_ticks = option_ticks(state, "--from", options->from, rate);
    if (options->to != NULL)
        options->to_ticks = option_ticks(state, "--to", options->to, rate);
    for (uint32_t i = 0; i < options->period_count; i++) {
        options->periods[i].ticks = option_ticks(state, "--period", options->period_times[i], rate);
        if (options->periods[i].ticks == 0)
            option_error(state, "--period: '%s': a period is longer than 0", options->period_times[i]);
    }
    if (options->bucket != NULL) {
        options->bucket_ticks = option_ticks(state, "--bucket", options->bucket, rate);
        if (options->bucket_ticks == 0)
            option_error(state, "--bucket: '%s': a bucket is longer than 0", options->bucket);
    }
    if (options->at != NULL)
        options->at_ticks = option_ticks(state, "--at", options->at, rate);
    if (options->from_ticks > options->to_ticks)
        option_error(state, "--from %s is after --to %s", options->from, options->to);
}

static void set_where(const struct argp_state *state, struct report_options *options, const char *text)
{
    struct txtap_check_error wrong;

    if (options->has_where)
        option_error(state, "--where: more than one condition");
    if (!txtap_check_parse(&options->where, text, &wrong))
        option_error(state, "--where: '%s': column %zu: expected %s", text, wrong.column, wrong.expected);
    options->has_where = true;
}

/* Adds a figure whose instances are listed. */
static void add_instances(const struct argp_state *state, struct report_options *options, const char *text)
{
    struct txtap_check *wish = &options->instances[options->instance_count];
    char check[TXTAP_CHECK_PATTERN_BYTES + 64];
    struct txtap_check_error wrong;

    if (options->instance_count == REPORT_INSTANCES_MAX)
        option_error(state, "--instances: more than %d", REPORT_INSTANCES_MAX);
    if (strpbrk(text, "<>=!") != NULL || (size_t)snprintf(check, sizeof check, "%s < 0", text) >= sizeof check)
        option_error(state, "--instances: '%s': expected a figure, such as 'response(control)'", text);
    if (!txtap_check_parse(wish, check, &wrong) && wrong.column <= strlen(text))
        option_error(state, "--instances: '%s': column %zu: expected %s", text, wrong.column, wrong.expected);
    if (!txtap_instances_exist(wish->id))
        option_error(state,
                     "--instances: '%s' has no instances: use response, run, wake, ready, block, wait, hold, isr, "
                     "period or another time",
                     text);
    wish->text = text;
    options->instance_count++;
}

/* Adds the figures of --instances without a figure. */
static void add_usual_instances(const struct argp_state *state, struct report_options *options)
{
    static const char *const usual[] = {"response", "wake", "block", "hold", "isr"};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add_instances(state, options, usual[i]);
}

/* Selects the sections of the instances. Refuses options that show other things. */
static void check_instances(const struct argp_state *state, struct report_options *options)
{
    if (options->instance_count == 0)
        return;
    if (options->format == REPORT_HTML || options->batch != NULL || options->sections != 0 || options->all ||
        options->thread != NULL || options->baseline != NULL || options->histograms || options->bucket != NULL)
        option_error(state, "--instances lists samples: options that show other parts of a report do not work with it");
    for (uint32_t i = 0; i < options->instance_count; i++) {
        struct txtap_check wish = options->instances[i];

        wish.has_pattern = false; /* a pattern would need the sections of all subjects */
        options->sections |= txtap_check_sections(&wish);
    }
}

static void check_batch(const struct argp_state *state, const struct report_options *options)
{
    if (options->has_where && options->batch == NULL)
        option_error(state, "--where needs --batch");
    if (options->format == REPORT_SQLITE && options->batch == NULL)
        option_error(state, "--format sqlite needs --batch");
    if (options->has_where && options->format != REPORT_TEXT && options->format != REPORT_JSON)
        option_error(state, "--where: the format is text or json");
    if (options->batch != NULL && (options->format == REPORT_HTML || options->format == REPORT_DOT))
        option_error(state, "--batch: the format is text, json, csv or sqlite");
    if (options->batch != NULL && (options->sections != 0 || options->thread != NULL || options->from != NULL ||
                                   options->to != NULL || options->baseline != NULL || options->histograms))
        option_error(state,
                     "--batch looks at all figures of whole traces: options that select a part do not work with it");
}

/* Refuses options that select a part of the trace, because an HTML page always has the whole trace. */
static void check_html(const struct argp_state *state, const struct report_options *options)
{
    bool chooses = options->sections != 0 || options->all || options->thread != NULL || options->any_wait_ends_job ||
                   options->between_count > 0 || options->period_count > 0 || options->lock_count > 0;

    if (options->format == REPORT_HTML && (chooses || options->histograms || options->bucket != NULL ||
                                           options->baseline != NULL || options->from != NULL || options->to != NULL))
        option_error(state, "--format html shows the whole trace: options that select a part do not work with it");
}

/* Refuses formats and options that do not fit to --flow. Selects the sections that it needs. */
static void check_flow(const struct argp_state *state, struct report_options *options)
{
    if (options->format == REPORT_DOT && !options->flow)
        option_error(state, "--format dot needs --flow");
    if (!options->flow)
        return;
    if (options->sections != 0 || options->all || options->histograms || options->bucket != NULL ||
        options->baseline != NULL || options->batch != NULL || options->between_count > 0 ||
        options->period_count > 0 || options->lock_count > 0 || options->any_wait_ends_job)
        option_error(state, "--flow shows only the flow: options that choose other figures do not work with it");
    options->sections = txtap_flow_sections();
}

/* Returns the member that keeps the option's text as typed; NULL: the option is another option. */
static const char **text_member(struct report_options *options, int key)
{
    switch (key) {
    case KEY_FROM:
        return &options->from;
    case KEY_TO:
        return &options->to;
    case KEY_THREAD:
        return &options->thread;
    case KEY_AT:
        return &options->at;
    case KEY_BASELINE:
        return &options->baseline;
    case KEY_BUCKET:
        return &options->bucket;
    case KEY_BATCH:
        return &options->batch;
    default:
        return NULL;
    }
}

/* Returns the member that is true if the option is given; NULL: the option is another option. */
static bool *flag_member(struct report_options *options, int key)
{
    switch (key) {
    case KEY_ALL:
        return &options->all;
    case KEY_FLOW:
        return &options->flow;
    case KEY_HISTOGRAMS:
        return &options->histograms;
    default:
        return NULL;
    }
}

error_t report_option(struct report_options *options, struct option_rate rate, int key, char *text,
                      struct argp_state *state)
{
    static const char *const formats[] = {"text", "json", "csv", "html", "dot", "sqlite"};
    static const char *const ends[] = {"wait", "any"};
    const char **typed = text_member(options, key);
    bool *flag = flag_member(options, key);

    if (typed != NULL)
        *typed = text;
    if (flag != NULL)
        *flag = true;
    if (typed != NULL || flag != NULL)
        return 0;
    switch (key) {
    case KEY_FORMAT:
        options->format = (enum report_format)option_choice(state, "--format", text, formats, 6);
        return 0;
    case KEY_SECTION:
        for (const char *name; (name = strsep(&text, ",")) != NULL;)
            add_section(state, options, name);
        return 0;
    case KEY_EVENT:
        options->has_event = true;
        options->event = option_number(state, "--event", text, 0, UINT64_MAX);
        return 0;
    case KEY_JOB_ENDS:
        options->any_wait_ends_job = option_choice(state, "--job-ends", text, ends, 2) == 1;
        return 0;
    case KEY_BETWEEN:
        add_between(state, options, text);
        return 0;
    case KEY_LOCK:
        if (options->lock_count == TXTAP_ANALYSIS_LOCKS_MAX)
            option_error(state, "--semaphore-as-lock: more than %d", TXTAP_ANALYSIS_LOCKS_MAX);
        options->locks[options->lock_count++] = text;
        return 0;
    case KEY_PERIOD:
        add_period(state, options, text);
        return 0;
    case KEY_INSTANCES:
        if (text != NULL)
            add_instances(state, options, text);
        else
            add_usual_instances(state, options);
        return 0;
    case KEY_WHERE:
        set_where(state, options, text);
        return 0;
    case ARGP_KEY_END:
        check_batch(state, options);
        check_html(state, options);
        check_flow(state, options);
        check_instances(state, options);
        finish(state, options, rate);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
