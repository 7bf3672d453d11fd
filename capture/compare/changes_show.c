/* SPDX-License-Identifier: MIT */
/* The changes as text, as Markdown, and for the page. All have the same rows. */
#include "compare/changes_show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare/changes_words.h"
#include "compare/noise.h"
#include "figures/text_table.h"
#include "txtap/inner/escape.h"

#define VERDICT_NAMES 3u
#define NAMES_MOST    12u
#define MARKDOWN_MOST 20u
#define LINE_BYTES    2048
#define LIST_COLUMNS  80

/* ---- the verdict ---- */

char *changes_verdict(char out[static CHANGES_VERDICT_BYTES], const struct changes *changes)
{
    size_t total = changes_total(changes), used;

    if (changes->judged == 0) {
        snprintf(out, CHANGES_VERDICT_BYTES, "undecided: the two sides have no figures that can be judged");
        return out;
    }
    if (total == 0)
        used = (size_t)snprintf(out, CHANGES_VERDICT_BYTES, "no change in %zu figure%s", changes->by_kind[CHANGE_NOISE],
                                changes->by_kind[CHANGE_NOISE] == 1 ? "" : "s");
    else
        used = (size_t)snprintf(out, CHANGES_VERDICT_BYTES, "%zu figure%s changed, %zu worse", total,
                                total == 1 ? "" : "s", changes->by_kind[CHANGE_WORSE]);
    for (size_t i = 0, shown = 0; i < changes->count && shown < VERDICT_NAMES && shown < total; i++) {
        const struct change *change = &changes->at[i];
        char name[CHANGE_NAME_BYTES], factor[CHANGE_NUMBER_BYTES];

        if (change->kind > CHANGE_OTHER || !change->principal)
            continue;
        used += (size_t)snprintf(out + used, CHANGES_VERDICT_BYTES - used, "%s%.200s %s", shown++ > 0 ? ", " : ": ",
                                 change_name(name, change), change_factor(factor, change));
    }
    if (changes->by_kind[CHANGE_UNSURE] > 0)
        used += (size_t)snprintf(out + used, CHANGES_VERDICT_BYTES - used, "; %zu not known to differ",
                                 changes->by_kind[CHANGE_UNSURE]);
    if (changes->by_kind[CHANGE_UNKNOWN] > 0)
        snprintf(out + used, CHANGES_VERDICT_BYTES - used, "; %zu not judged", changes->by_kind[CHANGE_UNKNOWN]);
    return out;
}

/* ---- the sides ---- */

/* path: write the whole path of the first run; otherwise only its name. */
static void side_text(char out[static LINE_BYTES], const struct changes *changes, size_t i, bool path)
{
    const struct side *side = &changes->sides[i];
    const char *trace = side->runs[0].figures.trace, *slash = path ? NULL : strrchr(trace, '/');
    char first[512], time[QUANTITY_BYTES];
    uint64_t events = 0, lost = 0;
    double observed = 0;
    bool exact = true;

    for (size_t j = 0; j < side->count; j++) {
        const struct txtap_analysis_summary *summary = &side->runs[j].figures.summary;

        events += summary->events;
        lost += summary->lost;
        exact = exact && summary->lost_exact;
        observed += run_observed(&side->runs[j]);
    }
    quantity_text(time, observed, TXTAP_UNIT_TICKS, changes->has_rate);
    txtap_escape_terminal(first, sizeof first, slash != NULL ? slash + 1 : trace);
    snprintf(out, LINE_BYTES, "%s: %zu run%s, %s%s; %" PRIu64 " events in %s, %s%" PRIu64 " lost", side->label,
             side->count, side->count == 1 ? "" : "s", first, side->count == 1 ? "" : ", ...", events, time,
             exact ? "" : "at least ", lost);
}

static void noise_text(char out[static LINE_BYTES], const struct changes *changes)
{
    size_t a = changes->sides[0].count, b = changes->sides[1].count;

    if (a >= NOISE_RUNS_MIN && b >= NOISE_RUNS_MIN)
        snprintf(out, LINE_BYTES, "noise: known from %zu and %zu runs; smallest change %g %%", a, b,
                 100 * changes->tolerance[1]);
    else
        snprintf(out, LINE_BYTES,
                 "noise: unknown, because it needs %d runs of each side; smallest change %g %%, no extreme values",
                 NOISE_RUNS_MIN, 100 * changes->tolerance[0]);
}

/* Lists subjects, or figures of known subjects, that only a side has. Returns false if it has none. */
static bool only_text(char out[static LINE_BYTES], const struct changes *changes, size_t side, bool subjects)
{
    size_t used = 0, count = 0;

    for (size_t i = 0; i < changes->only_count[side]; i++) {
        const struct named_figure *named = changes->only[side][i];
        bool is_new = changes_subject_is_only(changes, side, i);
        char name[CHANGE_NAME_BYTES];

        if (is_new != subjects || (subjects && !changes_subject_is_first(changes, side, i)) || used >= LINE_BYTES / 2)
            continue;
        if (count++ >= NAMES_MOST)
            continue;
        if (subjects)
            change_subject(name, named);
        else
            figure_label(name, sizeof name, named, "");
        used += (size_t)snprintf(out + used, LINE_BYTES - used, "%s%.150s", count > 1 ? ", " : "", name);
    }
    if (count > NAMES_MOST)
        snprintf(out + used, LINE_BYTES - used, " and %zu more", count - NAMES_MOST);
    return count > 0;
}

