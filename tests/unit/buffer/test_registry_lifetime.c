/* SPDX-License-Identifier: MIT */
/* Which object an event refers to if several objects used its address. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtb_bytes.h"
#include "txtap/inner/registry.h"

#define P 0x20000100u

enum { INTERNAL_DRIVER_INIT = 210, MEDIA_FLUSH = 259, MEDIA_FORMAT = 260, MEDIA_OPEN = 261, MEDIA = 9 };

static struct txtap_object objects[8];
static struct txtap_registry registry;
static struct txtap_header header;

/* Reads a registry of one or two slots, as the target has them. The second slot exists only if `stale` is not NULL. */
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

Test(lifetime, events_before_the_creation_do_not_refer_to_the_new_object)
{
    note(60, 100);
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "new", "the create event is about the new one");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 101), "new");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 0), "?");
}

Test(lifetime, the_last_of_several_creations_made_the_live_object)
{
    note(60, 100);
    note(60, 200);
    note(60, 100);
    read_registry(TXTAP_OBJECT_QUEUE, "new", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 150), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 200), "new");
}

Test(lifetime, an_older_name_stays_known_for_the_events_before_a_creation)
{
    read_registry(TXTAP_OBJECT_QUEUE, "old", 0, NULL);
    note(61, 90);
    note(60, 100);
    read_registry(TXTAP_OBJECT_QUEUE, "new", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "old", "it may be deleted, but the event still refers to it");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "new");
}

Test(lifetime, without_a_creation_the_live_object_is_believed)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", TXTAP_OBJECT_QUEUE, "old");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "new");
}

Test(lifetime, a_name_of_another_type_is_never_given)
{
    read_registry(TXTAP_OBJECT_QUEUE, "queue", TXTAP_OBJECT_SEMAPHORE, "semaphore");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 0), "queue");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_SEMAPHORE, 0), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 0), "queue", "a field that may be of any type");
    note(81, 100);
    read_registry(TXTAP_OBJECT_QUEUE, "queue", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_SEMAPHORE, 100), "?",
                     "a semaphore was created, but the registry has a queue");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_NONE, 100), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "queue");
}

Test(lifetime, a_deleted_object_that_the_registry_shows_as_live_is_not_believed)
{
    note(60, 100);
    note(61, 110);
    read_registry(TXTAP_OBJECT_QUEUE, "another", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 105), "?");
}

Test(lifetime, the_object_at_an_address_is_unknown_across_a_gap)
{
    read_registry(TXTAP_OBJECT_QUEUE, "before", 0, NULL);
    note(4096, 99);
    txtap_registry_note_gap(&registry, 100, 50);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "before");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 150), "?");
    read_registry(TXTAP_OBJECT_QUEUE, "after", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 99), "before");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 150), "after");
    txtap_registry_note_gap(&registry, 200, 1);
    read_registry(TXTAP_OBJECT_QUEUE, "after", 0, NULL);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 150), "after", "the same on both sides");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 201), "after");
    cr_assert_eq(registry.count, 2, "and one object");
}

/* The target's two slots, now and at the time of the previous copy. */
static uint8_t slots[2][TXTB_OBJECT_FIXED_BYTES + 32], slots_before[2][TXTB_OBJECT_FIXED_BYTES + 32];

static void fill(size_t slot, uint8_t available, uint8_t type, const char *name)
{
    memset(slots[slot], 0, sizeof(slots[slot]));
    put_object(slots[slot], TXTAP_LITTLE, available, type, P, name);
}

static struct {
    bool known;
    uint32_t slot;
} search_start;

static void take(uint64_t low_seq, uint64_t high_seq, bool compares)
{
    txtap_registry_take(&registry, &header,
                        &(struct txtap_registry_copy){.bytes = slots[0],
                                                      .before = compares ? slots_before[0] : NULL,
                                                      .length = sizeof(slots),
                                                      .low_seq = low_seq,
                                                      .high_seq = high_seq,
                                                      .has_search_start = search_start.known,
                                                      .search_start = search_start.slot});
    memcpy(slots_before, slots, sizeof(slots));
}

Test(lifetime, an_object_created_during_the_copy_has_no_name_yet)
{
    note(60, 100);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "which");
    take(100, 101, false);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "?");
    take(101, 101, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100), "which");
}

Test(lifetime, a_changed_slot_belongs_to_the_only_object_created_meanwhile)
{
    fill(0, 1, TXTAP_OBJECT_QUEUE, "first");
    fill(1, 0, TXTAP_OBJECT_QUEUE, "second");
    take(10, 10, false);
    note(60, 20);
    note(61, 22);
    fill(0, 1, TXTAP_OBJECT_QUEUE, "third");
    take(30, 30, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 20), "third", "although the other slot still looks live");
    note(60, 40);
    note(61, 42);
    note(60, 44);
    note(61, 46);
    fill(0, 1, TXTAP_OBJECT_QUEUE, "fourth or fifth");
    take(50, 50, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 40), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 44), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 22), "third");
}

