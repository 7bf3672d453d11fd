/* SPDX-License-Identifier: MIT */
#include "txtap/inner/registry.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "txtb_bytes.h"
#include "sanitized.h"

#define IN_USE    0
#define AVAILABLE 1
#define CAPACITY  8
#define SLOTS     16

static struct txtap_object memory[CAPACITY];
static struct txtap_registry registry;
static struct txtap_header header;
static uint8_t slots[SLOTS][48];

static void set_up(void)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    put_header(bytes, TXTAP_BIG, 0x20000000, 32, SLOTS, 4);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    txtap_registry_init(&registry, memory, CAPACITY);
    memset(slots, 0, sizeof(slots));
    for (size_t i = 0; i < SLOTS; i++)
        slots[i][TXTB_OBJECT_AVAILABLE] = AVAILABLE;
}

TestSuite(registry, .init = set_up);

static void slot(size_t i, uint8_t available, uint8_t type, uint32_t pointer, const char *name)
{
    put_object(slots[i], TXTAP_BIG, available, type, pointer, name);
}

static void update(void)
{
    txtap_registry_update(&registry, &header, slots[0], sizeof(slots));
    for (size_t i = 1; i < registry.count; i++) {
        const struct txtap_object *a = &registry.objects[i - 1], *b = &registry.objects[i];

        cr_assert(a->pointer < b->pointer || (a->pointer == b->pointer && a->live && !b->live));
        cr_assert(i < 2 || registry.objects[i - 2].pointer != b->pointer);
    }
    cr_assert_leq(registry.count, registry.capacity);
}

static void assert_object(uint32_t pointer, const char *name, bool live)
{
    const struct txtap_object *object = txtap_registry_find(&registry, pointer);

    cr_assert_not_null(object, "%s", name);
    cr_assert_str_eq(object->name, name);
    cr_assert_eq(object->live, live, "%s", name);
}

Test(registry, parses_an_entry)
{
    const struct txtap_object *object;

    slot(3, IN_USE, TXTAP_OBJECT_THREAD, 0x20000198, "producer");
    slots[3][TXTB_OBJECT_RESERVED1] = 0x80;
    slots[3][TXTB_OBJECT_RESERVED2] = 10;
    put_u32(slots[3] + TXTB_OBJECT_PARAMETER1, TXTAP_BIG, 0x20000550);
    put_u32(slots[3] + TXTB_OBJECT_PARAMETER2, TXTAP_BIG, 1024);
    update();
    cr_assert_eq(registry.count, 1);
    object = txtap_registry_find(&registry, 0x20000198);
    cr_assert_not_null(object);
    cr_assert_eq(object->type, TXTAP_OBJECT_THREAD);
    cr_assert_str_eq(object->name, "producer");
    cr_assert(object->live);
    cr_assert_eq(object->reserved[0], 0x80);
    cr_assert_eq(object->reserved[1], 10);
    cr_assert_eq(object->parameter[0], 0x20000550);
    cr_assert_eq(object->parameter[1], 1024);
    cr_assert_null(txtap_registry_find(&registry, 0x20000199));
    cr_assert_null(txtap_registry_find(&registry, 0));
}

Test(registry, ignores_slots_without_a_type_or_a_pointer_and_half_an_entry_at_the_end)
{
    slot(0, IN_USE, TXTAP_OBJECT_NONE, 0x100, "type 0");
    slot(1, IN_USE, TXTAP_OBJECT_QUEUE, 0, "pointer 0");
    slot(2, IN_USE, TXTAP_OBJECT_QUEUE, 0x200, "queue");
    txtap_registry_update(&registry, &header, slots[0], 3 * 48 - 1);
    cr_assert_eq(registry.count, 0);
    txtap_registry_update(&registry, &header, slots[0], 3 * 48);
    cr_assert_eq(registry.count, 1);
    assert_object(0x200, "queue", true);
}

