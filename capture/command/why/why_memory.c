/* SPDX-License-Identifier: MIT */
/* The output of txtap why for stacks and pools: a sentence and a table, or JSON. */
#include "command/why/why_memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text_maker.h"
#include "figures/text_table.h"
#include "output/output.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"
#include "txtap/inner/quantity.h"
#include "txtap/inner/rate.h"

#define NAME_BYTES (TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES) + 16)

/* The cause of one figure. */
struct cause {
    bool is_stack;
    struct txtap_stack_cause stack;
    struct txtap_pool_cause pool;
};

enum txtap_status why_memory_open(struct txtap_memory **memory, struct txtap_analysis *analysis, struct error *error)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    void *bytes = malloc(txtap_memory_bytes(&limits));

    if (bytes == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the causes of full stacks and leaks");
    *memory = txtap_memory_open(bytes, &limits, analysis);
    return TXTAP_OK;
}

static bool find_cause(const struct txtap_memory *memory, bool is_stack, const struct txtap_subject *subject,
                       struct cause *cause)
{
    cause->is_stack = is_stack;
    return is_stack ? txtap_memory_stack(memory, subject, &cause->stack)
                    : txtap_memory_pool(memory, subject, &cause->pool);
}

static const char *cause_text(const struct cause *cause, const struct figures *figures,
                              char text[static TXTAP_MEMORY_TEXT_BYTES])
{
    const struct txtap_finding_names names = figures_names(figures);

    return cause->is_stack ? txtap_stack_cause_text(text, &cause->stack, &names, figures->tick_hz)
                           : txtap_pool_cause_text(text, &cause->pool, &names, figures->tick_hz);
}

/* ---- text ---- */

static void put(struct text_table *table, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, number);
    text_table_put(table, text);
}

static void put_place(struct text_table *table, const struct txtap_place *place, double tick_hz)
{
    char text[PLACE_BYTES] = "-";

    text_table_put(table, place->known ? place_text(text, place, tick_hz) : text);
}

static bool show_steps(const struct txtap_stack_cause *cause, double tick_hz, unsigned width, FILE *out)
{
    static const struct text_column columns[] = {
        {"USED", 0, 0, 0}, {"FREE", 0, 0, 0}, {"WHERE", 0, 0, 0}, {"WHAT", 30, 0, 0}};
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < cause->step_count; i++) {
        const struct txtap_stack_step *step = &cause->steps[i];
        const struct txtap_subject event = {.kind = TXTAP_SUBJECT_EVENT, .number = step->event};
        char name[64];

        put(&table, step->used);
        put(&table, cause->size - step->used);
        put_place(&table, &step->at, tick_hz);
        text_table_put(&table, txtap_subject_text(&event, "", name, sizeof name));
    }
    return text_table_end(&table, width, out);
}

static bool show_holders(const struct txtap_pool_cause *cause, const struct figures *figures, unsigned width, FILE *out)
{
    static const struct text_column columns[] = {{"ALLOCATED", 0, 0, 0}, {"RELEASED", 0, 0, 0}, {"HELD", 0, 0, 0},
                                                 {"SINCE", 0, 0, 0},     {"NEWEST", 0, 0, 0},   {"THREAD", 20, 0, 0}};
    const struct txtap_finding_names names = figures_names(figures);
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < cause->holder_count; i++) {
        const struct txtap_pool_holder *holder = &cause->holders[i];
        const char *name = names.name(names.self, &holder->thread);
        char text[NAME_BYTES] = "unknown";

        put(&table, holder->allocated);
        put(&table, holder->allocated - holder->held);
        put(&table, holder->held);
        put_place(&table, &holder->first, figures->tick_hz);
        put_place(&table, &holder->last, figures->tick_hz);
        text_table_put(&table, holder->thread.kind == TXTAP_SUBJECT_THREAD
                                   ? txtap_subject_text(&holder->thread, name, text, sizeof text)
                                   : text);
    }
    return text_table_end(&table, width, out);
}

static bool show_text(const struct cause *cause, const struct figures *figures, unsigned width, FILE *out)
{
    char text[TXTAP_MEMORY_TEXT_BYTES];
    bool shown = true;

    fprintf(out, "%s\n", cause_text(cause, figures, text));
    if (cause->is_stack && cause->stack.step_count > 0) {
        fputs("events that showed a deeper use than all events before; between events it may be deeper\n\n", out);
        shown = show_steps(&cause->stack, figures->tick_hz, width, out);
    } else if (!cause->is_stack) {
        fputs("blocks that the trace shows, by the thread that allocated them\n\n", out);
        shown = show_holders(&cause->pool, figures, width, out);
        if (cause->pool.holders_left_out > 0)
            fprintf(out, "%u more threads\n", cause->pool.holders_left_out);
    }
    return shown;
}

/* ---- JSON ---- */

enum txtap_status why_write_file(void *self, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, self) == length ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

