/* SPDX-License-Identifier: MIT */
/* When a check becomes violated while events arrive: it must be reported once, at the right time, and at the end. */
#include "command/check_watch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ring/ring_kind.h"
#include "txtap/event_logger.h"

#define A UINT32_C(0x20000100)

static struct options options;
static struct check_watch watch;
static struct txtap_registry names;
static struct error error;
static struct txtap_sink sink;
static uint64_t clock_us, seq, ticks, passed_on;
static char told[4096]; /* one line per mark: its kind, number and text */

static uint64_t now(void)
{
    return clock_us;
}

static enum txtap_status count(void *self, const struct txtap_item *item)
{
    (void)self;
    (void)item;
    passed_on++;
    return TXTAP_OK;
}

static enum txtap_status take_violation(void *self, const struct txtap_mark *mark)
{
    size_t length = strlen(told);

    snprintf(told + length, sizeof told - length, "%s%s %u: %s\n", (const char *)self, txtap_mark_name(mark->kind),
             (unsigned)mark->seq, mark->text);
    return TXTAP_OK;
}

static void add(struct txtap_check *check, size_t *number, const char *text)
{
    struct txtap_check_error wrong;

    cr_assert(txtap_check_parse(&check[(*number)++], text, &wrong), "%s", text);
}

static void set_up(void)
{
    stderr = fopen("/dev/null", "w"); /* hides the messages that are printed with marks */
    cr_assert_not_null(stderr);
    options.target.ring.kind = &ring_txtb;
    clock_us = 5000000;
    ticks = 1000;
}

static void tear_down(void)
{
    check_watch_close(&watch);
    fclose(stderr);
}

TestSuite(check_watch, .init = set_up, .fini = tear_down);

static void start(const char *check)
{
    add(options.check.checks, &options.check.count, check);
    cr_assert_eq(check_watch_open(&watch, &options, &names, now, now, &error), TXTAP_OK);
    watch.marks.take = watch.triggers.take = take_violation;
    watch.marks.self = "";
    watch.triggers.self = "fires ";
    sink = check_watch_sink(&watch, (struct txtap_sink){count, NULL});
}

static void event(uint64_t after, enum txtap_context context, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    ticks += after;
    item.event = (struct txtap_event){.seq = seq++,
                                      .ticks = ticks,
                                      .thread = context == TXTAP_CONTEXT_THREAD ? A : 0,
                                      .id = id,
                                      .info = {i1, i2, 0, i4},
                                      .context = context};
    cr_assert_eq(txtap_sink_take(sink, &item), TXTAP_OK);
}

/* Records that the thread runs for `busy` ticks. Then the core is idle for `idle` ticks. */
static void busy_and_idle(uint64_t busy, uint64_t idle)
{
    event(idle, TXTAP_CONTEXT_IDLE, 1 /* resumed */, A, 4, A);
    event(0, TXTAP_CONTEXT_THREAD, 6 /* runs */, 0, 0, 0);
    event(busy, TXTAP_CONTEXT_THREAD, 2 /* suspended */, A, 4, 0);
}

static void lose(uint64_t events)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = seq, .lost = events, .exact = true}};

    seq += events;
    cr_assert_eq(txtap_sink_take(sink, &item), TXTAP_OK);
}

static void step_after(uint64_t us)
{
    clock_us += us;
    cr_assert_eq(check_watch_step(&watch), TXTAP_OK);
}

Test(check_watch, reports_a_violation_once_and_again_when_it_recurs)
{
    start("load < 50%");
    busy_and_idle(1, 99);
    step_after(0);
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_str_empty(told);
    busy_and_idle(500, 1);
    busy_and_idle(1, 1);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_eq(strncmp(told, "check 9: load < 50%: 8", 21), 0, "%s", told);
    cr_assert(strstr(told, ", seen at event 8\n") != NULL, "%s", told);
    told[0] = '\0';
    busy_and_idle(100, 1);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_str_empty(told, "it goes on");
    busy_and_idle(1, 9000);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_str_empty(told, "it is over");
    busy_and_idle(90000, 1);
    busy_and_idle(1, 1);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_neq(told[0], '\0', "it has begun again");
    cr_assert_eq(passed_on, seq, "all items are passed on");
}

Test(check_watch, reports_final_violations_at_once_and_others_after_a_second)
{
    add(options.check.checks, &options.check.count, "lost == 0");
    start("load < 50%");
    busy_and_idle(500, 1);
    lose(7);
    busy_and_idle(500, 1);
    busy_and_idle(500, 1);
    step_after(0);
    cr_assert_str_eq(told, "check 16: lost == 0: 7, seen at event 15\n");
    step_after(CHECK_WATCH_SETTLE_US - 1);
    cr_assert_str_eq(told, "check 16: lost == 0: 7, seen at event 15\n");
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert(strstr(told, "\ncheck 16: load < 50%: ") != NULL, "%s", told);
}

