/* SPDX-License-Identifier: MIT */
/* The object registry: changes during a read, and the times at which the poller reads it again. */
#include <criterion/criterion.h>

#include "stream/fixtures/poller_fixture.h"
#include "txtap/inner/registry.h"

Test(poller_registry, knows_the_objects_from_the_start)
{
    open_poller();
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(0))->name, "main");
    cr_assert_leq(fixture.registry_reads, 2);
    close_poller();
}

/* An object may be half written when it is read, so the poller trusts only two equal copies. */
Test(poller_registry, reads_the_registry_again_until_two_copies_agree)
{
    set_up();
    fixture.tear_registry = 3;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    steps(20);
    cr_assert_eq(fixture.tear_registry, 0);
    cr_assert_leq(fixture.registry_reads, 6);
    cr_assert_not(txtap_registry_find(&fixture.poller.registry, thing(0))->unknown);
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(0))->name, "main");
    close_poller();
    set_up();
    fixture.tear_registry = 1000;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    steps(20);
    cr_assert_leq(fixture.registry_reads, 1 + 20 * 5); /* the poller must give up after some attempts */
    cr_assert(txtap_registry_find(&fixture.poller.registry, thing(0))->unknown, "no copy is believed");
    close_poller();
}

Test(poller_registry, needs_no_registry)
{
    set_up();
    txtap_trace_disable();
    enable(0, ENTRIES);
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    cr_assert_eq(fixture.reads, 0);
    write_events(3);
    steps(2);
    cr_assert_eq(fixture.taken_count, 3);
    close_poller();
}

static void create(unsigned i, const char *name)
{
    add(i, name);
    txtap_trace_event_insert(EVENT_QUEUE_CREATE, thing(i), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
}

/* Opens a poller whose events wait for names. search_start: address of the kernel's variable; 0: there is no variable.
 */
static void open_waiting_poller_with(uint32_t search_start)
{
    set_up();
    fixture.names_wait_us = 1000000;
    fixture.search_start = search_start;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
    steps(20);
}

static void open_waiting_poller(void)
{
    open_waiting_poller_with(0);
}

Test(poller_registry, knows_an_object_before_its_create_event_is_delivered)
{
    open_waiting_poller();
    create(1, "mailbox");
    steps(20);
    cr_assert_str_eq(fixture.name_at_create, "mailbox");
    close_poller();
}

/* A recording that ends now must have the names of objects that were created shortly before. Waiting for the names must
 * not take longer than allowed. */
Test(poller_registry, drains_until_the_names_are_known)
{
    open_poller();
    steps(20);
    create(1, "mailbox");
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    cr_assert(poller_is_settled(&fixture.poller));
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(1))->name, "mailbox");
    close_poller();
}

Test(poller_registry, drains_no_longer_than_allowed_for_names)
{
    uint64_t begin;

    open_poller();
    steps(20);
    create(1, "mailbox");
    fixture.read_us = 30000;
    fixture.tear_registry = UINT32_MAX;
    begin = fixture.now_us;
    cr_assert_eq(poller_drain(&fixture.poller, 200000, &fixture.error), TXTAP_OK);
    cr_assert_geq(fixture.now_us - begin, 200000);
    cr_assert_leq(fixture.now_us - begin, 200000 + 10 * fixture.read_us);
    close_poller();
}

/* Steps until `count` events were delivered, for at most 2 s. Returns the time of the last event. */
static uint64_t time_of_delivery(unsigned count)
{
    uint64_t end = fixture.now_us + 2000000;

    while (fixture.taken_count < count && fixture.now_us < end)
        cr_assert_eq(step(), TXTAP_OK);
    return fixture.now_us;
}

