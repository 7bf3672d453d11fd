/* SPDX-License-Identifier: MIT */
/* Walks over lists that rest, or that change at a chosen moment: each rule of the walk, and its cost. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernel/kernel_model.h"

#define THREAD TXTAP_OBJECT_THREAD
#define QUEUE  TXTAP_OBJECT_QUEUE

static struct model *model; /* of the present test */

static void open_model(void)
{
    model = model_open(0);
}

static void close_model(void)
{
    model_close(model);
}

/* Creates threads with the names 0 to count - 1. */
static void create_threads(uint32_t *addresses, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        addresses[i] = model_create(model, THREAD, i, i);
}

static void walk(void)
{
    model_walk(model, TXTAP_KERNEL_ALL, 0);
}

static bool is_complete(uint8_t type)
{
    return txtap_kernel_list(model->kernel, type).complete;
}

static uint32_t member(uint32_t thread, unsigned value)
{
    return model_member(model, THREAD, thread, value);
}

#define expect_names(type, names) cr_assert_str_eq(model_names(model, type), names)
#define expect_complete(type)     cr_assert(is_complete(type), "the list is incomplete")
#define expect_incomplete(type)   cr_assert_not(is_complete(type), "the list is complete")
#define expect_number(is, number) cr_assert_eq((is), (number), #is " is %u", (unsigned)(is))
TestSuite(kernel_walk, .init = open_model, .fini = close_model);

/* ---- lists that rest ---- */

Test(kernel_walk, empty_lists_are_complete)
{
    walk();
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        expect_complete(type);
        cr_assert(txtap_kernel_list(model->kernel, type).present);
        expect_number(txtap_kernel_list(model->kernel, type).found, 0);
    }
    expect_number(model->exchanges, 1);
}

Test(kernel_walk, each_class_is_read_in_the_order_of_its_list)
{
    static const char *const names[] = {"",
                                        "name_1 name_9",
                                        "name_2 name_10",
                                        "name_3 name_11",
                                        "name_4 name_12",
                                        "name_5 name_13",
                                        "name_6 name_14",
                                        "name_7 name_15",
                                        "name_8 name_16"};

    for (unsigned turn = 0; turn < 2; turn++)
        for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
            model_create(model, type, 40 - 8 * turn - type, 8 * turn + type);
    walk();
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        expect_complete(type);
        expect_names(type, names[type]);
    }
    cr_assert_null(model_violation(model));
}

Test(kernel_walk, members_have_their_values)
{
    uint32_t thread = model_create(model, THREAD, 3, 5);
    const struct txtap_kernel_object *object;

    model_poke(model, member(thread, KERNEL_PRIORITY), 7);
    model_poke(model, member(thread, KERNEL_RUNS), 0xFFFFFFFF);
    model_poke(model, model_variable(model, "_tx_thread_current_ptr"), thread);
    walk();
    object = txtap_kernel_find(model->kernel, thread);
    cr_assert_not_null(object);
    expect_number(object->values[KERNEL_PRIORITY], 7);
    expect_number(object->values[KERNEL_RUNS], 0xFFFFFFFF);
    cr_assert(object->running && txtap_kernel_knows(object, KERNEL_RUNS));
    cr_assert_not(txtap_kernel_knows(object, KERNEL_WAITS_FOR), "the thread waits for no object");
}

Test(kernel_walk, big_endian_targets_are_read)
{
    model->layout.endian = TXTAP_BIG;
    model->kernel->layout.endian = TXTAP_BIG;
    model_create(model, QUEUE, 0, 3);
    walk();
    expect_names(QUEUE, "name_3");
}

Test(kernel_walk, objects_of_other_classes_stay)
{
    uint32_t queue = model_create(model, QUEUE, 1, 1);

    model_create(model, THREAD, 0, 0);
    model_create(model, QUEUE, 2, 2);
    walk();
    model_delete(model, queue);
    model_create(model, THREAD, 3, 3);
    model_walk(model, TXTAP_KERNEL_THREADS, 0);
    expect_names(THREAD, "name_0 name_3");
    expect_names(QUEUE, "name_1 name_2");
    walk();
    expect_names(QUEUE, "name_2");
}

/* ---- lists that are broken ---- */

