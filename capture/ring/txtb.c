/* SPDX-License-Identifier: MIT */
/* ThreadX's trace buffer as a kind of ring. txtap's recorder writes such a buffer, too. */
#include "ring/txtb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/source_base.h"
#include "txtap/inner/header.h"
#include "txtap/inner/registry.h"

/* ---- half laps ---- */

#define TRIES 3 /* the firmware may be enabling the trace again during a try */

enum { WORD_CURRENT, WORD_HALF_LAPS, WORD_LIFE, WORDS };

uint32_t half_laps_address(const struct elf_file *elf)
{
    struct elf_symbol symbol;

    if (elf == NULL || elf_symbol_find(elf, HALF_LAPS_SYMBOL, &symbol) != TXTAP_OK || !symbol.in_ram ||
        symbol.address % 4 != 0 || (symbol.size != 0 && symbol.size < TXTAP_RING_HALF_LAPS_BYTES))
        return 0;
    return symbol.address;
}

static void take_words(const uint8_t *bytes, enum txtap_endian endian, uint32_t words[WORDS])
{
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = memory_word(bytes + 4 * i, endian);
}

/*
 * Reports whether the header belongs to the same trace as the half-lap words. The words in `before` were read before
 * the header, and the words in `after` were read after it. The recorder counts a lap in the half-lap word first and in
 * the header last. So the header's lap count is at least the lap count of the words read before it, except for a half
 * lap that is being counted. The recorder stores the position in the header last. So the header's position is at most
 * the position in the words read after it.
 */
static bool agree(const struct txtap_header *header, const uint32_t before[WORDS], const uint32_t after[WORDS])
{
    uint32_t current = after[WORD_CURRENT], half_laps = after[WORD_HALF_LAPS];
    uint32_t middle = txtap_header_ring_entries(header) / 2;
    uint32_t least = before[WORD_HALF_LAPS] > 0 ? (before[WORD_HALF_LAPS] - 1) / 2 : 0, most, since;
    bool second_half = middle > 0 && txtap_header_slot(header, current) >= middle;

    if (after[WORD_LIFE] == 0 || before[WORD_LIFE] != after[WORD_LIFE] || !txtap_header_is_slot(header, current) ||
        half_laps < second_half)
        return false;
    most = (half_laps - second_half) / 2;
    since = (uint16_t)(header->laps - least);
    if (most - least > UINT16_MAX || since > most - least)
        return false;
    return since < most - least || txtap_header_slot(header, header->current) <= txtap_header_slot(header, current);
}

struct txtap_ring_half_laps half_laps_find(struct txtap_source source, uint32_t address, struct poller_place *place)
{
    uint32_t before[WORDS], after[WORDS];
    uint8_t first[TXTAP_RING_HALF_LAPS_BYTES], second[TXTAP_RING_HALF_LAPS_BYTES], bytes[TXTB_HEADER_BYTES];
    const struct txtap_read reads[] = {
        {address, sizeof first, first}, {place->address, sizeof bytes, bytes}, {address, sizeof second, second}};
    struct txtap_header header;

    for (unsigned i = 0; address != 0 && address < place->address && i < TRIES; i++) {
        if (source.ops->read(source.self, reads, sizeof reads / sizeof *reads) != TXTAP_OK)
            break;
        take_words(first, place->header.endian, before);
        take_words(second, place->header.endian, after);
        if (txtap_header_parse(bytes, &header) == TXTAP_OK && txtap_header_same_buffer(&header, &place->header) &&
            agree(&header, before, after)) {
            place->header = header;
            return (struct txtap_ring_half_laps){address, after[WORD_CURRENT], after[WORD_HALF_LAPS], after[WORD_LIFE]};
        }
    }
    return (struct txtap_ring_half_laps){.address = 0};
}

/* ---- the reader ---- */

/* approximate limit for the duration of an exchange, because Ctrl-C and the clock on the screen wait for its end */
#define EXCHANGE_FAST_US 25000
#define EXCHANGE_SLOW_US 100000

