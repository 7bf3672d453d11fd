/* SPDX-License-Identifier: MIT */
/* Which object an event means when its address was used twice. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/registry.h"
#include "txtb_bytes.h"

#define P 0x20000100u

static struct txtap_object objects[8];
static struct txtap_registry registry;
static struct txtap_header header;

/* A registry as the target has it: at most two slots, the second only if its name is not NULL. */
static void read_registry(uint8_t type, const char *live, uint8_t old_type, const char *stale)
{
    uint8_t bytes[2 * (TXTB_OBJECT_FIXED_BYTES + 32)] = {0};

    put_object(bytes, TXTAP_LITTLE, 0, type, P, live);
    if (stale != NULL)
        put_object(bytes + sizeof(bytes) / 2, TXTAP_LITTLE, 1, old_type, P, stale);
    txtap_registry_update(&registry, &header, bytes, stale != NULL ? sizeof(bytes) : sizeof(bytes) / 2);
}

static void set_up(void)
{
    memset(&header, 0, sizeof(header));
    header.name_bytes = 32;
    txtap_registry_init(&registry, objects, sizeof(objects) / sizeof(objects[0]));
}

TestSuite(lifetime, .init = set_up);

static void note(uint32_t id, uint64_t seq)
{
    struct txtap_event event = {.id = id, .seq = seq, .info = {P, 0, 0, 0}};

    txtap_registry_note(&registry, &event);
}

static const char *name_at(uint8_t type, uint64_t seq)
{
    const struct txtap_object *object = txtap_registry_find_at(&registry, P, type, seq);

    return object != NULL ? object->name : "?";
}

Test(lifetime, events_before_the_creation_mean_the_object_before)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    note(60, 100);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "new", "the create event is about the new one");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 101), "new");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 0), "old");
}

Test(lifetime, of_several_creations_the_last_one_made_the_live_object)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    note(60, 100);
    note(60, 200);
    note(60, 100);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 150), "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 200), "new");
}

Test(lifetime, without_a_creation_the_live_object_is_believed)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "new");
}

Test(lifetime, the_type_that_a_field_points_to_tells_two_objects_apart)
{
    read_registry(TXTAP_OBJECT_QUEUE, "queue", TXTAP_OBJECT_SEMAPHORE, "semaphore");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "queue");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_SEMAPHORE, 0), "semaphore");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 0), "queue");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_MUTEX, 0), "queue", "neither fits: better a name than none");
}

Test(lifetime, a_creation_of_another_type_says_nothing_of_the_live_object)
{
    read_registry(TXTAP_OBJECT_QUEUE, "queue", TXTAP_OBJECT_SEMAPHORE, "semaphore");
    note(81, 100);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "queue");
}

Test(lifetime, an_object_created_later_of_another_type_does_not_lend_its_name)
{
    read_registry(TXTAP_OBJECT_QUEUE, "queue", 0, NULL);
    note(60, 100);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_SEMAPHORE, 99), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "queue", "created anew with its name: the usual case");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 99), "queue");
}

Test(lifetime, a_later_update_keeps_what_was_noted)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    note(60, 100);
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "new");
}

Test(lifetime, an_address_that_is_not_registered_has_no_object)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", 0, NULL);
    cr_assert_null(txtap_registry_find_at(&registry, P + 4, TXTAP_OBJECT_NONE, 0));
    note(60, UINT64_MAX); /* nonsense from outside: must do no harm */
    cr_assert_not_null(txtap_registry_find_at(&registry, P, TXTAP_OBJECT_NONE, 5));
}

Test(lifetime, every_event_that_registers_an_object_is_known)
{
    static const struct {
        uint32_t id;
        uint8_t type, word;
    } creations[] = {
        {11, TXTAP_OBJECT_BLOCK_POOL, 0},
        {21, TXTAP_OBJECT_BYTE_POOL, 0},
        {30, TXTAP_OBJECT_EVENT_FLAGS, 0},
        {50, TXTAP_OBJECT_MUTEX, 0},
        {60, TXTAP_OBJECT_QUEUE, 0},
        {81, TXTAP_OBJECT_SEMAPHORE, 0},
        {100, TXTAP_OBJECT_THREAD, 0},
        {124, TXTAP_OBJECT_TIMER, 0},
        {261, 9, 0},
        {247, 10, 1},
        {372, 11, 0},
        {391, 12, 0},
        {412, 13, 1},
        {430, 14, 1},
    };

    for (size_t i = 0; i < sizeof(creations) / sizeof(creations[0]); i++) {
        struct txtap_event event = {.id = creations[i].id, .seq = 100};

        txtap_registry_clear(&registry);
        read_registry(creations[i].type, "new", creations[i].type, "old");
        event.info[creations[i].word] = P;
        txtap_registry_note(&registry, &event);
        cr_assert_str_eq(name_at(creations[i].type, 99), "old", "id %u", (unsigned)creations[i].id);
    }
}
