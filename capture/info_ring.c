/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach_ring.h"
#include "info.h"
#include "live.h"
#include "locate_scan.h"
#include "logger_reader.h"
#include "report.h"
#include "standard_files.h"
#include "txtap/escape.h"
#include "world.h"

#define RING_WORDS    6u
#define TOTALS_WORDS  3u
#define COLLECTOR     "_collector_coop_thread"
#define NAME_BYTES    64
#define TYPES_DYNAMIC 32

/* ---- what is counted while it is looked at ---- */

struct counted {
    uint64_t bytes;
};

static enum txtap_status count_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    (void)self;
    (void)entry;
    (void)seq;
    (void)unsettled;
    return TXTAP_OK;
}

static enum txtap_status count_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

static enum txtap_status count_bytes(void *self, const uint8_t *bytes, size_t length)
{
    struct counted *counted = self;

    (void)bytes;
    counted->bytes += length;
    return TXTAP_OK;
}

static enum txtap_status measure(struct session *session, double seconds, char error[static ERROR_TEXT_BYTES])
{
    uint64_t begin = now_us();
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && (double)(now_us() - begin) / 1e6 < seconds) {
        status = session_step(session, error);
        if (status == TXTAP_OK)
            sleep_us(session_delay_us(session));
    }
    return status;
}

static enum txtap_status read_words(struct session *session, enum txtap_endian endian, uint32_t address,
                                    uint32_t *words, uint32_t count, char error[static ERROR_TEXT_BYTES])
{
    uint8_t bytes[4 * RING_WORDS];
    enum txtap_status status = session_read(session, address, 4 * count, bytes, error);

    for (uint32_t i = 0; status == TXTAP_OK && i < count; i++)
        words[i] = locate_word(bytes + 4 * (size_t)i, endian);
    return status;
}

static enum txtap_status read_variable(struct session *session, const struct attachment *attachment, const char *name,
                                       bool *there, uint32_t *value, char error[static ERROR_TEXT_BYTES])
{
    struct elf_symbol symbol;

    *there = elf_symbol_find(attachment->elf, name, &symbol) == TXTAP_OK && symbol.address % 4 == 0;
    if (!*there)
        return TXTAP_OK;
    return read_words(session, elf_endian(attachment->elf), symbol.address, value, 1, error);
}

/* ---- the event logger ---- */