struct txtb_reader *txtb_reader_of(const struct poller *poller)
{
    return poller->reader_self;
}

struct txtap_ring_state txtb_ring_of(const struct poller *poller)
{
    return txtap_ring_state(&txtb_reader_of(poller)->ring);
}

static void txtb_close(void *self)
{
    struct txtb_reader *reader = self;

    free(reader->entries);
    free(reader);
}

static struct txtb_reader *new_reader(uint32_t entries)
{
    struct txtb_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL)
        return NULL;
    reader->entries_capacity = entries > TXTAP_RING_BUFFER_MIN ? entries : TXTAP_RING_BUFFER_MIN;
    reader->entries = calloc(reader->entries_capacity, TXTB_ENTRY_BYTES);
    if (reader->entries != NULL)
        return reader;
    free(reader);
    return NULL;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum txtap_status txtb_open(void **self, const struct reader_setup *setup, struct error *error)
{
    uint32_t overhead = TXTAP_RING_READS_MAX * TXTB_ENTRY_BYTES, entries = txtap_header_ring_entries(setup->header);
    struct txtb_place own;
    struct txtb_reader *reader;

    memcpy(&own, setup->place->own, sizeof own);
    if (setup->from != TXTAP_RING_AT_REST && entries < 2)
        return failure(error, TXTAP_ERROR_RING,
                       "trace buffer at 0x%08" PRIx32 ": its ring has one entry, which the target is always about to "
                       "overwrite\ngive tx_trace_enable a larger buffer",
                       setup->address);
    reader = new_reader(min_u32((setup->read_bytes_max - overhead) / TXTB_ENTRY_BYTES, entries));
    if (reader == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %" PRIu32 " bytes",
                       txtap_header_total_bytes(setup->header));
    txtap_ring_init(&reader->ring, &(struct txtap_ring_config){
                                       .header = setup->header,
                                       .address = setup->address,
                                       .buffer = reader->entries,
                                       .buffer_entries = min_u32(reader->entries_capacity, TXTB_READER_FIRST_ENTRIES),
                                       .from = setup->from,
                                       .half_laps = own.half_laps,
                                       .patience_us = setup->patience_us,
                                   });
    reader->address = setup->address;
    *self = reader;
    return TXTAP_OK;
}

static size_t txtb_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct txtb_reader *reader = self;

    txtap_ring_plan(&reader->ring, &reader->plan, now_us);
    *reads = reader->plan.reads;
    return reader->plan.count;
}

/*
 * Returns the number of entries for the next exchange. The last exchange read `entries` entries in took_us
 * microseconds, and left more entries to read. The result is at most `most`, small enough for the poller to stay
 * responsive, and large enough to justify the fixed cost of an exchange.
 */
static uint32_t txtb_reader_adapt(uint32_t entries, uint32_t most, uint64_t took_us)
{
    if (took_us < EXCHANGE_FAST_US)
        return 2 * entries < most ? 2 * entries : most;
    return took_us > EXCHANGE_SLOW_US && entries / 2 >= TXTAP_RING_BUFFER_MIN ? entries / 2 : entries;
}

static void adapt_exchange(struct txtb_reader *reader, uint64_t took_us)
{
    uint32_t entries = txtap_ring_state(&reader->ring).buffer_entries;
    bool full = reader->plan.end - reader->plan.first >= entries;

    if (full || took_us > EXCHANGE_SLOW_US)
        txtap_ring_limit(&reader->ring, txtb_reader_adapt(entries, reader->entries_capacity, took_us));
}

/*
 * Commits an exchange. If the writer lapped the reader unnoticed before or during the exchange, the pointers of the
 * earlier exchange and of this exchange may be laps apart. The writer may be beyond `head` in two cases: the writer is
 * faster than the reader, or the pointer is at the ring's start and the lap may not be counted yet. next: the first
 * entry that the exchange can have delivered.
 */
static enum txtap_status txtb_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                     struct reader_write_time *write_time)
{
    struct txtb_reader *reader = self;
    const struct txtap_ring_state before = txtap_ring_state(&reader->ring);
    bool counted = before.guard_known && !before.guard_gone;
    enum txtap_status status = txtap_ring_commit(&reader->ring, &reader->plan, end_us, &reader->batch);
    struct txtap_ring_state ring;

