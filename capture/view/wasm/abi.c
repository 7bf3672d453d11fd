/* SPDX-License-Identifier: MIT */
/* txtap_page_abi: prints page/abi.js, which has the enums, limits and layouts that the page's modules share with C. The
 * build runs it with the existing abi.js as its argument. Then it fails if abi.js differs from its output. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/rows_samples.h"
#include "txtap/inner/change.h"
#include "view/wasm/answers.h"
#include "view/wasm/csv.h"
#include "view/wasm/report.h"

#define WAITS (TXTAP_WAIT_OTHER + 1)

/* ---- enums ---- */

static const char *state_name(unsigned state)
{
    static const char *const names[] = {
        [TXTAP_ROW_UNKNOWN] = "UNKNOWN", [TXTAP_ROW_RUNNING] = "RUNNING", [TXTAP_ROW_INTERRUPTED] = "INTERRUPTED",
        [TXTAP_ROW_READY] = "READY",     [TXTAP_ROW_BLOCKED] = "BLOCKED", [TXTAP_ROW_IS_IDLE] = "IDLE",
        [TXTAP_ROW_IN_ISR] = "ISR",      [TXTAP_ROW_IN_INIT] = "INIT",    [TXTAP_ROW_OFF] = "OFF",
        [TXTAP_ROW_HELD] = "HELD",
    };
    _Static_assert(sizeof names / sizeof *names == TXTAP_ROW_STATES, "each state has a name");

    return names[state];
}

static const char *class_name(unsigned number)
{
    return txtap_event_class_name((enum txtap_event_class)number);
}

static const char *wait_name(unsigned number)
{
    return txtap_wait_name((enum txtap_wait)number);
}

static const char *form_name(unsigned number)
{
    static const char *const names[] = {
        [TXTAP_VALUE_UNSIGNED] = "unsigned", [TXTAP_VALUE_SIGNED] = "signed", [TXTAP_VALUE_FLOAT] = "float"};

    return names[number];
}

static const char *report_name(unsigned number)
{
    static const char *const names[] = {[REPORT_MORE] = "more", [REPORT_DONE] = "done", [REPORT_NONE] = "none"};

    return names[number];
}

static const char *csv_name(unsigned number)
{
    static const char *const names[] = {[CSV_MORE] = "more", [CSV_DONE] = "done", [CSV_NONE] = "none"};

    return names[number];
}

static const char *alike_name(unsigned number)
{
    static const char *const names[] = {
        [ALIKE_EVENT] = "event", [ALIKE_THREAD] = "thread", [ALIKE_OBJECT] = "object", [ALIKE_SWITCH] = "switch"};

    return names[number];
}

static const char *why_name(unsigned number)
{
    static const char *const names[] = {
        [TXTAP_WHY_FIGURE] = "figure", [TXTAP_WHY_EVENT] = "event", [TXTAP_WHY_TIME] = "time"};

    return names[number];
}

static void print_states(FILE *out)
{
    fprintf(out, "\n/** enum txtap_row_state */\nexport const ROW_STATE = {\n");
    for (unsigned i = 0; i < TXTAP_ROW_STATES; i++)
        fprintf(out, "    %s: %u,\n", state_name(i), i);
    fprintf(out, "};\n");
}

/* Prints an array of names indexed by number, typed as the union of these names. */
static void print_names(FILE *out, const char *name, const char *of, unsigned count, const char *(*name_of)(unsigned))
{
    fprintf(out, "\n/** Names, by enum %s. */\nexport const %s = /** @type {const} */ ([\n", of, name);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "    '%s',\n", name_of(i));
    fprintf(out, "]);\n");
}

/* ---- cells ---- */

struct member {
    const char *name;
    size_t offset, bytes;
};

#define MEMBER(type, name)                                                                                             \
    {                                                                                                                  \
#name, offsetof(struct type, name), sizeof((struct type *)NULL)->name                                          \
    }

static const struct member columns[] = {
    MEMBER(txtap_row_columns, x0),     MEMBER(txtap_row_columns, x1),    MEMBER(txtap_row_columns, state),
    MEMBER(txtap_row_columns, reason), MEMBER(txtap_row_columns, run),   MEMBER(txtap_row_columns, ready),
    MEMBER(txtap_row_columns, object), MEMBER(txtap_row_columns, flags), MEMBER(txtap_row_columns, steps),
    MEMBER(txtap_row_columns, index),
};

static const struct member values[] = {
    MEMBER(txtap_row_values, x0),  MEMBER(txtap_row_values, x1),   MEMBER(txtap_row_values, min),
    MEMBER(txtap_row_values, max), MEMBER(txtap_row_values, last), MEMBER(txtap_row_values, flags),
};

static const struct member samples[] = {
    MEMBER(txtap_row_samples, x0),    MEMBER(txtap_row_samples, x1),  MEMBER(txtap_row_samples, flags),
    MEMBER(txtap_row_samples, count), MEMBER(txtap_row_samples, min), MEMBER(txtap_row_samples, max),
    MEMBER(txtap_row_samples, last),
};

/* Prints a method that reads a member of item i. */
static void print_member(FILE *out, const struct member *member, size_t item_bytes)
{
    size_t place = member->offset / member->bytes;

    fprintf(out, "\n    /** @param {number} i */\n    %s(i) {\n        return this.%s%zu[i * %zu", member->name,
            member->bytes == sizeof(double) ? "f" : "u", member->bytes * 8, item_bytes / member->bytes);
    if (place > 0)
        fprintf(out, " + %zu", place);
    fprintf(out, "];\n    }\n");
}

