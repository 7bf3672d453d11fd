/* SPDX-License-Identifier: MIT */
/* "txtap info" for Zephyr's rings. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach_zephyr.h"
#include "base/runtime.h"
#include "command/info.h"
#include "command/live.h"
#include "command/standard_files.h"
#include "output/report.h"
#include "probe/memory.h"
#include "stream/event_logger_reader.h"
#include "txtap/escape.h"

#define RING_WORDS    6u
#define TOTALS_WORDS  3u
#define COLLECTOR     "_collector_coop_thread"
#define NAME_BYTES    64
#define TYPES_DYNAMIC 32

#define SETTLE_SECONDS 0.1

/* ---- what is counted while it is looked at ---- */

struct counted {
    uint64_t bytes;           /* of CTF, or of the ring's words: written */
    uint64_t events, settled; /* delivered or lost; before the measurement */
    uint64_t position;        /* of the ring's words, before it */
    double seconds;
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

static enum txtap_status follow_for(struct session *session, double seconds, char error[static ERROR_TEXT_BYTES])
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

/* What is there already is no rate. */
static enum txtap_status measure(struct session *session, struct counted *counted, double seconds,
                                 char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_logger_ring *ring = session->logger ? logger_reader_ring(session->logger) : NULL;
    enum txtap_status status = follow_for(session, SETTLE_SECONDS, error);
    uint64_t begin = now_us();

    counted->bytes = 0;
    counted->settled = session->stats.events + session->stats.lost;
    counted->position = ring ? ring->head.position : 0;
    if (status == TXTAP_OK)
        status = follow_for(session, seconds, error);
    counted->seconds = (double)(now_us() - begin + 1) / 1e6;
    counted->events = session->stats.events + session->stats.lost - counted->settled;
    if (ring)
        counted->bytes = 4 * (ring->head.position - counted->position);
    return status;
}

static enum txtap_status read_words(struct session *session, enum txtap_endian endian, uint32_t address,
                                    uint32_t *words, uint32_t count, char error[static ERROR_TEXT_BYTES])
{
    uint8_t bytes[4 * RING_WORDS];
    enum txtap_status status = session_read(session, address, 4 * count, bytes, error);

    for (uint32_t i = 0; status == TXTAP_OK && i < count; i++)
        words[i] = memory_word(bytes + 4 * (size_t)i, endian);
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

/* The ring is emptied by its collector, and full it drops: what is dropped needs no probe. */
static struct info_figures logger_figures(const struct attachment *attachment, const struct session *session,
                                          const struct counted *counted, double probe_bytes)
{
    const struct txtap_logger_place *place = &attachment->reader.logger;
    double event_rate = (double)counted->events / counted->seconds;
    double byte_rate = (double)counted->bytes / counted->seconds;
    bool moving = byte_rate > 0;

    return (struct info_figures){
        .event_rate = event_rate,
        .byte_rate = byte_rate,
        .ring_seconds = moving ? 4.0 * place->size / byte_rate : -1,
        .probe_bytes = probe_bytes,
        .probe_events = moving && event_rate > 0 ? probe_bytes / byte_rate * event_rate : -1,
        .headroom = moving ? probe_bytes / byte_rate : -1,
        .objects = -1,
        .exact = session->stats.lost_exact,
        .laps = place->totals != 0 ? INFO_LAPS_COUNTED : INFO_LAPS_UNCOUNTED,
    };
}

/* Records are not told apart here, and nothing is overwritten: no headroom is needed. */
static struct info_figures ram_figures(const struct attachment *attachment, const struct counted *counted,
                                       double probe_bytes)
{
    double byte_rate = (double)counted->bytes / counted->seconds;

    return (struct info_figures){
        .event_rate = -1,
        .byte_rate = byte_rate,
        .ring_seconds = byte_rate > 0 ? attachment->reader.ram.size / byte_rate : -1,
        .probe_bytes = probe_bytes,
        .probe_events = -1,
        .headroom = -1,
        .objects = -1,
    };
}

static void print_rate(struct attachment *attachment, const struct session *session, const struct info_figures *figures)
{
    if (attachment->reader.kind == READER_LOGGER)
        printf("rate       %.0f events per second, %" PRIu64 " lost during the measurement\n", figures->event_rate,
               session->stats.lost);
    else
        printf("rate       %.0f bytes per second\n", figures->byte_rate);
    if (figures->byte_rate <= 0 && figures->event_rate <= 0)
        info_print_silence(attachment);
    printf("probe      %.0f kB/s\n", figures->probe_bytes / 1e3);
    if (figures->headroom >= 0)
        printf("headroom   %s%.1f times the event rate%s\n", figures->exact ? "" : "at most ", figures->headroom,
               figures->headroom < 1 ? ": TOO SLOW, events will be lost; record fewer types, or use a faster probe"
                                     : "");
}

static enum txtap_status measure_live(struct attachment *attachment, struct session *session, double seconds,
                                      struct info_figures *figures, struct counted *counted,
                                      char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_zephyr_ram_place *ram = &attachment->reader.ram;
    double probe_bytes = 0;
    enum txtap_status status = measure(session, counted, seconds, error);

    if (status != TXTAP_OK)
        return status;
    if (attachment->reader.kind == READER_LOGGER) {
        status = info_measure_words(session, &attachment->reader.logger, logger_reader_ring(session->logger)->raw,
                                    &probe_bytes, error);
        *figures = logger_figures(attachment, session, counted, probe_bytes);
    } else {
        status = info_measure_probe(session, ram->buffer & ~3u, ram->size < 4 ? 4 : ram->size, &probe_bytes, error);
        *figures = ram_figures(attachment, counted, probe_bytes);
    }
    return status;
}

static enum txtap_status show(const struct options *options, struct attachment *attachment, struct session *session,
                              struct info_figures *figures, struct counted *counted,
                              char error[static ERROR_TEXT_BYTES])
{
    double seconds = options->seconds > 0 ? options->seconds : INFO_MEASURE_SECONDS;
    bool logger = attachment->reader.kind == READER_LOGGER;
    enum txtap_status status = TXTAP_OK;

    if (attachment->live)
        status = measure_live(attachment, session, seconds, figures, counted, error);
    if (status != TXTAP_OK)
        return status;
    attachment->probe.kind->print(attachment->probe.self, &options->target);
    status = logger ? show_logger(attachment, session, error) : show_ram(attachment, session, error);
    if (status == TXTAP_OK && attachment->live)
        print_rate(attachment, session, figures);
    return status == TXTAP_OK ? standard_output_flush(error) : status;
}

static int run(const struct options *options, struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    static struct session session;
    const struct session_place place = attach_place(attachment);
    struct counted counted = {0};
    struct info_figures figures = {-1, -1, -1, -1, -1, -1, -1, false, INFO_LAPS_UNKNOWN};
    char more[REPORT_MORE_BYTES];
    uint64_t begin = now_us();
    enum txtap_status status = session_init(
        &session, &place, attachment->live ? TXTAP_RING_FROM_NOW : TXTAP_RING_AT_REST,
        (struct session_sink){.entry = count_entry, .gap = count_gap, .bytes = count_bytes, .self = &counted}, now_us,
        error);

    if (status != TXTAP_OK)
        return EXIT_FAILED;
    status = show(options, attachment, &session, &figures, &counted, error);
    attach_account(attachment, &session.stats);
    info_figures_json(more, &figures);
    if (!report_stats_json_and(options, &session.stats, (double)(now_us() - begin) / 1e6, more))
        status = TXTAP_ERROR_SYSTEM;
    session_free(&session);
    return status >= TXTAP_OK ? EXIT_DONE : EXIT_FAILED;
}

int info_ring(const struct options *options)
{
    return live_command(options, run);
}
