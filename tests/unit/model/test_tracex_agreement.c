/* SPDX-License-Identifier: MIT */
/*
 * Compares the decoder's results for the samples with the results of the reference tool. Each intended difference has
 * its own test, which states the difference and the reason.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "model/tracex_reference.h"
#include "txtap/inner/next_context.h"

#define RUNNING 6u

static struct decoded decoded;
static struct reference reference;
static struct txtap_next nexts[DECODED_EVENTS_MAX];

static uint32_t context_word(const struct txtap_event *event)
{
    switch (event->context) {
    case TXTAP_CONTEXT_THREAD:
        return event->thread;
    case TXTAP_CONTEXT_INIT:
        return TXTB_THREAD_INIT;
    case TXTAP_CONTEXT_ISR:
    case TXTAP_CONTEXT_IDLE:
        break;
    }
    return TXTB_THREAD_ISR;
}

static uint32_t next_word(const struct txtap_next *next)
{
    static const uint32_t words[] = {
        [TXTAP_RUNNER_IDLE] = 0,
        [TXTAP_RUNNER_ISR] = TXTB_THREAD_ISR,
        [TXTAP_RUNNER_INIT] = TXTB_THREAD_INIT,
    };

    return next->runner == TXTAP_RUNNER_THREAD ? next->thread : words[next->runner];
}

static void load(size_t index)
{
    static struct txtap_next_context state;

    decoded_load(&decoded, index);
    reference_load(&reference, index);
    txtap_next_context_init(&state);
    for (size_t i = 0; i < decoded.count; i++)
        cr_assert_eq(txtap_next_context_step(&state, &decoded.events[i], decoded.count - i, false, &nexts[i]),
                     TXTAP_OK);
}

/*
 * Returns true if no event shows the context after event i: then the reference tool adds a RUNNING event, which is in
 * no buffer. Source: tml_library.cpp, tml_initialize.
 */
static bool reference_inserts(size_t i)
{
    uint32_t next = next_word(&nexts[i]);

    return i + 1 < decoded.count && next != context_word(&decoded.events[i]) &&
           next != context_word(&decoded.events[i + 1]);
}

static unsigned long long inserted_ticks(size_t i)
{
    unsigned long long here = decoded.events[i].ticks, there = decoded.events[i + 1].ticks;

    return there - here > 12 ? here + 12 : here;
}

/* For each event, the index of its row in the reference's list. */
static size_t rows[DECODED_EVENTS_MAX];

static size_t match_rows(void)
{
    size_t row = 0;

    for (size_t i = 0; i < decoded.count; i++) {
        cr_assert_lt(row, reference.event_count, "%s: event %zu is not in the reference", decoded.sample.name, i);
        rows[i] = row++;
        row += reference_inserts(i);
    }
    return row;
}

Test(agreement, order_ids_contexts_and_stamps_are_as_in_the_reference)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        load(s);
        cr_assert_eq(match_rows(), reference.event_count, "%s", decoded.sample.name);
        for (size_t i = 0; i < decoded.count; i++) {
            const struct reference_event *expected = &reference.events[rows[i]];

            cr_assert_eq(decoded.events[i].id, expected->id, "%s: event %zu", decoded.sample.name, i);
            cr_assert_eq(decoded.events[i].stamp, expected->stamp, "%s: event %zu", decoded.sample.name, i);
            cr_assert_eq(context_word(&decoded.events[i]), expected->context, "%s: event %zu", decoded.sample.name, i);
        }
    }
}

Test(agreement, ticks_are_as_in_the_reference_also_with_a_timer_that_counts_down)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        load(s);
        (void)match_rows();
        for (size_t i = 0; i < decoded.count; i++)
            cr_assert_eq(decoded.events[i].ticks, reference.events[rows[i]].ticks, "%s: event %zu", decoded.sample.name,
                         i);
    }
}