Test(registry, ends_a_name_that_is_not_terminated)
{
    slot(0, IN_USE, 0xFF, 0x100, "0123456789abcdef0123456789ABCDEF");
    slot(1, IN_USE, TXTAP_OBJECT_TIMER, 0x200, "next");
    update();
    assert_object(0x100, "0123456789abcdef0123456789ABCDEF", true);
    cr_assert_eq(txtap_registry_find(&registry, 0x100)->type, 0xFF);
}

Test(registry, keeps_63_bytes_of_longer_names)
{
    static uint8_t entry[TXTB_OBJECT_FIXED_BYTES + 4096];

    memset(entry, 'x', sizeof(entry));
    entry[TXTB_OBJECT_AVAILABLE] = IN_USE;
    header.name_bytes = 4096;
    txtap_registry_update(&registry, &header, entry, sizeof(entry));
    cr_assert_eq(registry.count, 1);
    cr_assert_eq(strlen(registry.objects[0].name), TXTAP_OBJECT_NAME_BYTES - 1);
}

Test(registry, does_not_show_old_bytes_after_the_end_of_a_name)
{
    slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, "was a longer name");
    slots[0][TXTB_OBJECT_NAME + 3] = 0;
    update();
    assert_object(0x100, "was", true);
}

Test(registry, shows_a_deleted_object_by_its_name)
{
    slot(0, IN_USE, TXTAP_OBJECT_SEMAPHORE, 0x100, "temporary");
    update();
    slots[0][TXTB_OBJECT_AVAILABLE] = AVAILABLE;
    update();
    cr_assert_eq(registry.count, 1);
    assert_object(0x100, "temporary", false);
}

Test(registry, remembers_an_object_whose_slot_was_reused)
{
    slot(0, IN_USE, TXTAP_OBJECT_SEMAPHORE, 0x100, "gone");
    update();
    slot(0, IN_USE, TXTAP_OBJECT_MUTEX, 0x200, "new");
    update();
    cr_assert_eq(registry.count, 2);
    assert_object(0x100, "gone", false);
    assert_object(0x200, "new", true);
}

static const char *name_of(uint32_t pointer, uint8_t type)
{
    const struct txtap_object *object = txtap_registry_find_at(&registry, pointer, type, 0);

    return object != NULL ? object->name : "?";
}

Test(registry, prefers_the_live_object_of_two_with_the_same_address)
{
    for (size_t stale = 0; stale < 2; stale++) {
        set_up();
        slot(stale, AVAILABLE, TXTAP_OBJECT_SEMAPHORE, 0x100, "stale");
        slot(1 - stale, IN_USE, TXTAP_OBJECT_SEMAPHORE, 0x100, "live");
        for (int i = 0; i < 2; i++) {
            update();
            cr_assert_eq(registry.count, 1);
            assert_object(0x100, "live", true);
            cr_assert_str_eq(name_of(0x100, TXTAP_OBJECT_SEMAPHORE), "live");
        }
    }
}

Test(registry, keeps_an_object_alive_that_has_a_stale_slot_too)
{
    slot(0, IN_USE, TXTAP_OBJECT_SEMAPHORE, 0x100, "again");
    slot(1, AVAILABLE, TXTAP_OBJECT_SEMAPHORE, 0x100, "again");
    for (int i = 0; i < 3; i++) {
        update();
        cr_assert_eq(registry.count, 1);
        assert_object(0x100, "again", true);
    }
}

Test(registry, shows_the_latest_of_several_deleted_objects_with_the_same_address)
{
    static const char *const names[] = {"zulu", "alpha", "mike"};

    for (size_t i = 0; i < 3; i++) {
        slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, names[i]);
        update();
        assert_object(0x100, names[i], true);
    }
    slot(0, AVAILABLE, TXTAP_OBJECT_NONE, 0, "");
    update();
    cr_assert_eq(registry.count, 1);
    assert_object(0x100, "mike", false);
}

Test(registry, shows_neither_of_two_live_objects_with_the_same_address)
{
    slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, "one");
    slot(1, IN_USE, TXTAP_OBJECT_TIMER, 0x100, "two");
    slot(2, IN_USE, TXTAP_OBJECT_MUTEX, 0x100, "three");
    for (int i = 0; i < 3; i++) {
        update();
        cr_assert_eq(registry.count, 1);
        cr_assert_str_eq(name_of(0x100, TXTAP_OBJECT_NONE), "?");
        cr_assert_str_eq(name_of(0x100, TXTAP_OBJECT_MUTEX), "?");
    }
}

