/* SPDX-License-Identifier: MIT */
/* Threads that are created and end, and their preemption thresholds. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"
#include "txtap/check.h"
#include "txtap/inner/figure_json.h"

#define MAKER 0x20000100u
#define A     0x20000200u
#define B     0x20000300u
#define C     0x20000400u

Test(lifetimes, last_from_creation_to_completion_or_termination)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(10, MAKER, EVENT_THREAD_CREATE, A, 4, 0x20008000, 512);
    made_event(20, MAKER, EVENT_THREAD_CREATE, B, 4, 0x20008200, 512);
    made_event(25, MAKER, EVENT_THREAD_CREATE, C, 4, 0x20008400, 512);
    made_event(30, MAKER, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    made_event(60, A, EVENT_THREAD_SUSPEND, A, REASON_COMPLETED, 0, MAKER);
    made_event(90, MAKER, EVENT_THREAD_TERMINATE, B, 0, 0, 0);
    made_event(100, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("life", A, TXTAP_STAT_MAX), 60 - 10);
    cr_assert_eq(made_stat("life", B, TXTAP_STAT_MAX), 90 - 20);
    cr_assert_eq(made_figure("life", C)->censored, 1);
    cr_assert_eq(made_figure("life", C)->stat[TXTAP_STAT_MAX].lower, 100 - 25);
    cr_assert(isinf(made_figure("life", C)->stat[TXTAP_STAT_MAX].upper));
    cr_assert_eq(made_figure("life", A)->stat[TXTAP_STAT_MAX].upper, 60 - 10);
    cr_assert_null(made_figure("life", MAKER));
}

/* Another thread used B's address before B was created. The figures of B include both threads. */
Test(lifetimes, threads_at_one_address_do_not_share_the_latest_name)
{
    struct txtap_object objects[2] = {{.pointer = B, .type = TXTAP_OBJECT_THREAD, .name = "two"},
                                      {.pointer = B, .type = TXTAP_OBJECT_THREAD, .name = "one"}};
    struct txtap_registry registry;

    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, MAKER, EVENT_THREAD_RESUME, B, REASON_SUSPENDED, 0, B);
    made_event(20, B, EVENT_THREAD_SUSPEND, B, REASON_COMPLETED, 0, MAKER);
    made_event(30, MAKER, EVENT_THREAD_CREATE, B, 4, 0x20008200, 512);
    made_event(40, MAKER, EVENT_THREAD_CREATE, A, 4, 0x20008000, 512);
    made_event(50, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert(made_figure("cpu", B)->subject.joined);
    cr_assert_not(made_figure("cpu", MAKER)->subject.joined);
    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "");
    registry.count = 1; /* the first thread's name is unknown */
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "");
    registry.count = 2;
    memcpy(objects[1].name, "two", sizeof "two");
    cr_assert_str_eq(txtap_subject_name(&made_figure("cpu", B)->subject, &registry), "two");
}

/* ---- threads at one address with different names ---- */

#define ONE_TICKS 12
#define TWO_TICKS 30

/*
 * Records the life of a thread at B: it is created, runs for `ticks`, and completes. These are three events. created
 * false: the thread exists from the start, and there are only two events.
 */
static uint64_t live(uint64_t now, bool created, uint64_t ticks)
{
    if (created)
        made_event(now, MAKER, EVENT_THREAD_CREATE, B, 4, 0x20008200, 512);
    made_event(now + 5, MAKER, EVENT_THREAD_RESUME, B, REASON_SUSPENDED, 0, B);
    made_event(now + 5 + ticks, B, EVENT_THREAD_SUSPEND, B, REASON_COMPLETED, 0, MAKER);
    return now + 10 + ticks;
}

