/* SPDX-License-Identifier: MIT */
/*
 * The logger's ring reader, with a writer and a collector that may make any number of steps between any two words
 * read. Every event must be delivered once, in order and intact, or be counted.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "ring/logger/event_logger_fixture.h"
#include "ring/stream_check.h"
#include "sanitized.h"
#include "seeds.h"

#define SEED_FIRST 1
#define RUNS       (10000 / RUNS_DIVISOR)
#define EXCHANGES  200
#define EVEN_SIZE  16
#define EVEN_WORDS (EVEN_SIZE / 2 - 1)

static struct run {
    struct stream_check stream;
    bool attached; /* stream.next and oldest are known */
    /* oldest: the oldest event that may be delivered first. Until an event is delivered, stream.next is the oldest
     * event that must be delivered. */
    uint64_t oldest;
    uint32_t eagerness;  /* about this many steps of the target before a word is read */
    uint32_t calm;       /* on average, the target moves before one in this many words read */
    uint32_t collecting; /* of ten operations, about this many collect an event; the others put an event */
    bool even;           /* the ring has room for exactly two equal events: all laps end in the same place */
    bool slow;           /* exchanges may take long */
    bool wraps;          /* the target's counts wrap soon */
    bool restarts, over; /* restarts: a restart of the logger is still to come; over: the restart has happened */
    uint64_t before;     /* number of events before the logger was started again */
    uint64_t uncounted;  /* events that the target's counts leave out */
} run;

static void step(void)
{
    if (run.restarts && fixture.inside.sampled && target.totals[0] > 8 * target.size && chance(1000) == 0) {
        run.restarts = false;
        run.over = true;
        run.before = target.numbers;
        target_start();
    } else if (!target_rests()) {
        target_store();
    } else if (run.over) {
        /* rests until the reader notices the restart: else the new counts could reach the old counts unnoticed */
        return;
    } else if (chance(10) < run.collecting) {
        target_get();
    } else {
        target_begin(run.even ? EVEN_WORDS : 1 + chance(target.size < 14 ? target.size - 2 : 12));
    }
}

/* Puts and collects events with as many words as the ring has, so that the indices return to the same place. */
static void go_round(void)
{
    target_end();
    for (int i = 0; i < 2; i++) {
        target_get();
        target_put(EVEN_WORDS);
        target_get();
    }
}

static void let_target_run(void)
{
    uint32_t steps;

    if (run.even && !run.over && chance(fixture.inside.guard_count == 0 ? 16 : 512) == 0)
        go_round();
    if (chance(run.calm) != 0)
        return;
    steps = random_steps(&target.random, run.eagerness, 6 * run.eagerness,
                         8 * target.size * (1 + run.eagerness / 4)); /* a burst may take several laps */
    while (steps-- > 0)
        step();
}

/* Lets time pass. The writer finishes an event long before the reader stops waiting for it. */
static void pass_time(bool between_exchanges)
{
    target.now_us += chance(1000);
    if (chance(8) == 0)
        target.now_us += chance(40000);
    if (between_exchanges && chance(64) == 0)
        target.now_us += 1200000;
    if (!target_rests() && target.now_us - target.begun_us > TXTAP_LOGGER_HOLD_US / 2)
        target_end();
}

static bool violated_if(bool condition, const char *violation)
{
    return stream_violated_if(&run.stream, condition, violation);
}

static void take_gap(const struct txtap_logger_item *item)
{
    stream_take_gap(&run.stream, item->seq, item->lost, item->exact, item->lap);
    run.oldest += item->lost;
    violated_if((run.stream.anything ? run.stream.next : run.oldest) > (run.over ? run.before : target.numbers),
                "a gap claims more than was written");
}

static void check_first(uint64_t number, uint64_t seq)
{
    violated_if(number < run.oldest, "an event is older than wanted, or the first gap claims too much");
    if (run.stream.unsure)
        return;
    violated_if(number > run.stream.next, "events after the attach are missing without a gap");
    if (fixture.inside.place.totals != 0 && fixture.inside.based && fixture.inside.events_base == 0)
        violated_if(number != seq + run.uncounted, "the first sequence number is not that of the counts");
}

static void take_event(const struct txtap_logger_item *item)
{
    uint64_t number = run.over ? item->words[0] / 256 : target_number(item);

    if (violated_if(number == UINT64_MAX || (run.over && number >= run.before), "an event is torn"))
        return;
    if (!run.stream.anything)
        check_first(number, item->seq);
    stream_take_event(&run.stream, item->seq, number);
}

static void take_all(void)
{
    struct txtap_logger_item item;

    while (run.stream.violation == NULL && txtap_logger_next(&fixture.ring, &item)) {
        if (target.dropped_runs > 0) /* the reader cannot see these drops */
            stream_doubt(&run.stream);
        violated_if(!run.attached, "something was delivered before the ring was seen");
        if (item.lost > 0)
            take_gap(&item);
        else
            take_event(&item);
    }
}