Test(registry, revives_an_object_that_was_created_again)
{
    slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, "phoenix");
    update();
    slots[0][TXTB_OBJECT_AVAILABLE] = AVAILABLE;
    update();
    slots[0][TXTB_OBJECT_AVAILABLE] = IN_USE;
    update();
    cr_assert_eq(registry.count, 1);
    assert_object(0x100, "phoenix", true);
}

Test(registry, drops_deleted_objects_first_when_memory_is_full_and_counts_them)
{
    for (uint32_t i = 0; i < CAPACITY; i++)
        slot(i, IN_USE, TXTAP_OBJECT_QUEUE, 0x100 + i, "old");
    update();
    cr_assert_eq(registry.dropped, 0);
    for (uint32_t i = 0; i < CAPACITY; i++)
        slot(i, i < 5 ? IN_USE : AVAILABLE, TXTAP_OBJECT_QUEUE, i < 5 ? 0x100 + i : 0x200 + i, "old");
    update();
    for (uint32_t i = 0; i < 5; i++)
        assert_object(0x100 + i, "old", true);
    slot(8, IN_USE, TXTAP_OBJECT_MUTEX, 0x50, "new");
    for (uint32_t i = 9; i < CAPACITY; i++)
        slot(i, AVAILABLE, TXTAP_OBJECT_NONE, 0, "");
    update();
    cr_assert_leq(registry.count, CAPACITY);
    assert_object(0x50, "new", true);
    for (uint32_t i = 0; i < 5; i++)
        assert_object(0x100 + i, "old", true);
    cr_assert_gt(registry.dropped, 0);
}

Test(registry, drops_new_objects_when_memory_is_full_of_live_objects)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        slot(i, IN_USE, TXTAP_OBJECT_QUEUE, 0x1000 - i, "live");
    update();
    cr_assert_eq(registry.count, CAPACITY);
    cr_assert_eq(registry.dropped, SLOTS - CAPACITY);
    for (size_t i = 0; i < CAPACITY; i++)
        cr_assert(registry.objects[i].live);
}

Test(registry, finds_nothing_without_any_memory)
{
    txtap_registry_init(&registry, NULL, 0);
    slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, "queue");
    update();
    cr_assert_eq(registry.count, 0);
    cr_assert_eq(registry.dropped, 1);
    cr_assert_null(txtap_registry_find(&registry, 0x100));
}

Test(registry, forgets_everything_when_cleared)
{
    slot(0, IN_USE, TXTAP_OBJECT_QUEUE, 0x100, "queue");
    update();
    txtap_registry_clear(&registry);
    cr_assert_eq(registry.count, 0);
    cr_assert_null(txtap_registry_find(&registry, 0x100));
}

/* Returns true if a slot has a live object at the address `pointer`. */
static bool lives(uint32_t pointer)
{
    for (size_t i = 0; i < SLOTS; i++) {
        if (slots[i][TXTB_OBJECT_AVAILABLE] == IN_USE && slots[i][TXTB_OBJECT_TYPE] != 0 &&
            slots[i][TXTB_OBJECT_POINTER + 3] == pointer)
            return true;
    }
    return false;
}

Test(registry, knows_the_live_objects_after_any_sequence_of_random_updates)
{
    static struct txtap_object room[64];

    txtap_registry_init(&registry, room, sizeof(room) / sizeof(room[0]));
    srand(42);
    for (int round = 0; round < 20000 / (int)RUNS_DIVISOR; round++) {
        for (size_t i = 0; i < SLOTS; i++) {
            char name[2] = {(char)('a' + rand() % 2), '\0'};

            slot(i, (uint8_t)(rand() % 4 != 0), (uint8_t)(rand() % 3), (uint32_t)(rand() % 9), name);
        }
        update();
        for (uint32_t pointer = 1; pointer < 9; pointer++) {
            const struct txtap_object *object = txtap_registry_find(&registry, pointer);

            cr_assert_eq(object != NULL && object->live, lives(pointer), "round %d, address %u", round, pointer);
        }
        cr_assert_eq(registry.dropped, 0);
    }
}

