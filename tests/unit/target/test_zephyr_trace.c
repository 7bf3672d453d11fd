/* SPDX-License-Identifier: MIT */
/* What Zephyr's hooks record together: the running thread, the object of each wait, and the objects' names. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/next_context.h"

#include "format/memory_sink.h"
#include "txtap_zephyr.h"
#include "zephyr_target.h"
#include "zephyr_trace.h"

static struct txtap_event decoded[ZEPHYR_EVENTS_MAX];
static size_t decoded_count;

static void set_up(void)
{
    zephyr_start(8);
}

TestSuite(zephyr_trace, .init = set_up);

static void call(const char *hook)
{
    for (size_t i = 0; i < zephyr_row_count; i++) {
        if (strcmp(zephyr_rows[i].hook, hook) == 0) {
            zephyr_rows[i].run();
            return;
        }
    }
    cr_assert_fail("%s: no such hook", hook);
}

static void decode(void)
{
    decoded_count = zephyr_decode(decoded);
}

/*
 * Returns a letter for the context after each event: 't' the_thing, 'o' other_thing, 'i' an interrupt, '0' the
 * initialization, '-' no context.
 */
static const char *runners(void)
{
    static char text[ZEPHYR_EVENTS_MAX + 1];
    static struct txtap_next_context state;

    decode();
    txtap_next_context_init(&state);
    for (size_t i = 0; i < decoded_count; i++) {
        struct txtap_next next;

        cr_assert_eq(txtap_next_context_step(&state, decoded + i, decoded_count - i, false, &next), TXTAP_OK);
        text[i] = next.runner == TXTAP_RUNNER_ISR               ? 'i'
                  : next.runner == TXTAP_RUNNER_INIT            ? '0'
                  : next.runner == TXTAP_RUNNER_IDLE            ? '-'
                  : next.thread == zephyr_address(&the_thing)   ? 't'
                  : next.thread == zephyr_address(&other_thing) ? 'o'
                                                                : '?';
    }
    text[decoded_count] = '\0';
    return text;
}

static void switch_to(const struct zephyr_thing *thread)
{
    call("sys_port_trace_k_thread_switched_out");
    zephyr_current = thread;
    call("sys_port_trace_k_thread_switched_in");
}

/* Checks that the running thread begins to wait after `hook`. state: the expected state of the thread. */
static void assert_waits(const char *hook, uint32_t state)
{
    zephyr_start(8);
    zephyr_current = &the_thing;
    call("sys_port_trace_k_thread_switched_in");
    call(hook);
    call("sys_port_trace_k_thread_sched_pend");
    the_thing.state = TXTAP_ZEPHYR_STATE_SUSPENDED;
    switch_to(&other_thing);
    cr_assert_str_eq(runners(), "tttoo", "%s", hook);
    cr_assert_eq(decoded[2].id, 2);
    cr_assert_eq(decoded[2].info[0], zephyr_address(&the_thing));
    cr_assert_eq(decoded[2].info[1], state, "%s: state %u", hook, decoded[2].info[1]);
    cr_assert_eq(decoded[2].info[3], zephyr_address(&other_thing), "the next thread is written when it runs");
}

Test(zephyr_trace, a_waiting_thread_is_suspended_with_the_reason_of_its_wait)
{
    assert_waits("sys_port_trace_k_sem_take_blocking", TXTAP_ZEPHYR_STATE_SEMAPHORE);
    assert_waits("sys_port_trace_k_mutex_lock_blocking", TXTAP_ZEPHYR_STATE_MUTEX);
    assert_waits("sys_port_trace_k_msgq_get_blocking", TXTAP_ZEPHYR_STATE_QUEUE);
    assert_waits("sys_port_trace_k_queue_get_blocking", TXTAP_ZEPHYR_STATE_QUEUE);
    assert_waits("sys_port_trace_k_event_wait_blocking", TXTAP_ZEPHYR_STATE_FLAGS);
    assert_waits("sys_port_trace_k_mem_slab_alloc_blocking", TXTAP_ZEPHYR_STATE_BLOCK);
    assert_waits("sys_port_trace_k_heap_alloc_helper_blocking", TXTAP_ZEPHYR_STATE_BYTE);
    assert_waits("sys_port_trace_k_thread_sleep_ticks_enter", TXTAP_ZEPHYR_STATE_SLEEP);
    assert_waits("sys_port_trace_k_thread_join_blocking", TXTAP_ZEPHYR_STATE_SUSPENDED);
}

