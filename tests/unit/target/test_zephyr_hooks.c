/* SPDX-License-Identifier: MIT */
/*
 * Calls each hook of Zephyr as the kernel does, and checks the event that txtap decodes. The test is compiled with all
 * switches on, with some, and with none. A hook whose switch is off must record nothing.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap_zephyr.h"
#include "zephyr_target.h"
#include "zephyr_trace.h"

/* Hooks that record an event of ThreadX, and the event's words. A word is an argument's name, "=NUMBER", or "stack": a
 * pointer to the stack.
 */
static const struct kernel_event {
    const char *hook;
    uint32_t id;
    const char *words[4];
} kernel_events[] = {
    {"sys_port_trace_k_thread_create", 100, {"new_thread", "=13", "=0x20004000", "=1024"}},
    {"sys_port_trace_k_thread_start", 111, {"thread", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_sleep_ticks_enter", 112, {"timeout", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_sleep_enter", 112, {"timeout", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_yield", 109, {"stack", "=0", "=0", "=0"}},
    {"sys_port_trace_k_thread_wakeup", 117, {"thread", "=0", "=0", "=0"}},
    {"sys_port_trace_k_thread_abort_enter", 115, {"thread", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_suspend_enter", 114, {"thread", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_resume_enter", 111, {"thread", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_switched_in", 6, {"=0", "=0", "=0", "=0"}},
    {"sys_port_trace_k_thread_sched_priority_set", 108, {"thread", "=11", "=13", "=0"}},
    {"sys_port_trace_k_thread_sched_ready", 1, {"thread", "=0", "stack", "=0"}},
    {"sys_port_trace_k_thread_sched_pend", 2, {"thread", "=3", "stack", "=0"}},
    {"sys_port_trace_k_thread_sched_suspend", 2, {"thread", "=3", "stack", "=0"}},
    {"sys_port_trace_k_sem_init", 81, {"sem", "=0", "stack", "=0"}}, /* `ret` is an error, so the count is 0 */
    {"sys_port_trace_k_sem_give_enter", 88, {"sem", "=2", "=1", "stack"}},
    {"sys_port_trace_k_sem_take_enter", 83, {"sem", "timeout", "=2", "stack"}},
    {"sys_port_trace_k_mutex_init", 50, {"mutex", "=1", "stack", "=0"}},
    {"sys_port_trace_k_mutex_lock_enter", 52, {"mutex", "timeout", "heap", "=2"}}, /* "heap": the owner's address */
    {"sys_port_trace_k_mutex_unlock_enter", 57, {"mutex", "heap", "=2", "stack"}},
    {"sys_port_trace_k_msgq_init", 60, {"msgq", "=2", "=0x20004000", "=9"}},
    {"sys_port_trace_k_msgq_cleanup_enter", 61, {"msgq", "stack", "=0", "=0"}},
    {"sys_port_trace_k_msgq_put_enter", 69, {"msgq", "=0", "timeout", "=2"}},
    {"sys_port_trace_k_msgq_put_front_enter", 63, {"msgq", "=0", "timeout", "=2"}},
    {"sys_port_trace_k_msgq_get_enter", 68, {"msgq", "=0", "timeout", "=2"}},
    {"sys_port_trace_k_msgq_purge", 62, {"msgq", "stack", "=0", "=0"}},
    {"sys_port_trace_k_heap_init", 21, {"h", "=0x20004000", "=1024", "stack"}},
    {"sys_port_trace_k_heap_alloc_enter", 20, {"h", "=0", "=0", "timeout"}},
    {"sys_port_trace_k_heap_free", 27, {"h", "=0", "=1", "=0"}},
    {"sys_port_trace_k_mem_slab_init", 11, {"slab", "=0x20004000", "=9", "=6"}},
    {"sys_port_trace_k_mem_slab_alloc_enter", 10, {"slab", "=0", "timeout", "=7"}},
    {"sys_port_trace_k_mem_slab_free_enter", 17, {"slab", "=0", "=1", "stack"}},
    {"sys_port_trace_k_timer_init", 124, {"timer", "=0", "=0", "=0"}},
    {"sys_port_trace_k_timer_start", 123, {"timer", "duration", "period", "=0"}},
    {"sys_port_trace_k_timer_stop", 125, {"timer", "stack", "=0", "=0"}},
    {"sys_port_trace_k_timer_cleanup_enter", 126, {"timer", "=0", "=0", "=0"}},
    {"sys_port_trace_k_event_init", 30, {"event", "stack", "=0", "=0"}},
    {"sys_port_trace_k_event_post_enter", 36, {"event", "events", "=0", "=1"}},
    {"sys_port_trace_k_event_wait_enter", 32, {"event", "events", "=2", "=2"}},
    {"sys_trace_isr_enter", 3, {"stack", "=19", "=19", "=0"}},
    {"sys_trace_isr_exit", 4, {"stack", "=19", "=19", "=0"}},
    {"sys_trace_isr_exit_to_scheduler", 4, {"stack", "=19", "=19", "=0"}},
};

/* The event that this hook records if it has only one argument. */
static const struct kernel_event timer_start_alone = {"", 122, {"timer", "=0", "=0", "=0"}};

/* Arguments that are in no word of the event: the hook and the argument. */
static const char *const left_out[][2] = {
    {"sys_port_trace_k_heap_realloc_exit", "timeout"},
    {"sys_port_trace_socket_sendto_enter", "addrlen"},
    {"sys_port_trace_socket_recvfrom_enter", "addrlen"},
    {"sys_port_trace_socket_getsockopt_exit", "optval"},
    {"sys_port_trace_socket_getsockopt_exit", "optlen"},
    {"sys_port_trace_socket_setsockopt_enter", "optlen"},
    {"sys_port_trace_syscall_enter", "name"},
    {"sys_port_trace_syscall_enter", "arg1"},
    {"sys_port_trace_syscall_enter", "arg2"},
    {"sys_port_trace_syscall_exit", "name"},
    {"sys_port_trace_syscall_exit", "arg1"},
};

#define LENGTH(array) (sizeof(array) / sizeof(array[0]))

static const struct kernel_event *kernel_event_of(const struct zephyr_row *row)
{
    if (strcmp(row->hook, "sys_port_trace_k_timer_start") == 0 && row->argument_count == 1)
        return &timer_start_alone;
    for (size_t i = 0; i < LENGTH(kernel_events); i++) {
        if (strcmp(kernel_events[i].hook, row->hook) == 0)
            return &kernel_events[i];
    }
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/*
 * Returns the phase: 0 call, 1 enter, 2 blocking, 3 exit, 4 init. It follows from the hook's form; for PLAIN hooks,
 * from the hook's name.
 */
static unsigned phase_of(const struct zephyr_row *row)
{
    const char *by = strcmp(row->form, "PLAIN") == 0 ? row->hook : row->form;

    if (ends_with(by, "ENTER") || ends_with(by, "_enter") || ends_with(by, "_idle"))
        return 1;
    if (ends_with(by, "BLOCKING"))
        return 2;
    if (ends_with(by, "EXIT") || ends_with(by, "_exit"))
        return 3;
    return ends_with(by, "OBJ_INIT") ? 4 : 0;
}

static bool is_left_out(const struct zephyr_row *row, const char *argument)
{
    for (size_t i = 0; i < LENGTH(left_out); i++) {
        if (strcmp(left_out[i][0], row->hook) == 0 && strcmp(left_out[i][1], argument) == 0)
            return true;
    }
    return false;
}

static void assert_kernel_event(const struct zephyr_row *row, const struct kernel_event *expected,
                                const struct txtap_event *event)
{
    cr_assert_eq(event->id, expected->id, "%s: event %u", row->hook, event->id);
    for (size_t i = 0; i < 4; i++) {
        const char *word = expected->words[i];
        uint32_t number = 0;

        if (strcmp(word, "stack") == 0) {
            cr_assert_neq(event->info[i], 0, "%s: word %zu", row->hook, i + 1);
            continue;
        }
        number = *word == '=' ? (uint32_t)strtoul(word + 1, NULL, 0) : zephyr_argument(word);
        cr_assert_eq(event->info[i], number, "%s: word %zu is 0x%x, not 0x%x", row->hook, i + 1, event->info[i],
                     number);
    }
}

/* Checks an event that only Zephyr has. Word 4 is the result; words 1 to 3 are the other arguments, in order. */
static void assert_own_event(const struct zephyr_row *row, const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_definitions_event(zephyr_definitions(), event->id, 0);
    const char *name = row->hook + (strncmp(row->hook, "sys_port_trace_", 15) == 0 ? 15 : 10);
    bool used[4] = {false};
    size_t next = 0;

    cr_assert_not_null(info, "%s: no definition of 0x%x", row->hook, event->id);
    cr_assert_str_eq(info->name, name);
    cr_assert_eq(info->component, TXTAP_COMPONENT_USER);
    cr_assert(event->id >= 0x8000, "%s: event %u", row->hook, event->id);
    cr_assert_eq(event->id & 7, phase_of(row), "%s: 0x%x", row->hook, event->id);
    for (unsigned i = 0; i < row->argument_count; i++) {
        const char *argument = row->arguments[i];
        bool result = strcmp(argument, "ret") == 0 || strcmp(argument, "rc") == 0;
        size_t word = result ? 3 : next;
        uint32_t number = zephyr_argument(argument);

        if (is_left_out(row, argument))
            continue;
        next += !result;
        cr_assert_lt(word, 4, "%s: no word for %s", row->hook, argument);
        used[word] = true;
        cr_assert_str_eq(info->field[word].label, argument, "%s: word %zu is called %s", row->hook, word + 1,
                         info->field[word].label);
        if (strcmp(argument, "timeout") == 0 && info->field[word].kind == TXTAP_FIELD_SIGNED)
            number = zephyr_argument("timeout_ms"); /* a socket's timeout */
        cr_assert_eq(event->info[word], number, "%s: word %zu is 0x%x", row->hook, word + 1, event->info[word]);
    }
    for (size_t word = 0; word < 4; word++) {
        cr_assert(used[word] == (info->field[word].kind != TXTAP_FIELD_NONE), "%s: word %zu", row->hook, word + 1);
        cr_assert(used[word] || event->info[word] == 0, "%s: word %zu is 0x%x", row->hook, word + 1, event->info[word]);
    }
}

Test(zephyr_hooks, each_records_one_event_if_its_switch_is_on_and_nothing_else)
{
    static struct txtap_event events[ZEPHYR_EVENTS_MAX];
    size_t recorded = 0;

    for (size_t i = 0; i < zephyr_row_count; i++) {
        const struct zephyr_row *row = &zephyr_rows[i];
        const struct kernel_event *kernel_event = kernel_event_of(row);
        size_t count;

        zephyr_start(8);
        txtap_zephyr_kernel_started();
        zephyr_current = &the_thing;
        zephyr_exception = strncmp(row->hook, "sys_trace_isr", 13) == 0 ? 19 : 0;
        ret = rc = -11;
        row->run();
        count = zephyr_decode(events);
        cr_assert_eq(count, row->on ? 1 : 0, "%s: %zu events", row->hook, count);
        if (count == 0) {
            cr_assert_eq(zephyr_registry()->count, 0, "%s: registers something", row->hook);
            continue;
        }
        recorded++;
        if (kernel_event != NULL)
            assert_kernel_event(row, kernel_event, &events[0]);
        else
            assert_own_event(row, &events[0]);
    }
    cr_assert_eq(recorded, TXTAP_ZEPHYR_EXPECTED, "%zu of %zu hooks are recorded", recorded, zephyr_row_count);
}

Test(zephyr_hooks, each_of_the_nine_forms_is_covered)
{
    static const char *const forms[] = {"FUNC",     "FUNC_ENTER",     "FUNC_BLOCKING",     "FUNC_EXIT",    "OBJ_INIT",
                                        "OBJ_FUNC", "OBJ_FUNC_ENTER", "OBJ_FUNC_BLOCKING", "OBJ_FUNC_EXIT"};

    for (size_t i = 0; i < LENGTH(forms); i++) {
        size_t count = 0;

        for (size_t row = 0; row < zephyr_row_count; row++)
            count += strcmp(zephyr_rows[row].form, forms[i]) == 0;
        cr_assert_gt(count, 0, "%s", forms[i]);
    }
}

/* For each event that only Zephyr has, the number of the exit is the number of the enter plus 2. */
Test(zephyr_hooks, an_exit_number_is_its_enter_number_plus_two)
{
    const struct txtap_definitions *definitions = zephyr_definitions();
    size_t pairs = 0;

    for (uint32_t id = 0x8000; id <= 0xFFFF; id++) {
        const struct txtap_definition *enter = txtap_definitions_find(definitions, id);
        const struct txtap_definition *leave = txtap_definitions_find(definitions, id + 2);
        size_t length;

        if ((id & 7) != 1 || enter == NULL || leave == NULL || !ends_with(enter->info.name, "_enter"))
            continue;
        length = strlen(enter->info.name) - strlen("enter");
        cr_assert_eq(strncmp(enter->info.name, leave->info.name, length), 0, "%s, %s", enter->info.name,
                     leave->info.name);
        cr_assert_str_eq(leave->info.name + length, "exit");
        pairs++;
    }
    cr_assert_gt(pairs, 100);
}