Test(lifetime, an_object_may_be_registered_before_its_create_event_is_written)
{
    fill(0, 1, TXTAP_OBJECT_QUEUE, "first");
    take(10, 10, false);
    note(60, 20);
    note(61, 22);
    note(60, 30);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "third, or still the second");
    take(30, 30, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 20), "?");
    take(40, 40, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 20), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 30), "third, or still the second");
}

Test(lifetime, a_changed_slot_may_half_belong_to_another_object)
{
    const struct txtap_event elsewhere = {.id = 60, .seq = 31, .info = {P + 4, 0, 0, 0}};

    fill(0, 1, TXTAP_OBJECT_QUEUE, "first");
    take(10, 10, false);
    note(60, 20);
    note(61, 22);
    note(81, 24);
    note(82, 26);
    txtap_registry_note(&registry, &elsewhere);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "the semaphore");
    take(30, 32, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 20), "?");
    fill(0, 1, TXTAP_OBJECT_QUEUE, "second");
    take(40, 40, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 20), "?", "it was another one");
}

Test(lifetime, a_deleted_object_is_not_known_while_one_of_its_slots_is_in_use)
{
    note(60, 100);
    note(61, 110);
    fill(0, 1, TXTAP_OBJECT_QUEUE, "same");
    fill(1, 0, TXTAP_OBJECT_QUEUE, "same");
    take(120, 120, false);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 105), "?");
    fill(1, 1, TXTAP_OBJECT_QUEUE, "same");
    take(130, 130, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 105), "same");
}

Test(lifetime, a_new_name_without_a_creation_is_believed_from_then_on)
{
    fill(0, 0, TXTAP_OBJECT_QUEUE, "before");
    take(10, 10, false);
    take(20, 20, true);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "after");
    take(30, 30, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 19), "before");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 25), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 30), "after");
}

/*
 * Notes events and a copy of the registry while events are always lost: events are missing before and after each copy.
 * Between copy n and the next copy, two runs of events are read: 100 * n + 20 to 100 * n + 40, and 100 * n + 60 to
 * 100 * n + 80.
 */
static void lose(uint64_t n)
{
    txtap_registry_note_gap(&registry, 100 * n + 0, 20);
    txtap_registry_note_gap(&registry, 100 * n + 40, 20);
    txtap_registry_note_gap(&registry, 100 * n + 80, 20);
    take(100 * n + 80, UINT64_MAX, n > 0);
}

static uint64_t lose_until_named(uint64_t n)
{
    uint64_t end = n + 100;

    for (lose(n); n < end && strcmp(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 30), "?") == 0; n++)
        lose(n + 1);
    return n;
}

Test(lifetime, a_name_that_never_changes_is_believed_across_gaps)
{
    uint64_t n;

    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    n = lose_until_named(0);
    cr_assert(n > 8 && n < 30, "%u", (unsigned)n);
    for (uint64_t end = n + 100; n < end; n++) {
        lose(n + 1);
        cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 130), "steady");
        cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 170), "steady");
        cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 230), "?", "no copy was made behind it");
    }
    cr_assert_leq(registry.count, 3, "and it is one object");
    fill(0, 0, TXTAP_OBJECT_QUEUE, "other!");
    lose(n + 1);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 130), "?");
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 30), "steady");
}

/* If several objects used the address, even equal copies do not show which object existed between them. */
Test(lifetime, an_address_that_is_used_again_is_not_believed_across_gaps)
{
    fill(0, 0, TXTAP_OBJECT_QUEUE, "ping");
    for (uint64_t n = 0; n < 5; n++)
        lose(n);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "pong");
    lose(5);
    fill(0, 0, TXTAP_OBJECT_QUEUE, "ping");
    cr_assert_eq(lose_until_named(6), 106);
}

Test(lifetime, an_object_whose_deletion_was_seen_is_not_believed_across_gaps)
{
    uint64_t n;

    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    n = lose_until_named(0);
    note(61, 100 * n + 125);
    lose(n + 1);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 130), "?");
    cr_assert_eq(lose_until_named(n + 2), n + 102, "another one may have been there");
}

/* Two copies differ, so another change between them may have been missed. */
Test(lifetime, a_name_is_believed_across_gaps_again_once_nothing_changes)
{
    const struct txtap_event elsewhere = {.id = 60, .seq = 2525, .info = {P + 4, 0, 0, 0}};

    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    for (uint64_t n = 0; n < 25; n++)
        lose(n);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 2330), "steady");
    txtap_registry_note(&registry, &elsewhere);
    lose(25);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 2530), "?");
    put_object(slots[1], TXTAP_LITTLE, 0, TXTAP_OBJECT_QUEUE, P + 4, "another");
    for (uint64_t n = 26; n < 36; n++)
        lose(n);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 3430), "?");
    for (uint64_t n = 36; n < 50; n++)
        lose(n);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 4830), "steady");
}