Test(kernel_walk, an_object_without_its_identifier_is_not_shown)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    model_poke(model, member(threads[1], KERNEL_ID), 0x51554555);
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "name_0");
    model_poke(model, member(threads[1], KERNEL_ID), 0x54485244);
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "name_0 name_1 name_2");
}

Test(kernel_walk, links_must_agree_in_both_directions)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t link = member(threads[i], KERNEL_PREVIOUS), word = model_word(model, link);

        model_poke(model, link, threads[i]);
        walk();
        expect_incomplete(THREAD);
        expect_names(THREAD, "name_0 name_1 name_2");
        model_poke(model, link, word);
        walk();
        expect_complete(THREAD);
    }
}

Test(kernel_walk, a_list_must_lead_back_to_its_head)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    model_poke(model, member(threads[2], KERNEL_NEXT), threads[1]);
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "name_0 name_1 name_2");
}

Test(kernel_walk, the_count_must_be_the_length)
{
    static const uint32_t counts[] = {0, 1, 2, 4, 6, KERNEL_NODES_MAX, KERNEL_NODES_MAX + 1, 0x7FFFFFFF, UINT32_MAX};
    uint32_t threads[3];

    create_threads(threads, 3);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        model_poke(model, model_count(model, THREAD), counts[i]);
        walk();
        cr_assert(!is_complete(THREAD) || counts[i] == 0, "count %u", counts[i]);
        expect_number(txtap_kernel_list(model->kernel, THREAD).created, counts[i]);
    }
}

Test(kernel_walk, links_outside_permitted_memory_are_not_followed)
{
    static const uint32_t links[] = {
        0, 4, 0x1FFFFFFC, 0x40000000, MODEL_RAM + MODEL_RAM_BYTES - 4, 0xFFFFFFFC, MODEL_RAM + 0x1002};
    uint32_t threads[3];

    create_threads(threads, 3);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        struct model *other = model_open(0); /* knows no object yet */

        memcpy(other->ram, model->ram, sizeof other->ram);
        model_poke(other, member(threads[0], KERNEL_NEXT), links[i]);
        model_walk(other, TXTAP_KERNEL_ALL, 0);
        cr_assert_not(txtap_kernel_list(other->kernel, THREAD).complete, "0x%08x", links[i]);
        cr_assert_str_eq(model_names(other, THREAD), "name_0");
        model_close(other);
    }
}

Test(kernel_walk, memory_without_permission_is_never_read)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    model->forbidden = threads[1] + 100;
    model->forbidden_end = threads[1] + 104;
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "name_0");
}

Test(kernel_walk, a_name_at_an_address_without_permission_is_empty)
{
    uint32_t thread = model_create(model, THREAD, 0, 0);

    model_poke(model, member(thread, KERNEL_NAME), 0x40000000);
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "");
}

Test(kernel_walk, a_name_at_the_end_of_memory_is_read)
{
    uint32_t thread = model_create(model, THREAD, 0, 0), name = MODEL_RAM + MODEL_RAM_BYTES - 8;

    memcpy(model->ram + MODEL_RAM_BYTES - 8, "end", 4);
    model_poke(model, member(thread, KERNEL_NAME), name);
    walk();
    expect_names(THREAD, "end");
}

Test(kernel_walk, a_long_name_is_cut)
{
    uint32_t thread = model_create(model, THREAD, 0, 0);
    char longest[TXTAP_OBJECT_NAME_BYTES];

    memset(model->ram + MODEL_RAM_BYTES - 256, 'x', 200);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    model_poke(model, member(thread, KERNEL_NAME), MODEL_RAM + MODEL_RAM_BYTES - 256);
    walk();
    expect_names(THREAD, longest);
}

Test(kernel_walk, objects_in_refused_memory_are_left_out)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    walk();
    model->refused = threads[1];
    model->refused_end = threads[1] + 4;
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "name_0 name_2");
    model->refused_end = 0;
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "name_0 name_1 name_2");
}

Test(kernel_walk, refused_variables_leave_the_list_unknown)
{
    model_create(model, THREAD, 0, 0);
    model->refused = MODEL_RAM;
    model->refused_end = MODEL_RAM + 0x100;
    walk();
    cr_assert_not(txtap_kernel_list(model->kernel, THREAD).present);
    expect_incomplete(THREAD);
    expect_names(THREAD, "");
}

