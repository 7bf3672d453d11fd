/* SPDX-License-Identifier: MIT */
#include "stream/probe_speed.h"

#define LEARN_US    1000000
#define MEASURE_US  3000000
#define POLLS       100
#define WIRE_CLOCKS 46.0 /* of a word */
#define RATE_MIN    250.0
#define RATE_MAX    400000.0
#define RATE_STEP   1.2
#define TOO_FAST    6.0  /* times the best: more is not delivered at higher rates */
#define LONG_PIECE  128u /* entries: 4 KiB, what an ST-Link reads with one command */

/* What the sink has seen. */
struct ledger {
    uint32_t entries;
    bool counts_laps;
    bool any;
    uint64_t last; /* the writer's number of the last event */
    uint64_t wrong;
};

/* Without laps, an event's number may be laps below the writer's: by as many as a gap says "at least". */
static bool is_right(const struct ledger *ledger, const struct txtap_event *event)
{
    uint32_t n = event->info[0];

    if (event->id != TARGET_LEDGER_ID || event->info[1] != ~n || event->info[2] != 3u * n ||
        event->info[3] != (0x1ED6E2A5u ^ n) || (ledger->any && n <= ledger->last))
        return false;
    return ledger->counts_laps ? n == event->seq : (n - event->seq) % ledger->entries == 0;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct ledger *ledger = self;

    if (item->kind != TXTAP_ITEM_EVENT)
        return TXTAP_OK;
    ledger->wrong += !is_right(ledger, &item->event);
    ledger->last = item->event.info[0];
    ledger->any = true;
    return TXTAP_OK;
}

struct speed speed_measure(const struct speed_case *what, uint64_t rate_per_s)
{
    struct ledger ledger = {.entries = what->entries, .counts_laps = what->laps != PROBE_NO_LAPS};
    const struct stream_stats *stats = &probe_fixture.poller.stats;
    uint64_t events, lost, bytes, begin;
    struct speed speed = {.offered = (double)rate_per_s};
    double seconds;

    probe_fixture_set_up(what->probe, (struct probe_ring){what->entries, what->objects, what->laps},
                         5 * (uint64_t)what->entries + 7, rate_per_s);
    probe_fixture.disturbance = what->disturbance;
    probe_fixture_open_to(TXTAP_RING_FROM_NOW, (struct txtap_sink){take, &ledger});
    probe_fixture_run(LEARN_US);
    events = stats->events;
    lost = stats->lost;
    bytes = stats->bytes_read;
    begin = probe_fixture_now_us();
    probe_fixture_run(MEASURE_US);
    seconds = (double)(probe_fixture_now_us() - begin) / 1e6;
    speed.delivered = (double)(stats->events - events) / seconds;
    speed.useful = (double)((stats->events - events) * TXTB_ENTRY_BYTES) / (double)(stats->bytes_read - bytes);
    speed.lost = stats->lost - lost;
    speed.exact = stats->lost_exact;
    speed.wrong = ledger.wrong;
    poller_free(&probe_fixture.poller);
    return speed;
}

double speed_polls(const struct probe_model *probe)
{
    static uint8_t bytes[1500];
    const struct txtap_read reads[] = {
        {TARGET_BASE, 20, bytes}, {TARGET_BASE + 32, 4, bytes}, {TARGET_BASE + TXTB_HEADER_BYTES, 1500, bytes}};
    uint64_t begin_us;

    probe_fixture_set_up(probe, (struct probe_ring){465, 0, PROBE_LAPS}, 0, 0);
    begin_us = probe_fixture_now_us();
    for (unsigned i = 0; i < POLLS; i++)
        (void)probe_fixture_read(reads, sizeof reads / sizeof *reads);
    return POLLS * 1e6 / (double)(probe_fixture_now_us() - begin_us);
}

double speed_of_wire(unsigned khz)
{
    return khz * 1000.0 / (WIRE_CLOCKS * TXTB_ENTRY_BYTES / 4);
}

double speed_best(const struct speed_case *what)
{
    double best = 0;

    for (double rate = RATE_MIN; rate < RATE_MAX; rate *= RATE_STEP) {
        struct speed speed = speed_measure(what, (uint64_t)rate);

        if (speed.delivered > best)
            best = speed.delivered;
        if (speed.delivered < best / 2 || rate > TOO_FAST * best)
            break;
    }
    return best;
}

/* ---- what is possible ---- */

/* What an exchange costs, each piece, and each entry of a long piece. */
struct costs {
    double exchange_us, piece_us, entry_us;
};

static double duration_us(uint32_t entries, size_t pieces)
{
    static uint8_t buffer[LONG_PIECE * TXTB_ENTRY_BYTES], live[20];
    struct txtap_read reads[3];
    uint64_t begin_us = probe_fixture_now_us();

    reads[0] = (struct txtap_read){TARGET_BASE + TXTB_HEADER_BYTES, entries * TXTB_ENTRY_BYTES, buffer};
    for (size_t i = 1; i < pieces; i++)
        reads[i] = (struct txtap_read){TARGET_BASE + TXTB_HEADER_LAPS, sizeof live, live};
    (void)probe_fixture_read(reads, pieces);
    return (double)(probe_fixture_now_us() - begin_us);
}

static struct costs costs_of(const struct probe_model *probe)
{
    struct costs costs;
    double two, three;

    probe_fixture_set_up(probe, (struct probe_ring){LONG_PIECE, 0, PROBE_LAPS}, 0, 0);
    (void)duration_us(1, 2); /* the first one may cost more */
    two = duration_us(1, 2);
    three = duration_us(1, 3);
    costs.piece_us = three - two;
    costs.entry_us = (duration_us(LONG_PIECE, 2) - two) / (LONG_PIECE - 1);
    costs.exchange_us = two - 2 * costs.piece_us - costs.entry_us;
    return costs;
}

/*
 * In the time between two pointers, in which so many pieces are read, the writer moves on; those entries of the ring
 * stand that it does not come round to. Behind the pointer it must not come round to the newest one either for so many
 * pieces more. more: pieces of an exchange that are not in that time.
 */
static double limit_of(const struct speed_case *what, const struct costs *costs, double rate, double pieces,
                       double newest, double more)
{
    double fixed_us = costs->exchange_us + pieces * costs->piece_us, readable = what->entries - 1;
    double entries = (readable - rate * fixed_us) / (1 + rate * costs->entry_us);
    double behind = (readable - rate * (fixed_us + newest * costs->piece_us)) / (rate * costs->entry_us);

    if (newest > 0 && behind < entries)
        entries = behind;
    return entries <= 0 ? 0 : entries / (fixed_us + more * costs->piece_us + entries * costs->entry_us);
}

double speed_limit(const struct speed_case *what, double rate_per_s)
{
    struct costs costs = costs_of(what->probe);
    double rate = rate_per_s / 1e6, turns, limit;

    if (what->laps == PROBE_HALF_LAPS) {
        limit = limit_of(what, &costs, rate, 2, 0, 0);
    } else if (what->laps == PROBE_LAPS) {
        turns = rate * (costs.exchange_us + 2 * costs.piece_us) / what->entries;
        limit = limit_of(what, &costs, rate, 2, 0, turns < 1 ? turns : 1);
    } else {
        double again = limit_of(what, &costs, rate, 3, 1, 2);

        limit = limit_of(what, &costs, rate, 4, 1, 0);
        limit = again > limit ? again : limit;
    }
    return limit * 1e6 < rate_per_s ? limit * 1e6 : rate_per_s;
}
