/* SPDX-License-Identifier: MIT */
/* What info says of ThreadX's trace buffer, and how fast a probe can follow it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "ring/txtb.h"
#include "txtap/inner/registry.h"

#define LIVE_BYTES 20u /* of the header: laps to pointer */

/* ---- speed ---- */

/*
 * Reads this many entries, and what a reader reads besides to know which of them are valid. With laps, an exchange
 * reads two pieces, and four where the lap changes; without, most read four, and some five. With half-laps it is two,
 * or three.
 */
static enum txtap_status exchange(struct poller *poller, uint32_t entries, uint8_t *buffer, struct error *error)
{
    const struct txtap_ring_state ring = txtb_ring_of(poller);
    bool laps_counted = ring.laps_state == TXTAP_LAPS_COUNTED;
    uint8_t live[LIVE_BYTES], again[LIVE_BYTES], guard[TXTAP_RING_GUARD_BYTES], wrap[4];
    const struct txtap_read reads[] = {
        {poller->header.ring_start, entries * TXTB_ENTRY_BYTES, buffer},
        {poller->header.ring_start, sizeof wrap, wrap}, /* entries that wrap around the ring's end are two reads */
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
 * One exchange reads what was written during the one before, and as much is written meanwhile: together not more than
 * the ring. So reading more than half a ring at a time does not help. A slow probe reads less, to stay responsive.
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

        if (entries != before) /* the exchanges before had another size */
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

/* ---- lines ---- */

static struct txtb_place own_of(const struct poller_place *place)
{
    struct txtb_place own;

    memcpy(&own, place->reader.own, sizeof own);
    return own;
}

/* Slots of the registry that were ever used. */
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

static void print_laps(const struct poller_place *place, const struct poller *poller)
{
    const struct txtap_ring_state ring = txtb_ring_of(poller);

    if (poller->stats.unseen) {
        printf("laps       not counted by the recorder (plain ThreadX), and the time stamps stand still: losses may go "
               "unseen\n");
        return;
    }
    if (ring.half_laps_at != 0) {
        printf("laps       counted in halves at 0x%08" PRIx32 ": %" PRIu64
               " so far (modulo 2147483648) in life 0x%08" PRIx32 "; loss is exact\n",
               ring.half_laps_at, ring.half_laps / 2, ring.life);
        return;
    }
    switch (ring.laps_state) {
    case TXTAP_LAPS_COUNTED:
        printf("laps       counted by the recorder: %" PRIu64 " so far (modulo 65536); loss is exact%s\n", ring.laps,
               own_of(place).half_laps_behind ? "; half-laps unused: behind the buffer" : "");
        break;
    case TXTAP_LAPS_NONE:
        printf("laps       not counted by the recorder (plain ThreadX): every loss is noticed, its size is \"at "
               "least\"\n");
        break;
    default:
        printf("laps       not yet known: the ring has not wrapped since txtap looked\n");
    }
}

enum txtap_status txtb_describe(struct poller *poller, const struct poller_place *place, const struct elf_file *elf,
                                struct error *error)
{
    (void)elf;
    (void)error;
    print_header(place, poller);
    if (!place->at_rest)
        print_laps(place, poller);
    return TXTAP_OK;
}