Test(agreement, next_contexts_are_as_in_the_reference)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        load(s);
        (void)match_rows();
        for (size_t i = 0; i < decoded.count; i++)
            cr_assert_eq(next_word(&nexts[i]), reference.events[rows[i]].next, "%s: event %zu: 0x%x, not 0x%x",
                         decoded.sample.name, i, (unsigned)next_word(&nexts[i]),
                         (unsigned)reference.events[rows[i]].next);
    }
}

/* Deviation: the reference also lists events that the kernel did not record. This shifts the numbers of all later
 * events. */
Test(agreement, running_events_that_the_reference_adds_are_not_events_here)
{
    static const size_t made_up[SAMPLES] = {141, 15, 0, 0};

    for (size_t s = 0; s < SAMPLES; s++) {
        size_t inserted = 0;

        load(s);
        (void)match_rows();
        for (size_t i = 0; i < decoded.count; i++) {
            const struct reference_event *row = &reference.events[rows[i] + 1];

            if (!reference_inserts(i))
                continue;
            inserted++;
            cr_assert_eq(row->id, RUNNING, "%s: event %zu", decoded.sample.name, i);
            cr_assert_eq(row->context, next_word(&nexts[i]), "%s: event %zu", decoded.sample.name, i);
            cr_assert_eq(row->ticks, inserted_ticks(i), "%s: event %zu", decoded.sample.name, i);
        }
        cr_assert_eq(inserted, made_up[s], "%s: %zu", decoded.sample.name, inserted);
        cr_assert_eq(reference.event_count, decoded.count + inserted);
    }
}

/* Deviation: the reference does not count RUNNING in its histogram, not even the two RUNNING events that the kernel
 * recorded. */
Test(agreement, counts_per_event_id_are_as_in_the_reference_except_running)
{
    static const unsigned running[SAMPLES] = {2, 0, 0, 0};

    for (size_t s = 0; s < SAMPLES; s++) {
        unsigned counts[sizeof(reference.counts) / sizeof(reference.counts[0])] = {0};

        load(s);
        for (size_t i = 0; i < decoded.count; i++)
            counts[decoded.events[i].id]++;
        cr_assert_eq(counts[RUNNING], running[s], "%s", decoded.sample.name);
        cr_assert_eq(reference.counts[RUNNING], 0);
        counts[RUNNING] = 0;
        for (size_t id = 0; id < sizeof(counts) / sizeof(counts[0]); id++)
            cr_assert_eq(counts[id], reference.counts[id], "%s: id %zu", decoded.sample.name, id);
    }
}

static const char *reference_type(uint8_t type)
{
    static const char *const names[] = {
        "",           "THREAD",    "TIMER", "QUEUE", "SEMAPHORE", "MUTEX",      "EVENT FLAGS",
        "BLOCK POOL", "BYTE POOL", "",      "",      "NX IP",     "NX PK POOL", "NX TCP SOC",
    };

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : "";
}

/* Deviation: if a name does not begin with ASCII, the reference replaces it and the decoder keeps it. Returns true for
 * such a name. */
static bool is_replaced_name(const struct txtap_object *object, const char *name)
{
    return strcmp(name, "Non-ASCII Name") == 0 && (unsigned char)object->name[0] >= 0x80;
}

Test(agreement, the_object_list_is_as_in_the_reference)
{
    size_t replaced = 0;

    for (size_t s = 0; s < SAMPLES; s++) {
        load(s);
        cr_assert_eq(decoded.trace.registry.count, reference.object_count, "%s", decoded.sample.name);
        for (size_t i = 0; i < reference.object_count; i++) {
            const struct reference_object *expected = &reference.objects[i];
            const struct txtap_object *object = txtap_registry_find(&decoded.trace.registry, expected->pointer);

            cr_assert_not_null(object, "%s: %s", decoded.sample.name, expected->name);
            cr_assert_str_eq(reference_type(object->type), expected->type);
            if (is_replaced_name(object, expected->name))
                replaced++;
            else
                cr_assert_str_eq(object->name, expected->name);
        }
    }
    cr_assert_eq(replaced, 2, "the event flags of both QEMU captures have a name that begins with UTF-8");
}