/* ---- the rows ---- */

static const char *const only_heads[2][2] = {{"figures only in A", "only in A"}, {"figures only in B", "only in B"}};

/* ---- text ---- */

static const struct text_column columns[] = {
    {"", 30, 0, 0}, {"A", 0, 0, 0}, {"+-", 0, 2, 0}, {"B", 0, 0, 0}, {"+-", 0, 1, 0}, {"B / A", 0, 0, 0}, {"", 0, 0, 0},
};

static void put_row(struct text_table *table, const struct change *change)
{
    char text[CHANGE_NAME_BYTES];

    text_table_put(table, change_name(text, change));
    for (size_t side = 0; side < 2; side++) {
        text_table_put(table, change_number(text, change, side));
        text_table_put(table, change_spread(text, change, side));
    }
    text_table_put(table, change_factor(text, change));
    text_table_put(table, change_kind_word(change->kind));
}

/* The tables. Each number is in exactly one of them. */
enum part { PART_CHANGED, PART_UNSURE, PART_GATE, PART_REST };

static const char *const heads[] = {"changed", "not known to differ, because the bounds overlap", "no change",
                                    "all other numbers"};

static enum part part_of(const struct change *change)
{
    if (change->kind <= CHANGE_OTHER)
        return PART_CHANGED;
    if (change->kind == CHANGE_UNSURE)
        return PART_UNSURE;
    return change_is_gate(change) ? PART_GATE : PART_REST;
}

static bool put_table(const struct changes *changes, enum part part, bool all, unsigned width, FILE *out)
{
    struct text_table table;
    size_t rows = 0;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->at[i];

        if (part_of(change) != part || !(all || change->principal))
            continue;
        if (rows++ == 0)
            fprintf(out, "\n%s\n", heads[part]);
        put_row(&table, change);
    }
    return text_table_end(&table, width, out);
}

/* Prints "HEAD: NAME, NAME, ..." in lines of at most LIST_COLUMNS columns, which end after a name. */
static void put_list(const char *head, const char *names, FILE *out)
{
    size_t column = (size_t)fprintf(out, "%s:", head);

    while (*names != '\0') {
        size_t length, whole;

        names += *names == ' ';
        length = strcspn(names, ",");
        whole = length + (names[length] == ',');

        if (column + whole + 1 > LIST_COLUMNS)
            column = (size_t)fprintf(out, "\n ") - 1;
        column += (size_t)fprintf(out, " %.*s", (int)whole, names);
        names += whole;
    }
    fputc('\n', out);
}

bool changes_show_text(const struct changes *changes, bool all, unsigned width, FILE *out)
{
    char line[LINE_BYTES];
    bool good = true;

    for (size_t side = 0; side < 2; side++) {
        side_text(line, changes, side, true);
        fprintf(out, "%s\n", line);
    }
    noise_text(line, changes);
    fprintf(out, "%s\n", line);
    for (enum part part = PART_CHANGED; part <= (all ? PART_REST : PART_GATE); part++)
        good = put_table(changes, part, all, width, out) && good;
    fputc('\n', out);
    for (size_t side = 0; side < 2; side++)
        for (size_t subjects = 0; subjects < 2; subjects++)
            if (only_text(line, changes, side, subjects == 1))
                put_list(only_heads[side][subjects], line, out);
    if (!all)
        fputs("all numbers: --all\n", out);
    fprintf(out, "%s\n", changes_verdict(line, changes));
    return good;
}

/* ---- Markdown ---- */

static void put_markdown_row(FILE *out, const struct change *change)
{
    char text[CHANGE_NAME_BYTES];

    fprintf(out, "| %s | <code>", change_kind_word(change->kind));
    markdown_text(out, change_name(text, change));
    fputs("</code> |", out);
    for (size_t side = 0; side < 2; side++) {
        char spread[CHANGE_NUMBER_BYTES];

        change_spread(spread, change, side);
        fprintf(out, " %s%s%s |", change_number(text, change, side), *spread != '\0' ? " ± " : "", spread);
    }
    fprintf(out, " %s |\n", change_factor(text, change));
}

/* Puts at most MARKDOWN_MOST rows of these parts. Returns the number of all rows. */
static size_t put_markdown_table(const struct changes *changes, enum part from, enum part to, FILE *out)
{
    size_t rows = 0;

    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->at[i];

        if (part_of(change) < from || part_of(change) > to || !change->principal)
            continue;
        if (rows++ == 0)
            fputs("| | figure | A | B | B / A |\n|---|---|--:|--:|--:|\n", out);
        if (rows <= MARKDOWN_MOST)
            put_markdown_row(out, change);
    }
    if (rows > MARKDOWN_MOST)
        fprintf(out, "\n%zu more figures are not in this table.\n", rows - MARKDOWN_MOST);
    return rows;
}

