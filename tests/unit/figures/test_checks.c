/* SPDX-License-Identifier: MIT */
/* Checks from the command line, and their results as text, JSON and JUnit XML. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/checks.h"
#include "options/checks.h"

static struct check_options options;
static struct checks checks;
static const struct txtap_rate unknown;
static struct error error;
static const struct txtap_analysis_summary whole = {.events = 10, .window_ticks = 1000, .observed_ticks = 1000};

static void begin(const char *const *texts, size_t count, double tick_hz)
{
    const struct txtap_rate rate = {tick_hz > 0 ? TXTAP_RATE_GIVEN : TXTAP_RATE_UNKNOWN, tick_hz, 0, 0};
    struct txtap_check_error wrong;

    checks_free(&checks);
    options.count = count;
    for (size_t i = 0; i < count; i++)
        cr_assert(txtap_check_parse(&options.checks[i], texts[i], &wrong), "%s", texts[i]);
    cr_assert_eq(checks_init(&checks, options.checks, options.count, "--check '", &rate, &error), TXTAP_OK);
}

static void give(enum txtap_figure_id id, const char *subject, double value, double lower, double upper)
{
    struct txtap_figure figure = {
        .id = id, .detail = "", .subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 0x20000100}};

    for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++)
        figure.stat[stat] = (struct txtap_measure){true, value, lower, upper};
    figure.max_at = (struct txtap_place){true, 1234, 500000};
    checks_take(&checks, &figure, subject);
}

typedef void show_function(const struct checks *checks, FILE *out);

static const char *shown(show_function *show)
{
    static char *text;
    size_t length;
    FILE *out;

    free(text);
    out = open_memstream(&text, &length);
    show(&checks, out);
    fclose(out);
    return text;
}

static const char *const three[] = {"wake(con*) <= 200us", "run(a).p99 < 1ms", "cpu(a) < 60.5%"};

static void give_three(void)
{
    begin(three, 3, 1e6);
    give(TXTAP_FIGURE_WAKE, "control", 213, 213, 213);
    give(TXTAP_FIGURE_WAKE, "consumer", 100, 100, 100);
    give(TXTAP_FIGURE_RUN, "a", 500, 500, INFINITY);
    give(TXTAP_FIGURE_CPU, "a", 12.25, 12.25, 12.25);
    cr_assert_eq(checks_complete(&checks, &whole, &error), TXTAP_OK);
}

Test(checks, lines_have_the_measured_value_and_its_place)
{
    give_three();
    cr_assert_str_eq(
        shown(checks_show_text),
        "FAIL     wake(con*) <= 200us  213 us of control until chosen, event 1234 at 0.500000 s (1 of 2 fail)\n"
        "unknown  run(a).p99 < 1ms     >= 500 us of a\n"
        "ok       cpu(a) < 60.5%       12.25% of a, event 1234 at 0.500000 s\n");
    cr_assert_eq(checks_exit_code(&checks), EXIT_CHECK_FAILED);
}

Test(checks, json_has_numbers_and_no_infinity)
{
    give_three();
    cr_assert_str_eq(
        shown(checks_show_json),
        "[{\"check\":\"wake(con*) <= 200us\",\"verdict\":\"failed\",\"subject\":\"control\",\"number\":"
        "536871168,\"unit\":\"ticks\",\"limit\":200,\"value\":213,\"lower\":213,\"upper\":213,\"event\":"
        "1234,\"ticks\":500000,\"matched\":2,\"failed\":1,\"undecided\":0},"
        "{\"check\":\"run(a).p99 < 1ms\",\"verdict\":\"unknown\",\"subject\":\"a\",\"number\":536871168,"
        "\"unit\":\"ticks\",\"limit\":1000,\"value\":500,\"lower\":500,\"upper\":null,\"matched\":1,"
        "\"failed\":0,\"undecided\":1},"
        "{\"check\":\"cpu(a) < 60.5%\",\"verdict\":\"ok\",\"subject\":\"a\",\"number\":536871168,"
        "\"unit\":\"percent\",\"limit\":60.5,\"value\":12.25,\"lower\":12.25,\"upper\":12.25,\"event\":1234,"
        "\"ticks\":500000,\"matched\":1,\"failed\":0,\"undecided\":0}]");
}

Test(checks, junit_is_valid_xml_with_any_names)
{
    static const char *const texts[] = {"wake(*) < 1us", "run(\"&'<>) != 0"};

    begin(texts, 2, 1e6);
    give(TXTAP_FIGURE_WAKE, "<&\"\x1b\xff", 2, 2, 2);
    give(TXTAP_FIGURE_RUN, "\"&'<>", 1, 0, 2);
    cr_assert_str_eq(
        shown(checks_show_junit),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"txtap\" tests=\"2\" failures=\"1\" errors=\"1\">\n"
        "  <testcase classname=\"txtap\" name=\"wake(*) &lt; 1us\">\n"
        "    <failure message=\"2 us of &lt;&amp;\\&quot;\\x1b\\xff until chosen, event 1234 at 0.500000 s\"/>\n"
        "  </testcase>\n"
        "  <testcase classname=\"txtap\" name=\"run(&quot;&amp;&#39;&lt;&gt;) != 0\">\n"
        "    <error message=\"0 ticks to 2 ticks of \\&quot;&amp;&#39;&lt;&gt;, event 1234 at 0.500000 s\"/>\n"
        "  </testcase>\n"
        "</testsuite>\n");
}

Test(checks, a_check_that_matches_nothing_is_an_error_with_a_suggestion)
{
    static const char *const texts[] = {"wake(contrl) < 1us"}, *const bare[] = {"deadlock == 0"};

    begin(texts, 1, 1e6);
    give(TXTAP_FIGURE_WAKE, "control", 1, 1, 1);
    cr_assert_eq(checks_complete(&checks, &whole, &error), TXTAP_ERROR_USAGE);
    cr_assert_str_eq(error.what,
                     "--check 'wake(contrl) < 1us': nothing in this trace matches: did you mean 'control'?");
    begin(bare, 1, 0);
    cr_assert_eq(checks_complete(&checks, &whole, &error), TXTAP_ERROR_USAGE);
    cr_assert_str_eq(error.what, "--check 'deadlock == 0': nothing in this trace has deadlock");
}

Test(checks, without_any_event_all_checks_are_undecided)
{
    static const char *const texts[] = {"lost == 0", "wake(control) < 1us"};
    const struct txtap_analysis_summary nothing = {0};

    begin(texts, 2, 1e6);
    cr_assert_eq(checks_complete(&checks, &nothing, &error), TXTAP_OK);
    cr_assert_eq(checks_exit_code(&checks), EXIT_CHECK_UNDECIDED);
}

Test(checks, seconds_need_the_rate)
{
    static const char *const texts[] = {"wake == 0"}, *const seconds[] = {"wake < 1us"};
    struct txtap_check_error wrong;

    begin(texts, 1, 0);
    give(TXTAP_FIGURE_WAKE, "a", 5, 5, 5);
    cr_assert_str_eq(shown(checks_show_text),
                     "FAIL     wake == 0  5 ticks of a until chosen, event 1234 at tick 500000\n");
    cr_assert(txtap_check_parse(&options.checks[0], seconds[0], &wrong));
    checks_free(&checks);
    cr_assert_eq(checks_init(&checks, options.checks, options.count, "--check '", &unknown, &error), TXTAP_ERROR_USAGE);
    cr_assert_str_eq(error.what, "--check 'wake < 1us': the rate of the time stamps is not known");
}

Test(checks, the_exit_code_follows_the_worst_verdict)
{
    static const char *const texts[] = {"wake < 10 ticks"};

    begin(texts, 1, 0);
    give(TXTAP_FIGURE_WAKE, "", 5, 5, 5);
    cr_assert_eq(checks_exit_code(&checks), EXIT_DONE);
    give(TXTAP_FIGURE_WAKE, "", 5, 5, INFINITY);
    cr_assert_eq(checks_exit_code(&checks), EXIT_CHECK_UNDECIDED);
    give(TXTAP_FIGURE_WAKE, "", 15, 15, INFINITY);
    cr_assert_eq(checks_exit_code(&checks), EXIT_CHECK_FAILED);
    cr_assert_str_eq(
        shown(checks_show_text),
        "FAIL     wake < 10 ticks  >= 15 ticks of 0x20000100 until chosen, event 1234 at tick 500000 (1 of 3 fail)\n");
}