Test(kernel_walk, an_object_at_an_odd_address_is_not_followed)
{
    uint32_t threads[2], odd = MODEL_RAM + 0x1F002;

    create_threads(threads, 2);
    memcpy(model->ram + 0x1F002, model->ram + (threads[1] - MODEL_RAM), 176);
    model_poke(model, member(threads[0], KERNEL_NEXT), odd);
    model_poke(model, member(threads[0], KERNEL_PREVIOUS), odd);
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "name_0");
}

Test(kernel_walk, an_object_with_a_refused_link_is_left_out)
{
    uint32_t thread;

    for (size_t i = 0; i < model->ops->member_count; i++)
        if (model->ops->members[i].type == THREAD && model->ops->members[i].value == KERNEL_NEXT)
            model->layout.members[i].at = 240; /* far from the other members: in a read of its own */
    cr_assert_eq(txtap_kernel_init(model->kernel, model->ops, &model->layout, model->kernel->reads.memory), TXTAP_OK);
    thread = model_create(model, THREAD, 0, 0);
    model->refused = thread + 240;
    model->refused_end = thread + 244;
    walk();
    expect_incomplete(THREAD);
    expect_names(THREAD, "");
    model->refused_end = 0;
    walk();
    expect_names(THREAD, "name_0");
}

/* Writes a list of `count` objects, without names, from an address on. */
static void write_list(uint8_t type, uint32_t first, uint32_t count)
{
    const uint32_t bytes = 64;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = first + i * bytes;

        model_poke(model, model_member(model, type, at, KERNEL_ID), model->ops->ids[type]);
        model_poke(model, model_member(model, type, at, KERNEL_NEXT), first + (i + 1) % count * bytes);
        model_poke(model, model_member(model, type, at, KERNEL_PREVIOUS), first + (i + count - 1) % count * bytes);
    }
    model_poke(model, model_head(model, type), first);
    model_poke(model, model_count(model, type), count);
}

Test(kernel_walk, lists_longer_than_the_room_for_objects_are_incomplete)
{
    const uint32_t half = KERNEL_NODES_MAX / 2;
    size_t count;

    write_list(TXTAP_OBJECT_TIMER, MODEL_RAM + 0x8000, half);
    write_list(TXTAP_OBJECT_SEMAPHORE, MODEL_RAM + 0x10000, half + 1);
    walk();
    expect_complete(TXTAP_OBJECT_TIMER);
    expect_incomplete(TXTAP_OBJECT_SEMAPHORE);
    expect_number(txtap_kernel_list(model->kernel, TXTAP_OBJECT_SEMAPHORE).found, half);
    (void)txtap_kernel_objects(model->kernel, &count);
    cr_assert_eq(count, KERNEL_NODES_MAX);
}

Test(kernel_walk, deleted_objects_are_forgotten)
{
    for (unsigned is_broken = 0; is_broken < 2; is_broken++) {
        for (uint32_t i = 0; i < KERNEL_NODES_MAX + 10; i++) {
            write_list(TXTAP_OBJECT_TIMER, MODEL_RAM + 0x8000 + i * 64, 1);
            model_poke(model, model_count(model, TXTAP_OBJECT_TIMER), 1 + is_broken);
            walk();
            cr_assert(is_complete(TXTAP_OBJECT_TIMER) == !is_broken, "object %u", i);
            model_poke(model, MODEL_RAM + 0x8000 + i * 64, 0); /* the object's identifier */
        }
        write_list(TXTAP_OBJECT_TIMER, MODEL_RAM + 0x4000 + is_broken * 64, 1);
        walk();
        expect_complete(TXTAP_OBJECT_TIMER);
    }
}

/* ---- lists that change at a chosen moment ---- */

static uint32_t chosen; /* address at which the list changes */

/* Puts another thread into the memory of the first thread, between its first and its second read. */
static void replace_before_second_read(struct model *changed, uint32_t address)
{
    if (address != chosen || ++changed->times != 2)
        return;
    model_delete(changed, chosen);
    model_create(changed, THREAD, 0, 9);
}

Test(kernel_walk, an_object_counts_only_after_a_second_read)
{
    chosen = model_create(model, THREAD, 0, 0);
    model->before_word = replace_before_second_read;
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "name_9");
    cr_assert_null(model_violation(model));
}