static void end_lives(uint64_t now)
{
    made_event(now, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
}

#define CREATED 2 /* the event that creates the second thread */

static struct txtap_object named(const char *name, uint64_t from, uint64_t until)
{
    struct txtap_object object = {
        .pointer = B, .type = TXTAP_OBJECT_THREAD, .created = from > 0, .from_seq = from, .until_seq = until};

    memcpy(object.name, name, strlen(name) + 1);
    return object;
}

/* Records two threads at B: the first exists from the start, the second is created. */
static void two_lives(const struct txtap_object *objects, size_t count)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_names(objects, count);
    end_lives(live(live(0, false, ONE_TICKS), true, TWO_TICKS));
}

static const char *name_of(const struct txtap_figure *figure)
{
    const struct txtap_registry none = {0};

    return txtap_subject_name(&figure->subject, &none);
}

static void is_life(uint32_t life, const char *name, double ticks)
{
    const struct txtap_figure *figure = made_life("cpu_ticks", B, life);

    cr_assert_not_null(figure, "life %u", (unsigned)life);
    cr_expect_str_eq(name_of(figure), name);
    cr_expect_eq(figure->stat[TXTAP_STAT_VALUE].value, ticks, "life %u: %g", (unsigned)life,
                 figure->stat[TXTAP_STAT_VALUE].value);
}

Test(lifetimes, two_names_at_one_address_are_two_threads)
{
    two_lives((struct txtap_object[]){named("two", CREATED, 0), named("one", 0, CREATED)}, 2);
    is_life(1, "one", ONE_TICKS);
    is_life(2, "two", TWO_TICKS);
    cr_assert_null(made_life("cpu_ticks", B, 0));
    cr_assert_null(made_life("life", B, 1));
    cr_assert_eq(made_life("life", B, 2)->stat[TXTAP_STAT_MAX].value, 5 + TWO_TICKS);
    cr_assert_eq(made_life("suspended", B, 1)->stat[TXTAP_STAT_VALUE].value, 1);
    cr_assert_eq(made_life("run", B, 2)->stat[TXTAP_STAT_MAX].value, TWO_TICKS);
}

Test(lifetimes, one_name_at_one_address_is_one_thread)
{
    two_lives((struct txtap_object[]){named("one", CREATED, 0), named("one", 0, CREATED)}, 2);
    is_life(0, "one", ONE_TICKS + TWO_TICKS);
    cr_assert_null(made_life("cpu_ticks", B, 1));
}

/* The registry has only the latest name for the address, like the registry of a dump. */
Test(lifetimes, a_thread_does_not_have_the_figures_of_an_unknown_thread)
{
    two_lives((struct txtap_object[]){named("two", CREATED, 0)}, 1);
    is_life(1, "", ONE_TICKS);
    is_life(2, "two", TWO_TICKS);
    two_lives((struct txtap_object[]){named("one", 0, CREATED)}, 1);
    is_life(1, "one", ONE_TICKS);
    is_life(2, "", TWO_TICKS);
}

Test(lifetimes, threads_without_names_at_one_address_are_one_thread)
{
    two_lives(NULL, 0);
    is_life(0, "", ONE_TICKS + TWO_TICKS);
    cr_assert(made_life("cpu_ticks", B, 0)->subject.joined);
}

Test(lifetimes, a_thread_that_is_created_again_with_its_name_is_the_same_thread)
{
    const struct txtap_object objects[] = {named("one", 5, 0), named("two", CREATED, 5), named("one", 0, CREATED)};

    made_begin(&(struct txtap_analysis_options){0});
    made_names(objects, 3);
    end_lives(live(live(live(0, false, ONE_TICKS), true, TWO_TICKS), true, 7));
    is_life(1, "one", ONE_TICKS + 7);
    is_life(2, "two", TWO_TICKS);
    cr_assert_null(made_life("cpu_ticks", B, 3));
}