/* The registry changes all the time, so no two copies are equal. */
Test(poller_registry, an_event_waits_a_second_for_its_names_and_is_then_delivered_without)
{
    uint64_t first_us, second_us, delivered_us;
    unsigned before, reads;

    open_waiting_poller();
    before = fixture.taken_count;
    fixture.tear_registry = UINT32_MAX;
    first_us = fixture.now_us;
    create(1, "mailbox");
    while (fixture.now_us < first_us + 500000)
        steps(1);
    second_us = fixture.now_us;
    create(2, "letters");
    delivered_us = time_of_delivery(before + 1);
    cr_assert_geq(delivered_us, first_us + 1000000);
    cr_assert_leq(delivered_us, first_us + 1100000);
    cr_assert_eq(fixture.taken_count, before + 1, "the second one still waits");
    delivered_us = time_of_delivery(before + 2);
    cr_assert_geq(delivered_us, second_us + 1000000);
    cr_assert_leq(delivered_us, second_us + 1100000);
    cr_assert_str_eq(fixture.name_at_create, "", "no copy is believed");
    reads = fixture.registry_reads;
    steps(50);
    cr_assert_eq(fixture.registry_reads, reads, "nothing waits for them any more");
    write_events(1);
    steps(2);
    cr_assert_eq(fixture.taken_count, before + 3);
    close_poller();
}

/* While an event waits for its name, a gap arrives. It must wait after the event. */
Test(poller_registry, counts_no_loss_after_the_event_at_which_the_sink_stopped)
{
    unsigned before;

    open_waiting_poller();
    before = fixture.taken_count;
    create(1, "mailbox");
    write_events(1);
    for (int i = 0; i < 100 && poller_is_settled(&fixture.poller); i++)
        steps(1);
    cr_assert_eq(fixture.taken_count, before, "both wait");
    write_events(5 * ENTRIES);
    fixture.enough_after = before + 2;
    fixture.enough = TXTAP_END;
    cr_assert_eq(steps_until_end(), TXTAP_END);
    cr_assert_eq(fixture.gaps, 0);
    cr_assert_eq(fixture.poller.stats.lost, 0);
    cr_assert_eq(fixture.poller.stats.gaps, 0);
    cr_assert(fixture.poller.stats.lost_exact);
    close_poller();
}

Test(poller_registry, remembers_a_deleted_object)
{
    open_waiting_poller();
    create(1, "mailbox");
    steps(20);
    cr_assert(txtap_registry_find(&fixture.poller.registry, thing(1))->live);
    txtap_trace_object_unregister(&things[1]);
    txtap_trace_event_insert(EVENT_QUEUE_DELETE, thing(1), 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    create(2, "letters");
    steps(20);
    cr_assert_not(txtap_registry_find(&fixture.poller.registry, thing(1))->live);
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(1))->name, "mailbox");
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(2))->name, "letters");
    close_poller();
}