Test(check_watch, a_maximum_names_its_event)
{
    start("run(0x20000100) <= 10 ticks");
    for (int i = 0; i < 3; i++)
        busy_and_idle(i == 1 ? 20 : 5, 100);
    busy_and_idle(1, 1);
    step_after(0);
    cr_assert_str_eq(told, "check 12: run(0x20000100) <= 10 ticks: 20 ticks of 0x20000100, event 5 at tick 1225\n");
}

/* ---- names of interrupts ---- */

static void learn(const char *text)
{
    struct identity identity = {.about = NULL};

    identity_add_text(&identity, false, text, strlen(text));
    cr_assert_eq(check_watch_learn(&watch, &identity, &error), TXTAP_OK);
    identity_free(&identity);
}

static void interrupt(uint32_t number, uint64_t length)
{
    event(1000, TXTAP_CONTEXT_IDLE, 3 /* enters */, 0, number, 0);
    event(length, TXTAP_CONTEXT_IDLE, 4 /* leaves */, 0, number, 0);
}

Test(check_watch, an_interrupt_has_the_name_of_its_handler)
{
    start("isr(sensor*) < 50 ticks");
    learn("vector 22 \"sensor_handler\"\n");
    busy_and_idle(1, 1);
    interrupt(22, 60);
    busy_and_idle(1, 1);
    step_after(0);
    cr_assert_str_eq(told, "check 8: isr(sensor*) < 50 ticks: 60 ticks of sensor_handler, event 4 at tick 2062\n");
}

Test(check_watch, an_interrupt_has_no_name_if_the_meaning_of_its_number_is_not_certain)
{
    start("isr(sensor*) < 50 ticks");
    learn("vector 22 \"sensor_handler\"\nvector 38 \"other_handler\"\n");
    busy_and_idle(1, 1);
    interrupt(22, 60);
    busy_and_idle(1, 1);
    step_after(0);
    cr_assert_str_empty(told);
    interrupt(38, 60);
    busy_and_idle(1, 1);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_neq(told[0], '\0', "38 is no number of an interrupt, so both numbers are numbers of exceptions");
}

Test(check_watch, evaluates_checks_from_time_to_time_and_at_the_end)
{
    start("lost == 0");
    busy_and_idle(1, 1);
    step_after(0);
    lose(1);
    busy_and_idle(1, 1);
    step_after(CHECK_WATCH_EVERY_US - 1);
    cr_assert_str_empty(told, "too early");
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_str_eq(told, "check 7: lost == 0: 1, seen at event 6\n");
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_CHECK_FAILED);
    cr_assert_eq(check_watch_end(&watch, EXIT_LOST, &error), EXIT_CHECK_FAILED);
    cr_assert_eq(check_watch_end(&watch, EXIT_NO_SERVER, &error), EXIT_NO_SERVER);
    cr_assert(!error_is_set(&error));
}

Test(check_watch, a_trigger_is_reported_to_its_callback_and_fails_no_check)
{
    add(options.record.checks, &options.record.check_count, "lost == 0");
    start("switches >= 1");
    busy_and_idle(1, 1);
    lose(1);
    busy_and_idle(1, 1);
    step_after(0);
    cr_assert_str_eq(told, "fires trigger 7: check=lost == 0: 1, seen at event 6\n");
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_DONE);
}

Test(check_watch, a_check_that_matches_nothing_is_an_error_only_at_the_end)
{
    start("wake(nobody) < 1 ticks");
    busy_and_idle(1, 1);
    step_after(CHECK_WATCH_SETTLE_US);
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_str_empty(told);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_USAGE);
    cr_assert_str_eq(error.what, "--check 'wake(nobody) < 1 ticks': nothing in this trace matches");
}

Test(check_watch, a_trigger_that_matches_nothing_is_an_error_too)
{
    add(options.record.checks, &options.record.check_count, "wake(nobody) < 1 ticks");
    start("lost == 0");
    busy_and_idle(1, 1);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_USAGE);
    cr_assert_str_eq(error.what, "--trigger 'check=wake(nobody) < 1 ticks': nothing in this trace matches");
}

Test(check_watch, without_events_nothing_is_decided)
{
    start("lost == 0");
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_CHECK_UNDECIDED);
    cr_assert_str_empty(told);
}