static void print_totals(const struct txtap_logger_place *place, const uint32_t totals[TOTALS_WORDS])
{
    if (place->totals == 0)
        printf(
            "counts     none beside the ring (Zephyr's own logger): every loss is noticed, its size is \"at least\"\n");
    else if (place->counts_events)
        printf("counts     0x%08" PRIx32 ": %" PRIu32 " events put, %" PRIu32 " words; %" PRIu32
               " events dropped; loss is exact\n",
               place->totals, totals[2], totals[0], totals[1]);
    else
        printf("counts     0x%08" PRIx32 ": %" PRIu32 " words put, %" PRIu32
               " events dropped; what is overwritten unseen is \"at least\"\n",
               place->totals, totals[0], totals[1]);
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

static void print_collector(const struct attachment *attachment, bool there, uint32_t thread)
{
    char name[NAME_BYTES] = "", escaped[TXTAP_ESCAPED_BYTES(NAME_BYTES)];

    if (!there)
        return;
    if (thread == 0) {
        printf("collector  none has registered itself\n");
        return;
    }
    (void)attachment->reader.name_at(attachment->reader.self, thread, name, sizeof name);
    printf("collector  0x%08" PRIx32 " %s\n", thread, txtap_escape_terminal(escaped, sizeof escaped, name));
}

static enum txtap_status show_logger(const struct attachment *attachment, struct session *session,
                                     char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_logger_place *place = &attachment->reader.logger;
    uint32_t ring[RING_WORDS] = {0}, totals[TOTALS_WORDS] = {0}, mask = 0, collector = 0;
    bool dynamic = false, registers = false;
    struct elf_symbol logger;
    enum txtap_status status = read_words(session, place->endian, place->ring, ring, RING_WORDS, error);

    if (status == TXTAP_OK && place->totals != 0)
        status = read_words(session, place->endian, place->totals, totals, place->counts_events ? 3 : 2, error);
    if (status == TXTAP_OK)
        status = read_variable(session, attachment, attach_ring_enabled_symbol(attachment), &dynamic, &mask, error);
    if (status == TXTAP_OK)
        status = read_variable(session, attachment, COLLECTOR, &registers, &collector, error);
    if (status != TXTAP_OK || elf_symbol_find(attachment->elf, "sys_k_event_logger", &logger) != TXTAP_OK)
        return status;
    printf("logger     0x%08" PRIx32 ", found by symbol, ring structure at +%" PRIu32 ", %s-endian\n", logger.address,
           place->ring - logger.address, place->endian == TXTAP_BIG ? "big" : "little");
    printf("ring       0x%08" PRIx32 ", %" PRIu32 " words; head %" PRIu32 ", tail %" PRIu32 ": %" PRIu32
           " words not collected; mask 0x%" PRIx32 "\n",
           place->buffer, place->size, ring[0], ring[1], (ring[1] + place->size - ring[0]) % place->size, ring[5]);
    printf("dropped    %" PRIu32 " events since the last one in the ring\n", ring[2]);
    print_totals(place, totals);
    print_types(dynamic, mask);
    print_collector(attachment, registers, collector);
    return status;
}

/* ---- CTF in RAM ---- */

static enum txtap_status show_ram(const struct attachment *attachment, struct session *session,
                                  char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_zephyr_ram_place *place = &attachment->reader.ram;
    uint32_t position = 0, full = 0;
    enum txtap_status status = read_words(session, place->endian, place->position, &position, 1, error);
    uint8_t word[4] = {0};

    if (status == TXTAP_OK && place->has_full)
        status = session_read(session, place->full & ~3u, 4, word, error);
    full = word[place->full % 4];
    if (status != TXTAP_OK)
        return status;
    printf("ram        0x%08" PRIx32 ", found by symbol, %" PRIu32 " bytes\n", place->buffer, place->size);
    printf("position   0x%08" PRIx32 ": %" PRIu32 " bytes are filled, %" PRIu32 " are free\n", place->position,
           position, place->size - position);
    if (!place->has_full)
        printf("full       not known: no variable 'buffer_full' in the symbols\n");
    else
        printf("full       %s\n",
               full ? "yes: a record did not fit, and all later ones were discarded, uncounted" : "no");
    return status;
}

/* ---- both ---- */

static void print_rate(struct attachment *attachment, const struct session *session, const struct counted *counted,
                       double seconds, double bytes_per_second)
{
    const struct session_stats *stats = &session->stats;

    if (attachment->reader.kind == READER_LOGGER)
        printf("rate       %.0f events per second, %" PRIu64 " lost while txtap looked\n",
               (double)(stats->events + stats->lost) / seconds, stats->lost);
    else
        printf("rate       %.0f bytes per second\n", (double)counted->bytes / seconds);
    if (stats->events + stats->lost + counted->bytes == 0)
        info_print_silence(attachment);
    printf("probe      %.0f kB/s\n", bytes_per_second / 1e3);
}

static enum txtap_status show(const struct options *options, struct attachment *attachment, struct session *session,
                              struct counted *counted, char error[static ERROR_TEXT_BYTES])
{
    double seconds = options->seconds > 0 ? options->seconds : INFO_MEASURE_SECONDS, bytes_per_second = 0;
    bool logger = attachment->reader.kind == READER_LOGGER;
    uint32_t bytes = logger ? 4 * attachment->reader.logger.size : attachment->reader.ram.size;
    uint32_t buffer = logger ? attachment->reader.logger.buffer : attachment->reader.ram.buffer & ~3u;
    enum txtap_status status = TXTAP_OK;

    if (attachment->live && !logger) { /* what is there already is no rate */
        status = measure(session, 0.1, error);
        counted->bytes = 0;
    }
    if (attachment->live && status == TXTAP_OK)
        status = measure(session, seconds, error);
    if (attachment->live && status == TXTAP_OK)
        status = info_measure_probe(session, buffer, bytes < 4 ? 4 : bytes, &bytes_per_second, error);
    if (status != TXTAP_OK)
        return status;
    info_print_server(options, attachment);
    status = logger ? show_logger(attachment, session, error) : show_ram(attachment, session, error);
    if (status == TXTAP_OK && attachment->live)
        print_rate(attachment, session, counted, seconds, bytes_per_second);
    return status == TXTAP_OK ? standard_output_flush(error) : status;
}

static int run(const struct options *options, struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    static struct session session;
    const struct session_place place = attach_place(attachment);
    struct counted counted = {0};
    uint64_t begin = now_us();
    enum txtap_status status = session_init(
        &session, &place, attachment->live ? TXTAP_RING_FROM_NOW : TXTAP_RING_STILL,
        (struct session_taker){.entry = count_entry, .gap = count_gap, .bytes = count_bytes, .self = &counted}, now_us,
        error);

    if (status != TXTAP_OK)
        return EXIT_FAILED;
    status = show(options, attachment, &session, &counted, error);
    attach_account(attachment, &session.stats);
    if (!report_stats_json(options, &session.stats, (double)(now_us() - begin) / 1e6))
        status = TXTAP_ERROR_SYSTEM;
    session_free(&session);
    return status >= TXTAP_OK ? EXIT_DONE : EXIT_FAILED;
}

int info_ring(const struct options *options)
{
    return live_command(options, run);
}