    if (status != TXTAP_OK)
        return status;
    ring = txtap_ring_state(&reader->ring);
    reader->batch_waits = true;
    counted = counted && (reader->batch.lost == 0 || reader->batch.exact);
    *write_time = (struct reader_write_time){
        .any = true,
        .counted = counted && !ring.guard_gone && !ring.inexact,
        .exact = !ring.overtaken && !ring.behind && (ring.half_laps_at != 0 || ring.head % ring.entries != 0),
        .head = ring.head,
        .base = ring.seq_base,
        .begin_us = begin_us,
        .end_us = end_us,
        .next = before.next,
    };
    adapt_exchange(reader, end_us - begin_us);
    return TXTAP_OK;
}

static bool txtb_next(void *self, struct reader_batch *batch)
{
    struct txtb_reader *reader = self;
    bool waits = reader->batch_waits;

    reader->batch_waits = false;
    *batch = (struct reader_batch){.ring = reader->batch};
    if (batch->ring.lap == 0)
        batch->ring.lap = txtap_ring_state(&reader->ring).entries;
    return waits;
}

static void txtb_finish(void *self, uint64_t until)
{
    struct txtb_reader *reader = self;

    txtap_ring_finish(&reader->ring, until, &reader->batch);
    reader->batch_waits = true;
}

/* Reports whether the reader may be whole laps late. Without lap counts, true means that a lap went unnoticed. With
 * half laps, true means that the writer passed one or more laps, and that the count may be older than the pointer. */
static bool may_be_laps_behind(const struct txtap_ring_state *ring)
{
    return ring->guard_gone || (ring->half_laps_at != 0 && ring->behind);
}

static struct reader_state txtb_state(const void *self)
{
    const struct txtb_reader *reader = self;
    const struct txtap_ring_state ring = txtap_ring_state(&reader->ring);

    return (struct reader_state){
        .head = ring.head,
        .next = ring.next,
        .next_seq = ring.started ? ring.next - ring.seq_base : 0,
        .seq_at_attach = ring.head_at_attach > ring.seq_base ? ring.head_at_attach - ring.seq_base : 0,
        .unread = txtap_ring_unread(&reader->ring),
        .held = txtap_ring_held(&reader->ring),
        .capacity = ring.entries,
        .batch_events = reader->entries_capacity + TXTAP_RING_HOLD_ENTRIES,
        .bytes = (uint64_t)ring.entries * TXTB_ENTRY_BYTES,
        .pointer = ring.half_laps_at != 0 ? ring.half_laps_at : reader->address + TXTB_HEADER_CURRENT,
        .laps = ring.laps_state,
        .head_known = ring.started,
        .started = ring.started,
        .idle = reader->plan.first == reader->plan.end,
        .poll_now = may_be_laps_behind(&ring),
        .overtaken = ring.overtaken,
        .behind = ring.behind,
        .laps_behind = may_be_laps_behind(&ring),
        .doubtful = ring.laps_state != TXTAP_LAPS_COUNTED && (ring.inexact || ring.guard_gone || !ring.guard_known),
    };
}

static void txtb_mark_inexact(void *self)
{
    struct txtb_reader *reader = self;

    txtap_ring_mark_inexact(&reader->ring);
}

const struct reader_ops txtb_reader_ops = {
    .name = "trace buffer",
    .bad_pointer = "its write pointer is outside the ring: was the target reset, or is something writing there? start "
                   "txtap again",
    .restarted = "it was set up again while it was read: start txtap again",
    .unit_bytes = TXTB_ENTRY_BYTES,
    .unit_is_event = true,
    .guards_by_stamp = true,
    .open = txtb_open,
    .close = txtb_close,
    .plan = txtb_plan,
    .commit = txtb_commit,
    .next = txtb_next,
    .finish = txtb_finish,
    .state = txtb_state,
    .mark_inexact = txtb_mark_inexact,
};

