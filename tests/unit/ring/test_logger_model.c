/* SPDX-License-Identifier: MIT */
/*
 * The logger's ring reader, with a writer and a collector that may make any number of steps between any two words read.
 * Every event must be delivered once, in order and intact, or be counted.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ring/event_logger_target.h"
#include "sanitized.h"

#define SEED_FIRST 1
#define RUNS       (20000 / RUNS_DIVISOR)
#define EXCHANGES  200

struct run {
    struct logger_target target;
    struct txtap_logger_ring ring;
    uint32_t copy[4 * TARGET_SIZE_MAX];
    uint8_t raw[4 * TARGET_SIZE_MAX];
    uint32_t eagerness;  /* about this many steps per word read, */
    uint32_t calm;       /* but only at one word in this many */
    uint32_t collecting; /* in how many of ten cases the collector collects what it can */
    bool anything, inexact, gap;
    uint64_t next_seq, number;
    uint64_t offset; /* from an event's seq to its number */
    uint64_t events, lost;
    uint64_t uncounted; /* events that the target's counts leave out */
    const char *violation;
};

static void step(struct logger_target *target)
{
    struct run *run = target->self;

    if (target->putting) {
        logger_target_store(target);
    } else if (logger_target_random(target, 10) < run->collecting) {
        logger_target_get(target);
    } else {
        logger_target_begin(target, 1 + logger_target_random(target, target->longest));
    }
}

static void let_target_run(struct logger_target *target)
{
    struct run *run = target->self;
    uint32_t steps = 0;

    if (logger_target_random(target, run->calm) != 0)
        return;
    switch (logger_target_random(target, 16)) {
    case 0:
        steps = logger_target_random(target, 6 * run->eagerness + 1);
        break;
    case 1:
        if (logger_target_random(target, 64) == 0) /* a burst, of several laps if eager */
            steps = logger_target_random(target, 8 * target->size * (1 + run->eagerness / 4));
        break;
    case 2:
    case 3:
    case 4:
        steps = logger_target_random(target, run->eagerness + 1);
        break;
    default:
        break;
    }
    while (steps-- > 0)
        step(target);
}

/* Writing an event takes far less time than the reader waits. */
static void pass_time(struct run *run)
{
    struct logger_target *target = &run->target;

    target->now_us += logger_target_random(target, 1000);
    if (logger_target_random(target, 8) == 0)
        target->now_us += logger_target_random(target, 40000);
    if (target->putting && target->now_us - target->begun_us > TXTAP_LOGGER_HOLD_US / 2)
        logger_target_end(target);
}

static void violated(struct run *run, const char *what)
{
    if (run->violation == NULL)
        run->violation = what;
}

static void take_gap(struct run *run, const struct txtap_logger_item *item)
{
    if (run->anything && item->seq != run->next_seq)
        violated(run, "a gap is not at its place");
    run->gap = true;
    run->inexact = run->inexact || !item->exact;
    run->next_seq = item->seq + item->lost;
    run->lost += item->lost;
}

static void take_event(struct run *run, const struct txtap_logger_item *item)
{
    uint64_t number = logger_target_number(&run->target, item);

    if (number == UINT64_MAX) {
        violated(run, "an event is torn");
        return;
    }
    if (run->anything && item->seq != run->next_seq)
        violated(run, "a sequence number is not the next");
    if (run->anything && number <= run->number)
        violated(run, "an event came twice or out of order");
    if (run->anything && number > run->number + 1 && !run->gap && run->target.dropped_runs == 0)
        violated(run, "events are missing without a gap");
    if (!run->anything && run->ring.based && run->ring.events_base == 0)
        run->offset = run->uncounted;
    else if (!run->anything)
        run->offset = number - item->seq;
    if (number < item->seq + run->offset)
        violated(run, "more is reported lost than was");
    if (!run->inexact && run->target.dropped_runs == 0 && number != item->seq + run->offset)
        violated(run, "event and sequence number disagree");
    run->anything = true;
    run->gap = false;
    run->number = number;
    run->next_seq = item->seq + 1;
    run->events++;
}

static void take_all(struct run *run)
{
    struct txtap_logger_item item;

    while (txtap_logger_next(&run->ring, &item))
        if (item.lost > 0)
            take_gap(run, &item);
        else
            take_event(run, &item);
}

