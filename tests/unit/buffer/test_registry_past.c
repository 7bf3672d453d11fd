/* SPDX-License-Identifier: MIT */
/* Forgetting of ended objects: which objects are forgotten, and that answers about other objects do not change. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/registry.h"

#define P 0x20000100u

enum { OBJECTS = 64, HORIZON = 1000, NAMES = 3, RUNS = 20000 };

static struct txtap_object objects[OBJECTS];
static struct txtap_registry registry;

static void set_up(void)
{
    txtap_registry_init(&registry, objects, OBJECTS);
}

TestSuite(past, .init = set_up);

/* Returns an object. until 0: the object still exists. */
static struct txtap_object make(uint32_t pointer, uint8_t type, const char *name, uint64_t from, uint64_t until)
{
    struct txtap_object object = {
        .pointer = pointer, .type = type, .live = until == 0, .from_seq = from, .until_seq = until};

    snprintf(object.name, sizeof object.name, "%s", name);
    return object;
}

static void add(const char *name, uint64_t from, uint64_t until)
{
    struct txtap_object object = make(P, TXTAP_OBJECT_QUEUE, name, from, until);

    txtap_registry_restore(&registry, &object, 1);
}

static void add_past(unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        add(name, 10 * i + 1, 10 * i + 11);
}

Test(past, objects_with_one_name_are_remembered_as_one)
{
    add_past(20, "letters");
    add("letters", 500, 0);
    txtap_registry_forget(&registry, HORIZON);
    cr_assert_eq(registry.count, 2);
    cr_assert_str_eq(txtap_registry_name(&registry, P), "letters");
    cr_assert_eq(registry.dropped, 0, "there was room for it");
}

Test(past, an_address_that_had_several_names_still_has_no_name)
{
    add_past(20, "letters");
    add("parcels", 300, 310);
    add("letters", 310, 320);
    add("letters", 500, 0);
    txtap_registry_forget(&registry, HORIZON);
    cr_assert_eq(registry.count, 3);
    cr_assert_str_eq(txtap_registry_name(&registry, P), "");
}

Test(past, objects_that_ended_at_the_horizon_or_later_stay)
{
    add_past(20, "letters");
    add("letters", 400, HORIZON);
    add("letters", HORIZON, HORIZON + 1);
    add("letters", HORIZON + 1, 0);
    txtap_registry_forget(&registry, HORIZON);
    cr_assert_eq(registry.count, 4, "one of the past ones, too");
    for (uint64_t seq = HORIZON - 1; seq < HORIZON + 3; seq++)
        cr_assert_not_null(txtap_registry_find_at(&registry, P, TXTAP_OBJECT_QUEUE, seq));
}

/* The create event was read. The next copy of the target's registry may have the object's name. */
Test(past, an_object_that_may_still_get_its_name_stays)
{
    struct txtap_event event = {.id = 60, .info = {P, 0, 0, 0}};

    for (event.seq = 10; event.seq < 50; event.seq += 10)
        txtap_registry_note(&registry, &event);
    txtap_registry_forget(&registry, HORIZON);
    cr_assert_eq(registry.count, 4);
}

/* ---- random objects ---- */

static uint32_t seed;

static unsigned below(unsigned limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)(seed >> 8) * limit >> 24);
}

static void add_random(unsigned count)
{
    static const char *const names[NAMES] = {"a", "b", "c"};
    uint64_t seq = 1;

    for (unsigned i = 0; i < count; i++) {
        uint64_t until = seq + 1 + below(100);
        struct txtap_object object =
            make(P, (uint8_t)(1 + below(2)), names[below(below(NAMES) + 1)], seq, i + 1 < count ? until : 0);

        object.unknown = below(10) == 0;
        object.deleted = below(3) == 0;
        txtap_registry_restore(&registry, &object, 1);
        seq = until;
    }
    registry.read_seq = seq; /* as if a copy was taken, so that no object waits for its name */
}

Test(past, gives_the_same_answers_for_later_events_as_before)
{
    static struct txtap_object all[OBJECTS];
    static struct txtap_registry whole;
    unsigned forgotten = 0;

    for (seed = 1; seed <= RUNS; seed++) {
        unsigned run = seed;

        set_up();
        add_random(1 + below(OBJECTS - 1));
        whole = registry;
        whole.objects = all;
        memcpy(all, objects, sizeof all);
        txtap_registry_forget(&registry, HORIZON);
        forgotten += (unsigned)(whole.count - registry.count);
        cr_assert_str_eq(txtap_registry_name(&registry, P), txtap_registry_name(&whole, P), "run %u", run);
        for (uint64_t seq = HORIZON; seq < 6000; seq += 17) {
            const struct txtap_object *now = txtap_registry_find_at(&registry, P, TXTAP_OBJECT_NONE, seq);
            const struct txtap_object *before = txtap_registry_find_at(&whole, P, TXTAP_OBJECT_NONE, seq);

            cr_assert_eq(now == NULL, before == NULL, "run %u, event %lu", run, (unsigned long)seq);
            cr_assert(now == NULL || strcmp(now->name, before->name) == 0);
        }
        seed = run;
    }
    cr_assert_gt(forgotten, RUNS, "%u", forgotten);
}
