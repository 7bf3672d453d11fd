/* SPDX-License-Identifier: MIT */
/*
 * Parses any text as a check. If the text is valid, the parsed parts are written again and must parse to the same
 * check, and the verdict must equal that of a plain comparison. If the text is invalid, the error must point into it.
 * The same bytes are a file of checks: its lines must be in order, without comments and without blanks at the ends.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/check.h"
#include "txtap/inner/check_lines.h"

static void write_again(const struct txtap_check *check, char *out, size_t size)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char *const units[] = {"", "%", "ticks", "s", "/s"};
    char number[32];
    unsigned decimals = check->decimals;
    uint64_t scale = 1;

    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    snprintf(number, sizeof number, "%llu.%0*llu", (unsigned long long)(check->digits / scale), (int)decimals,
             (unsigned long long)(check->digits % scale));
    if (decimals == 0)
        number[strlen(number) - 2] = '\0';
    snprintf(out, size, "%s%s%s%s%s%s %s %s%s", check->name, check->has_pattern ? "(" : "", check->pattern,
             check->has_pattern ? ")" : "", check->stat == TXTAP_STAT_VALUE ? "" : ".",
             check->stat == TXTAP_STAT_VALUE ? "" : txtap_stat_name(check->stat), operators[check->op], number,
             units[check->unit]);
}

static void use(const struct txtap_check *check)
{
    struct txtap_figure figure = {
        .id = check->id, .detail = "", .subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 22}};
    const struct txtap_rate rate = {TXTAP_RATE_GIVEN, 168e6, 0, 0};
    struct txtap_check_result result;
    double limit = txtap_check_limit(check, 168e6);

    REQUIRE(limit >= 0 && limit <= 1e15 * 168e6);
    for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++)
        figure.stat[stat] = (struct txtap_measure){true, limit, limit, limit};
    txtap_check_result_init(&result);
    txtap_check_figure(check, &result, &figure, "control", &rate);
    REQUIRE(result.matched <= 1 && result.verdict != TXTAP_VERDICT_UNDECIDED);
    if (result.matched == 1)
        REQUIRE((result.verdict == TXTAP_VERDICT_OK) ==
                (check->op == TXTAP_CHECK_LESS_EQUAL || check->op == TXTAP_CHECK_GREATER_EQUAL ||
                 check->op == TXTAP_CHECK_EQUAL));
}

/* Splits the text, which the function changes. */
static void split(char *text)
{
    struct txtap_check_lines lines = {.rest = text};
    const char *line, *before = text;
    size_t number = 0;

    while ((line = txtap_check_lines_next(&lines)) != NULL) {
        size_t length = strlen(line);

        REQUIRE(line >= before && lines.number > number && length > 0);
        REQUIRE(strpbrk(line, "\n") == NULL && strchr(" \t", line[0]) == NULL && line[0] != '#');
        REQUIRE(strchr(" \t\r", line[length - 1]) == NULL);
        before = line + length;
        number = lines.number;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    char *text = malloc(length + 1), again[TXTAP_CHECK_PATTERN_BYTES + 128];
    struct txtap_check check, second;
    struct txtap_check_error error = {0};

    REQUIRE(text != NULL);
    memcpy(text, data, length);
    text[length] = '\0';
    if (txtap_check_parse(&check, text, &error)) {
        use(&check);
        write_again(&check, again, sizeof again);
        /* write_again() converts to seconds. Then a value in ns may need more decimals than a check allows. */
        if (check.decimals <= 9) {
            REQUIRE(txtap_check_parse(&second, again, &error));
            REQUIRE(txtap_check_limit(&second, 168e6) == txtap_check_limit(&check, 168e6));
            REQUIRE(strcmp(second.pattern, check.pattern) == 0 && second.stat == check.stat && second.op == check.op);
        }
    } else {
        REQUIRE(error.column >= 1 && error.column <= strlen(text) + 1 && error.expected != NULL);
    }
    split(text);
    free(text);
    return 0;
}