void why_json_head(const struct figures *figures, FILE *out)
{
    char text[TXTAP_ESCAPED_JSON_BYTES(1024)], head[TXTAP_JSON_HEAD_BYTES], rate[TXTAP_RATE_JSON_BYTES];
    const struct txtap_analysis_summary *summary = &figures->summary;

    fprintf(out, "{%s,\"trace\":%s", txtap_json_head(head, TXTAP_SCHEMA_WHY),
            txtap_escape_json(text, sizeof text, figures->trace));
    if (figures->tick_hz > 0) {
        fputs(",\"tick_hz\":", out);
        quantity_put(out, figures->tick_hz, "null");
    }
    fprintf(out, ",\"rate\":%s,\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"gaps\":%" PRIu64 ",\n",
            txtap_rate_json(rate, &figures->rate, figures->rate_recorded), summary->lost,
            summary->lost_exact ? "true" : "false", summary->gaps);
}

static bool put_json(const struct cause *cause, const struct figures *figures, FILE *out)
{
    const struct txtap_finding_names names = figures_names(figures);
    const struct txtap_writer writer = {why_write_file, out};

    return (cause->is_stack ? txtap_stack_cause_json(&cause->stack, &names, figures->tick_hz, writer)
                            : txtap_pool_cause_json(&cause->pool, &names, figures->tick_hz, writer)) >= TXTAP_OK;
}

/* ---- the causes of findings ---- */

/* Finds the cause of a finding. False: it is no full stack and no leak, or the trace does not show it. */
static bool find_of_finding(const struct txtap_memory *memory, const struct txtap_finding *finding, struct cause *cause)
{
    const struct txtap_finding_party *party = &finding->parties[0];

    if (finding->kind == TXTAP_FINDING_LEAK)
        return find_cause(memory, false, &party->object, cause);
    return (finding->kind == TXTAP_FINDING_STACK || finding->kind == TXTAP_FINDING_STACK_OUTSIDE) &&
           find_cause(memory, true, &party->thread, cause);
}

/* Finds the cause of finding number `at` or of the first later finding that has a cause. A thread has one cause, also
 * if it has two findings. Returns its number; SIZE_MAX: there is no such finding. */
static size_t next_cause(const struct txtap_memory *memory, const struct txtap_findings *findings, size_t at,
                         struct cause *cause)
{
    for (; findings != NULL && at < findings->count; at++) {
        const struct txtap_finding *finding = &findings->at[at];
        bool told = false;

        for (size_t i = 0; i < at && finding->kind == TXTAP_FINDING_STACK; i++)
            told = told || (findings->at[i].kind == TXTAP_FINDING_STACK_OUTSIDE &&
                            txtap_subject_is_same(&findings->at[i].parties[0].thread, &finding->parties[0].thread));
        if (!told && find_of_finding(memory, finding, cause))
            return at;
    }
    return SIZE_MAX;
}

size_t why_memory_lines(const struct txtap_memory *memory, const struct figures *figures, FILE *out)
{
    char text[TXTAP_MEMORY_TEXT_BYTES];
    struct cause cause;
    size_t count = 0;

    for (size_t at = 0; (at = next_cause(memory, figures->findings, at, &cause)) != SIZE_MAX; at++, count++)
        fprintf(out, "%s\n", cause_text(&cause, figures, text));
    return count;
}

size_t why_memory_json(const struct txtap_memory *memory, const struct figures *figures, FILE *out)
{
    struct cause cause;
    size_t count = 0;

    for (size_t at = 0; (at = next_cause(memory, figures->findings, at, &cause)) != SIZE_MAX; at++, count++) {
        fputs(count > 0 ? ",\n{" : "\n{", out);
        (void)put_json(&cause, figures, out);
        fputc('}', out);
    }
    return count;
}

/* ---- one figure ---- */

static enum txtap_status refuse(const struct options *options, struct error *error)
{
    return failure(error, TXTAP_ERROR_USAGE,
                   "'%s': the trace does not show its cause\n'txtap report' shows all figures", options->report.figure);
}

enum txtap_status why_memory_show(const struct txtap_memory *memory, enum txtap_figure_id figure,
                                  const struct txtap_subject *subject, const struct figures *figures,
                                  const struct options *options, struct error *error)
{
    const char *path = options->output != NULL ? options->output : "-";
    const struct txtap_findings *findings = figures->findings;
    struct text_maker maker;
    enum txtap_status status;
    struct cause cause;
    bool shown = true;

    for (size_t i = 0; findings != NULL && subject->kind == TXTAP_SUBJECT_SYSTEM && i < findings->count; i++)
        if (findings->at[i].kind == TXTAP_FINDING_LEAK)
            subject = &findings->at[i].parties[0].object;
    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%s': no leak was found\n'leak(POOL)' or 'outstanding(POOL)' lists the blocks of a pool",
                       options->report.figure);
    if (!find_cause(memory, txtap_memory_is_stack(figure), subject, &cause))
        return refuse(options, error);
    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the cause");
    if (options->report.format == REPORT_JSON) {
        why_json_head(figures, maker.out);
        shown = put_json(&cause, figures, maker.out);
        fputs("}\n", maker.out);
    } else {
        shown = show_text(&cause, figures, output_path_columns(path), maker.out);
    }
    if (!text_maker_end(&maker) || !shown)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the cause");
    status = output_whole_file(path, maker.text, maker.length, options->force, error);
    free(maker.text);
    return status;
}