/* Two threads use one address. Each keeps its own priority, although the registry is known before the first event. */
Test(lifetimes, a_thread_does_not_have_the_priority_of_the_next_thread)
{
    struct txtap_object objects[] = {named("two", CREATED, 0), named("one", 0, CREATED)};

    objects[0].reserved[0] = 0x80;
    objects[0].reserved[1] = 4;
    objects[1].reserved[0] = 0x80;
    objects[1].reserved[1] = 9;
    two_lives(objects, 2);
    cr_assert_eq(made_life("priority", B, 1)->stat[TXTAP_STAT_VALUE].value, 9);
    cr_assert_eq(made_life("priority", B, 2)->stat[TXTAP_STAT_VALUE].value, 4);
}

/* Records more threads than the analysis has room for. Those without room share figures without a name; no sample is
 * lost. */
static void more_than_fit(unsigned others, unsigned lives, unsigned rows)
{
    double ticks = 0;
    unsigned found = 0;
    uint64_t now = 0;

    made_begin(&(struct txtap_analysis_options){0});
    for (unsigned i = 0; i < others; i++)
        made_event(now++, 0x20001000u + 0x100 * i, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(now++, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    for (unsigned i = 0; i < lives; i++) {
        uint64_t from = i > 0 ? others + 3 * i : 0;
        const struct txtap_object object =
            named((char[]){(char)('a' + i), '\0'}, from, i + 1 < lives ? others + 3 * (i + 1) : 0);

        made_names(&object, 1);
        now = live(now, i > 0, 10);
    }
    end_lives(now);
    for (uint32_t life = 0; life <= lives; life++) {
        const struct txtap_figure *figure = made_life("cpu_ticks", B, life);

        if (figure == NULL)
            continue;
        ticks += figure->stat[TXTAP_STAT_VALUE].value;
        found++;
        cr_expect(figure->stat[TXTAP_STAT_VALUE].value <= 10 || *name_of(figure) == '\0', "%s", name_of(figure));
    }
    cr_expect_eq(ticks, 10 * lives);
    cr_expect_eq(found, rows);
}

Test(lifetimes, many_threads_at_one_address_have_a_limit)
{
    more_than_fit(0, 20, 16);
}

Test(lifetimes, a_full_table_counts_threads_at_one_address_as_one_thread)
{
    more_than_fit(60, 3, 1);
    more_than_fit(0, 3, 3);
}

/* ---- gaps ---- */

#define LOST      100
#define AFTER_GAP (5 + LOST)

/* Records two threads at B, and then a gap. After the gap, from event AFTER_GAP on, an unknown thread runs at B for 20
 * ticks. */
static void gap_after_two_lives(const struct txtap_object *objects, size_t count)
{
    uint64_t now;

    made_begin(&(struct txtap_analysis_options){0});
    made_names(objects, count);
    now = live(live(0, false, ONE_TICKS), true, TWO_TICKS);
    made_gap(LOST);
    end_lives(live(now, false, 20));
}

Test(lifetimes, a_name_that_is_known_after_a_gap_belongs_to_its_thread)
{
    gap_after_two_lives(
        (struct txtap_object[]){named("one", AFTER_GAP - 20, 0), named("two", CREATED, 5), named("one", 0, CREATED)},
        3);
    is_life(1, "one", ONE_TICKS + 20);
    is_life(2, "two", TWO_TICKS);
}

Test(lifetimes, an_unknown_name_after_a_gap_is_not_the_last_name)
{
    gap_after_two_lives((struct txtap_object[]){named("two", CREATED, 5), named("one", 0, CREATED)}, 2);
    is_life(1, "one", ONE_TICKS);
    is_life(2, "two", TWO_TICKS);
    is_life(3, "", 20);
}

/* No event shows whether the thread after the gap is the thread before it. Only the names can show it. */
Test(lifetimes, a_thread_before_a_gap_does_not_get_the_name_of_a_thread_after_it)
{
    const uint64_t created = 2 + LOST + 2;
    struct txtap_object objects[] = {named("three", created, 0), named("two", LOST, created), named("one", 0, 5)};
    uint64_t now;

    for (unsigned same = 0; same < 2; same++) {
        made_begin(&(struct txtap_analysis_options){0});
        if (same == 1)
            objects[1] = named("two", 0, created);
        made_names(objects, same == 1 ? 2 : 3);
        now = live(0, false, ONE_TICKS);
        made_gap(LOST);
        end_lives(live(live(now, false, 20), true, TWO_TICKS));
        is_life(1, same == 1 ? "two" : "", ONE_TICKS + 20);
        is_life(2, "three", TWO_TICKS);
    }
}

/* ---- effects on other analyses ---- */

static enum txtap_verdict verdict_of(const char *text)
{
    const struct txtap_check_trace trace = {.rate = {TXTAP_RATE_GIVEN, 1e6, 0, 0}};
    struct txtap_check_result result;
    struct txtap_check_error error;
    struct txtap_check check;
    const struct txtap_figure *figure;

    cr_assert(txtap_check_parse(&check, text, &error), "%s", text);
    txtap_check_result_init(&result);
    for (uint32_t life = 2; life > 0; life--)
        if ((figure = made_life(check.name, B, life)) != NULL)
            txtap_check_figure(&check, &result, figure, name_of(figure), &trace.rate);
    txtap_check_end(&check, &result, &trace);
    return result.verdict;
}

/* Of the 57 ticks, 30 belong to the thread "two", and 12 to a thread without a name, which may also be "two". */
Test(lifetimes, a_check_is_not_ok_if_a_thread_without_a_name_may_violate_it)
{
    two_lives((struct txtap_object[]){named("two", CREATED, 0)}, 1);
    cr_expect_eq(verdict_of("cpu(two) < 74%"), TXTAP_VERDICT_OK);
    cr_expect_eq(verdict_of("cpu(two) < 73%"), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(verdict_of("cpu(two) > 30%"), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(verdict_of("cpu(two) < 50%"), TXTAP_VERDICT_FAILED);
    cr_expect_eq(verdict_of("cpu(*) < 60%"), TXTAP_VERDICT_OK);
    two_lives((struct txtap_object[]){named("two", CREATED, 0), named("one", 0, CREATED)}, 2);
    cr_expect_eq(verdict_of("cpu(two) < 53%"), TXTAP_VERDICT_OK);
    cr_expect_eq(verdict_of("cpu(two) > 30%"), TXTAP_VERDICT_OK);
    cr_expect_eq(verdict_of("cpu(one) < 22%"), TXTAP_VERDICT_OK);
}

static enum txtap_status append(void *self, const char *bytes, size_t length)
{
    strncat(self, bytes, length);
    return TXTAP_OK;
}

Test(lifetimes, json_tells_threads_at_one_address_apart)
{
    char text[4096] = "";
    struct txtap_figure_json json = {.writer = {append, text}};

    two_lives((struct txtap_object[]){named("two", CREATED, 0), named("one", 0, CREATED)}, 2);
    txtap_figure_json_add(&json, made_life("cpu", B, 1), "one", "", false);
    txtap_figure_json_add(&json, made_life("cpu", B, 2), "two", "", false);
    txtap_figure_json_add(&json, made_figure("cpu", MAKER), "", "", false);
    cr_expect_not_null(strstr(text, "\"name\":\"one\",\"address\":\"0x20000300\",\"life\":1}"), "%s", text);
    cr_expect_not_null(strstr(text, "\"name\":\"two\",\"address\":\"0x20000300\",\"life\":2}"));
    cr_expect_not_null(strstr(text, "\"address\":\"0x20000100\"}"));
}

Test(lifetimes, a_change_of_a_threshold_counts_for_its_own_thread)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(10, MAKER, EVENT_THREAD_PREEMPTION_CHANGE, A, 2, 4, 0);
    made_event(20, MAKER, EVENT_THREAD_PREEMPTION_CHANGE, A, 4, 2, 0);
    made_event(30, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_eq(made_stat("threshold_changes", A, TXTAP_STAT_N), 2);
    cr_assert_null(made_figure("threshold_changes", MAKER));
}