Test(zephyr_trace, one_threads_wait_does_not_affect_the_next_thread)
{
    zephyr_current = &the_thing;
    call("sys_port_trace_k_sem_take_blocking");
    call("sys_port_trace_k_thread_sched_pend");
    switch_to(&other_thing);
    txtap_zephyr_sched_pend(&other_thing);
    decode();
    cr_assert_eq(decoded[decoded_count - 1].id, 2);
    cr_assert_eq(decoded[decoded_count - 1].info[1], TXTAP_ZEPHYR_STATE_SUSPENDED);
}

Test(zephyr_trace, a_preempted_thread_is_not_suspended)
{
    zephyr_current = &the_thing;
    call("sys_port_trace_k_thread_switched_in");
    switch_to(&other_thing);
    cr_assert_str_eq(runners(), "too");
    cr_assert_eq(decoded[1].id, 0x8100);
    cr_assert_eq(decoded[1].thread, zephyr_address(&the_thing));
    cr_assert_eq(decoded[2].id, 6);
    cr_assert_eq(decoded[2].thread, zephyr_address(&other_thing));
}

/* CONFIG_TRACING_USER reports a switch in this way: no other hook is called before. */
Test(zephyr_trace, a_thread_that_is_switched_out_and_not_ready_is_suspended)
{
    zephyr_current = &the_thing;
    call("sys_port_trace_k_thread_switched_in");
    the_thing.state = TXTAP_ZEPHYR_STATE_TERMINATED;
    switch_to(&other_thing);
    cr_assert_str_eq(runners(), "ttoo");
    cr_assert_eq(decoded[1].id, 2);
    cr_assert_eq(decoded[1].info[1], TXTAP_ZEPHYR_STATE_TERMINATED);
    cr_assert_eq(decoded[1].info[3], zephyr_address(&other_thing));
    cr_assert_eq(decoded[2].id, 0x8100);
}

Test(zephyr_trace, suspending_another_thread_does_not_stop_the_running_one)
{
    zephyr_current = &the_thing;
    call("sys_port_trace_k_thread_switched_in");
    txtap_zephyr_sched_suspend(&other_thing);
    call("sys_port_trace_k_sem_give_exit");
    cr_assert_str_eq(runners(), "ttt");
    cr_assert_eq(decoded[1].info[3], zephyr_address(&the_thing));
}

Test(zephyr_trace, an_interrupt_makes_a_thread_ready_that_runs_after_it)
{
    zephyr_current = &the_thing;
    call("sys_port_trace_k_thread_switched_in");
    zephyr_exception = 31;
    call("sys_trace_isr_enter");
    txtap_zephyr_sched_ready(&other_thing);
    call("sys_trace_isr_exit");
    zephyr_exception = 0;
    switch_to(&other_thing);
    cr_assert_str_eq(runners(), "tiitoo");
    cr_assert_eq(decoded[1].context, TXTAP_CONTEXT_ISR);
    cr_assert_eq(decoded[1].info[1], 31);
    cr_assert_eq(decoded[2].id, 1);
    cr_assert_eq(decoded[2].info[0], zephyr_address(&other_thing));
}

Test(zephyr_trace, before_the_first_switch_the_context_is_initialization)
{
    zephyr_current = &the_thing; /* here the kernel still runs its dummy thread */
    call("sys_port_trace_k_sem_give_exit");
    txtap_zephyr_kernel_started();
    call("sys_port_trace_k_sem_give_exit");
    decode();
    cr_assert_eq(decoded[0].context, TXTAP_CONTEXT_INIT);
    cr_assert_eq(decoded[1].context, TXTAP_CONTEXT_THREAD);
    cr_assert_eq(decoded[1].thread, zephyr_address(&the_thing));
}

Test(zephyr_trace, priorities_begin_at_0)
{
    zephyr_current = &the_thing;
    the_thing.priority = -16;
    call("sys_port_trace_k_thread_switched_in");
    the_thing.priority = 14;
    call("sys_port_trace_k_thread_switched_in");
    decode();
    cr_assert_eq(decoded[0].priority, 0);
    cr_assert_eq(decoded[1].priority, 30);
}

Test(zephyr_trace, memory_from_a_heap_is_known_at_the_end_of_the_service)
{
    zephyr_current = &the_thing;
    txtap_zephyr_heap_alloc(&other_thing, 1);
    txtap_zephyr_heap_alloc_exit(0x911b, &other_thing, 1, 0, 0x20001000);
    /* the allocation that ends here has no recorded beginning */
    txtap_zephyr_heap_alloc_exit(0x911b, &other_thing, 1, 0, 0x20002000);
    txtap_zephyr_heap_alloc(&other_thing, 1);
    zephyr_current = &other_thing;
    /* this allocation, of another thread, has no recorded beginning either */
    txtap_zephyr_heap_alloc_exit(0x911b, &other_thing, 1, 0, 0x20003000);
    decode();
    cr_assert_eq(decoded[0].info[1], 0x20001000);
    cr_assert_eq(decoded[1].info[3], 0x20001000);
    cr_assert_eq(decoded[3].info[1], 0);
}

