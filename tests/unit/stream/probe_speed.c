/* SPDX-License-Identifier: MIT */
#include "stream/probe_speed.h"

#define LEARN_US    1000000
#define MEASURE_US  3000000
#define POLLS       100
#define WIRE_CLOCKS 46.0 /* of a word */
#define RATE_MIN    250.0
#define RATE_MAX    400000.0
#define RATE_STEP   1.2

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
    struct ledger ledger = {.entries = what->entries, .counts_laps = what->counts_laps};
    const struct stream_stats *stats = &probe_fixture.poller.stats;
    uint64_t events, lost, bytes, begin;
    struct speed speed = {.offered = (double)rate_per_s};
    double seconds;

    probe_fixture_set_up(what->probe, what->entries, what->counts_laps, 5 * (uint64_t)what->entries + 7, rate_per_s);
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

    probe_fixture_set_up(probe, 465, true, 0, 0);
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
        if (speed.delivered < best / 2)
            break;
    }
    return best;
}

/* Commands of a read of many entries are counted as a cost of each. */
double speed_limit(const struct speed_case *what, double rate_per_s)
{
    const struct probe_model *probe = what->probe;
    bool long_commands = probe->command_bytes >= 4096;
    double piece_us = (double)(probe->piece_us + probe->command_us);
    double entry_us = (double)probe->word_ns * TXTB_ENTRY_BYTES / 4 / 1000;
    double fixed_us = 2 * piece_us + 5 * (double)probe->word_ns / 1000, moved, entries, limit;

    if (!long_commands)
        entry_us += (double)probe->command_us * TXTB_ENTRY_BYTES / probe->command_bytes;
    moved = rate_per_s * fixed_us / 1e6;
    entries = ((double)what->entries - 1 - moved) / (1 + rate_per_s * entry_us / 1e6);
    if (entries <= 0)
        return 0;
    limit = entries / (fixed_us + (double)probe->exchange_us + entries * entry_us) * 1e6;
    return limit < rate_per_s ? limit : rate_per_s;
}