/* Notes which events the reader must deliver from now on. Without counts, this needs a guard first. */
static void note_attach(const struct txtap_logger_plan *plan, bool missed)
{
    bool looked = plan->first_guard && !missed && fixture.inside.head.begin_us == plan->begin_us;

    if (!fixture.inside.sampled || (run.attached && !looked))
        return;
    run.attached = true;
    run.stream.next = target.last.published;
    run.oldest = fixture.inside.from == TXTAP_RING_FROM_NOW ? target.first.published : target.first.oldest;
    if (target.last.dropped >= 255) /* there may be more drops than the next header can count */
        stream_doubt(&run.stream);
}

static enum txtap_status exchange(void)
{
    struct txtap_logger_plan plan;
    bool missed = fixture.inside.missed;
    enum txtap_status status;

    txtap_logger_plan(&fixture.ring, &plan, target.now_us);
    target_read(&plan);
    if (run.slow && chance(3) == 0)
        pass_time(false);
    status = txtap_logger_commit(&fixture.ring, &plan, target.now_us);
    violated_if(status != TXTAP_OK && !run.over, "the ring is no longer recognised");
    if (status == TXTAP_OK) {
        note_attach(&plan, missed);
        take_all();
    }
    pass_time(true);
    return status;
}

static void start(uint64_t seed)
{
    static const uint32_t sizes[] = {3, 4, 5, 8, 13, 16, 31, 32, 100, 128, 300, 320};
    enum target_logger kind = (enum target_logger)(seed % 2);
    uint32_t before, size;

    target_init(kind, 16, seed);
    do
        size = sizes[chance(sizeof sizes / sizeof *sizes)];
    while (kind == TARGET_ZEPHYR && size < TXTAP_LOGGER_SIZE_MIN_UNCOUNTED);
    run.even = chance(4) == 0;
    target_init(kind, run.even ? EVEN_SIZE : size, seed);
    run.eagerness = 1 + chance(1 + chance(12));
    run.calm = 1 + chance(run.even ? 400 : 20);
    run.collecting = chance(10);
    run.slow = chance(2) == 0;
    before = chance(4 * target.size);
    while (before-- > 0)
        step();
    run.wraps = chance(2) == 0;
    if (run.wraps) {
        run.uncounted = target.totals[2] / 2;
        target_count_on((uint32_t)-50, -(uint32_t)run.uncounted);
    } else {
        run.restarts = kind == TARGET_COUNTS && chance(4) == 0;
    }
    target.between = let_target_run;
}

/* Lets the target rest. The reader must then deliver all remaining events, and its counts must match the events. */
static void come_to_rest(void)
{
    enum txtap_status status = TXTAP_OK;

    target_end();
    target.between = NULL;
    for (int i = 0; i < 30 && status == TXTAP_OK; i++) {
        target.now_us += i % 2 == 0 ? 60000 : 0; /* long enough to show that no put is in progress */
        status = exchange();
    }
    if (run.over) {
        violated_if(status != TXTAP_ERROR_MOVED, "a restart of the logger goes unnoticed");
        return;
    }
    txtap_logger_finish(&fixture.ring, fixture.inside.head.position);
    take_all();
    violated_if(txtap_logger_unread(&fixture.ring) > 0, "something is never read");
    violated_if(!run.stream.unsure && run.stream.next < target.numbers, "events are missing at the end");
    violated_if(run.stream.anything && (run.stream.next > target.numbers ||
                                        (run.stream.unsure && !stream_fits(&run.stream, target.numbers))),
                "at the end more is reported lost than was");
}

/* Chooses where the reader begins. If it begins at the start of the ring, all events must be delivered. */
static enum txtap_ring_from choose_from(void)
{
    const enum txtap_ring_from from[] = {TXTAP_RING_FROM_OLDEST, TXTAP_RING_FROM_NOW, TXTAP_RING_FROM_START};
    uint32_t choice = chance(3);

    if (choice == 2 && (target.kind == TARGET_ZEPHYR || run.wraps))
        choice = 0;
    run.attached = choice == 2;
    return from[choice];
}

static void run_seed(uint64_t seed)
{
    enum txtap_ring_from from;
    enum txtap_status status = TXTAP_OK;
    uint32_t read_words, copy_words;

    run = (struct run){.attached = false};
    start(seed);
    from = choose_from();
    read_words = TXTAP_LOGGER_READ_MIN + chance(target.size);
    copy_words = target.size * (1 + chance(4));
    attach_with(from, copy_words, read_words);
    for (int i = 0; i < EXCHANGES && run.stream.violation == NULL && status == TXTAP_OK; i++)
        status = exchange();
    if (run.stream.violation == NULL && status == TXTAP_OK)
        come_to_rest();
}

Test(logger_model, every_event_is_delivered_once_or_counted, .timeout = 1200)
{
    uint64_t first = setting("TXTAP_SEED", SEED_FIRST), runs = setting("TXTAP_RUNS", RUNS);
    uint64_t events = 0, lost = 0, inexact = 0;

    for (uint64_t seed = first; seed < first + runs; seed++) {
        run_seed(seed);
        cr_assert_null(run.stream.violation, "seed %" PRIu64 ": %s (ring of %u words, %s)", seed, run.stream.violation,
                       target.size, target.kind == TARGET_ZEPHYR ? "Zephyr's" : "counts");
        events += run.stream.delivered;
        lost += run.stream.lost;
        inexact += run.stream.inexact_gaps;
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