#define LIVE_BYTES 20u /* bytes of the header from the lap count to the write pointer */

/* ---- speed, for info ---- */

/*
 * Reads `entries` entries, and the words from which a reader knows which entries are valid. With lap counts, an
 * exchange reads two pieces, or four when the lap changes. Without lap counts, most exchanges read four pieces, and
 * some five. With half laps, an exchange reads two or three pieces.
 */
static enum txtap_status exchange(struct poller *poller, uint32_t entries, uint8_t *buffer, struct error *error)
{
    const struct txtap_ring_state ring = txtb_ring_of(poller);
    bool laps_counted = ring.laps_state == TXTAP_LAPS_COUNTED;
    uint8_t live[LIVE_BYTES], again[LIVE_BYTES], guard[TXTAP_RING_GUARD_BYTES], wrap[4];
    const struct txtap_read reads[] = {
        {poller->header.ring_start, entries * TXTB_ENTRY_BYTES, buffer},
        {poller->header.ring_start, sizeof wrap, wrap}, /* entries that wrap around the ring's end need two reads */
        {poller->address + TXTB_HEADER_LAPS, sizeof live, live},
        laps_counted ? (struct txtap_read){poller->address + TXTB_HEADER_LAPS, sizeof again, again}
                     : (struct txtap_read){poller->header.ring_start, sizeof guard, guard},
    };
    const struct txtap_read by_half_laps[] = {
        reads[0], reads[1], {ring.half_laps_at, TXTAP_RING_HALF_LAPS_BYTES, live}};

    if (ring.half_laps_at != 0)
        return poller_exchange(poller, by_half_laps, sizeof by_half_laps / sizeof *by_half_laps, error);
    return poller_exchange(poller, reads, sizeof reads / sizeof *reads, error);
}

/*
 * Measures the probe's speed. An exchange reads the entries that were written during the previous exchange. During this
 * exchange the target writes the same number of new entries. Both together must fit into the ring, so reading more than
 * half a ring at a time does not help. With a slow probe, an exchange reads less, so that txtap stays responsive.
 */
enum txtap_status txtb_measure(struct poller *poller, double *bytes_per_second, struct error *error)
{
    const struct txtb_reader *reader = txtb_reader_of(poller);
    uint32_t half = txtb_ring_of(poller).entries / 2;
    uint32_t most = half < reader->entries_capacity ? half : reader->entries_capacity;
    uint32_t entries = most < TXTB_READER_FIRST_ENTRIES ? most : TXTB_READER_FIRST_ENTRIES, before = 0;
    uint64_t begin = poller->now_us(), took = 0, count = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (count == 0 || poller->now_us() - begin < RING_MEASURE_US) && !stop_requested()) {
        uint64_t since = poller->now_us();

        if (entries != before) /* starts again, because the earlier exchanges read another number of entries */
            took = count = 0;
        before = entries;
        status = exchange(poller, entries, reader->entries, error);
        took += poller->now_us() - since;
        count++;
        entries = txtb_reader_adapt(entries, most, poller->now_us() - since);
    }
    *bytes_per_second = (double)count * before / ((double)(took + 1) / 1e6) * TXTB_ENTRY_BYTES;
    return status;
}

/* ---- lines of info ---- */

static struct txtb_place own_of(const struct poller_place *place)
{
    struct txtb_place own;

    memcpy(&own, place->reader.own, sizeof own);
    return own;
}

/* Returns the number of registry slots that were ever used. */
static size_t count_objects(const struct poller *poller)
{
    uint32_t step = txtap_header_object_bytes(&poller->header);
    struct txtap_object object;
    size_t count = 0;
    uint32_t length;
    const uint8_t *objects = poller_objects(poller, &length);

    for (uint32_t at = 0; at + step <= length; at += step)
        count += txtap_registry_slot(&poller->header, objects + at, &object);
    return count;
}