static void exchange(struct run *run)
{
    struct txtap_logger_plan plan;

    txtap_logger_plan(&run->ring, &plan, run->target.now_us);
    logger_target_read(&run->target, &plan);
    if (txtap_logger_commit(&run->ring, &plan, run->target.now_us) != TXTAP_OK)
        violated(run, "the ring is no longer recognised");
    take_all(run);
    pass_time(run);
}

static void start(struct run *run, uint64_t seed)
{
    static const uint32_t sizes[] = {3, 4, 5, 8, 13, 16, 31, 32, 100, 128, 300, 320};
    struct logger_target *target = &run->target;
    enum target_logger kind = (enum target_logger)(seed % 3);
    uint32_t before, size;

    logger_target_init(target, kind, 16, seed);
    do
        size = sizes[logger_target_random(target, sizeof sizes / sizeof *sizes)];
    while (kind == TARGET_ZEPHYR && size < TXTAP_LOGGER_SIZE_MIN_UNCOUNTED);
    logger_target_init(target, kind, size, seed);
    target->self = run;
    run->eagerness = 1 + logger_target_random(target, 1 + logger_target_random(target, 12));
    run->calm = 1 + logger_target_random(target, 20);
    run->collecting = logger_target_random(target, 10);
    before = logger_target_random(target, 4 * target->size);
    while (before-- > 0)
        step(target);
    if (logger_target_random(target, 2) == 0) { /* the counts wrap meanwhile */
        target->totals[0] -= 50;
        run->uncounted = target->totals[2] / 2;
        target->totals[2] -= (uint32_t)run->uncounted;
    }
    target->between = let_target_run;
}

/* The target comes to rest: everything left is read, and the counts must match what was written. */
static void come_to_rest(struct run *run)
{
    struct logger_target *target = &run->target;
    uint64_t all;

    logger_target_end(target);
    target->between = NULL;
    for (int i = 0; i < 30; i++)
        exchange(run);
    txtap_logger_finish(&run->ring, run->ring.head.position);
    take_all(run);
    all = target->numbers;
    if (txtap_logger_unread(&run->ring) > 0)
        violated(run, "something is never read");
    if (target->kind == TARGET_COUNTS && run->anything && run->ring.based && run->ring.events_base == 0 &&
        run->next_seq + run->uncounted != all)
        violated(run, "at the end the sum is wrong");
    if (run->anything && run->next_seq + run->offset > all)
        violated(run, "at the end more is reported lost than was");
}

static const char *run_seed(uint64_t seed, struct run *run)
{
    const enum txtap_ring_from from[] = {TXTAP_RING_FROM_OLDEST, TXTAP_RING_FROM_NOW};
    struct txtap_logger_place place;
    struct txtap_logger_config config = {.place = &place, .copy = run->copy, .raw = run->raw};

    *run = (struct run){.violation = NULL};
    start(run, seed);
    place = logger_target_place(&run->target);
    config.from = from[logger_target_random(&run->target, 2)];
    config.read_words = TXTAP_LOGGER_READ_MIN + logger_target_random(&run->target, place.size);
    config.copy_words = place.size * (1 + logger_target_random(&run->target, 4));
    txtap_logger_init(&run->ring, &config);
    for (int i = 0; i < EXCHANGES && run->violation == NULL; i++)
        exchange(run);
    if (run->violation == NULL)
        come_to_rest(run);
    return run->violation;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

Test(logger_model, every_event_is_delivered_once_or_counted, .timeout = 280)
{
    static struct run run;
    uint64_t first = number_of("TXTAP_SEED", SEED_FIRST), runs = number_of("TXTAP_RUNS", RUNS);
    uint64_t events = 0, lost = 0, inexact = 0;

    for (uint64_t seed = first; seed < first + runs; seed++) {
        const char *violation = run_seed(seed, &run);

        cr_assert_null(violation, "seed %" PRIu64 ": %s (ring of %u words, %s)", seed, violation, run.target.size,
                       run.target.kind == TARGET_ZEPHYR   ? "Zephyr's"
                       : run.target.kind == TARGET_COUNTS ? "counts"
                                                          : "old counts");
        events += run.events;
        lost += run.lost;
        inexact += run.inexact;
    }
    fprintf(stderr,
            "seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " events, %" PRIu64 " lost, %" PRIu64
            " runs with a loss of unknown size\n",
            first, first + runs - 1, events, lost, inexact);
    if (runs >= 1000) {
        cr_expect_gt(events, 20 * runs);
        cr_expect_gt(lost, runs);
    }
}