/* Delivers one event with an unknown object. Returns how often the registry was read for it. */
static unsigned meet_a_stranger(unsigned thread, unsigned object)
{
    unsigned before = fixture.registry_reads;

    run_thread(thread, 5);
    txtap_trace_event_insert(EVENT_QUEUE_SEND, object ? thing(object) : 0, 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    return fixture.registry_reads - before;
}

Test(poller_registry, looks_for_unknown_objects_at_most_once_a_second)
{
    open_poller();
    steps(20);
    fixture.now_us += 2000000;
    cr_assert_gt(meet_a_stranger(0, 9), 0);
    cr_assert_eq(meet_a_stranger(0, 9), 0);
    cr_assert_eq(meet_a_stranger(9, 0), 0);
    fixture.now_us += 990000;
    cr_assert_eq(meet_a_stranger(9, 0), 0);
    fixture.now_us += 20000;
    cr_assert_gt(meet_a_stranger(9, 0), 0);
    close_poller();
}

static unsigned count_slots(const struct poller *poller)
{
    uint32_t step = txtap_header_object_bytes(&poller->header);
    struct txtap_object object;
    unsigned count = 0;
    uint32_t length;
    const uint8_t *objects = poller_objects(poller, &length);

    for (uint32_t at = 0; at + step <= length; at += step)
        count += txtap_registry_slot(&poller->header, objects + at, &object);
    return count;
}

/* Because events are lost, the reader knows more objects than the target has: for each address one per period. */
Test(poller_registry, has_the_targets_registry_at_the_end)
{
    const uint8_t *objects;
    uint32_t length;

    open_poller();
    steps(20);
    create(1, "mailbox");
    for (int i = 0; i < 40; i++) {
        write_events(3 * ENTRIES);
        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    create(2, "letters");
    cr_assert_eq(poller_end_registry(&fixture.poller, &fixture.error), TXTAP_OK);
    cr_assert_eq(count_slots(&fixture.poller), 3);
    objects = poller_objects(&fixture.poller, &length);
    cr_assert_eq(length, OBJECTS * OBJECT_BYTES);
    cr_assert_eq(memcmp(objects, ram + object_at(0), length), 0);
    close_poller();
}

/* Makes `exchanges` polls. Every second poll loses events. */
static void lose(unsigned exchanges)
{
    for (unsigned i = 0; i < exchanges; i++) {
        write_events(ENTRIES + 30);
        steps(1);
        write_events(ENTRIES / 2);
        steps(1);
    }
}

Test(poller_registry, believes_copies_of_the_registry_while_events_are_lost)
{
    uint32_t at = RAM_BYTES - 4;

    open_waiting_poller_with(RAM_BASE + at);
    memcpy(ram + at, &(uint32_t){7}, 4);
    lose(200);
    cr_assert_gt(fixture.gaps, 20);
    cr_assert_eq(fixture.poller.registry.search_start, 7, "the kernel's word is read with each copy");
    cr_assert_gt(fixture.poller.registry.still_copies, 16);
    memcpy(ram + at, &(uint32_t){8}, 4);
    lose(20);
    cr_assert_eq(fixture.poller.registry.search_start, 8);
    cr_assert_lt(fixture.poller.registry.still_copies, 16);
    close_poller();
}

/* Only the first of the slots that were never used is read again. */
Test(poller_registry, reads_no_more_slots_than_are_used)
{
    uint64_t before;

    open_waiting_poller();
    create(1, "mailbox");
    steps(20);
    before = fixture.poller.stats.bytes_read;
    cr_assert_eq(poller_end_registry(&fixture.poller, &fixture.error), TXTAP_OK);
    cr_assert_eq(fixture.poller.stats.bytes_read - before, 3 * txtap_header_object_bytes(&fixture.poller.header) + 8);
    create(2, "letters");
    create(3, "parcels");
    steps(20);
    cr_assert_str_eq(txtap_registry_find(&fixture.poller.registry, thing(3))->name, "parcels");
    close_poller();
}

/* Returns how often the registry is read for an event whose words are addresses of a known object. */
static unsigned reads_for_event(uint32_t id)
{
    unsigned before = fixture.registry_reads;

    txtap_trace_event_insert(id, thing(0), thing(0), thing(0), thing(0), UINT32_MAX);
    steps(20);
    return fixture.registry_reads - before;
}

/*
 * Some events delete routes, cached addresses or files on a disk, or open a session. The kernel does not register these
 * objects, so the registry does not change.
 */
Test(poller_registry, is_not_read_for_events_whose_names_only_suggest_a_change)
{
    static const uint32_t ids[] = {222, 225, 244, 246, 272, 274, 357, 358, 359, 442, 444, 476,
                                   492, 603, 605, 606, 626, 628, 726, 728, 737, 738, 785, 938};

    open_waiting_poller();
    (void)reads_for_event(259); /* the first event that names a media */
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        cr_expect_eq(reads_for_event(ids[i]), 0, "event %u", ids[i]);
    close_poller();
}

Test(poller_registry, is_read_for_all_events_that_change_it)
{
    static const uint32_t ids[] = {60, 61, 247, 243, 412, 413, 601, 602, 613, 627, 690, 692, 859, 866, 1010, 1011};

    open_waiting_poller();
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        cr_expect_gt(reads_for_event(ids[i]), 0, "event %u", ids[i]);
    close_poller();
}

Test(poller_registry, does_not_look_for_known_objects)
{
    open_poller();
    steps(20);
    fixture.now_us += 2000000;
    cr_assert_eq(meet_a_stranger(0, 0), 0);
    close_poller();
}

/* A gap in which perhaps no event is missing has the length 0. It must still wait in order with the entries. */
Test(poller_registry, a_gap_without_a_length_waits_like_any_other)
{
    open_waiting_poller();
    create(1, "mailbox");
    poller_mark_all_inexact(&fixture.poller);
    steps(20);
    cr_assert_eq(fixture.taken_count, 1);
    cr_assert_eq(fixture.gaps, 1);
    cr_assert_eq(fixture.exact_gaps, 0);
    cr_assert_str_eq(fixture.name_at_create, "mailbox");
    close_poller();
}