/* The copies are equal, but the kernel has used a slot between them. */
Test(lifetime, no_name_is_believed_across_gaps_in_which_a_slot_was_used)
{
    uint64_t n;

    search_start.known = true;
    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    n = lose_until_named(0);
    cr_assert_lt(n, 30);
    search_start.slot = 1;
    lose(n + 1);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 130), "?");
    search_start.slot = 0;
    n = lose_until_named(n + 2) - n;
    cr_assert(n > 15 && n < 30, "%u", (unsigned)n);
}

/* Another object may have been registered at this address, and deleted again. */
Test(lifetime, a_deleted_object_is_not_believed_across_gaps)
{
    fill(0, 1, TXTAP_OBJECT_QUEUE, "gone");
    cr_assert_eq(lose_until_named(0), 100);
}

/* The slot may have been taken for another object and then again for this object: no copy would show this. */
Test(lifetime, the_object_whose_slot_was_taken_last_is_not_believed_across_gaps)
{
    search_start.known = true;
    search_start.slot = 1;
    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    cr_assert_eq(lose_until_named(0), 100);
    fill(0, 1, TXTAP_OBJECT_QUEUE, "steady");
    fill(1, 0, TXTAP_OBJECT_QUEUE, "steady");
    search_start.slot = 0;
    cr_assert_eq(lose_until_named(101), 201, "nor in the last slot, behind which is the first one");
}

Test(lifetime, an_object_whose_address_was_used_before_is_not_believed_across_gaps)
{
    uint64_t n;

    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    n = lose_until_named(0);
    note(60, 100 * n + 125);
    lose(n + 1);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 100 * n + 130), "?");
    cr_assert_eq(lose_until_named(n + 2), n + 102);
}

/* A trace is read from its beginning. The registry has the objects before their create events are read. */
Test(lifetime, a_first_creation_does_not_keep_a_name_from_being_believed)
{
    fill(0, 0, TXTAP_OBJECT_QUEUE, "steady");
    txtap_registry_update(&registry, &header, slots[0], sizeof(slots));
    txtap_registry_doubt(&registry);
    note(60, 5);
    cr_assert_lt(lose_until_named(1), 30);
}

/* Events before the copy are lost, so it names no object of earlier events until a second copy confirms it. */
Test(lifetime, a_copy_after_missing_events_names_only_objects_that_other_copies_confirm)
{
    fill(0, 0, TXTAP_OBJECT_QUEUE, "which");
    txtap_registry_note_gap(&registry, 0, 20);
    take(40, UINT64_MAX, false);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 30), "?");
    take(50, 50, true);
    cr_assert_str_eq(name_at(TXTAP_OBJECT_QUEUE, 30), "which");
}

/* FileX registers a media only after it has read the media successfully. Events may name the media before that. */
Test(lifetime, a_media_is_not_known_before_it_is_used)
{
    note(MEDIA_OPEN, 100);
    note(INTERNAL_DRIVER_INIT, 101);
    note(MEDIA_FORMAT, 102);
    fill(0, 0, MEDIA, "aborted before");
    take(110, 110, false);
    cr_assert_str_eq(name_at(MEDIA, 100), "?");
    note(MEDIA_FLUSH, 120);
    fill(0, 0, MEDIA, "card");
    take(120, 121, true);
    cr_assert_str_eq(name_at(MEDIA, 100), "?", "the copy may be older than the use");
    take(130, 130, true);
    cr_assert_str_eq(name_at(MEDIA, 100), "card");
}

Test(lifetime, an_address_that_is_not_registered_has_no_object)
{
    read_registry(TXTAP_OBJECT_QUEUE, "new", 0, NULL);
    cr_assert_null(txtap_registry_find_at(&registry, P + 4, TXTAP_OBJECT_NONE, 0));
    note(60, UINT64_MAX); /* invalid input must not do any harm */
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
        read_registry(creations[i].type, "old", 0, NULL);
        event.info[creations[i].word] = P;
        txtap_registry_note(&registry, &event);
        note(MEDIA_FLUSH, 101);
        read_registry(creations[i].type, "new", 0, NULL);
        cr_assert_str_eq(name_at(creations[i].type, 99), "old", "id %u", (unsigned)creations[i].id);
        cr_assert_str_eq(name_at(creations[i].type, 100), "new", "id %u", (unsigned)creations[i].id);
    }
}

/* All possible knowledge about the address: nothing, an existing object, a deleted object, or a media that is not used
 * yet. */
Test(lifetime, only_events_marked_as_such_may_change_the_objects)
{
    static const uint32_t before[][2] = {{0, 0}, {60, 0}, {60, 61}, {MEDIA_OPEN, 0}};
    uint32_t generation;

    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (uint32_t id = 0; id < 6000; id++) {
            set_up();
            note(before[i][0], 1);
            note(before[i][1], 2);
            generation = registry.generation;
            note(id, 3);
            cr_assert(txtap_registry_notes(id) || registry.generation == generation, "event %u", (unsigned)id);
            cr_assert_eq(registry.now_seq, 4);
        }
    cr_assert(txtap_registry_notes(100) && txtap_registry_notes(61) && txtap_registry_notes(MEDIA_FLUSH));
    cr_assert(!txtap_registry_notes(1) && !txtap_registry_notes(4096), "most say nothing");
}
