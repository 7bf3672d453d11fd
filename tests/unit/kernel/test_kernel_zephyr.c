/* SPDX-License-Identifier: MIT */
/* The row of Zephyr, on an image of its memory. The places of the members are free to choose: the firmware's debug
 * information tells them. */
#include "txtap/inner/kernel.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RAM         UINT32_C(0x20000000)
#define RAM_BYTES   UINT32_C(0x4000)
#define KERNEL      RAM /* _kernel */
#define THREADS     (RAM + 0x100)
#define THREAD_SIZE UINT32_C(0x100)
#define STACKS      (RAM + 0x1000)
#define STACK_BYTES UINT32_C(0x200)
#define FILL        0xAA
#define SENTINEL    UINT32_C(0xF0F0F0F0)

enum place { NEXT, STATE, PRIORITY, WAITS_FOR, TIMEOUT, POINTER, ENTRY, NAME, STACK_START, STACK_SIZE };

static const struct {
    const char *member;
    uint32_t at, bytes;
} places[] = {
    [NEXT] = {"next_thread", 0x78, 4},
    [STATE] = {"base.thread_state", 0x0D, 1},
    [PRIORITY] = {"base.prio", 0x0E, 1},
    [WAITS_FOR] = {"base.pended_on", 8, 4},
    [TIMEOUT] = {"base.timeout.node.next", 0x18, 4},
    [POINTER] = {"callee_saved.psp", 0x50, 4},
    [ENTRY] = {"entry.pEntry", 0x68, 4},
    [NAME] = {"name", 0x7C, 16},
    [STACK_START] = {"stack_info.start", 0x90, 4},
    [STACK_SIZE] = {"stack_info.size", 0x94, 4},
};

static const struct txtap_kernel_ops *const ops = &txtap_kernel_zephyr;
static uint8_t ram[RAM_BYTES];

static void put(uint32_t address, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ram[address - RAM + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t thread_at(uint32_t number)
{
    return THREADS + number * THREAD_SIZE;
}

static void set(uint32_t number, enum place place, uint32_t value)
{
    put(thread_at(number) + places[place].at, value, places[place].bytes);
}

static void set_current(uint32_t core, uint32_t address)
{
    put(KERNEL + 4 + 4 * core, address, 4);
}

/* Makes a list of threads whose stacks are filled and used in their upper half. */
static void make_threads(uint32_t count)
{
    memset(ram, 0, sizeof ram);
    put(KERNEL, count > 0 ? thread_at(0) : 0, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t stack = STACKS + i * STACK_BYTES;

        set(i, NEXT, i + 1 < count ? thread_at(i + 1) : 0);
        set(i, ENTRY, 0x101);
        set(i, STACK_START, stack);
        set(i, STACK_SIZE, STACK_BYTES);
        set(i, POINTER, stack + STACK_BYTES - 0x40);
        ram[thread_at(i) + places[NAME].at - RAM] = (uint8_t)('a' + i);
        memset(&ram[stack - RAM], FILL, STACK_BYTES / 2);
    }
}

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    (void)self;
    return address >= RAM && address - RAM <= RAM_BYTES && bytes <= RAM_BYTES - (address - RAM);
}

static struct txtap_kernel_layout make_layout(void)
{
    struct txtap_kernel_layout layout = {.endian = TXTAP_LITTLE};
    uint32_t core = 0, found = 0;

    for (size_t i = 0; i < ops->symbol_count; i++)
        if (ops->symbols[i].role == KERNEL_LIST_HEAD)
            layout.symbols[i] = (struct txtap_kernel_place){KERNEL, 4};
        else if (ops->symbols[i].role == KERNEL_CURRENT && core < 2)
            layout.symbols[i] = (struct txtap_kernel_place){KERNEL + 4 + 4 * core++, 4};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++)
        for (size_t i = 0; i < ops->member_count; i++)
            if (strcmp(ops->members[i].member, places[k].member) == 0) {
                layout.members[i] = (struct txtap_kernel_place){places[k].at, places[k].bytes};
                found++;
            }
    cr_assert_eq(found, sizeof places / sizeof places[0]);
    return layout;
}

