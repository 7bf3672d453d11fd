/* SPDX-License-Identifier: MIT */
/* Figures from the event logger's events: small traces whose sums are known. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "txtap/inner/change.h"
#include "txtap/event_logger.h"
#include "txtap/inner/zephyr.h"

#define A "0x20000100"
#define B "0x20000200"

enum { THREAD_A = 0x20000100, THREAD_B = 0x20000200, IDLE_THREAD = 0x20000300 };
enum { SWITCH = 4097, INTERRUPT = 4098, SLEEP = 4099, OWN = 4110 };

static struct txtap_zephyr_logger logger;
static struct txtap_analysis *analysis;
static struct figure_list list;
static uint64_t seq;

static void begin(void)
{
    analysis = figure_list_analysis(&(struct txtap_analysis_options){.between = {{OWN, OWN, 4}}, .between_count = 1});
    logger = (struct txtap_zephyr_logger){.next = {txtap_analysis_take, analysis}};
    seq = 100;
}

TestSuite(zephyr_logger, .init = begin);

static void event(uint64_t ticks, uint32_t id, uint32_t word)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){.seq = seq++, .ticks = ticks, .id = id, .info = {word}};
    item.event.context = id == SWITCH ? TXTAP_CONTEXT_THREAD : TXTAP_CONTEXT_ISR;
    item.event.thread = id == SWITCH ? word : 0;
    cr_assert_eq(txtap_zephyr_logger_take(&logger, &item), TXTAP_OK);
}

static void other(struct txtap_item item)
{
    cr_assert_eq(txtap_zephyr_logger_take(&logger, &item), TXTAP_OK);
}

static void end(void)
{
    cr_assert_eq(txtap_zephyr_logger_end(&logger), TXTAP_OK);
    figure_list_end(&list, analysis);
}

/* Returns a figure, or NULL if it does not exist. */
static const struct txtap_figure *figure(const char *name, const char *subject)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.figures[i].name, name) == 0 && figure_subject_is(&list.figures[i].subject, subject))
            return &list.figures[i];
    return NULL;
}

/* Returns the value of a figure; -1: the figure does not exist. */
static double value(const char *name, const char *subject)
{
    const struct txtap_figure *found = figure(name, subject);

    return found != NULL ? found->stat[TXTAP_STAT_VALUE].value : -1;
}

Test(zephyr_logger, a_thread_that_is_switched_out_ran_since_the_previous_switch)
{
    event(1000, SWITCH, THREAD_A);
    event(1300, SWITCH, THREAD_B); /* B ran for 300 */
    event(1350, SWITCH, THREAD_A); /* A ran for 50 */
    event(1360, SWITCH, 0);        /* idle for 10 */
    event(1400, SWITCH, THREAD_B); /* B ran for 40 */
    event(1500, INTERRUPT, 15);    /* the thread that ran before is unknown */
    end();
    cr_assert_eq(value("window", "-"), 500);
    cr_assert_eq(value("cpu_ticks", A), 50);
    cr_assert_eq(value("cpu_ticks", B), 340);
    cr_assert_eq(value("idle_ticks", "-"), 10);
    cr_assert_eq(value("switches", "-"), 4);
    cr_assert_eq(value("switches_to_idle", "-"), 1);
}

Test(zephyr_logger, a_share_is_a_guess_because_switches_may_be_left_out)
{
    const struct txtap_figure *cpu;

    event(0, SWITCH, THREAD_A);
    event(75, SWITCH, THREAD_B);
    event(100, SWITCH, THREAD_A);
    end();
    cpu = figure("cpu", B);
    cr_assert_eq(cpu->stat[TXTAP_STAT_VALUE].value, 75);
    cr_assert_eq(cpu->stat[TXTAP_STAT_VALUE].lower, 0);
    cr_assert_eq(cpu->stat[TXTAP_STAT_VALUE].upper, 100);
}

Test(zephyr_logger, events_that_it_does_not_record_are_in_no_figure)
{
    static const char *const names[] = {"interrupts", "init",  "isr",         "isr_self",    "isr_load",
                                        "isr_depth",  "wake",  "ready",       "response",    "run",
                                        "block",      "time",  "preemptions", "deadlock",    "failed",
                                        "inversions", "stack", "priority",    "time_slices", "calls"};

    event(0, SWITCH, THREAD_A);
    event(10, INTERRUPT, 15);
    event(20, SWITCH, THREAD_B);
    event(30, SWITCH, THREAD_A);
    end();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(value(names[i], "*"), -1, "%s", names[i]);
}

Test(zephyr_logger, interrupts_have_intervals_and_no_duration)
{
    const struct txtap_figure *interval;

    event(0, INTERRUPT, 15);
    event(100, INTERRUPT, 22);
    event(1000, INTERRUPT, 15);
    event(1200, SWITCH, THREAD_A);
    event(2500, INTERRUPT, 15);
    end();
    interval = figure("isr_interval", "isr:15");
    cr_assert_eq(interval->stat[TXTAP_STAT_N].value, 2);
    cr_assert_eq(interval->stat[TXTAP_STAT_MIN].value, 1000);
    cr_assert_eq(interval->stat[TXTAP_STAT_MAX].value, 1500);
    cr_assert_eq(interval->max_at.seq, 104);
    cr_assert_eq(value("isr_entered", "-"), 4);
    cr_assert_eq(value("cpu_ticks", A), 1200);
}