/* The limit is in CPU time, which does not depend on the machine's load: one second, with sanitizers three. */
Test(registry, reads_a_million_entries_in_the_worst_order_quickly)
{
    enum { COUNT = 1000000, ROOM = 4096 };
    struct txtap_object *objects = calloc(ROOM, sizeof(*objects));
    uint8_t *bytes = calloc(COUNT, 48);
    const struct rlimit limit = {60, 60};

    cr_assert(objects != NULL && bytes != NULL);
    cr_assert_eq(setrlimit(RLIMIT_CPU, &limit), 0);
    for (uint32_t i = 0; i < COUNT; i++)
        put_object(bytes + (size_t)i * 48, TXTAP_BIG, IN_USE, TXTAP_OBJECT_QUEUE, COUNT - i, "q");
    txtap_registry_init(&registry, objects, ROOM);
    for (int i = 0; i < 3; i++)
        txtap_registry_update(&registry, &header, bytes, (size_t)COUNT * 48);
    cr_assert_eq(registry.count, ROOM);
    free(bytes);
    free(objects);
}

/* There are more objects than hints, and all addresses collide. Lookups must still find the right objects. */
Test(registry, finds_every_object_and_no_other_whatever_their_number)
{
    enum { MANY = 3000 };
    static struct txtap_object many[MANY];
    static uint8_t bytes[MANY][48];
    static const uint32_t strides[] = {4, 0xB4, 0x400000, 0x10000};

    for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++) {
        uint32_t stride = strides[s], count = stride == 0x400000 ? 1000 : MANY;

        txtap_registry_init(&registry, many, MANY);
        for (uint32_t i = 0; i < count; i++)
            put_object(bytes[i], TXTAP_BIG, IN_USE, TXTAP_OBJECT_QUEUE, stride * (i + 1), "queue");
        txtap_registry_update(&registry, &header, bytes[0], count * sizeof(bytes[0]));
        cr_assert_eq(registry.count, count);
        for (uint32_t i = 0; i <= count; i++) {
            const struct txtap_object *object = txtap_registry_find(&registry, stride * (i + 1));

            cr_assert_eq(object, i < count ? &many[i] : NULL, "stride %u, object %u", stride, i);
            cr_assert_null(txtap_registry_find(&registry, stride * (i + 1) + 1));
        }
        txtap_registry_clear(&registry);
        cr_assert_null(txtap_registry_find(&registry, stride));
    }
}

Test(registry, says_when_remembered_names_are_outdated)
{
    uint32_t before = registry.generation;

    update();
    cr_assert_neq(registry.generation, before);
    before = registry.generation;
    txtap_registry_clear(&registry);
    cr_assert_neq(registry.generation, before);
    before = registry.generation;
    update();
    cr_assert_neq(registry.generation, before);
}

Test(registry, has_a_name_for_every_kind_of_object_and_none_for_others)
{
    size_t names = 0;

    for (int type = 0; type < 256; type++)
        names += txtap_object_type_name((uint8_t)type) != NULL;
    cr_assert_eq(names, 14 + 8);
    cr_assert_null(txtap_object_type_name(0));
    cr_assert_str_eq(txtap_object_type_name(TXTAP_OBJECT_EVENT_FLAGS), "event flags");
    cr_assert_str_eq(txtap_object_type_name(12), "packet pool");
    cr_assert_str_eq(txtap_object_type_name(28), "device class");
    cr_assert_null(txtap_object_type_name(40));
}

Test(registry, finds_nothing_without_memory_for_objects)
{
    struct txtap_registry none;

    txtap_registry_init(&none, NULL, 0);
    cr_assert_null(txtap_registry_find(&none, 0x100));
    cr_assert_null(txtap_registry_find_at(&none, 0x100, TXTAP_OBJECT_THREAD, 5));
}