/* ---- names ---- */

Test(zephyr_trace, threads_have_their_names_and_other_objects_generated_ones)
{
    char expected[40];

    other_thing.name = "pump";
    txtap_zephyr_thread_create(&other_thing);
    call("sys_port_trace_k_mutex_init");
    decode();
    cr_assert_str_eq(zephyr_name_of(&other_thing), "pump");
    snprintf(expected, sizeof(expected), "k_mutex 0x%08x", zephyr_address(&the_thing));
    cr_assert_str_eq(zephyr_name_of(&the_thing), expected);
}

static const struct object_kind {
    const char *hook, *name, *end; /* hooks of an operation; the last may be NULL */
    unsigned type;
    uint32_t parameters[2];
    bool other;
} object_kinds[] = {
    {"sys_port_trace_k_work_init", "k_work", NULL, 0x42, {0, 0}, false},
    {"sys_port_trace_k_work_queue_init", "k_work_q", NULL, 0x43, {0, 0}, true},
    {"sys_port_trace_k_work_delayable_init", "k_work_delayable", NULL, 0x44, {0, 0}, false},
    {"sys_port_trace_k_sem_init", "k_sem", NULL, TXTAP_OBJECT_SEMAPHORE, {2, 0}, true},
    {"sys_port_trace_k_mutex_init", "k_mutex", NULL, TXTAP_OBJECT_MUTEX, {1, 0}, false},
    {"sys_port_trace_k_condvar_init", "k_condvar", NULL, 0x49, {0, 0}, false},
    {"sys_port_trace_k_queue_init", "k_queue", NULL, 0x4a, {0, 0}, true},
    {"sys_port_trace_k_fifo_init_exit", "k_fifo", NULL, 0x4b, {0, 0}, false},
    {"sys_port_trace_k_lifo_init_exit", "k_lifo", NULL, 0x4c, {0, 0}, false},
    {"sys_port_trace_k_stack_init", "k_stack", "sys_port_trace_k_stack_cleanup_enter", 0x4d, {0, 0}, false},
    {"sys_port_trace_k_msgq_init", "k_msgq", "sys_port_trace_k_msgq_cleanup_enter", TXTAP_OBJECT_QUEUE, {54, 2}, false},
    {"sys_port_trace_k_mbox_init", "k_mbox", NULL, 0x4f, {0, 0}, false},
    {"sys_port_trace_k_pipe_init", "k_pipe", "sys_port_trace_k_pipe_cleanup_enter", 0x50, {0, 0}, false},
    {"sys_port_trace_k_heap_init", "k_heap", NULL, TXTAP_OBJECT_BYTE_POOL, {1024, 0}, false},
    {"sys_port_trace_k_mem_slab_init", "k_mem_slab", NULL, TXTAP_OBJECT_BLOCK_POOL, {54, 6}, false},
    {"sys_port_trace_k_timer_init",
     "k_timer",
     "sys_port_trace_k_timer_cleanup_enter",
     TXTAP_OBJECT_TIMER,
     {0, 0},
     false},
    {"sys_port_trace_k_event_init", "k_event", NULL, TXTAP_OBJECT_EVENT_FLAGS, {0, 0}, false},
    {"sys_port_trace_k_thread_create",
     "thread",
     "sys_port_trace_k_thread_abort_enter",
     TXTAP_OBJECT_THREAD,
     {0x20004000, 1024},
     false},
};

Test(zephyr_trace, init_hooks_register_and_cleanup_hooks_unregister)
{
    for (size_t i = 0; i < sizeof(object_kinds) / sizeof(object_kinds[0]); i++) {
        const struct object_kind *kind = &object_kinds[i];
        const void *object = kind->other ? &other_thing : &the_thing;
        const struct txtap_object *found;
        char expected[40];

        zephyr_start(8);
        call(kind->hook);
        decode();
        found = txtap_registry_find(zephyr_registry(), zephyr_address(object));
        cr_assert_not_null(found, "%s", kind->hook);
        snprintf(expected, sizeof(expected), "%s 0x%08x", kind->name, zephyr_address(object));
        cr_assert_str_eq(found->name, expected);
        cr_assert(found->live);
        cr_assert_eq(found->type, kind->type, "%s: type 0x%x", kind->hook, found->type);
        cr_assert_eq(found->parameter[0], kind->parameters[0], "%s: %u", kind->hook, found->parameter[0]);
        cr_assert_eq(found->parameter[1], kind->parameters[1], "%s: %u", kind->hook, found->parameter[1]);
        if (kind->end == NULL)
            continue;
        call(kind->end);
        decode();
        found = txtap_registry_find(zephyr_registry(), zephyr_address(object));
        cr_assert_not_null(found, "%s: the name stays for earlier events", kind->end);
        cr_assert_not(found->live, "%s", kind->end);
    }
}