static void walk_again(struct txtap_kernel *kernel, uint32_t stack_bytes)
{
    const struct txtap_read *reads;
    size_t count;

    txtap_kernel_begin(kernel, TXTAP_KERNEL_ALL, stack_bytes);
    while ((count = txtap_kernel_plan(kernel, &reads)) > 0) {
        for (size_t i = 0; i < count; i++)
            memcpy(reads[i].buffer, &ram[reads[i].address - RAM], reads[i].length);
        txtap_kernel_commit(kernel, NULL);
    }
}

/* Walks over the list. The caller frees the result. */
static struct txtap_kernel *walk(void)
{
    const struct txtap_kernel_memory memory = {.permits = permits};
    const struct txtap_kernel_layout layout = make_layout();
    struct txtap_kernel *kernel = malloc(txtap_kernel_bytes());

    cr_assert_neq(kernel, NULL);
    cr_assert_eq(txtap_kernel_init(kernel, ops, &layout, memory), TXTAP_OK);
    walk_again(kernel, UINT32_MAX);
    return kernel;
}

static const struct txtap_kernel_object *thread(const struct txtap_kernel *kernel, uint32_t number)
{
    const struct txtap_kernel_object *object = txtap_kernel_find(kernel, thread_at(number));

    cr_assert_neq(object, NULL);
    return object;
}

static uint32_t value(const struct txtap_kernel_object *object, enum txtap_kernel_value which)
{
    cr_assert(txtap_kernel_knows(object, which), "value %d is not known", (int)which);
    return object->values[which];
}

Test(kernel_zephyr, returns_the_threads_in_the_order_of_the_list)
{
    struct txtap_kernel *kernel;
    struct txtap_kernel_list list;
    size_t count;

    make_threads(5);
    kernel = walk();
    list = txtap_kernel_list(kernel, TXTAP_OBJECT_THREAD);
    cr_assert(list.present && list.complete && !list.counted);
    cr_assert_eq(list.found, 5);
    for (uint32_t i = 0; i < 5; i++)
        cr_assert_eq(txtap_kernel_objects(kernel, &count)[i].address, thread_at(i));
    cr_assert_eq(count, 5);
    free(kernel);
}

Test(kernel_zephyr, returns_the_values_of_a_thread)
{
    struct txtap_kernel *kernel;
    const struct txtap_kernel_object *object;

    make_threads(2);
    set(0, PRIORITY, (uint32_t)-3);
    set(1, PRIORITY, 14);
    set(0, STATE, 0x02);
    set(0, WAITS_FOR, 0x20001234);
    set(1, WAITS_FOR, 0x20001234);
    kernel = walk();
    object = thread(kernel, 0);
    cr_assert_eq((int32_t)value(object, KERNEL_PRIORITY), -3);
    cr_assert_eq(value(thread(kernel, 1), KERNEL_PRIORITY), 14);
    cr_assert_str_eq(object->name, "a");
    cr_assert_eq(value(object, KERNEL_ENTRY), 0x101);
    cr_assert_eq(value(object, KERNEL_STACK_START), STACKS);
    cr_assert_eq(value(object, KERNEL_STACK_SIZE), STACK_BYTES);
    cr_assert_eq(value(object, KERNEL_STACK_USED), 0x40);
    cr_assert_eq(value(object, KERNEL_WAITS_FOR), 0x20001234);
    cr_assert_not(txtap_kernel_knows(thread(kernel, 1), KERNEL_WAITS_FOR), "a ready thread waits for nothing");
    cr_assert_not(txtap_kernel_knows(object, KERNEL_TIMEOUT), "the wake-up time is not in memory");
    free(kernel);
}