static void print_header(const struct poller_place *place, const struct poller *poller)
{
    const struct txtap_header *header = &place->header;
    uint32_t entries = txtap_header_ring_entries(header);
    const struct txtb_place own = own_of(place);

    printf("header     0x%08" PRIx32 ", found by %s, %s-endian, timer mask 0x%08" PRIx32 "\n", place->address,
           locate_how_name(own.how), header->endian == TXTAP_BIG ? "big" : "little", header->timer_mask);
    printf("registry   0x%08" PRIx32 "..0x%08" PRIx32 ", %" PRIu32 " entries, %zu objects, names of %u bytes\n",
           header->registry_start, header->registry_end, txtap_header_registry_entries(header), count_objects(poller),
           header->name_bytes);
    printf("ring       0x%08" PRIx32 "..0x%08" PRIx32 ", %" PRIu32 " entries, %" PRIu32
           " bytes, next entry at 0x%08" PRIx32 "\n",
           header->ring_start, header->ring_end, entries, entries * TXTB_ENTRY_BYTES, header->current);
}

/* details: also where and how the recorder counts. */
static void print_laps(const struct poller_place *place, const struct poller *poller, bool details)
{
    const struct txtap_ring_state ring = txtb_ring_of(poller);

    if (poller->stats.unseen) {
        printf("laps       not counted by the recorder (plain ThreadX), and the time stamps stand still: losses may go "
               "undetected\n");
        return;
    }
    if (ring.half_laps_at != 0) {
        printf("laps       counted by the recorder: %" PRIu64 " so far; loss is exact\n", ring.half_laps / 2);
        if (details)
            printf("laps       counted in halves at 0x%08" PRIx32 ", modulo 2147483648, in life 0x%08" PRIx32 "\n",
                   ring.half_laps_at, ring.life);
        return;
    }
    switch (ring.laps_state) {
    case TXTAP_LAPS_COUNTED:
        printf("laps       counted by the recorder: %" PRIu64 " so far; loss is exact\n", ring.laps);
        if (details)
            printf("laps       counted modulo 65536%s\n",
                   own_of(place).half_laps_behind ? "; half-laps are unused, because they are after the buffer" : "");
        break;
    case TXTAP_LAPS_NONE:
        printf("laps       not counted by the recorder (plain ThreadX): every loss is noticed, its size is \"at "
               "least\"\n");
        break;
    default:
        printf("laps       not yet known: the ring has not wrapped since txtap looked\n");
    }
}

static enum txtap_status txtb_describe(struct poller *poller, const struct poller_place *place,
                                       const struct elf_file *elf, bool details, struct error *error)
{
    (void)elf;
    (void)error;
    print_header(place, poller);
    if (!place->at_rest)
        print_laps(place, poller, details);
    return TXTAP_OK;
}

/* this variable is NULL while nothing is recorded; ThreadX common/src/tx_trace_disable.c */
#define CURRENT_SYMBOL "_tx_trace_buffer_current_ptr"
#define SEARCH_START_SYMBOL                                                                                            \
    "_tx_trace_registry_search_start" /* ThreadX common/inc/tx_trace.h; the recorder has the same variable */

static void list_candidates(const struct locate_result *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct locate_candidate *candidate = &found->candidates[i];

        if (candidate->status == TXTAP_OK)
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": trace buffer of %" PRIu32 " entries, %" PRIu32 " objects\n",
                    candidate->address, txtap_header_ring_entries(&candidate->header),
                    txtap_header_registry_entries(&candidate->header));
        else
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": not usable: %s\n", candidate->address, candidate->why);
    }
}

/* Checks the end of the ring. A damaged header can be plausible and still describe more memory than exists. So the last
 * word of its ring must be readable. */