Test(zephyr_trace, only_the_kernels_idle_thread_is_marked)
{
    const struct txtap_object *idle, *other;

    zephyr_start(8);
    the_thing.idle = true;
    the_thing.name = other_thing.name = "idle";
    txtap_zephyr_thread_add(&the_thing);
    txtap_zephyr_thread_add(&other_thing);
    decode();
    idle = txtap_registry_find(zephyr_registry(), zephyr_address(&the_thing));
    other = txtap_registry_find(zephyr_registry(), zephyr_address(&other_thing));
    cr_assert_not_null(idle);
    cr_assert_not_null(other);
    cr_assert_eq(idle->reserved[0], 0xC0);
    cr_assert_eq(other->reserved[0], 0x80);
}

Test(zephyr_trace, objects_that_could_not_be_created_are_not_registered)
{
    static const char *const hooks[] = {"sys_port_trace_k_sem_init", "sys_port_trace_k_mutex_init",
                                        "sys_port_trace_k_condvar_init", "sys_port_trace_k_mem_slab_init",
                                        "sys_port_trace_k_thread_name_set"};

    ret = rc = -22;
    for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
        call(hooks[i]);
    decode();
    cr_assert_eq(zephyr_registry()->count, 0);
}

Test(zephyr_trace, a_new_name_uses_the_old_ones_slot)
{
    the_thing.name = "first";
    call("sys_port_trace_k_thread_create");
    for (unsigned i = 0; i < 20; i++) {
        the_thing.name = i % 2 == 0 ? "second" : "third";
        call("sys_port_trace_k_thread_name_set");
    }
    decode();
    cr_assert_str_eq(zephyr_name_of(&the_thing), "third");
    cr_assert_eq(zephyr_registry()->count, 1);
}

Test(zephyr_trace, a_full_registry_costs_names_and_no_events)
{
    static struct zephyr_thing many[12];

    for (size_t i = 0; i < 12; i++)
        txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_SEM, &many[i]);
    for (size_t i = 0; i < 12; i++)
        txtap_zephyr_sem_give(&many[i]);
    decode();
    cr_assert_eq(zephyr_registry()->count, 8);
    cr_assert_eq(decoded_count, 12);
}

Test(zephyr_trace, kinds_without_objects_and_null_are_not_registered)
{
    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_SEM, NULL);
    txtap_zephyr_thread_add(NULL);
    txtap_zephyr_object_add((enum txtap_zephyr_kind)0x9f, &the_thing);
    txtap_zephyr_object_add((enum txtap_zephyr_kind)0xff, &the_thing);
    txtap_zephyr_object_add((enum txtap_zephyr_kind)0x00, &the_thing);
    decode();
    cr_assert_eq(zephyr_registry()->count, 0);
}

Test(zephyr_trace, named_events_show_their_names_however_many_there_are)
{
    static const char names[12][12] = {"one",   "two",   "three", "four", "five",   "six",
                                       "seven", "eight", "nine",  "ten",  "eleven", "twelve"};

    zephyr_start(16);
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 12; i++)
            txtap_zephyr_named_event(0xa200, names[i], i, round, 0);
    }
    decode();
    cr_assert_eq(decoded_count, 36);
    cr_assert_eq(zephyr_registry()->count, 12);
    for (uint32_t i = 0; i < 36; i++) {
        const struct txtap_object *found = txtap_registry_find(zephyr_registry(), decoded[i].info[0]);

        cr_assert_str_eq(found->name, names[i % 12]);
        cr_assert_eq(decoded[i].info[1], i % 12);
        cr_assert_eq(decoded[i].info[2], i / 12);
    }
    zephyr_start(16);
    txtap_zephyr_named_event(0xa200, names[0], 0, 0, 0);
    decode();
    cr_assert_str_eq(zephyr_name_of(names[0]), "one", "a new trace has the name again");
}