Test(check_watch, without_checks_the_sink_gets_items_directly)
{
    struct txtap_sink next = {count, &seq}, got;

    cr_assert_eq(check_watch_open(&watch, &options, &names, now, now, &error), TXTAP_OK);
    got = check_watch_sink(&watch, next);
    cr_assert(got.take == next.take && got.self == next.self);
    cr_assert_eq(check_watch_step(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_LOST, &error), EXIT_LOST);
}

/* ---- limits in seconds ---- */

static void know_rate(double hz, double tolerance)
{
    check_watch_rate(&watch, &(struct txtap_rate){TXTAP_RATE_MEASURED, hz, hz - tolerance, hz + tolerance});
}

Test(check_watch, a_limit_in_seconds_is_judged_when_the_rate_is_known)
{
    start("run(0x20000100) <= 18us");
    busy_and_idle(20, 100);
    busy_and_idle(5, 100);
    busy_and_idle(1, 1);
    step_after(0);
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_str_empty(told, "the rate is not known");
    know_rate(1e6, 0.6e6);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_str_empty(told, "20 ticks may be 12.5 us or 50 us");
    know_rate(1e6, 0.1e6);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_str_eq(told, "check 9: run(0x20000100) <= 18us: 20 us of 0x20000100, event 2 at 0.001120 s\n");
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_CHECK_FAILED);
}

Test(check_watch, the_user_s_rate_is_known_from_the_start)
{
    options.tick_hz = 1e6;
    start("run(0x20000100) <= 10us");
    busy_and_idle(20, 100);
    busy_and_idle(1, 1);
    step_after(0);
    cr_assert_neq(told[0], '\0');
}

Test(check_watch, a_trigger_in_seconds_waits_for_the_rate)
{
    add(options.record.checks, &options.record.check_count, "switches.rate <= 1000/s");
    start("lost == 0");
    for (int i = 0; i < 20; i++)
        busy_and_idle(20, 100);
    step_after(CHECK_WATCH_SETTLE_US);
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_str_empty(told);
    know_rate(1e6, 1);
    step_after(CHECK_WATCH_EVERY_US);
    cr_assert_eq(strncmp(told, "fires trigger ", 14), 0, "%s", told);
}

Test(check_watch, without_a_rate_the_result_says_how_to_give_it)
{
    static char text[CHECKS_RESULT_BYTES];

    start("run(0x20000100) <= 10us");
    busy_and_idle(20, 100);
    busy_and_idle(1, 1);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    checks_result_text(&watch.marks.checks, 0, text);
    cr_assert_str_eq(text, "20 ticks of 0x20000100, event 2 at tick 1120: the rate of the time stamps is not known: "
                           "give --hz, or a limit in ticks");
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_CHECK_UNDECIDED);
}

/* ---- another kernel's events ---- */

static void logged(uint64_t after, uint32_t type, uint32_t i1)
{
    event(after, TXTAP_CONTEXT_ISR, TXTAP_LOGGER_TYPES_BASE + type, i1, 0, 0);
}

Test(check_watch, events_of_the_logger_are_evaluated_as_in_a_report)
{
    options.target.ring.kind = &ring_event_logger;
    start("switches < 3");
    for (int i = 0; i < 6; i++)
        logged(10, TXTAP_LOGGER_CONTEXT_SWITCH, A + 0x100 * (i & 1));
    logged(1, TXTAP_LOGGER_INTERRUPT, 7);
    step_after(0);
    cr_assert_str_eq(told, "check 7: switches < 3: >= 4, seen at event 6\n");
    cr_assert_eq(passed_on, seq, "all items are passed on as they are");
}

Test(check_watch, a_figure_that_another_kernel_does_not_record_is_undecided)
{
    options.target.ring.kind = &ring_event_logger;
    add(options.check.checks, &options.check.count, "load < 1%");
    start("stack(*) > 5%");
    for (int i = 0; i < 6; i++)
        logged(10, TXTAP_LOGGER_CONTEXT_SWITCH, A);
    step_after(CHECK_WATCH_SETTLE_US);
    step_after(CHECK_WATCH_SETTLE_US);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_str_empty(told, "any share may be anything");
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_CHECK_UNDECIDED);
}

Test(check_watch, a_figure_that_another_kernel_never_has_is_refused_with_the_reason)
{
    options.target.ring.kind = &ring_event_logger;
    start("deadlock == 0");
    logged(10, TXTAP_LOGGER_CONTEXT_SWITCH, A);
    cr_assert_eq(check_watch_finish(&watch), TXTAP_OK);
    cr_assert_eq(check_watch_end(&watch, EXIT_DONE, &error), EXIT_USAGE);
    cr_assert_str_eq(error.what, "--check 'deadlock == 0': nothing in this trace has deadlock");
    cr_assert_str_eq(error.hint, "'txtap report' says what such a trace does not record");
}
