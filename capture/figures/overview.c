/* SPDX-License-Identifier: MIT */
/* The first page of a report: findings, and a row for each thread, object and interrupt. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/columns.h"
#include "figures/figures.h"
#include "figures/text_table.h"

#define TEXT_BYTES     (8 * FIGURE_NAME_BYTES)
#define FINDINGS_SHOWN 10

#define JOBS            "JOBS"
#define JOBS_PER_SECOND "JOBS/s"

/* ---- findings ---- */

/* Prints a text after a mark, in lines of `width` columns. Lines after the first are indented. */
static void put_wrapped(FILE *out, const char *mark, const char *text, unsigned width)
{
    int most = width == TEXT_ENDLESS ? 0 : (int)(width > 40 ? width : 40), indent = column_length(mark),
        column = indent;

    fputs(mark, out);
    while (*text != '\0') {
        int bytes = (int)strcspn(text, " "), length = 0;

        for (int i = 0; i < bytes; i++)
            length += !column_goes_on(text[i]);
        if (column > indent && most > 0 && column + 1 + length > most) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", bytes, text) - bytes + length;
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* Prints a time as an option takes it. up: rounds up to the next microsecond. */
static void put_time(char *out, size_t size, uint64_t ticks, double tick_hz, bool up)
{
    double us = (double)ticks / tick_hz * 1e6;

    if (tick_hz > 0)
        snprintf(out, size, "%.6fs", (up ? ceil(us) : floor(us)) / 1e6);
    else
        snprintf(out, size, "%" PRIu64, ticks);
}

/* Writes the command that shows more about a finding. Returns false if there is no such command. */
static bool command_of(char *out, size_t size, const struct figures *figures, const struct figures_commands *commands,
                       const struct txtap_finding *finding)
{
    char from[32], to[32];

    if (commands->report == NULL)
        return false;
    if (finding->kind != TXTAP_FINDING_DEADLOCK && finding->kind != TXTAP_FINDING_LEAK && finding->span.known &&
        commands->decode != NULL) {
        put_time(from, sizeof from, finding->span.from, figures->tick_hz, false);
        put_time(to, sizeof to, finding->span.to, figures->tick_hz, true);
        return snprintf(out, size, "txtap decode %s--from %s --to %s%s", commands->decode, from, to, commands->input) <
               (int)size;
    }
    return snprintf(out, size, "txtap report %s--section %s%s", commands->report, txtap_finding_section(finding->kind),
                    commands->input) < (int)size;
}

/* Prints the cause of a thread's longest job, which ended at this event. mark: the text before the cause. */
static void show_cause(const struct figures *figures, const struct txtap_subject *thread,
                       const struct txtap_place *place, const char *mark, unsigned width, FILE *out)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    if (place->known && figures_cause(figures, TXTAP_FIGURE_RESPONSE, thread, place->seq, text))
        put_wrapped(out, mark, text, width);
}

/* most: the largest number of findings to print */
static void show_findings(const struct figures *figures, const struct figures_commands *commands, size_t most,
                          unsigned width, FILE *out)
{
    const struct txtap_findings *findings = figures->findings;
    const struct txtap_finding_names names = figures_names(figures);
    size_t shown = findings->count > most ? most : findings->count;
    char text[TXTAP_FINDING_TEXT_BYTES], command[4096];
    uint64_t more;

    if (findings->count == 0) {
        fputs("\nfindings: nothing that deserves attention\n", out);
        return;
    }
    fputs("\nfindings: what deserves attention, the most severe first\n", out);
    for (size_t i = 0; i < shown; i++) {
        put_wrapped(out, "  ", txtap_finding_text(text, &findings->at[i], &names, figures->tick_hz), width);
        if (findings->at[i].kind == TXTAP_FINDING_LATE)
            show_cause(figures, &findings->at[i].parties[0].thread, &findings->at[i].at, "      why: ", width, out);
        if (command_of(command, sizeof command, figures, commands, &findings->at[i]))
            fprintf(out, "      %s\n", command);
    }
    more = (uint64_t)(findings->count - shown) + findings->left_out;
    if (more > 0 && commands->report != NULL)
        fprintf(out, "  %" PRIu64 " more: txtap report %s--section findings%s\n", more, commands->report,
                commands->input);
    else if (more > 0)
        fprintf(out, "  %" PRIu64 " more\n", more);
    if (commands->report == NULL)
        fprintf(out, "  %s\n", commands->first);
}

void figures_show_findings(const struct figures *figures, const struct figures_commands *commands, unsigned width,
                           FILE *out)
{
    show_findings(figures, commands, TXTAP_FINDINGS_MAX, width, out);
}

/* ---- cells ---- */

struct page {
    const struct figures *figures;
    struct text_table table;
    const struct txtap_subject *subject; /* subject of the row */
    const char *name;                    /* name of the subject; bytes from the target */
};

static const struct txtap_figure *figure_of(const struct page *page, enum txtap_figure_id id)
{
    return figures_find(page->figures, id, page->subject);
}

/* Adds a statistic of the subject's figure; "-" if there is no such figure. */
static void put_stat(struct page *page, enum txtap_figure_id id, enum txtap_stat stat)
{
    const struct txtap_figure *figure = figure_of(page, id);
    char text[QUANTITY_SHORT_BYTES];

    text_table_put(&page->table,
                   figure != NULL ? figures_measure_text(text, figure, stat, page->figures->tick_hz) : "-");
}

static void put_value(struct page *page, enum txtap_figure_id id)
{
    put_stat(page, id, TXTAP_STAT_VALUE);
}

static void put_name(struct page *page)
{
    char text[TEXT_BYTES];

    text_table_put(&page->table, txtap_subject_text(page->subject, page->name, text, sizeof text));
}

/* Adds the event of the figure's maximum. */
static void put_event(struct page *page, enum txtap_figure_id id)
{
    const struct txtap_figure *figure = figure_of(page, id);
    char text[32] = "-";

    if (figure != NULL && figure->max_at.known)
        snprintf(text, sizeof text, "%" PRIu64, figure->max_at.seq);
    text_table_put(&page->table, text);
}

/* Adds a share with a decimal, and "~" or ">=" if it has bounds. */
static void put_share(struct page *page, enum txtap_figure_id id)
{
    const struct txtap_figure *figure = figure_of(page, id);
    const struct txtap_measure *share = figure != NULL ? &figure->stat[TXTAP_STAT_VALUE] : NULL;
    char text[48] = "-";

    if (share != NULL && share->known)
        snprintf(text, sizeof text, "%s%.*f%%", share->upper - share->lower >= 0.1 ? "~" : "",
                 share->value < 10 ? 2 : 1, share->value);
    text_table_put(&page->table, text);
}

/* Adds the number of samples per second; "-" if the tick rate is unknown. */
static void put_rate(struct page *page, enum txtap_figure_id id)
{
    const struct txtap_figure *figure = figure_of(page, id);
    char text[QUANTITY_SHORT_BYTES] = "-";
    double rate;

    if (figure != NULL && page->figures->tick_hz > 0 && figure->stat[TXTAP_STAT_RATE].known) {
        rate = figure->stat[TXTAP_STAT_RATE].value;
        snprintf(text, sizeof text, "%s%.*f", figure->stat[TXTAP_STAT_RATE].upper > rate ? "~" : "",
                 rate < 10    ? 2
                 : rate < 100 ? 1
                              : 0,
                 rate);
    }
    text_table_put(&page->table, text);
}

/* Adds "3/8"; only "3" if the size is unknown. */
static void put_of(struct page *page, enum txtap_figure_id id, enum txtap_figure_id of)
{
    const struct txtap_figure *part = figure_of(page, id), *whole = figure_of(page, of);
    char number[QUANTITY_SHORT_BYTES], text[2 * QUANTITY_SHORT_BYTES];

    snprintf(text, sizeof text, "%s", part != NULL ? figures_measure_text(number, part, TXTAP_STAT_VALUE, 0) : "-");
    if (part != NULL && whole != NULL)
        snprintf(text + strlen(text), sizeof text - strlen(text), "/%.0f", whole->stat[TXTAP_STAT_VALUE].value);
    text_table_put(&page->table, text);
}

/* Adds the largest number of blocks or bytes of a pool that were in use at the same time, and the size: "3/8". */
static void put_used(struct page *page)
{
    const struct txtap_figure *left = figure_of(page, TXTAP_FIGURE_AVAILABLE),
                              *size = figure_of(page, TXTAP_FIGURE_POOL_SIZE);
    char text[80] = "-";

    if (left != NULL && size != NULL)
        snprintf(text, sizeof text, "%s%.0f/%.0f",
                 left->stat[TXTAP_STAT_VALUE].lower < left->stat[TXTAP_STAT_VALUE].value ? ">=" : "",
                 size->stat[TXTAP_STAT_VALUE].value - left->stat[TXTAP_STAT_VALUE].value,
                 size->stat[TXTAP_STAT_VALUE].value);
    text_table_put(&page->table, text);
}

static void put_percent(struct page *page, enum txtap_figure_id id)
{
    const struct txtap_figure *figure = figure_of(page, id);
    char text[48] = "-";

    if (figure != NULL)
        snprintf(text, sizeof text, "%s%.0f%%",
                 figure->stat[TXTAP_STAT_VALUE].upper > figure->stat[TXTAP_STAT_VALUE].value ? ">=" : "",
                 figure->stat[TXTAP_STAT_VALUE].value);
    text_table_put(&page->table, text);
}

/* ---- rows ---- */

struct row {
    const struct named_figure *figure; /* it exists once for each subject */
    double key;                        /* rows are sorted by it, the smallest first */
};

/* A table of the page. */
struct kind {
    enum txtap_figure_id id; /* a figure that each subject has once */
    enum txtap_subject_kind kind;
    uint8_t types[2]; /* types of objects; 0: all types */
    const struct text_column *columns;
    size_t column_count;
    void (*put)(struct page *page);         /* adds the cells of a row */
    double (*key)(const struct page *page); /* NULL: the order of the report */
};

static bool is_row(const struct kind *kind, const struct txtap_figure *figure)
{
    return figure->id == kind->id && figure->subject.kind == kind->kind &&
           (kind->types[0] == 0 || figure->subject.type == kind->types[0] || figure->subject.type == kind->types[1]);
}

static int compare(const void *a, const void *b)
{
    const struct row *left = a, *right = b;

    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->figure < right->figure ? -1 : left->figure > right->figure;
}

static bool show_kind(const struct figures *figures, const struct kind *kind, unsigned width, FILE *out)
{
    struct page page = {.figures = figures};
    struct row *rows = calloc(figures->count + 1, sizeof *rows);
    struct text_column columns[TEXT_TABLE_COLUMNS];
    size_t count = 0;

    for (size_t i = 0; rows != NULL && i < figures->count; i++) {
        if (!is_row(kind, &figures->at[i].figure))
            continue;
        page.subject = &figures->at[i].figure.subject;
        rows[count++] = (struct row){&figures->at[i], kind->key != NULL ? kind->key(&page) : 0};
    }
    if (count == 0) {
        free(rows);
        return rows != NULL;
    }
    qsort(rows, count, sizeof *rows, compare);
    for (size_t i = 0; i < kind->column_count; i++) {
        columns[i] = kind->columns[i];
        if (strcmp(columns[i].head, JOBS_PER_SECOND) == 0 && !(figures->tick_hz > 0))
            columns[i].head = JOBS;
    }
    text_table_begin(&page.table, columns, kind->column_count);
    for (size_t i = 0; i < count; i++) {
        page.subject = &rows[i].figure->figure.subject;
        page.name = rows[i].figure->subject;
        kind->put(&page);
    }
    free(rows);
    fputc('\n', out);
    return text_table_end(&page.table, width, out);
}

static double priority_of(const struct page *page)
{
    const struct txtap_figure *figure = figure_of(page, TXTAP_FIGURE_PRIORITY);

    return figure != NULL && figure->stat[TXTAP_STAT_VALUE].known ? figure->stat[TXTAP_STAT_VALUE].value : INFINITY;
}

static void put_thread(struct page *page)
{
    put_name(page);
    put_value(page, TXTAP_FIGURE_PRIORITY);
    put_share(page, TXTAP_FIGURE_CPU);
    if (page->figures->tick_hz > 0)
        put_rate(page, TXTAP_FIGURE_RESPONSE);
    else
        put_stat(page, TXTAP_FIGURE_RESPONSE, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_RUN, TXTAP_STAT_MAX);
    put_stat(page, TXTAP_FIGURE_RESPONSE, TXTAP_STAT_MAX);
    put_value(page, TXTAP_FIGURE_LONGEST_RUN);
    put_value(page, TXTAP_FIGURE_LONGEST_READY);
    put_value(page, TXTAP_FIGURE_LONGEST_INTERRUPTED);
    put_value(page, TXTAP_FIGURE_LONGEST_MUTEX);
    put_event(page, TXTAP_FIGURE_RESPONSE);
    put_of(page, TXTAP_FIGURE_STACK_USED_BYTES, TXTAP_FIGURE_STACK_SIZE);
    put_percent(page, TXTAP_FIGURE_STACK_USED);
}

static void put_queue(struct page *page)
{
    put_name(page);
    put_stat(page, TXTAP_FIGURE_SENDS, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_RECEIVES, TXTAP_STAT_N);
    put_of(page, TXTAP_FIGURE_DEPTH, TXTAP_FIGURE_CAPACITY);
    put_event(page, TXTAP_FIGURE_DEPTH);
    put_value(page, TXTAP_FIGURE_FULL);
    put_stat(page, TXTAP_FIGURE_SEND_BLOCKED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_SEND_FAILED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_WAITS, TXTAP_STAT_MAX);
    put_event(page, TXTAP_FIGURE_WAITS);
}

static void put_mutex(struct page *page)
{
    put_name(page);
    put_stat(page, TXTAP_FIGURE_GETS, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_CONTENDED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_FAILED_GETS, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_HOLD, TXTAP_STAT_MAX);
    put_stat(page, TXTAP_FIGURE_WAITS, TXTAP_STAT_MAX);
    put_event(page, TXTAP_FIGURE_WAITS);
}

static void put_semaphore(struct page *page)
{
    bool flags = page->subject->type == TXTAP_OBJECT_EVENT_FLAGS;

    put_name(page);
    put_stat(page, TXTAP_FIGURE_GETS, TXTAP_STAT_N);
    put_stat(page, flags ? TXTAP_FIGURE_SETS : TXTAP_FIGURE_PUTS, TXTAP_STAT_N);
    put_value(page, TXTAP_FIGURE_COUNT);
    put_stat(page, TXTAP_FIGURE_GET_BLOCKED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_GET_FAILED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_WAITS, TXTAP_STAT_MAX);
    put_event(page, TXTAP_FIGURE_WAITS);
}

static void put_pool(struct page *page)
{
    put_name(page);
    put_stat(page, TXTAP_FIGURE_ALLOCATIONS, TXTAP_STAT_N);
    put_used(page);
    put_value(page, TXTAP_FIGURE_AVAILABLE);
    put_event(page, TXTAP_FIGURE_AVAILABLE);
    put_value(page, TXTAP_FIGURE_OUTSTANDING);
    put_stat(page, TXTAP_FIGURE_ALLOC_BLOCKED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_ALLOC_FAILED, TXTAP_STAT_N);
    put_stat(page, TXTAP_FIGURE_WAITS, TXTAP_STAT_MAX);
}

static void put_interrupt(struct page *page)
{
    put_name(page);
    put_stat(page, TXTAP_FIGURE_ISR, TXTAP_STAT_N);
    put_rate(page, TXTAP_FIGURE_ISR);
    put_stat(page, TXTAP_FIGURE_ISR, TXTAP_STAT_MAX);
    put_event(page, TXTAP_FIGURE_ISR);
    put_share(page, TXTAP_FIGURE_ISR_LOAD);
}

#define NAME_LEAST 16
#define NAME_KEPT  12

static const struct text_column thread_columns[] = {{"THREAD", NAME_KEPT, 0, NAME_LEAST},
                                                    {"PRIO", 0, 0, 0},
                                                    {"CPU", 0, 0, 0},
                                                    {JOBS_PER_SECOND, 0, 2, 0},
                                                    {"RUNmax", 0, 4, 0},
                                                    {"RESPmax", 0, 0, 0},
                                                    {"=run", 0, 1, 0},
                                                    {"+ready", 0, 1, 0},
                                                    {"+isr", 0, 1, 0},
                                                    {"+mutex", 0, 1, 0},
                                                    {"EVENT", 0, 0, 0},
                                                    {"STACK", 0, 3, 0},
                                                    {"used", 0, 0, 0}};
static const struct text_column queue_columns[] = {{"QUEUE", NAME_KEPT, 0, NAME_LEAST},
                                                   {"SENT", 0, 1, 7},
                                                   {"RECEIVED", 0, 3, 0},
                                                   {"MOST", 0, 0, 7},
                                                   {"EVENT", 0, 0, 7},
                                                   {"FULL", 0, 0, 7},
                                                   {"BLOCKED", 0, 0, 0},
                                                   {"FAILED", 0, 0, 0},
                                                   {"WAITmax", 0, 0, 0},
                                                   {"EVENT", 0, 2, 7}};
static const struct text_column mutex_columns[] = {{"MUTEX", NAME_KEPT, 0, NAME_LEAST},
                                                   {"GOT", 0, 0, 7},
                                                   {"CONTENDED", 0, 1, 0},
                                                   {"FAILED", 0, 0, 0},
                                                   {"HOLDmax", 0, 0, 0},
                                                   {"WAITmax", 0, 0, 0},
                                                   {"EVENT", 0, 0, 7}};
static const struct text_column semaphore_columns[] = {{"SEMAPHORE, FLAGS", NAME_KEPT, 0, NAME_LEAST},
                                                       {"GOT", 0, 2, 7},
                                                       {"PUT", 0, 1, 7},
                                                       {"MOST", 0, 0, 7},
                                                       {"BLOCKED", 0, 0, 0},
                                                       {"FAILED", 0, 0, 0},
                                                       {"WAITmax", 0, 0, 0},
                                                       {"EVENT", 0, 0, 7}};
static const struct text_column pool_columns[] = {{"POOL", NAME_KEPT, 0, NAME_LEAST},
                                                  {"ALLOCATED", 0, 1, 0},
                                                  {"USEDmax", 0, 0, 0},
                                                  {"LEAST FREE", 0, 3, 0},
                                                  {"EVENT", 0, 0, 7},
                                                  {"NOT RELEASED", 0, 2, 0},
                                                  {"BLOCKED", 0, 0, 0},
                                                  {"FAILED", 0, 0, 0},
                                                  {"WAITmax", 0, 0, 0}};
static const struct text_column interrupt_columns[] = {{"INTERRUPT", NAME_KEPT, 0, NAME_LEAST},
                                                       {"COUNT", 0, 0, 7},
                                                       {"RATE/s", 0, 0, 7},
                                                       {"MAX", 0, 0, 7},
                                                       {"EVENT", 0, 0, 7},
                                                       {"SHARE", 0, 0, 7}};

#define COLUMNS(array) array, sizeof(array) / sizeof(*(array))

static const struct kind kinds[] = {
    {TXTAP_FIGURE_CPU, TXTAP_SUBJECT_THREAD, {0}, COLUMNS(thread_columns), put_thread, priority_of},
    {TXTAP_FIGURE_DEPTH, TXTAP_SUBJECT_OBJECT, {TXTAP_OBJECT_QUEUE}, COLUMNS(queue_columns), put_queue, NULL},
    {TXTAP_FIGURE_GETS, TXTAP_SUBJECT_OBJECT, {TXTAP_OBJECT_MUTEX}, COLUMNS(mutex_columns), put_mutex, NULL},
    {TXTAP_FIGURE_GETS,
     TXTAP_SUBJECT_OBJECT,
     {TXTAP_OBJECT_SEMAPHORE, TXTAP_OBJECT_EVENT_FLAGS},
     COLUMNS(semaphore_columns),
     put_semaphore,
     NULL},
    {TXTAP_FIGURE_ALLOCATIONS, TXTAP_SUBJECT_OBJECT, {0}, COLUMNS(pool_columns), put_pool, NULL},
    {TXTAP_FIGURE_ISR, TXTAP_SUBJECT_INTERRUPT, {0}, COLUMNS(interrupt_columns), put_interrupt, NULL},
};

/* Prints the shares of the whole trace in one line. */
static void show_shares(const struct figures *figures, FILE *out)
{
    static const struct {
        enum txtap_figure_id id;
        const char *words;
    } shares[] = {
        {TXTAP_FIGURE_LOAD, "CPU load"}, {TXTAP_FIGURE_INTERRUPTS, "interrupts"}, {TXTAP_FIGURE_IDLE, "idle"}};
    const struct txtap_subject system = {.kind = TXTAP_SUBJECT_SYSTEM};
    const char *before = "";

    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const struct txtap_figure *figure = figures_find(figures, shares[i].id, &system);
        const struct txtap_measure *share = figure != NULL ? &figure->stat[TXTAP_STAT_VALUE] : NULL;

        if (share == NULL || !share->known)
            continue;
        fprintf(out, "%s%s %.2f%%", before, shares[i].words, share->value);
        if (share->lower < share->value || share->upper > share->value)
            fprintf(out, " (%.2f to %.2f)", floor(share->lower * 100) / 100,
                    isfinite(share->upper) ? ceil(share->upper * 100) / 100 : 100);
        before = ", ";
    }
    fputs(*before != '\0' ? "\n" : "", out);
}

/* Prints the cause of the longest job of all threads. */
static void show_worst(const struct figures *figures, unsigned width, FILE *out)
{
    const struct txtap_figure *worst = NULL;

    for (size_t i = 0; i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;

        if (figure->id == TXTAP_FIGURE_RESPONSE && figure->stat[TXTAP_STAT_MAX].known &&
            (worst == NULL ||
             txtap_measure_seen(&figure->stat[TXTAP_STAT_MAX]) > txtap_measure_seen(&worst->stat[TXTAP_STAT_MAX])))
            worst = figure;
    }
    if (worst != NULL)
        show_cause(figures, &worst->subject, &worst->max_at, "largest RESPmax, why: ", width, out);
}

bool figures_show_overview(const struct figures *figures, const struct figures_commands *commands, unsigned width,
                           FILE *out)
{
    bool shown = true;

    show_shares(figures, out);
    show_findings(figures, commands, FINDINGS_SHOWN, width, out);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && shown; i++) {
        shown = show_kind(figures, &kinds[i], width, out);
        if (i == 0)
            show_worst(figures, width, out);
    }
    return shown;
}
