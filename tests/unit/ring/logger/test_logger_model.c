/* SPDX-License-Identifier: MIT */
/*
 * The logger's ring reader, with a writer and a collector that may make any number of steps between any two words
 * read. Every event must be delivered once, in order and intact, or be counted.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ring/event_logger_inside.h"
#include "ring/logger/event_logger_target.h"
#include "sanitized.h"

#define SEED_FIRST 1
#define RUNS       (10000 / RUNS_DIVISOR)
#define EXCHANGES  200
#define EVEN_SIZE  16
#define EVEN_WORDS (EVEN_SIZE / 2 - 1)

/* State of the delivered stream. */
struct heard {
    bool attached; /* wanted and oldest are known */
    bool anything; /* an event was delivered */
    bool reported; /* an event was delivered, or at least counted */
    bool unsure;   /* there was a gap of "at least" since the last event */
    uint32_t lap;  /* for that gap: the number lost is known modulo this; 1: it is not known */
    bool based;    /* base is known: an event's number minus its seq */
    uint64_t base, next_seq;
    uint64_t next;   /* minimum number of the next event, from the last event and the events counted since */
    uint64_t oldest; /* before the first event: the oldest event that may be delivered; `next` is the oldest that
                      * must be */
};

struct run {
    struct logger_target target;
    union {
        struct txtap_logger_ring ring;
        struct logger_inside inside; /* internals of the same ring */
    };
    uint32_t copy[4 * TARGET_SIZE_MAX];
    uint8_t raw[4 * TARGET_SIZE_MAX];
    uint32_t eagerness;  /* about this many steps per word read, */
    uint32_t calm;       /* but only at one word in this many */
    uint32_t collecting; /* in this many of ten cases the collector collects all that it can */
    bool even;           /* the ring has room for two events of equal length, so each lap ends where it began */
    bool slow;           /* exchanges may take long */
    bool wraps;          /* the target's counts wrap soon */
    bool restarts, over; /* restarts: the logger will be started again; over: it was */
    uint64_t before;     /* number of events before the logger was started again */
    uint64_t uncounted;  /* events that the target's counts leave out */
    struct heard heard;
    uint64_t events, lost, inexact;
    const char *violation;
};

static void step(struct logger_target *target)
{
    struct run *run = target->self;

    if (run->restarts && run->inside.sampled && target->totals[0] > 8 * target->size &&
        logger_target_random(target, 1000) == 0) {
        run->restarts = false;
        run->over = true;
        run->before = target->numbers;
        logger_target_start(target);
    } else if (target->work != RESTING) {
        logger_target_store(target);
    } else if (run->over) {
        return; /* it rests until the restart is noticed: it must not write as much as before */
    } else if (logger_target_random(target, 10) < run->collecting) {
        logger_target_get(target);
    } else {
        logger_target_begin(target, run->even ? EVEN_WORDS : 1 + logger_target_random(target, target->longest));
    }
}

/* Puts and collects as many words as the ring has. */
static void go_round(struct logger_target *target)
{
    logger_target_end(target);
    for (int i = 0; i < 2; i++) {
        logger_target_get(target);
        logger_target_put(target, EVEN_WORDS);
        logger_target_get(target);
    }
}