/* ---- the rest ---- */

Test(zephyr_trace, in_user_mode_nothing_is_touched)
{
    zephyr_user_mode = true;
    call("sys_port_trace_syscall_enter");
    call("sys_port_trace_k_fifo_put_enter");
    call("sys_port_trace_k_fifo_init_exit");
    call("sys_trace_named_event");
    decode();
    cr_assert_eq(decoded_count, 0);
    cr_assert_eq(zephyr_registry()->count, 0);
}

Test(zephyr_trace, ticks_that_do_not_fit_differ_from_forever)
{
    cr_assert_eq(txtap_zephyr_ticks(0), 0);
    cr_assert_eq(txtap_zephyr_ticks(1), 1);
    cr_assert_eq(txtap_zephyr_ticks(0xFFFFFFFDll), 0xFFFFFFFDu);
    cr_assert_eq(txtap_zephyr_ticks(0xFFFFFFFEll), TXTAP_ZEPHYR_TICKS_MORE);
    cr_assert_eq(txtap_zephyr_ticks(0xFFFFFFFFll), TXTAP_ZEPHYR_TICKS_MORE);
    cr_assert_eq(txtap_zephyr_ticks(INT64_MAX), TXTAP_ZEPHYR_TICKS_MORE);
    cr_assert_eq(txtap_zephyr_ticks(-1), TXTAP_ZEPHYR_TICKS_FOREVER);
    cr_assert_eq(txtap_zephyr_ticks(-2), TXTAP_ZEPHYR_TICKS_MORE, "a point in time");
    cr_assert_eq(txtap_zephyr_ticks(INT64_MIN), TXTAP_ZEPHYR_TICKS_MORE);
}

Test(zephyr_trace, events_are_set_or_cleared)
{
    txtap_zephyr_event_post(&the_thing, 6, 6);           /* k_event_post */
    txtap_zephyr_event_post(&the_thing, 0, 6);           /* k_event_clear */
    txtap_zephyr_event_post(&the_thing, 5, 0xFFFFFFFFu); /* k_event_set */
    txtap_zephyr_event_wait(&the_thing, 6, 0, 1);
    txtap_zephyr_event_wait(&the_thing, 6, 1, 1);
    decode();
    cr_assert_eq(decoded[0].info[1], 6);
    cr_assert_eq(decoded[0].info[2], 0, "or");
    cr_assert_eq(decoded[1].info[1], 0xFFFFFFF9u);
    cr_assert_eq(decoded[1].info[2], 2, "and");
    cr_assert_eq(decoded[2].info[1], 5);
    cr_assert_eq(decoded[2].info[2], 2);
    cr_assert_eq(decoded[3].info[3], 0, "any");
    cr_assert_eq(decoded[4].info[3], 2, "all");
}

Test(zephyr_trace, idle_hooks_also_do_the_kernels_work)
{
    call("sys_trace_idle");
    cr_assert_eq(zephyr_idled, 1);
    call("sys_trace_idle_exit");
    cr_assert_eq(zephyr_idled, 2);
}

/* ---- as lines ---- */

static void assert_line(const char *hook, const char *expected)
{
    size_t length = strlen(expected);
    const char *line;

    call(hook);
    decode();
    send(decoded[decoded_count - 1]);
    line = written();
    cr_assert_eq(strncmp(line, expected, length), 0, "%s", line);
}

Test(zephyr_trace, own_events_are_lines_with_names_words_and_errors)
{
    char line[160];

    open_exporter("text", 0);
    exporter.definitions = zephyr_definitions();
    exporter.options.columns = TXTAP_COLUMN_EVENT | TXTAP_COLUMN_FIELDS;
    add_object(TXTAP_ZEPHYR_TYPE(TXTAP_ZEPHYR_KIND_FIFO), zephyr_address(&the_thing), "samples");
    snprintf(line, sizeof(line), "k_fifo_put_enter            fifo=samples data=0x%08x\n",
             zephyr_address(&other_thing));
    assert_line("sys_port_trace_k_fifo_put_enter", line);
    ret = -116;
    assert_line("sys_port_trace_k_work_submit_exit", "k_work_submit_exit          work=samples ret=-ETIMEDOUT\n");
    ret = 3;
    assert_line("sys_port_trace_k_work_submit_exit", "k_work_submit_exit          work=samples ret=3\n");
    ret = -1000;
    assert_line("sys_port_trace_k_work_submit_exit", "k_work_submit_exit          work=samples ret=-1000\n");
    assert_line("sys_port_trace_k_thread_foreach_enter", "k_thread_foreach_enter\n");
}