Test(kernel_zephyr, names_the_states)
{
    static const struct {
        uint32_t bits, timeout;
        const char *name;
    } cases[] = {
        {0x00, 0, "ready"},
        {0x80, 0, "ready"},
        {0x02, 0, "pending"},
        {0x02, 0x20000500, "pending"},
        {0x12, 0, "pending, suspended"},
        {0x10, 0, "suspended"},
        {0x10, 0x20000500, "sleep"},
        {0x04, 0, "not started or asleep"},
        {0x04, 0x20000500, "sleep"},
        {0x20, 0, "aborting"},
        {0x0A, 0, "dead"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct txtap_kernel *kernel;
        uint32_t state;

        make_threads(1);
        set(0, STATE, cases[i].bits);
        set(0, TIMEOUT, cases[i].timeout);
        kernel = walk();
        state = value(thread(kernel, 0), KERNEL_STATE);
        cr_assert_str_eq(txtap_kernel_state_name(ops, state), cases[i].name, "state 0x%02x", (unsigned)cases[i].bits);
        free(kernel);
    }
}

Test(kernel_zephyr, knows_the_running_thread_of_each_core)
{
    struct txtap_kernel *kernel;

    make_threads(3);
    set_current(0, thread_at(2));
    set_current(1, thread_at(0));
    kernel = walk();
    cr_assert(thread(kernel, 0)->running && !thread(kernel, 1)->running && thread(kernel, 2)->running);
    cr_assert_not(txtap_kernel_knows(thread(kernel, 0), KERNEL_STACK_USED));
    cr_assert(txtap_kernel_knows(thread(kernel, 1), KERNEL_STACK_USED));
    free(kernel);
}

Test(kernel_zephyr, finds_the_deepest_use_of_a_stack)
{
    struct txtap_kernel *kernel;

    make_threads(1);
    kernel = walk();
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_PEAK), STACK_BYTES / 2);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_FREE), STACK_BYTES / 2);
    free(kernel);
}

Test(kernel_zephyr, forgets_the_deepest_use_if_the_thread_is_created_again)
{
    struct txtap_kernel *kernel;

    make_threads(1);
    kernel = walk();
    memset(&ram[STACKS - RAM], FILL, STACK_BYTES - 0x20);
    walk_again(kernel, 64);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_PEAK), 0x40);
    cr_assert(thread(kernel, 0)->peak_at_least, "the stack is not completely read again");
    walk_again(kernel, UINT32_MAX);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_FREE), STACK_BYTES - 0x40, "the saved stack pointer is lower");
    set(0, POINTER, STACKS + STACK_BYTES - 0x10);
    walk_again(kernel, UINT32_MAX);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_FREE), STACK_BYTES - 0x20);
    cr_assert_not(thread(kernel, 0)->peak_at_least);
    free(kernel);
}

Test(kernel_zephyr, does_not_count_the_sentinel_as_use)
{
    struct txtap_kernel *kernel;

    make_threads(2);
    put(STACKS, SENTINEL, 4);
    put(STACKS + STACK_BYTES, SENTINEL - 1, 4); /* overwritten by an overflow */
    kernel = walk();
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_PEAK), STACK_BYTES / 2);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_FREE), STACK_BYTES / 2 - 4);
    cr_assert_eq(value(thread(kernel, 1), KERNEL_STACK_PEAK), STACK_BYTES);
    cr_assert_eq(value(thread(kernel, 1), KERNEL_STACK_FREE), 0);
    free(kernel);
}

Test(kernel_zephyr, keeps_the_deepest_use_above_a_sentinel_if_a_walk_reads_no_stack)
{
    struct txtap_kernel *kernel;

    make_threads(1);
    put(STACKS, SENTINEL, 4);
    kernel = walk();
    walk_again(kernel, 0);
    cr_assert_eq(value(thread(kernel, 0), KERNEL_STACK_PEAK), STACK_BYTES / 2);
    cr_assert_not(thread(kernel, 0)->peak_at_least);
    free(kernel);
}

Test(kernel_zephyr, does_not_take_a_sentinel_for_a_filled_stack)
{
    struct txtap_kernel *kernel;

    make_threads(1);
    memset(&ram[STACKS - RAM], 0, STACK_BYTES / 2);
    put(STACKS, SENTINEL, 4);
    kernel = walk();
    cr_assert_not(txtap_kernel_fills_stacks(kernel));
    cr_assert_not(txtap_kernel_knows(thread(kernel, 0), KERNEL_STACK_PEAK));
    free(kernel);
}

Test(kernel_zephyr, an_empty_list_means_that_the_kernel_has_not_started)
{
    struct txtap_kernel *kernel;

    make_threads(0);
    kernel = walk();
    cr_assert(txtap_kernel_list(kernel, TXTAP_OBJECT_THREAD).complete && !ops->is_started(kernel));
    free(kernel);
    make_threads(1);
    kernel = walk();
    cr_assert(ops->is_started(kernel));
    free(kernel);
}