/* Prints a class whose methods use literal numbers, the fastest access in JavaScript. */
static void print_class(FILE *out, const char *name, const char *of, size_t item_bytes, const struct member *members,
                        size_t count)
{
    fprintf(out,
            "\n/** Items of struct %s in the decoder's memory, valid until the next call of the decoder. */\n"
            "export class %s {\n"
            "    /** @param {ArrayBuffer} buffer @param {number} at @param {number} length */\n"
            "    constructor(buffer, at, length) {\n"
            "        this.length = length;\n",
            of, name);
    for (size_t bytes = 1; bytes <= sizeof(uint32_t); bytes *= 2)
        fprintf(out, "        this.u%zu = new Uint%zuArray(buffer, at, length * %zu);\n", bytes * 8, bytes * 8,
                item_bytes / bytes);
    if (item_bytes % sizeof(double) == 0 && members[count - 1].bytes == sizeof(double))
        fprintf(out, "        this.f64 = new Float64Array(buffer, at, length * %zu);\n", item_bytes / sizeof(double));
    fprintf(out, "    }\n");
    for (size_t i = 0; i < count; i++)
        print_member(out, &members[i], item_bytes);
    fprintf(out, "}\n");
}

/* ---- all parts ---- */

static void print_constants(FILE *out)
{
    fprintf(out, "\n/** No row: TXTAP_ROW_NONE; in a request, all rows. */\nexport const ROW_NONE = %u;\n",
            TXTAP_ROW_NONE);
    fprintf(out, "\n/** A bit of RowColumns.flags(): TXTAP_COLUMNS_DENSE. */\nexport const PIECE_DENSE = %u;\n",
            TXTAP_COLUMNS_DENSE);
    fprintf(out,
            "\n/** The whole of a share: of RowColumns.run() and ready(), and of trace.shares(). */\n"
            "export const SHARE_WHOLE = %u;\n",
            UINT16_MAX);
    fprintf(out,
            "\n/** Bits of RowValues.flags(): TXTAP_VALUES_*. */\n"
            "export const VALUES_LAST = %u;\nexport const VALUES_PARTLY = %u;\nexport const VALUES_INFERRED = %u;\n",
            TXTAP_VALUES_LAST, TXTAP_VALUES_PARTLY, TXTAP_VALUES_INFERRED);
    fprintf(out, "\n/** No event: ANSWER_NONE. */\nexport const EVENT_NONE = %u;\n", ANSWER_NONE);
    fprintf(out, "\n/** The number of an interrupt that is not known. */\nexport const NUMBER_UNKNOWN = %u;\n",
            UINT32_MAX);
    fprintf(out, "\n/** Texts that trace.candidate() takes: ANSWER_TEXTS_MAX. */\nexport const TEXTS_MOST = %u;\n",
            ANSWER_TEXTS_MAX);
    fprintf(out, "\n/** Ticks per second that a rate can have. */\n");
    fprintf(out, "export const RATE_LEAST = %.17g;\nexport const RATE_MOST = %.17g;\n", VIEW_HZ_LEAST, VIEW_HZ_MOST);
}

static void print_all(FILE *out)
{
    fprintf(out, "// SPDX-License-Identifier: MIT\n"
                 "/* Numbers, names and layouts that the page shares with C. view/wasm/abi.c prints this file. */\n");
    print_states(out);
    print_names(out, "EVENT_CLASSES", "txtap_event_class", TXTAP_CLASSES, class_name);
    print_names(out, "VALUE_FORMS", "txtap_value_form", TXTAP_VALUE_FORMS, form_name);
    print_names(out, "WAITS", "txtap_wait", WAITS, wait_name);
    print_names(out, "REPORT_STATES", "report_state", REPORT_NONE + 1, report_name);
    print_names(out, "CSV_STATES", "csv_state", CSV_NONE + 1, csv_name);
    print_names(out, "ALIKE_KINDS", "answer_alike", ALIKE_SWITCH + 1, alike_name);
    print_names(out, "WHY_SELECTS", "txtap_why_select", TXTAP_WHY_WORST, why_name);
    print_constants(out);
    print_class(out, "RowColumns", "txtap_row_columns", sizeof(struct txtap_row_columns), columns,
                sizeof columns / sizeof *columns);
    print_class(out, "RowValues", "txtap_row_values", sizeof(struct txtap_row_values), values,
                sizeof values / sizeof *values);
    print_class(out, "RowSamples", "txtap_row_samples", sizeof(struct txtap_row_samples), samples,
                sizeof samples / sizeof *samples);
}

static bool is_same(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "r");
    char *there = calloc(1, length + 2);
    bool same = file != NULL && there != NULL && fread(there, 1, length + 1, file) == length &&
                memcmp(there, text, length) == 0;

    if (file != NULL)
        fclose(file);
    free(there);
    return same;
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    int status = EXIT_SUCCESS;

    if (out == NULL)
        return EXIT_FAILURE;
    print_all(out);
    fclose(out);
    if (argc < 2) {
        fputs(text, stdout);
    } else if (!is_same(argv[1], text, length)) {
        fprintf(stderr, "%s is older than the headers: write it again with %s > %s\n", argv[1], argv[0], argv[1]);
        status = EXIT_FAILURE;
    }
    free(text);
    return status;
}