static enum txtap_status check_extent(struct txtap_source source, const struct locate_request *request,
                                      const struct poller_place *place, struct error *error)
{
    uint32_t last = place->header.ring_end - 4;
    uint8_t word[4];
    bool permitted = locate_permits(request, place->address, place->header.ring_end - place->address);
    enum txtap_status status = permitted ? memory_read(source, last, word, sizeof word) : ERROR_FAULT;

    if (status == ERROR_FAULT)
        return failure(error, TXTAP_ERROR_RING,
                       "trace buffer at 0x%08" PRIx32 ": its ring reaches to 0x%08" PRIx32
                       ", where %s: the header is damaged, or --address is wrong\nsearch with --scan%s",
                       place->address, place->header.ring_end,
                       permitted ? "nothing can be read" : "registers are, which txtap does not read",
                       permitted ? "" : ", --ram START:SIZE says where RAM is");
    if (status != TXTAP_OK)
        return memory_failure(source, status, NULL, error);
    return TXTAP_OK;
}

/* Returns the address of the firmware's pointer to the buffer; 0 if the buffer was not found through that pointer. */
static uint32_t pointer_of(const struct ring_request *request, enum locate_how how)
{
    struct elf_symbol symbol;

    if (how != LOCATE_BY_POINTER || request->config->wished.symbol != NULL ||
        elf_symbol_find(request->elf, LOCATE_POINTER_SYMBOL, &symbol) != TXTAP_OK || symbol.address % 4 != 0)
        return 0;
    return symbol.address;
}

/* Returns the address of _tx_trace_registry_search_start; 0: not known. */
static uint32_t search_start_of(const struct ring_request *request)
{
    struct elf_symbol symbol;

    if (request->elf == NULL || elf_symbol_find(request->elf, SEARCH_START_SYMBOL, &symbol) != TXTAP_OK ||
        !symbol.in_ram || symbol.address % 4 != 0)
        return 0;
    return symbol.address;
}

static void take(const struct ring_request *request, const struct locate_candidate *chosen, struct poller_place *place)
{
    uint32_t half_laps_at = half_laps_address(request->other_firmware ? NULL : request->elf);
    struct txtb_place own = {.how = chosen->how};

    _Static_assert(sizeof own <= sizeof place->reader.own, "a place has room for it");
    place->address = chosen->address;
    place->header = chosen->header;
    place->pointer = pointer_of(request, chosen->how);
    place->search_start = search_start_of(request);
    own.half_laps_behind = half_laps_at > place->address;
    own.half_laps = half_laps_find(request->source, half_laps_at, place);
    memcpy(place->reader.own, &own, sizeof own);
}

static enum txtap_status locate_buffer(const struct ring_request *request, struct poller_place *place,
                                       struct error *error)
{
    const struct locate_wish *wished = &request->config->wished;
    bool given = wished->ram_count > 0 || request->memory == NULL;
    const struct locate_request where = {
        .elf = wished->scan && request->other_firmware ? NULL : request->elf,
        .symbol = wished->symbol,
        .has_address = wished->has_address,
        .address = wished->address,
        .scan = wished->scan,
        .ram = given ? wished->ram : request->memory,
        .ram_count = given ? wished->ram_count : 1,
    };
    struct locate_result found;
    enum txtap_status status = locate(request->source, &where, &found, error);

    if (status == TXTAP_OK) {
        take(request, &found.candidates[found.chosen], place);
        status = check_extent(request->source, &where, place, error);
    }
    if (status != TXTAP_OK && request->lists && found.count > 1)
        list_candidates(&found);
    return status;
}

static const char *const uptime_symbols[] = {
    "_tx_timer_system_clock", /* ticks since the start; ThreadX common/inc/tx_timer.h */
    "_sys_clock_tick_count",  /* kernel ticks since the start; recorder under Zephyr 1.x: kernel/sys_clock.c */
    "curr_tick",              /* kernel ticks since the start; recorder under later Zephyr: kernel/timeout.c */
    NULL,
};

const struct ring_kind ring_txtb = {
    .advice = "record fewer kinds on the target (tx_trace_event_filter)",
    .laps = true,
    .enabled_symbol = CURRENT_SYMBOL,
    .off_means = "the firmware switched its trace off (tx_trace_disable): tx_trace_enable switches it on again",
    .uptime_symbols = uptime_symbols,
    .reader = &txtb_reader_ops,
    .locate = locate_buffer,
    .copy = txtb_copy,
    .measure = txtb_measure,
    .describe = txtb_describe,
};