static void let_target_run(struct logger_target *target)
{
    struct run *run = target->self;
    uint32_t steps = 0;

    if (run->even && !run->over && logger_target_random(target, run->inside.guard_count == 0 ? 16 : 512) == 0)
        go_round(target);
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
static void pass_time(struct run *run, bool between_exchanges)
{
    struct logger_target *target = &run->target;

    target->now_us += logger_target_random(target, 1000);
    if (logger_target_random(target, 8) == 0)
        target->now_us += logger_target_random(target, 40000);
    if (between_exchanges && logger_target_random(target, 64) == 0)
        target->now_us += 1200000;
    if (target->work != RESTING && target->now_us - target->begun_us > TXTAP_LOGGER_HOLD_US / 2)
        logger_target_end(target);
}

static bool violated_if(bool condition, struct run *run, const char *what)
{
    if (condition && run->violation == NULL)
        run->violation = what;
    return condition;
}

static void take_gap(struct run *run, const struct txtap_logger_item *item)
{
    struct heard *heard = &run->heard;

    violated_if(heard->reported && item->seq != heard->next_seq, run, "a gap is not at its place");
    if (!item->exact) {
        heard->lap = heard->unsure && heard->lap != item->lap ? 1 : item->lap;
        heard->unsure = true;
        heard->based = false;
        run->inexact++;
    }
    heard->reported = true;
    heard->next_seq = item->seq + item->lost;
    heard->next += item->lost;
    heard->oldest += item->lost;
    violated_if((heard->anything ? heard->next : heard->oldest) > (run->over ? run->before : run->target.numbers), run,
                "a gap claims more than was written");
    run->lost += item->lost;
}

/*
 * Missing events of unknown number: of events that Zephyr dropped, a multiple of 256 of which the reader saw none;
 * of events that had been dropped at the attach, more than the next header can count.
 */
static void doubt(struct run *run)
{
    run->heard.unsure = true;
    run->heard.lap = 1;
    run->heard.based = false;
}

/* Can this be the number of the next event if the count is known modulo `lap`? */
static bool fits(const struct heard *heard, uint64_t number)
{
    return number >= heard->next && (number - heard->next) % heard->lap == 0;
}

static void check_first(struct run *run, uint64_t number, uint64_t seq)
{
    const struct heard *heard = &run->heard;

    violated_if(number < heard->oldest, run, "an event is older than wanted, or the first gap claims too much");
    violated_if(!heard->unsure && number > heard->next, run, "events after the attach are missing without a gap");
    if (run->inside.place.totals != 0 && run->inside.based && run->inside.events_base == 0 && !heard->unsure)
        violated_if(number != seq + run->uncounted, run, "the first sequence number is not that of the counts");
}

static void take_event(struct run *run, const struct txtap_logger_item *item)
{
    struct heard *heard = &run->heard;
    uint64_t number = run->over ? item->words[0] / 256 : logger_target_number(&run->target, item);

    if (violated_if(number == UINT64_MAX || (run->over && number >= run->before), run, "an event is torn"))
        return;
    violated_if(heard->reported && item->seq != heard->next_seq, run, "a sequence number is not the next");
    if (!heard->anything)
        check_first(run, number, item->seq);
    else if (heard->unsure)
        violated_if(!fits(heard, number), run, "a gap of 'at least' claims more than was lost, or not modulo its lap");
    else
        violated_if(number < heard->next, run, "an event came twice or out of order");
    violated_if(heard->based && number != item->seq + heard->base, run,
                "event and sequence number disagree: a silent loss, or a wrong exact gap");
    heard->base = number - item->seq;
    heard->based = heard->anything = heard->reported = true;
    heard->unsure = false;
    heard->next = number + 1;
    heard->next_seq = item->seq + 1;
    run->events++;
}

static void take_all(struct run *run)
{
    struct txtap_logger_item item;

    while (run->violation == NULL && txtap_logger_next(&run->ring, &item)) {
        if (run->target.dropped_runs > 0)
            doubt(run);
        violated_if(!run->heard.attached, run, "something was delivered before the ring was seen");
        if (item.lost > 0)
            take_gap(run, &item);
        else
            take_event(run, &item);
    }
}

/* From now on the reader is responsible for events; without counts, only after there is a guard. */
static void note_attach(struct run *run, const struct txtap_logger_plan *plan, bool missed)
{
    struct heard *heard = &run->heard;
    const struct logger_target *target = &run->target;
    bool looked = plan->first_guard && !missed && run->inside.head.begin_us == plan->begin_us;

    if (!run->inside.sampled || (heard->attached && !looked))
        return;
    heard->attached = true;
    heard->next = target->last.published;
    heard->oldest = run->inside.from == TXTAP_RING_FROM_NOW ? target->first.published : target->first.oldest;
    if (target->last.dropped >= 255)
        doubt(run);
}

static enum txtap_status exchange(struct run *run)
{
    struct txtap_logger_plan plan;
    bool missed = run->inside.missed;
    enum txtap_status status;

    txtap_logger_plan(&run->ring, &plan, run->target.now_us);
    logger_target_read(&run->target, &plan);
    if (run->slow && logger_target_random(&run->target, 3) == 0)
        pass_time(run, false);
    status = txtap_logger_commit(&run->ring, &plan, run->target.now_us);
    violated_if(status != TXTAP_OK && !run->over, run, "the ring is no longer recognised");
    if (status == TXTAP_OK) {
        note_attach(run, &plan, missed);
        take_all(run);
    }
    pass_time(run, true);
    return status;
}

static void start(struct run *run, uint64_t seed)
{
    static const uint32_t sizes[] = {3, 4, 5, 8, 13, 16, 31, 32, 100, 128, 300, 320};
    struct logger_target *target = &run->target;
    enum target_logger kind = (enum target_logger)(seed % 2);
    uint32_t before, size;

    logger_target_init(target, kind, 16, seed);
    do
        size = sizes[logger_target_random(target, sizeof sizes / sizeof *sizes)];
    while (kind == TARGET_ZEPHYR && size < TXTAP_LOGGER_SIZE_MIN_UNCOUNTED);
    run->even = logger_target_random(target, 4) == 0;
    logger_target_init(target, kind, run->even ? EVEN_SIZE : size, seed);
    target->self = run;
    run->eagerness = 1 + logger_target_random(target, 1 + logger_target_random(target, 12));
    run->calm = 1 + logger_target_random(target, run->even ? 400 : 20);
    run->collecting = logger_target_random(target, 10);
    run->slow = logger_target_random(target, 2) == 0;
    before = logger_target_random(target, 4 * target->size);
    while (before-- > 0)
        step(target);
    run->wraps = logger_target_random(target, 2) == 0;
    if (run->wraps) {
        target->totals[0] -= 50;
        run->uncounted = target->totals[2] / 2;
        target->totals[2] -= (uint32_t)run->uncounted;
    } else {
        run->restarts = kind == TARGET_COUNTS && logger_target_random(target, 4) == 0;
    }
    target->between = let_target_run;
}

/* The target comes to rest. Everything left is read, and the counts must match the written events. */
static void come_to_rest(struct run *run)
{
    struct logger_target *target = &run->target;
    struct heard *heard = &run->heard;
    enum txtap_status status = TXTAP_OK;

    logger_target_end(target);
    target->between = NULL;
    for (int i = 0; i < 30 && status == TXTAP_OK; i++) {
        target->now_us += i % 2 == 0 ? 60000 : 0; /* such a long rest is not in the middle of a put */
        status = exchange(run);
    }
    if (run->over) {
        violated_if(status != TXTAP_ERROR_MOVED, run, "a restart of the logger goes unnoticed");
        return;
    }
    txtap_logger_finish(&run->ring, run->inside.head.position);
    take_all(run);
    violated_if(txtap_logger_unread(&run->ring) > 0, run, "something is never read");
    violated_if(!heard->unsure && heard->next < target->numbers, run, "events are missing at the end");
    violated_if(heard->anything && (heard->next > target->numbers || (heard->unsure && !fits(heard, target->numbers))),
                run, "at the end more is reported lost than was");
}

/* Expectations from the start of the reader on. If it begins at the start of the ring, all events must be delivered. */
static enum txtap_ring_from choose_from(struct run *run)
{
    const enum txtap_ring_from from[] = {TXTAP_RING_FROM_OLDEST, TXTAP_RING_FROM_NOW, TXTAP_RING_FROM_START};
    uint32_t choice = logger_target_random(&run->target, 3);

    if (choice == 2 && (run->target.kind == TARGET_ZEPHYR || run->wraps))
        choice = 0;
    run->heard.attached = choice == 2;
    return from[choice];
}

static const char *run_seed(uint64_t seed, struct run *run)
{
    struct txtap_logger_place place;
    struct txtap_logger_config config = {.place = &place, .copy = run->copy, .raw = run->raw};
    enum txtap_status status = TXTAP_OK;

    *run = (struct run){.violation = NULL};
    start(run, seed);
    place = logger_target_place(&run->target);
    config.from = choose_from(run);
    config.read_words = TXTAP_LOGGER_READ_MIN + logger_target_random(&run->target, place.size);
    config.copy_words = place.size * (1 + logger_target_random(&run->target, 4));
    txtap_logger_init(&run->ring, &config);
    for (int i = 0; i < EXCHANGES && run->violation == NULL && status == TXTAP_OK; i++)
        status = exchange(run);
    if (run->violation == NULL && status == TXTAP_OK)
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
                       run.target.kind == TARGET_ZEPHYR ? "Zephyr's" : "counts");
        events += run.events;
        lost += run.lost;
        inexact += run.inexact;
    }
    fprintf(stderr,
            "seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " events, %" PRIu64 " lost, %" PRIu64
            " gaps of unknown size\n",
            first, first + runs - 1, events, lost, inexact);
    if (runs >= 1000) {
        cr_expect_gt(events, 20 * runs);
        cr_expect_gt(lost, runs);
    }
}
