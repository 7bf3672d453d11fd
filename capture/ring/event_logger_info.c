/* SPDX-License-Identifier: MIT */
/* What info says of the event logger's ring, and how fast a probe can follow it. */
#include <inttypes.h>
#include <stdio.h>

#include "ring/event_logger.h"
#include "ring/zephyr.h"
#include "txtap/escape.h"

#define RING_WORDS    6u
#define TOTALS_WORDS  3u
#define COLLECTOR     "_collector_coop_thread"
#define NAME_BYTES    64
#define TYPES_DYNAMIC 32

/* Reads what a reader of that ring reads: docs/FORMAT.md. Words that wrap around the ring's end are two reads. */
enum txtap_status event_logger_measure(struct poller *poller, double *bytes_per_second, struct error *error)
{
    const struct txtap_logger_ring *logger = logger_ring_of(poller);
    const struct txtap_logger_place *place = &logger->place;
    uint8_t wrap[4], ring[TXTAP_LOGGER_RING_BYTES], head[4], before[4 * TXTAP_LOGGER_GUARD_WORDS],
        after[4 * TXTAP_LOGGER_GUARD_WORDS];
    uint32_t counts = place->totals != 0 ? place->totals : place->buffer; /* or the guard, which is in the ring */
    uint32_t bytes = place->totals == 0 ? 4 : TXTAP_LOGGER_TOTALS_BYTES;
    uint32_t room = poller->source.ops->read_bytes_max / 8, half = place->size / 2;
    const struct txtap_read reads[] = {
        {place->buffer, 4 * (half < room ? half : room), logger->raw},
        {place->buffer, sizeof wrap, wrap},
        {counts, bytes, before},
        {place->ring, sizeof ring, ring},
        {place->ring, sizeof head, head},
        {counts, bytes, after},
    };

    return zephyr_measure(poller, reads, sizeof reads / sizeof *reads, bytes_per_second, error);
}

/* ---- lines ---- */

static enum txtap_status read_variable(struct poller *poller, const struct elf_file *elf, const char *name, bool *there,
                                       uint32_t *value, struct error *error)
{
    struct elf_symbol symbol;

    *there = elf_symbol_find(elf, name, &symbol) == TXTAP_OK && symbol.address % 4 == 0;
    if (!*there)
        return TXTAP_OK;
    return zephyr_read_words(poller, elf_endian(elf), symbol.address, value, 1, error);
}

static void print_totals(const struct txtap_logger_place *place, const uint32_t totals[TOTALS_WORDS])
{
    if (place->totals == 0)
        printf(
            "counts     none beside the ring (Zephyr's own logger): every loss is noticed, its size is \"at least\"\n");
    else
        printf("counts     0x%08" PRIx32 ": %" PRIu32 " events put, %" PRIu32 " words; %" PRIu32
               " events dropped; loss is exact\n",
               place->totals, totals[2], totals[0], totals[1]);
}

static void print_types(bool dynamic, uint32_t mask)
{
    if (!dynamic) {
        printf("types      all are recorded\n");
        return;
    }
    printf("types      mask 0x%08" PRIx32 ":", mask);
    for (unsigned i = 0; i < TYPES_DYNAMIC; i++)
        if (mask >> i & 1)
            printf(" %u", i + 1);
    printf("%s\n", mask == 0 ? " nothing is recorded: the firmware has to call sys_k_event_logger_set_mask()" : "");
}

static void print_collector(const struct poller_place *place, bool there, uint32_t thread)
{
    char name[NAME_BYTES] = "", escaped[TXTAP_ESCAPED_BYTES(NAME_BYTES)];

    if (!there)
        return;
    if (thread == 0) {
        printf("collector  none has registered itself\n");
        return;
    }
    (void)logger_thread_name(&place->reader, thread, name, sizeof name);
    printf("collector  0x%08" PRIx32 " %s\n", thread, txtap_escape_terminal(escaped, sizeof escaped, name));
}

enum txtap_status event_logger_describe(struct poller *poller, const struct poller_place *found,
                                        const struct elf_file *elf, struct error *error)
{
    const struct txtap_logger_place *place = &logger_ring_of(poller)->place;
    uint32_t ring[RING_WORDS] = {0}, totals[TOTALS_WORDS] = {0}, mask = 0, collector = 0;
    bool dynamic = false, registers = false;
    struct elf_symbol logger;
    enum txtap_status status = zephyr_read_words(poller, place->endian, place->ring, ring, RING_WORDS, error);

    if (status == TXTAP_OK && place->totals != 0)
        status = zephyr_read_words(poller, place->endian, place->totals, totals, TOTALS_WORDS, error);
    if (status == TXTAP_OK)
        status = read_variable(poller, elf, ring_event_logger.enabled_symbol, &dynamic, &mask, error);
    if (status == TXTAP_OK)
        status = read_variable(poller, elf, COLLECTOR, &registers, &collector, error);
    if (status != TXTAP_OK || elf_symbol_find(elf, EVENT_LOGGER_SYMBOL, &logger) != TXTAP_OK)
        return status;
    printf("logger     0x%08" PRIx32 ", found by symbol, ring structure at +%" PRIu32 ", %s-endian\n", logger.address,
           place->ring - logger.address, place->endian == TXTAP_BIG ? "big" : "little");
    printf("ring       0x%08" PRIx32 ", %" PRIu32 " words; head %" PRIu32 ", tail %" PRIu32 ": %" PRIu32
           " words not collected; mask 0x%" PRIx32 "\n",
           place->buffer, place->size, ring[0], ring[1], (ring[1] + place->size - ring[0]) % place->size, ring[5]);
    printf("dropped    %" PRIu32 " events since the last one in the ring\n", ring[2]);
    print_totals(place, totals);
    print_types(dynamic, mask);
    print_collector(found, registers, collector);
    return status;
}
