/* SPDX-License-Identifier: MIT */
/* The grammar of checks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/inner/check_lines.h"

static struct txtap_check check;
static struct txtap_check_error error;

static void parse(const char *text)
{
    cr_assert(txtap_check_parse(&check, text, &error), "%s: column %zu: expected %s", text, error.column,
              error.expected);
}

static void refuse(const char *text, size_t column, const char *expected_start)
{
    cr_assert_not(txtap_check_parse(&check, text, &error), "%s", text);
    cr_assert_eq(error.column, column, "%s: column %zu: %s", text, error.column, error.expected);
    cr_assert_eq(strncmp(error.expected, expected_start, strlen(expected_start)), 0, "%s: %s", text, error.expected);
}

Test(check_parse, parses_a_check)
{
    const char *text = "wake(control).p99 <= 200us";

    parse(text);
    cr_assert_eq(check.text, text);
    cr_assert_str_eq(check.name, "wake");
    cr_assert(check.has_pattern);
    cr_assert_str_eq(check.pattern, "control");
    cr_assert_eq(check.stat, TXTAP_STAT_P99);
    cr_assert_eq(check.op, TXTAP_CHECK_LESS_EQUAL);
    cr_assert_eq(check.unit, TXTAP_CHECK_SECONDS);
    cr_assert_eq(txtap_check_limit(&check, 168e6), 33600);
    cr_assert(txtap_check_needs_rate(&check));
}

Test(check_parse, blanks_may_be_between_any_parts_or_missing)
{
    parse("  wake\t( a b ) . max   !=  1.5  ms ");
    cr_assert_str_eq(check.pattern, " a b ");
    cr_assert_eq(txtap_check_limit(&check, 1e6), 1500);
    parse("stack(*).free >= 15%");
    parse("stack(*).used <= 80%");
    cr_expect_eq(check.id, TXTAP_FIGURE_STACK_USED);
    cr_assert_eq(check.stat, TXTAP_STAT_VALUE);
    parse("cpu(a).value < 15%");
    cr_assert_eq(check.stat, TXTAP_STAT_VALUE);
    parse("wake(ab).max!=1.5ms");
    cr_assert_eq(check.op, TXTAP_CHECK_NOT_EQUAL);
}

Test(check_parse, knows_every_name_with_its_usual_statistic_and_unit)
{
    static const struct {
        const char *name;
        enum txtap_stat stat;
        const char *unit;
    } cases[] = {
        {"cpu", TXTAP_STAT_VALUE, "%"},      {"load", TXTAP_STAT_VALUE, "%"},     {"idle", TXTAP_STAT_VALUE, "%"},
        {"run", TXTAP_STAT_VALUE, "us"},     {"response", TXTAP_STAT_VALUE, "s"}, {"wake", TXTAP_STAT_VALUE, "ns"},
        {"period", TXTAP_STAT_VALUE, "ms"},  {"jitter", TXTAP_STAT_VALUE, "ms"},  {"block", TXTAP_STAT_VALUE, "ms"},
        {"hold", TXTAP_STAT_VALUE, "ticks"}, {"wait", TXTAP_STAT_VALUE, "ms"},    {"depth", TXTAP_STAT_VALUE, ""},
        {"stack", TXTAP_STAT_VALUE, "%"},    {"isr", TXTAP_STAT_VALUE, "ms"},     {"inversion", TXTAP_STAT_N, ""},
        {"ready", TXTAP_STAT_VALUE, "us"},   {"unbounded", TXTAP_STAT_N, ""},     {"deadlock", TXTAP_STAT_N, ""},
        {"leak", TXTAP_STAT_N, ""},          {"failed", TXTAP_STAT_N, ""},        {"lost", TXTAP_STAT_N, ""},
        {"switches", TXTAP_STAT_N, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];

        snprintf(text, sizeof text, "%s == 3%s", cases[i].name, cases[i].unit);
        parse(text);
        cr_assert_eq(check.stat, cases[i].stat, "%s", text);
        cr_assert_not(check.has_pattern);
        snprintf(text, sizeof text, "%s.rate < 3/s", cases[i].name);
        parse(text);
        cr_assert_eq(check.unit, TXTAP_CHECK_PER_SECOND);
        snprintf(text, sizeof text, "%s.n > 3", cases[i].name);
        parse(text);
        cr_assert_eq(check.unit, TXTAP_CHECK_COUNT);
    }
}

Test(check_parse, knows_every_statistic_and_operator)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};

    for (enum txtap_stat stat = TXTAP_STAT_N; stat < TXTAP_STATS; stat++) {
        for (unsigned op = 0; op < 6; op++) {
            char text[64];

            snprintf(text, sizeof text, "run(*).%s%s1%s", txtap_stat_name(stat), operators[op],
                     stat == TXTAP_STAT_N      ? ""
                     : stat == TXTAP_STAT_RATE ? "/s"
                                               : "us");
            parse(text);
            cr_assert_eq(check.stat, stat);
            cr_assert_eq((unsigned)check.op, op);
        }
    }
}

Test(check_parse, limits_are_exact)
{
    static const struct {
        const char *text;
        double hz, limit;
    } cases[] = {
        {"wake < 1s", 168e6, 168e6},
        {"wake < 0.000001s", 168e6, 168},
        {"wake < 1ns", 1e9, 1},
        {"wake < 125ns", 168e6, 21},
        {"wake < 0.3ms", 1e6, 300},
        {"wake < 12.5 ticks", 0, 12.5},
        {"cpu(a) < 0.1%", 0, 0.1},
        {"idle > 60.50%", 0, 60.5},
        {"isr.rate < 1000.5/s", 1e6, 1000.5},
        {"lost < 999999999999999", 0, 999999999999999.0},
        {"wake == 0", 0, 0},
        {"wake == 0.00", 0, 0},
        {"lost == 00000000000000000000017", 0, 17},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parse(cases[i].text);
        cr_assert_eq(txtap_check_limit(&check, cases[i].hz), cases[i].limit, "%s", cases[i].text);
    }
}

Test(check_parse, a_parenthesis_in_a_name_has_a_backslash)
{
    parse("cpu(f\\(x\\)) < 5%");
    cr_assert_str_eq(check.pattern, "f\\(x\\)");
    parse("cpu(a(b) < 5%");
    cr_assert_str_eq(check.pattern, "a(b");
}

Test(check_parse, reports_the_place_of_an_error_and_the_expected_text)
{
    refuse("", 1, "a name: cpu");
    refuse("cpus < 1%", 1, "a name: cpu");
    refuse("  CPU < 1%", 3, "a name: cpu");
    refuse("cpu(net < 60%", 14, "a )");
    refuse("cpu(net\\", 9, "a )");
    refuse("cpu(a\x1b[2J) < 1%", 6, "a printable character");
    refuse("cpu(\xc2\x9b) < 1%", 5, "a printable character");
    refuse("cpu(\xff) < 1%", 5, "a printable character");
    refuse("cpu(a\\\n) < 1%", 7, "a printable character");
    refuse("cpu() < 60%", 5, "a pattern, or *");
    refuse("cpu(\xc3\xa4).p98 < 1%", 8, "a statistic");
    refuse("cpu. < 1%", 6, "a statistic");
    refuse("cpu.free < 1%", 5, "a statistic");
    refuse("cpu = 1%", 5, "an operator");
    refuse("cpu", 4, "an operator");
    refuse("cpu <", 6, "a number");
    refuse("cpu < -1%", 7, "a number");
    refuse("cpu < .5%", 7, "a number");
    refuse("cpu < 5.%", 7, "a number");
    refuse("cpu < 0x10%", 8, "a share");
    refuse("lost < 1234567890123456", 8, "a number of at most 15 digits");
    refuse("cpu < 1.0123456789%", 7, "a number of at most 15 digits, 9 of");
    refuse("cpu < 5", 8, "a share with its unit, %");
    refuse("cpu < 5 ms", 9, "a share with its unit, %");
    refuse("wake < 5", 9, "a time with its unit: ns us ms s ticks");
    refuse("wake < 5%", 9, "a time");
    refuse("wake < 5min", 9, "a time");
    refuse("wake.n < 5ms", 11, "a count");
    refuse("wake.rate < 5", 14, "a rate");
    refuse("wake.rate < 0", 14, "a rate");
    refuse("lost == 0%", 10, "a count");
    refuse("lost == 0 and more", 11, "a count");
    refuse("wake < 5ms 6", 12, "nothing");
    refuse("lost == 0 6", 11, "nothing");
}

Test(check_parse, the_longest_pattern_fits)
{
    char text[TXTAP_CHECK_PATTERN_BYTES + 32] = "cpu(";

    memset(text + 4, 'a', TXTAP_CHECK_PATTERN_BYTES - 1);
    strcpy(text + 4 + TXTAP_CHECK_PATTERN_BYTES - 1, ") < 1%");
    parse(text);
    cr_assert_eq(strlen(check.pattern), TXTAP_CHECK_PATTERN_BYTES - 1u);
    memset(text + 4, 'a', TXTAP_CHECK_PATTERN_BYTES);
    strcpy(text + 4 + TXTAP_CHECK_PATTERN_BYTES, ") < 1%");
    refuse(text, 5, "a pattern of at most 127 bytes");
}

static uint32_t sections_of(const char *text)
{
    cr_assert(txtap_check_parse(&check, text, &error), "%s", text);
    return txtap_check_sections(&check);
}

Test(check_parse, reports_the_sections_that_it_needs)
{
    cr_expect_eq(sections_of("deadlock==0"), TXTAP_SECTION_BIT(TXTAP_SECTION_DEADLOCK));
    cr_expect_eq(sections_of("wake(a)<1ticks"),
                 TXTAP_SECTION_BIT(TXTAP_SECTION_WAKE) | TXTAP_SECTION_BIT(TXTAP_SECTION_CPU));
    cr_expect_eq(sections_of("depth(a)<1"), TXTAP_SECTIONS_ALL);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(sections_of((const char *[]){"gets<1", "puts<1", "wait<1ticks"}[i]),
                     TXTAP_SECTION_BIT(TXTAP_SECTION_MUTEX) | TXTAP_SECTION_BIT(TXTAP_SECTION_SEMAPHORE));
}

Test(check_lines, have_no_comments_and_no_blanks)
{
    char text[] = "# limits\n\n  lost == 0  # none\r\n\twake(a\\#b) < 1ms\nidle > 5% \\# 1\nlast == 1";
    const char *const wanted[] = {"lost == 0", "wake(a\\#b) < 1ms", "idle > 5% \\# 1", "last == 1"};
    const size_t numbers[] = {3, 4, 5, 6};
    struct txtap_check_lines lines = {.rest = text};

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cr_expect_str_eq(txtap_check_lines_next(&lines), wanted[i]);
        cr_expect_eq(lines.number, numbers[i]);
    }
    cr_expect_null(txtap_check_lines_next(&lines));
    cr_expect_null(txtap_check_lines_next(&lines));
}
