/* SPDX-License-Identifier: MIT */
/* The places of a kernel's variables and members in ELF files with and without debug information. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernel/kernel_layout.h"
#include "locate/arm_elf.h"

#define SOURCE "kernel/arm_kernel.c"

static struct kernel_layout layout;

static struct elf_file *find(const char *flags)
{
    struct elf_file *elf = arm_elf(flags, SOURCE);
    struct error error = {0};

    cr_assert_eq(kernel_layout_find(&layout, elf, &error), TXTAP_OK);
    cr_assert_str_eq(layout.ops->name, "ThreadX");
    return elf;
}

static struct txtap_kernel_place member(uint8_t type, const char *name)
{
    for (size_t i = 0; i < layout.ops->member_count; i++)
        if (layout.ops->members[i].type == type && strcmp(layout.ops->members[i].member, name) == 0)
            return layout.places.members[i];
    cr_assert_fail("no row for %s", name);
    return (struct txtap_kernel_place){0, 0};
}

static struct txtap_kernel_place variable(const char *name)
{
    for (size_t i = 0; i < layout.ops->symbol_count; i++)
        if (strcmp(layout.ops->symbols[i].name, name) == 0)
            return layout.places.symbols[i];
    cr_assert_fail("no row for %s", name);
    return (struct txtap_kernel_place){0, 0};
}

#define expect_place(place, offset, size)                                                                              \
    do {                                                                                                               \
        struct txtap_kernel_place found = place;                                                                       \
        cr_assert(found.at == (offset) && found.bytes == (size), #place ": %u bytes at %u", found.bytes, found.at);    \
    } while (0)

Test(kernel_layout, members_are_where_the_debug_information_says)
{
    struct elf_file *elf = find("-g -DCORES=1");

    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_id"), 20, 4);
    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_created_next"), 28, 4);
    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_timer.tx_timer_internal_list_head"), 40, 4);
    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_state"), 44, 1);
    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_stack_ptr"), 0, 0); /* the struct has no such member */
    expect_place(member(TXTAP_OBJECT_QUEUE, "tx_queue_created_next"), 8, 4);
    cr_assert(layout.has_debug && layout.assumed == 0);
    elf_close(elf);
}

Test(kernel_layout, without_debug_information_the_usual_places_of_existing_lists_are_assumed)
{
    struct elf_file *elf = find("-g0 -DCORES=1");

    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_id"), 0, 4);
    expect_place(member(TXTAP_OBJECT_THREAD, "tx_thread_created_next"), 136, 4);
    expect_place(member(TXTAP_OBJECT_QUEUE, "tx_queue_created_next"), 48, 4);
    cr_assert_eq(layout.assumed, 1u << TXTAP_OBJECT_THREAD | 1u << TXTAP_OBJECT_QUEUE);
    elf_close(elf);
}

Test(kernel_layout, variables_are_where_the_symbols_say)
{
    struct elf_file *elf = find("-g -DCORES=3");
    struct elf_symbol symbol;

    cr_assert_eq(elf_symbol_find(elf, "_tx_queue_created_count", &symbol), TXTAP_OK);
    expect_place(variable("_tx_queue_created_count"), symbol.address, 4);
    cr_assert_eq(elf_symbol_find(elf, "_tx_thread_current_ptr", &symbol), TXTAP_OK);
    expect_place(variable("_tx_thread_current_ptr"), symbol.address, 12); /* a word for each core */
    expect_place(variable("_tx_timer_created_ptr"), 0, 0);                /* the firmware has no timers */
    elf_close(elf);
    elf = find("-g -DCORES=20");
    expect_place(variable("_tx_thread_current_ptr"), variable("_tx_thread_current_ptr").at, 4 * KERNEL_CORES_MAX);
    elf_close(elf);
}

static void fails(const char *flags, const char *text)
{
    struct elf_file *elf = arm_elf(flags, SOURCE);
    struct error error = {0};
    char line[ERROR_TEXT_BYTES];

    cr_assert_eq(kernel_layout_find(&layout, elf, &error), ERROR_SYMBOL);
    cr_assert_not_null(strstr(error_text(&error, line), text), "%s", line);
    elf_close(elf);
}

Test(kernel_layout, files_without_a_kernel_are_refused)
{
    fails("-g -DCORES=1 -s", "stripped, so the kernel's lists cannot be found");
    fails("-g -DCORES=1 -DOTHER_KERNEL", "contains no ThreadX (no symbol _tx_thread_created_ptr)");
}