Test(zephyr_logger, after_a_sleep_the_thread_that_is_switched_out_is_the_idle_thread)
{
    event(0, SWITCH, THREAD_A);
    event(100, SLEEP, 90);
    event(105, SWITCH, IDLE_THREAD);
    event(125, SWITCH, THREAD_A); /* A ran for 20 */
    event(200, SLEEP, 70);
    event(300, SLEEP, 99);
    event(305, SWITCH, IDLE_THREAD);
    event(310, SWITCH, IDLE_THREAD); /* the thread yielded, or a collector that is not in the trace woke it */
    end();
    cr_assert_eq(value("idle_ticks", "-"), 290);
    cr_assert_eq(value("cpu_ticks", A), 20);
    cr_assert_eq(value("cpu_ticks", "0x20000300"), -1);
    cr_assert_eq(value("load_ticks", "-"), 20);
}

Test(zephyr_logger, nothing_is_joined_over_a_gap)
{
    event(0, SWITCH, THREAD_A);
    event(50, SWITCH, THREAD_B);
    event(60, INTERRUPT, 15);
    other((struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {seq, 5, true, 0}});
    seq += 5;
    event(500, SWITCH, THREAD_B);
    event(540, SWITCH, THREAD_A);
    end();
    cr_assert_eq(value("observed", "-"), 100);
    cr_assert_eq(value("cpu_ticks", B), 50);
    cr_assert_eq(value("cpu_ticks", A), 40);
    cr_assert_eq(value("lost", "-"), 5);
}

/* ---- as changes ---- */

static char switches[1024];

static enum txtap_status note_switch(void *self, const struct txtap_change *change)
{
    static const char *const names[] = {"unknown", "idle", "init", "isr", "thread"};
    const struct txtap_change_switch *switched = &change->switched;
    size_t used = strlen(switches);

    (void)self;
    if (change->kind == TXTAP_CHANGE_SWITCH)
        snprintf(switches + used, sizeof switches - used, "%d %s %x -> %s %x\n", (int)change->ticks,
                 names[switched->from], (unsigned)switched->left.address, names[switched->to],
                 (unsigned)switched->thread.address);
    return TXTAP_OK;
}

/*
 * The running thread is unknown in two cases: after the last switch before a gap, and after a switch if more than
 * TXTAP_ZEPHYR_WAITING events come before the next switch.
 */
Test(zephyr_logger, no_thread_has_the_core_while_the_running_thread_is_unknown)
{
    const struct txtap_change_limits limits = {.threads = 8, .objects = 8};
    void *memory = malloc(txtap_changes_bytes(&limits));
    struct txtap_changes *changes = txtap_changes_open(memory, &limits, (struct txtap_change_sink){note_switch, NULL});

    logger.next = (struct txtap_sink){txtap_changes_take, changes};
    event(0, SWITCH, THREAD_A);
    event(50, SWITCH, THREAD_B);
    for (unsigned i = 1; i <= TXTAP_ZEPHYR_WAITING; i++)
        event(60 + i, INTERRUPT, 15);
    event(2000, INTERRUPT, 15);
    event(3000, SWITCH, THREAD_B);
    event(3100, SWITCH, THREAD_A);
    event(3200, INTERRUPT, 15);
    other((struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {seq, 5, true, 0}});
    seq += 5;
    event(5000, INTERRUPT, 15);
    cr_assert_eq(txtap_zephyr_logger_end(&logger), TXTAP_OK);
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    cr_assert_str_eq(switches,
                     "0 unknown 0 -> thread 20000100\n"
                     "0 thread 20000100 -> thread 20000200\n"
                     "50 thread 20000200 -> unknown 0\n"
                     "2000 unknown 0 -> thread 20000200\n"
                     "3000 thread 20000200 -> thread 20000100\n"
                     "3100 thread 20000100 -> unknown 0\n",
                     "%s", switches);
    free(memory);
}

Test(zephyr_logger, another_file_of_a_recording_is_no_gap_but_another_trace_is)
{
    event(0, SWITCH, THREAD_A);
    other((struct txtap_item){.kind = TXTAP_ITEM_RESTART});
    event(50, SWITCH, THREAD_B);
    other((struct txtap_item){.kind = TXTAP_ITEM_RESTART});
    seq = 0;
    event(5, SWITCH, THREAD_B);
    event(15, SWITCH, THREAD_A);
    end();
    cr_assert_eq(value("gaps", "-"), 1);
    cr_assert_eq(value("cpu_ticks", B), 50);
    cr_assert_eq(value("cpu_ticks", A), 10);
}

Test(zephyr_logger, events_that_do_not_fit_between_two_switches_belong_to_no_thread_at_first)
{
    event(0, SWITCH, THREAD_A);
    for (unsigned i = 1; i <= TXTAP_ZEPHYR_WAITING + 1; i++)
        event(i, INTERRUPT, 15);
    event(TXTAP_ZEPHYR_WAITING + 11, SWITCH, THREAD_B);
    end();
    cr_assert_eq(value("cpu_ticks", B), 10);
    cr_assert_eq(value("isr_entered", "-"), TXTAP_ZEPHYR_WAITING + 1);
}

Test(zephyr_logger, events_of_the_application_keep_their_ids_and_threads)
{
    event(0, SWITCH, THREAD_A);
    event(10, OWN, 1);
    event(35, OWN, 2);
    event(40, SWITCH, THREAD_B);
    end();
    cr_assert_eq(figure("between", "*")->stat[TXTAP_STAT_MAX].value, 25);
}
