/* SPDX-License-Identifier: MIT */
/* The checks, the figures of the report, and the sentences of the results, as the program makes them. */
#include "view/wasm/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures/verdicts.h"
#include "txtap/inner/check_lines.h"
#include "view/wasm/report.h"

struct judge {
    struct view_trace *trace;
    struct txtap_check list[JUDGE_CHECKS_MAX]; /* `count` checks; they borrow the caller's text */
    size_t lines[JUDGE_CHECKS_MAX];            /* numbers of their lines */
    size_t count;
    struct figures figures;
    struct checks checks;
    struct verdicts verdicts;
    bool full; /* no memory for all figures */
};

/* line: number of the line with the problem; 0: not a single line. */
static void write_problem(struct view_trace *trace, const char *problem, size_t line)
{
    text_clear(&trace->out);
    text_print(&trace->out, "{\"problem\":");
    text_json(&trace->out, problem);
    text_print(&trace->out, ",\"line\":%zu}", line);
}

/* Parses all lines. False: the answer has the problem. */
static bool parse(struct judge *judge, char *text, size_t length)
{
    struct txtap_check_lines lines = {.rest = text};
    struct txtap_check_error wrong;
    char problem[1024], *line;

    if (strlen(text) != length) {
        write_problem(judge->trace, "not a text: it has a NUL byte", 0);
        return false;
    }
    while ((line = txtap_check_lines_next(&lines)) != NULL) {
        if (judge->count == JUDGE_CHECKS_MAX)
            (void)snprintf(problem, sizeof problem, "more than %u checks", JUDGE_CHECKS_MAX);
        else if (!txtap_check_parse(&judge->list[judge->count], line, &wrong))
            (void)snprintf(problem, sizeof problem, "line %zu: '%s': column %zu: expected %s", lines.number, line,
                           wrong.column, wrong.expected);
        else {
            judge->lines[judge->count++] = lines.number;
            continue;
        }
        write_problem(judge->trace, problem, lines.number);
        return false;
    }
    return true;
}

static void take(void *self, const struct txtap_figure *figure, const char *subject, const char *other)
{
    struct judge *judge = self;
    struct figures *figures = &judge->figures;
    struct named_figure *named;

    checks_take(&judge->checks, figure, subject);
    if (figures->count == figures->capacity) {
        size_t capacity = figures->capacity * 2 + 64;
        struct named_figure *more = realloc(figures->at, capacity * sizeof *more);

        judge->full = judge->full || more == NULL;
        if (more == NULL)
            return;
        figures->at = more;
        figures->capacity = capacity;
    }
    named = &figures->at[figures->count++];
    named->figure = *figure;
    (void)snprintf(named->subject, sizeof named->subject, "%s", subject);
    (void)snprintf(named->other, sizeof named->other, "%s", other);
}

/* Returns the rate of the time stamps, with its bounds if the recording has them. */
static struct txtap_rate rate_of(const struct view_trace *trace)
{
    if (trace->options.tick_hz == 0)
        return (struct txtap_rate){.how = TXTAP_RATE_UNKNOWN};
    if (trace->options.hz_given || trace->rate.how == TXTAP_RATE_UNKNOWN)
        return (struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = trace->options.tick_hz};
    return trace->rate;
}

static void write_check(struct text *out, const struct verdict *verdict, size_t line, double tick_hz)
{
    static const char *const verdicts[] = {
        [TXTAP_VERDICT_OK] = "ok", [TXTAP_VERDICT_FAILED] = "failed", [TXTAP_VERDICT_UNDECIDED] = "unknown"};
    const struct txtap_place *place = &verdict->place;

    text_print(out, "{\"check\":");
    text_json(out, verdict->check);
    text_print(out, ",\"verdict\":\"%s\",\"text\":", verdicts[verdict->verdict]);
    text_json(out, verdict->text);
    text_print(out, ",\"subject\":");
    text_json(out, verdict->subject);
    if (place->known)
        text_print(out, ",\"event\":%" PRIu64, place->seq);
    if (place->known && tick_hz > 0)
        text_print(out, ",\"time\":%.12g", (double)place->ticks / tick_hz);
    text_print(out, ",\"line\":%zu}", line);
}

/* Gives the report's figures to the checks, completes the checks, and makes their sentences, while the report still has
 * the causes. False: the report is not finished, or there is no memory. */
static bool judge_report(struct judge *judge)
{
    struct view_trace *trace = judge->trace;
    struct figures *figures = &judge->figures;
    struct error error = {0};

    if (!report_figures(trace, take, judge, figures))
        return false;
    figures->tick_hz = trace->options.tick_hz;
    judge->checks.figures = figures;
    judge->checks.partial = figures->lacks != NULL;
    if (trace->cut)
        checks_take_lost(&judge->checks, figures->summary.lost, false);
    if (figures->summary.events == 0)
        checks_take_no_events(&judge->checks);
    (void)checks_complete(&judge->checks, &figures->summary,
                          &error); /* the sentence of a check says that it matches nothing */
    return !judge->full && verdicts_make(&judge->verdicts, &judge->checks, figures, 0, &error) == TXTAP_OK;
}

static bool answer(struct judge *judge)
{
    struct text *out = &judge->trace->out;

    if (!judge_report(judge))
        return false;
    text_clear(out);
    text_print(out, "{\"exit\":%d,\"checks\":[", (int)verdicts_exit_code(&judge->verdicts));
    for (size_t i = 0; i < judge->verdicts.count; i++) {
        text_print(out, i > 0 ? "," : "");
        write_check(out, &judge->verdicts.at[i], judge->lines[i], judge->figures.tick_hz);
    }
    text_print(out, "]}");
    return !out->failed;
}

bool judge_checks(struct view_trace *trace, char *text, size_t length)
{
    struct judge *judge = calloc(1, sizeof *judge);
    const struct txtap_rate rate = rate_of(trace);
    struct error error = {0};
    bool good = judge != NULL;

    if (good)
        judge->trace = trace;
    if (good && parse(judge, text, length)) {
        if (checks_init(&judge->checks, judge->list, judge->count, "'", &rate, &error) == TXTAP_OK)
            good = answer(judge);
        else
            write_problem(trace, error.what, 0);
    }
    report_forget(trace);
    if (judge != NULL) {
        verdicts_free(&judge->verdicts);
        checks_free(&judge->checks);
        free(judge->figures.at);
    }
    free(judge);
    return good && !trace->out.failed;
}