/* Replaces the thread when half of it is read: the identifier and the name are read before, the entry after. */
static void replace_in_the_middle(struct model *changed, uint32_t address)
{
    if (address != chosen + 48 || ++changed->times != 1)
        return;
    model_delete(changed, chosen);
    model_create(changed, THREAD, 0, 9);
    model_poke(changed, chosen + 68, 0x1234);
}

Test(kernel_walk, a_mixture_of_two_objects_is_not_shown)
{
    for (unsigned turn = 0; turn < 2; turn++) { /* for an object that is new, and for an object that is known */
        chosen = model_create(model, THREAD, 0, 0);
        model->before_word = NULL;
        if (turn == 1)
            walk();
        model->times = 0;
        model->before_word = replace_in_the_middle;
        walk();
        expect_complete(THREAD);
        expect_names(THREAD, "name_9");
        model_delete(model, chosen);
    }
}

/* Creates another thread in the same memory when the last member of a thread is read. */
static void replace_before_last_member(struct model *changed, uint32_t address)
{
    uint32_t last = model_member(changed, THREAD, chosen, KERNEL_OWN_PRIORITY);

    if (address != last || ++changed->times != 1)
        return;
    model_delete(changed, chosen);
    model_create(changed, THREAD, 0, 9);
    model_poke(changed, last, 9);
}

Test(kernel_walk, a_value_of_another_object_does_not_count)
{
    const struct txtap_kernel_object *object;

    chosen = model_create(model, THREAD, 0, 0);
    walk();
    model->before_word = replace_before_last_member;
    walk();
    expect_names(THREAD, "name_9");
    object = txtap_kernel_find(model->kernel, chosen);
    expect_number(object->values[KERNEL_OWN_PRIORITY], 9);
}

/* The text of a name in memory changes with the thread, and its address does not. */
static void rename_before_last_member(struct model *changed, uint32_t address)
{
    uint32_t last = model_member(changed, THREAD, chosen, KERNEL_OWN_PRIORITY);

    if (address != last || ++changed->times != 1)
        return;
    model_delete(changed, chosen);
    model_create(changed, THREAD, 0, 0);
    model_poke(changed, last, 9);
    model_poke(changed, model_word(changed, model_member(changed, THREAD, chosen, KERNEL_NAME)), 0x776F6C73); /* slow */
}

Test(kernel_walk, a_value_of_an_object_with_another_text_does_not_count)
{
    const struct txtap_kernel_object *object;

    chosen = model_create(model, THREAD, 0, 0);
    walk();
    model->before_word = rename_before_last_member;
    walk();
    object = txtap_kernel_find(model->kernel, chosen);
    cr_assert_not_null(object);
    expect_number(object->values[KERNEL_OWN_PRIORITY], 9);
    cr_assert_str_eq(object->name, "slow_0");
}

/* Deletes the first thread after the head was read the first time, and creates another thread: the count is equal. */
static void rotate(struct model *changed, uint32_t address)
{
    if (address <= MODEL_RAM + 0x1000 || ++changed->times != 1)
        return;
    model_delete(changed, chosen);
    model_create(changed, THREAD, 9, 9);
}

Test(kernel_walk, the_head_must_not_change)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    walk();
    chosen = threads[0];
    model->before_word = rotate;
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "name_1 name_2 name_9");
    cr_assert_gt(model->exchanges, 2, "the list must be read again, because its head changed");
}

/* Deletes a thread in the middle of the list after the heads were read the first time. */
static void shorten(struct model *changed, uint32_t address)
{
    if (address > MODEL_RAM + 0x1000 && ++changed->times == 1)
        model_delete(changed, chosen);
}

Test(kernel_walk, the_count_must_not_change)
{
    uint32_t threads[3];

    create_threads(threads, 3);
    walk();
    chosen = threads[1];
    model->before_word = shorten;
    walk();
    expect_complete(THREAD);
    expect_names(THREAD, "name_0 name_2");
    expect_number(model->exchanges, 2); /* an exchange for each attempt */
}

/* Refuses the first read of the variables only. */
static void permit_again(struct model *changed, uint32_t address)
{
    (void)address;
    changed->refused_end = 0;
}

