/* SPDX-License-Identifier: MIT */
/*
 * Zephyr: its threads. With CONFIG_THREAD_MONITOR the variable _kernel has the head of a list of all threads, which
 * ends with 0. Threads have no identifier. Source: include/zephyr/kernel/thread.h, include/zephyr/kernel_structs.h
 * (structs, states), kernel/thread.c (stacks), kernel/sched.c (waiting).
 *
 * The time until a thread wakes up is not in memory: the kernel stores differences between the entries of its list of
 * timeouts, counted from the last interrupt of its clock, and reads from the clock's registers how long ago that was.
 */
#include "kernel/inside.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Values of this row. */
#define BITS    KERNEL_PRIVATE       /* thread_state */
#define TIMEOUT (KERNEL_PRIVATE + 1) /* next entry in the list of timeouts; 0: the thread has no wake-up time */

/* thread_state */
#define PENDING   UINT32_C(0x02)
#define BIT_2     UINT32_C(0x04) /* up to 4.0: not started; later: sleeps, or not started */
#define DEAD      UINT32_C(0x08)
#define SUSPENDED UINT32_C(0x10)
#define ABORTING  UINT32_C(0x20)

#define CORE(path)                                                                                                     \
    {                                                                                                                  \
        "_kernel", "z_kernel", path, KERNEL_CURRENT, 0, 0                                                              \
    }

static const struct txtap_kernel_symbol symbols[] = {
    {"_kernel", "z_kernel", "threads", KERNEL_LIST_HEAD, TXTAP_OBJECT_THREAD, 0},
    CORE("cpus[0].current"),
    CORE("cpus[1].current"),
    CORE("cpus[2].current"),
    CORE("cpus[3].current"),
    CORE("cpus[4].current"),
    CORE("cpus[5].current"),
    CORE("cpus[6].current"),
    CORE("cpus[7].current"),
};

#define THREAD(value, flags, member)                                                                                   \
    {                                                                                                                  \
        TXTAP_OBJECT_THREAD, value, flags, KERNEL_NOWHERE, "k_thread", member                                          \
    }

static const struct txtap_kernel_member members[] = {
    THREAD(KERNEL_NEXT, KERNEL_REQUIRED, "next_thread"),
    THREAD(BITS, KERNEL_REQUIRED, "base.thread_state"),
    THREAD(KERNEL_PRIORITY, KERNEL_SIGNED, "base.prio"),
    THREAD(KERNEL_WAITS_FOR, 0, "base.pended_on"),
    THREAD(TIMEOUT, 0, "base.timeout.node.next"),
    THREAD(KERNEL_SLICE, 0, "base.slice_ticks"),
    THREAD(KERNEL_STACK_POINTER, 0, "callee_saved.psp"),
    THREAD(KERNEL_ENTRY, KERNEL_IDENTITY, "entry.pEntry"),
    THREAD(0, KERNEL_IDENTITY | KERNEL_TEXT, "name"),
    THREAD(KERNEL_STACK_START, KERNEL_IDENTITY, "stack_info.start"),
    THREAD(KERNEL_STACK_SIZE, KERNEL_IDENTITY, "stack_info.size"),
};

_Static_assert(COUNT(symbols) <= KERNEL_SYMBOLS_MAX && COUNT(members) <= KERNEL_MEMBERS_MAX, "the layout has room");

enum state {
    STATE_READY,
    STATE_PENDING,
    STATE_SLEEP,
    STATE_SUSPENDED,
    STATE_SUSPENDED_PENDING,
    STATE_BIT_2,
    STATE_ABORTING,
    STATE_DEAD,
};

static const char *const states[] = {
    [STATE_READY] = "ready",
    [STATE_PENDING] = "pending",
    [STATE_SLEEP] = "sleep",
    [STATE_SUSPENDED] = "suspended",
    [STATE_SUSPENDED_PENDING] = "pending, suspended",
    [STATE_BIT_2] = "not started or asleep",
    [STATE_ABORTING] = "aborting",
    [STATE_DEAD] = "dead",
    NULL,
};

/* Up to 4.0 a thread that sleeps is suspended and has a wake-up time. The kernel takes the wake-up time from a thread
 * that is suspended by another thread. */
static enum state state_of(uint32_t bits, bool has_timeout)
{
    if (bits & DEAD)
        return STATE_DEAD;
    if (bits & ABORTING)
        return STATE_ABORTING;
    if (bits & PENDING)
        return bits & SUSPENDED ? STATE_SUSPENDED_PENDING : STATE_PENDING;
    if ((bits & (SUSPENDED | BIT_2)) && has_timeout)
        return STATE_SLEEP;
    if (bits & SUSPENDED)
        return STATE_SUSPENDED;
    return bits & BIT_2 ? STATE_BIT_2 : STATE_READY;
}

/* An idle thread always exists. */
static bool is_started(const struct txtap_kernel *kernel)
{
    struct txtap_kernel_list threads = txtap_kernel_list(kernel, TXTAP_OBJECT_THREAD);

    return threads.found > 0 || !threads.complete;
}

static void conclude(const struct txtap_kernel *kernel, struct txtap_kernel_object *object)
{
    uint32_t bits = object->values[BITS];
    bool has_timeout = txtap_kernel_knows(object, TIMEOUT) && object->values[TIMEOUT] != 0;

    (void)kernel;
    object->values[KERNEL_STATE] = state_of(bits, has_timeout);
    object->known |= UINT64_C(1) << KERNEL_STATE;
    if (!(bits & PENDING))
        object->known &= ~(UINT64_C(1) << KERNEL_WAITS_FOR);
}

const struct txtap_kernel_ops txtap_kernel_zephyr = {
    .name = "Zephyr",
    .mark_symbol = "z_main_thread",
    .lists_option = "CONFIG_THREAD_MONITOR=y",
    .symbols = symbols,
    .symbol_count = COUNT(symbols),
    .members = members,
    .member_count = COUNT(members),
    .fill = 0xAAAAAAAA,
    .fill_option = "with CONFIG_INIT_STACKS=y",
    .guard = 0xF0F0F0F0, /* CONFIG_STACK_SENTINEL */
    .states = states,
    .saves_in_object = true,
    .is_started = is_started,
    .conclude = conclude,
};