static void put_markdown_line(FILE *out, const char *line)
{
    fputs("- ", out);
    markdown_text(out, line);
    fputc('\n', out);
}

void changes_show_markdown(const struct changes *changes, FILE *out)
{
    char line[LINE_BYTES];

    fputs("### txtap: ", out);
    markdown_text(out, changes_verdict(line, changes));
    fputs("\n\n", out);
    if (put_markdown_table(changes, PART_CHANGED, PART_UNSURE, out) > 0)
        fputc('\n', out);
    for (size_t side = 0; side < 2; side++)
        for (size_t subjects = 0; subjects < 2; subjects++)
            if (only_text(line, changes, side, subjects == 1)) {
                char whole[LINE_BYTES + 64];

                snprintf(whole, sizeof whole, "%s: %s", only_heads[side][subjects], line);
                put_markdown_line(out, whole);
            }
    for (size_t side = 0; side < 2; side++) {
        side_text(line, changes, side, true);
        put_markdown_line(out, line);
    }
    noise_text(line, changes);
    put_markdown_line(out, line);
    fputs("\n<details><summary>no change</summary>\n\n", out);
    (void)put_markdown_table(changes, PART_GATE, PART_GATE, out);
    fputs("\n</details>\n", out);
}

/* ---- the page ---- */

/* Writes a JSON string without '<', so that it cannot end the element of the page that contains it. */
static void put_page_text(FILE *out, const char *text)
{
    char shown[TXTAP_ESCAPED_JSON_BYTES(LINE_BYTES)];

    for (const char *at = txtap_escape_json(shown, sizeof shown, text); *at != '\0'; at++)
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
}

/* Writes the event that ended the largest sample of the number's figure, and the length of this sample in ticks, for
 * the run that the page shows; null if unknown. */
static void put_worst(FILE *out, const struct changes *changes, const struct change *change, size_t side, size_t run)
{
    const struct named_figure *named = run_figure(&changes->sides[side].runs[run], change->figure);
    const struct txtap_measure *most = named != NULL ? &named->figure.stat[TXTAP_STAT_MAX] : NULL;

    if (named == NULL || !named->figure.max_at.known || !most->known || named->figure.unit != TXTAP_UNIT_TICKS)
        fputs("null", out);
    else
        fprintf(out, "{\"seq\":%" PRIu64 ",\"ticks\":%.17g}", named->figure.max_at.seq, most->value);
}

static void put_page_row(FILE *out, const struct changes *changes, const struct change *change, const size_t runs[2])
{
    char text[CHANGE_NAME_BYTES];

    fputs("{\"cells\":[", out);
    put_page_text(out, change_name(text, change));
    for (size_t side = 0; side < 2; side++) {
        fputc(',', out);
        put_page_text(out, change_number(text, change, side));
        fputc(',', out);
        put_page_text(out, change_spread(text, change, side));
    }
    fputc(',', out);
    put_page_text(out, change_factor(text, change));
    fputc(',', out);
    put_page_text(out, change_kind_word(change->kind));
    fprintf(out, "],\"principal\":%s,\"worst\":[", change->principal ? "true" : "false");
    put_worst(out, changes, change, 0, runs[0]);
    fputc(',', out);
    put_worst(out, changes, change, 1, runs[1]);
    fputs("]}", out);
}

static void put_page_table(FILE *out, const struct changes *changes, enum part part, const size_t runs[2])
{
    const char *separator = "\n";

    fprintf(out, "{\"head\":\"%s\",\"rows\":[", heads[part]);
    for (size_t i = 0; i < changes->count; i++) {
        if (part_of(&changes->at[i]) != part)
            continue;
        fputs(separator, out);
        put_page_row(out, changes, &changes->at[i], runs);
        separator = ",\n";
    }
    fputs("]}", out);
}

void changes_show_page(const struct changes *changes, const size_t runs[2], FILE *out)
{
    const char *separator = "";
    char line[LINE_BYTES];

    fputs("{\"verdict\":", out);
    put_page_text(out, changes_verdict(line, changes));
    fputs(",\"about\":[", out);
    for (size_t side = 0; side < 2; side++) {
        side_text(line, changes, side, false); /* readers of the page must not see the folder */
        put_page_text(out, line);
        fputc(',', out);
    }
    noise_text(line, changes);
    put_page_text(out, line);
    fputs("],\"only\":[", out);
    for (size_t side = 0; side < 2; side++)
        for (size_t subjects = 0; subjects < 2; subjects++)
            if (only_text(line, changes, side, subjects == 1)) {
                fprintf(out, "%s{\"head\":\"%s\",\"names\":", separator, only_heads[side][subjects]);
                put_page_text(out, line);
                fputc('}', out);
                separator = ",";
            }
    fputs("],\"tables\":[", out);
    for (enum part part = PART_CHANGED; part <= PART_REST; part++) {
        fputs(part > PART_CHANGED ? ",\n" : "\n", out);
        put_page_table(out, changes, part, runs);
    }
    fputs("]}", out);
}