Test(kernel_walk, the_head_must_be_read_twice)
{
    model->refused = model_head(model, QUEUE);
    model->refused_end = model->refused + 4;
    model->before_word = permit_again;
    model_walk(model, 1u << QUEUE, 0);
    expect_complete(QUEUE); /* the list is empty */
    expect_number(model->exchanges, 2);
}

/*
 * The list is 5 0 1 2 7 6 8, by slots. When 0, 1 and 2 are read, deletes 1 and 6, and creates 6 again with the same
 * name. When all objects were read, creates 21, so that the count is the first count. A single read of the objects
 * finds a closed list of seven objects, but 1 and the new 6 were never on the list together.
 */
static unsigned mix_turn, head_turn, objects_read, heads_read;

static void mix_lists(struct model *changed, uint32_t address)
{
    if (address == chosen + 5 * 256 && ++objects_read == mix_turn) {
        model_delete(changed, chosen + 1 * 256);
        model_delete(changed, chosen + 6 * 256);
        model_create(changed, THREAD, 6, 6);
    } else if (address == model_head(changed, THREAD) && ++heads_read == head_turn) {
        model_create(changed, THREAD, 21, 21);
    }
}

static void create_list_to_mix(void)
{
    static const unsigned slots[] = {5, 0, 1, 2, 7, 6, 8};

    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        chosen = model_create(model, THREAD, slots[i], slots[i]) - slots[i] * 256;
}

/* The list changes when the known objects are read. */
Test(kernel_walk, a_closed_chain_from_two_lists_is_not_a_list)
{
    create_list_to_mix();
    walk();
    mix_turn = 1;
    head_turn = 3;
    model->before_word = mix_lists;
    walk();
    cr_assert_null(model_violation(model), "%s", model_violation(model));
    expect_complete(THREAD);
    expect_names(THREAD, "name_5 name_0 name_2 name_7 name_8 name_6 name_21");
}

/* The list changes when all objects are read the second time. */
Test(kernel_walk, a_closed_chain_of_proven_objects_is_not_a_list)
{
    create_list_to_mix();
    mix_turn = 2;
    head_turn = 4;
    model->before_word = mix_lists;
    walk();
    cr_assert_null(model_violation(model), "%s", model_violation(model));
    expect_complete(THREAD);
    expect_names(THREAD, "name_5 name_0 name_2 name_7 name_8 name_6 name_21");
}

/* Creates a queue while the threads are read again and again: only the list of threads never becomes complete. */
static void change_other_list(struct model *changed, uint32_t address)
{
    if (address != model_head(changed, THREAD))
        return;
    changed->times++;
    if (changed->times % 2 == 0)
        model_poke(changed, model_count(changed, THREAD), 100 + changed->times);
    if (changed->times == 4) {
        model_delete(changed, chosen);
        model_create(changed, QUEUE, 20, 20);
    }
}

Test(kernel_walk, a_list_that_is_complete_does_not_change_in_later_attempts)
{
    uint32_t threads[2];

    create_threads(threads, 2);
    chosen = model_create(model, QUEUE, 10, 10);
    model_create(model, QUEUE, 11, 11);
    walk();
    model->before_word = change_other_list;
    walk();
    expect_incomplete(THREAD);
    expect_complete(QUEUE);
    expect_names(QUEUE, "name_10 name_11");
}

/* ---- cost ---- */

static void create_ten_threads_and_twenty_others(void)
{
    uint32_t threads[10];

    create_threads(threads, 10);
    for (unsigned i = 0; i < 20; i++)
        model_create(model, (uint8_t)(2 + i % 7), 10 + i, 10 + i);
}

Test(kernel_walk, a_list_without_change_is_read_in_one_exchange)
{
    create_ten_threads_and_twenty_others();
    walk();
    walk();
    expect_number(model->exchanges, 1);
    cr_assert_null(model_violation(model));
}

Test(kernel_walk, cost_of_ten_threads_and_twenty_objects)
{
    create_ten_threads_and_twenty_others();
    walk();
    expect_number(model->exchanges, 12);
    expect_number(model->bytes, 8504);
    expect_number(model->reads, 96);
    walk();
    expect_number(model->exchanges, 1);
    expect_number(model->bytes, 4800);
    expect_number(model->reads, 63);
}
