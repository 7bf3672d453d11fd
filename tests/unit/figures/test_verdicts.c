/* SPDX-License-Identifier: MIT */
/* The sentences of verdicts, and their forms: lines, annotations, JUnit XML and Markdown, with hostile names. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/verdicts.h"
#include "options/checks.h"

#define HOSTILE "a|b<i>`x`\n##[error]::error::%0A\x1b]0;\xe2\x80\xae"

static struct txtap_registry registry;
static struct figures figures;
static struct check_options options;
static struct checks checks;
static struct verdicts verdicts;
static struct error error;

static struct named_figure *add(enum txtap_figure_id id, const char *subject, const char *other, double value)
{
    struct txtap_figure figure = {.section = "", .id = id, .name = "", .detail = "", .unit = TXTAP_UNIT_COUNT};
    struct named_figure *named;

    if (*subject != '\0')
        figure.subject = (struct txtap_subject){.kind = TXTAP_SUBJECT_THREAD, .number = (uint32_t)*subject};
    if (*other != '\0')
        figure.other = (struct txtap_subject){.kind = TXTAP_SUBJECT_THREAD, .number = (uint32_t)*other};
    figure.stat[TXTAP_STAT_N] = figure.stat[TXTAP_STAT_VALUE] = (struct txtap_measure){true, value, value, value};
    cr_assert_eq(figures_take(&figures, &figure), TXTAP_OK);
    named = &figures.at[figures.count - 1];
    snprintf(named->subject, sizeof named->subject, "%s", subject);
    snprintf(named->other, sizeof named->other, "%s", other);
    return named;
}

static void set_up(void)
{
    figures = (struct figures){.registry = &registry, .trace = "a<b", .tick_hz = 1e6};
    figures.summary = (struct txtap_analysis_summary){
        .events = 10, .window_ticks = 2000000, .observed_ticks = 2000000, .lost_exact = true};
}

static void tear_down(void)
{
    verdicts_free(&verdicts);
    checks_free(&checks);
    figures_free(&figures);
}

TestSuite(verdicts, .init = set_up, .fini = tear_down);

/* Judges the checks with all figures. */
static void judge(const char *const *texts, size_t count)
{
    const struct txtap_rate rate = {TXTAP_RATE_GIVEN, figures.tick_hz, 0, 0};
    struct txtap_check_error wrong;

    for (size_t i = 0; i < count; i++)
        cr_assert(txtap_check_parse(&options.checks[i], texts[i], &wrong), "%s", texts[i]);
    cr_assert_eq(checks_init(&checks, options.checks, count, "--check '", &rate, &error), TXTAP_OK);
    for (size_t i = 0; i < figures.count; i++)
        checks_take(&checks, &figures.at[i].figure, figures.at[i].subject);
    (void)checks_complete(&checks, &figures.summary, &error);
    cr_assert_eq(verdicts_make(&verdicts, &checks, &figures, 1, &error), TXTAP_OK);
}

static const char *shown(int form)
{
    static char *text;
    size_t length;
    FILE *out;

    free(text);
    out = open_memstream(&text, &length);
    if (form == 'j')
        verdicts_show_junit(&verdicts, out);
    else if (form == 'm')
        verdicts_show_markdown(&verdicts, out);
    else
        verdicts_show_text(&verdicts, form == 'a', out);
    fclose(out);
    return text;
}

static struct txtap_subject subject(enum txtap_subject_kind kind, uint32_t number)
{
    return (struct txtap_subject){.kind = kind, .number = number};
}

/* Adds the leak of a pool as a finding. */
static void add_leak(uint32_t pool, uint64_t seq)
{
    struct txtap_finding finding = {.kind = TXTAP_FINDING_LEAK, .party_count = 1};

    if (figures.findings == NULL)
        figures.findings = calloc(1, sizeof *figures.findings);
    finding.parties[0] = (struct txtap_finding_party){.thread = subject(TXTAP_SUBJECT_THREAD, 1),
                                                      .object = subject(TXTAP_SUBJECT_OBJECT, pool)};
    finding.value = (struct txtap_measure){true, 5, 5, 5};
    finding.at = (struct txtap_place){true, seq, seq * 10};
    figures.findings->at[figures.findings->count++] = finding;
}

static struct txtap_figure *add_pool(const char *name, uint32_t pool)
{
    struct named_figure *named = add(TXTAP_FIGURE_LEAK, name, "", 1);

    if (pool > 0)
        named->figure.subject = subject(TXTAP_SUBJECT_OBJECT, pool);
    return &named->figure;
}

Test(verdicts, findings_are_the_reason_and_the_first_has_the_event)
{
    static const char *const texts[] = {"leak == 0"};

    add_pool("", 0);
    add_leak(0x20, 7);
    add_leak(0x30, 3);
    judge(texts, 1);
    cr_expect_str_eq(verdicts.at[0].text,
                     "1: 0x00000020: 5 blocks not released, most of them by 0x00000001; event 7 at 0.000070 s; "
                     "0x00000030: 5 blocks not released, most of them by 0x00000001; event 3 at 0.000030 s");
    cr_expect(verdicts.at[0].place.known && verdicts.at[0].place.seq == 7);
}

Test(verdicts, only_findings_of_the_checked_object_are_the_reason)
{
    static const char *const texts[] = {"leak(net) == 0"};

    add_pool("net", 0x30);
    add_leak(0x20, 7);
    add_leak(0x30, 3);
    judge(texts, 1);
    cr_expect_str_eq(verdicts.at[0].text,
                     "1 of net: net: 5 blocks not released, most of them by 0x00000001; event 3 at 0.000030 s");
}

Test(verdicts, findings_without_room_are_counted)
{
    static const char *const texts[] = {"leak == 0"};

    add_pool("", 0);
    for (uint32_t i = 0; i < 6; i++)
        add_leak(0x20 + i, i);
    judge(texts, 1);
    cr_expect_not_null(strstr(verdicts.at[0].text, "; 2 more"), "%s", verdicts.at[0].text);
}

Test(verdicts, a_count_names_the_largest_four)
{
    static const char *const texts[] = {"switches == 0"};
    static const char *const names[] = {"a", "b", "c", "d", "e"};

    add(TXTAP_FIGURE_SWITCHES, "", "", 20);
    for (size_t i = 0; i < 5; i++)
        add(TXTAP_FIGURE_SWITCHES, names[i], "", (double)(1 + i % 3));
    judge(texts, 1);
    cr_expect_str_eq(verdicts.at[0].text, "20: c 3 times; b 2 times; e 2 times; a 1 time");
}

Test(verdicts, names_cannot_form_a_command_or_a_row)
{
    static const char *const texts[] = {"cpu(*) < 1%"};
    const char *text, *command;

    add(TXTAP_FIGURE_CPU, HOSTILE, "", 50);
    judge(texts, 1);
    text = shown('a');
    command = strstr(text, "\n::error title=cpu(*) < 1%25::50%25 of a|b");
    cr_assert_not_null(command, "%s", text);
    cr_expect_null(memmem(text, (size_t)(command - text), "##[", 3), "%s", text);
    cr_expect_null(strchr(text, '\x1b'), "%s", text);
    cr_expect_null(strstr(command + 1, "\n::"), "%s", text);
    cr_expect_not_null(strstr(command, "::%250A\\x1b"), "%s", text);
    text = shown('m');
    cr_expect_null(strstr(text, "b<i>"), "%s", text);
    cr_expect_null(strchr(text, '`'), "%s", text);
    cr_expect_null(strstr(text, "a|"), "%s", text);
    cr_expect_not_null(strstr(text, "a&#124;b&#60;i&#62;&#96;x&#96;"), "%s", text);
    text = shown('j');
    cr_expect_null(strstr(text, "<i>"), "%s", text);
    cr_expect_not_null(strstr(text, "value=\"a&lt;b\""), "%s", text);
}

Test(verdicts, the_title_of_an_annotation_is_escaped)
{
    static const char *const texts[] = {"cpu(a::b, c) < 1%"};

    add(TXTAP_FIGURE_CPU, "a::b, c", "", 50);
    judge(texts, 1);
    cr_expect_not_null(strstr(shown('a'), "\n::error title=cpu(a%3A%3Ab%2C c) < 1%25::50%25 of a::b, c\n"), "%s",
                       shown('a'));
}

Test(verdicts, a_trace_without_events_is_named)
{
    static const char *const texts[] = {"total_events >= 1", "lost == 0"};
    const struct txtap_rate unknown = {.how = TXTAP_RATE_UNKNOWN};
    struct txtap_check_error wrong;

    figures.summary = (struct txtap_analysis_summary){.lost_exact = true};
    for (size_t i = 0; i < 2; i++)
        cr_assert(txtap_check_parse(&options.checks[i], texts[i], &wrong));
    cr_assert_eq(checks_init(&checks, options.checks, 2, "--check '", &unknown, &error), TXTAP_OK);
    checks_take_no_events(&checks);
    cr_assert_eq(checks_complete(&checks, &figures.summary, &error), TXTAP_OK);
    cr_assert_eq(verdicts_make(&verdicts, &checks, &figures, 0, &error), TXTAP_OK);
    cr_expect_str_eq(shown('t'),
                     "FAIL     total_events >= 1  0: no event arrived: does the firmware run, and does it call "
                     "tx_trace_enable()?\n"
                     "unknown  lost == 0          no event arrived\n"
                     "1 failed, 1 unknown; 0 events in 0 s, 0 lost\n");
    cr_expect_eq(verdicts_exit_code(&verdicts), EXIT_CHECK_FAILED);
}

/* A run that broke: the failure is a result, but exit codes of checks do not include it. */
Test(verdicts, an_error_is_a_result_in_each_form)
{
    static const char *const texts[] = {"lost == 0"};
    const struct error broken = {TXTAP_ERROR_SYSTEM, "<x>: \x1b[31m|", "y"};
    struct verdict *verdict;

    add(TXTAP_FIGURE_LOST, "", "", 0);
    judge(texts, 1);
    verdict = verdicts_add(&verdicts);
    verdict->kind = "target";
    snprintf(verdict->check, sizeof verdict->check, "events can be read");
    verdict_set_error(verdict, &broken);
    cr_expect_eq(verdicts_exit_code(&verdicts), EXIT_DONE);
    cr_expect_str_eq(shown('a'), "ok       lost == 0           0\n"
                                 "error    events can be read  <x>: \\x1b[31m|: y\n"
                                 "1 error, 1 ok; 10 events in 2 s, 0 lost\n"
                                 "::error title=events can be read::<x>: \\x1b[31m|: y\n");
    cr_expect_not_null(strstr(shown('m'), "### txtap: 1 error, 1 ok\n"));
    cr_expect_not_null(strstr(shown('m'), "|---|---|---|\n| error | <code>events can be read</code> | "
                                          "<code>&#60;x&#62;: &#92;x1b&#91;31m&#124;: y</code> |\n"));
    cr_expect_not_null(strstr(shown('j'), "<error type=\"target\" message=\"&lt;x&gt;: \\x1b[31m|: y\">"));
    verdicts.figures = NULL; /* no trace was read */
    cr_expect_not_null(strstr(shown('t'), "\n1 error, 1 ok; no events\n"));
    cr_expect_null(strstr(shown('j'), "\"trace\""));
}

Test(verdicts, markdown_escapes_only_colons_of_links_and_emoji)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    markdown_text(out, "A: 1:2, a::b, http://x, :+1: and : x:");
    fclose(out);
    cr_expect_str_eq(text, "A: 1:2, a::b, http&#58;//x, &#58;+1: and : x:");
    free(text);
}

Test(verdicts, markdown_has_failed_checks_first_and_an_end)
{
    static char texts[30][32];
    const char *list[30];
    const char *text, *failed;
    size_t rows;

    add(TXTAP_FIGURE_LOST, "", "", 0);
    for (size_t i = 0; i < 30; i++) {
        snprintf(texts[i], sizeof texts[i], i == 29 ? "lost == 1" : "lost < %zu", i + 1);
        list[i] = texts[i];
    }
    judge(list, 30);
    text = shown('m');
    failed = strstr(text, "| FAIL | <code>lost == 1</code>");
    cr_assert_not_null(failed, "%s", text);
    cr_expect(failed < strstr(text, "| ok |"));
    cr_expect_not_null(strstr(text, "### txtap: 1 failed, 29 ok\n"));
    cr_expect_not_null(strstr(text, "\n10 more checks are not in this table.\n"));
    for (rows = 0; (text = strstr(text, "</code> |\n")) != NULL; rows++)
        text++;
    cr_expect_eq(rows, 20);
}

Test(verdicts, the_first_lines_of_junit_count)
{
    static const char *const texts[] = {"lost == 0", "cpu(x) < 1%"};

    add(TXTAP_FIGURE_LOST, "", "", 0);
    judge(texts, 2);
    verdicts.begun_us = 1764252664000000u;
    verdicts.took = 3;
    cr_expect_not_null(strstr(shown('j'), "<testsuite name=\"txtap\" tests=\"2\" failures=\"0\" errors=\"1\" "
                                          "time=\"3.000000\" timestamp=\"2025-11-27T14:11:04\">\n"));
    cr_expect_not_null(strstr(shown('j'), "<testcase classname=\"txtap.lost\" name=\"lost == 0\" time=\"2.000000\">"));
    cr_expect_not_null(strstr(shown('j'), "<error type=\"cpu\" message=\"nothing in this trace matches\">"));
}
