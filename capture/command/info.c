/* SPDX-License-Identifier: MIT */
/* txtap info: what is there, how fast it fills, and whether the probe keeps up. */
#include <inttypes.h>
#include <stdio.h>

#include "attach/attach_core.h"
#include "base/runtime.h"
#include "base/text_row.h"
#include "command/commands.h"
#include "command/info.h"
#include "command/standard_files.h"
#include "output/report.h"
#include "stream/session.h"
#include "stream/tick_rate.h"
#include "txtap/escape.h"

/* What was measured. */
struct figures {
    double event_rate, probe_bytes, probe_events; /* per second; probe_bytes 0: nothing was measured, it is an image */
};

static enum txtap_status note_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    (void)seq;
    (void)unsettled;
    tick_rate_note(self, entry);
    return TXTAP_OK;
}

static void note_window(void *self, uint64_t from_us, uint64_t to_us)
{
    tick_rate_window(self, from_us, to_us);
}

static enum txtap_status ignore_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

void info_print_silence(struct attachment *attachment)
{
    const char *cause = attach_silence(attachment);

    if (cause)
        printf("silence    %s\n", cause);
}

static void print_header(const struct attachment *attachment, const struct session *session)
{
    const struct txtap_header *header = &attachment->header;
    uint32_t entries = txtap_header_ring_entries(header);

    printf("header     0x%08" PRIx32 ", found by %s, %s-endian, timer mask 0x%08" PRIx32 "\n", attachment->address,
           locate_how_name(attachment->how), header->endian == TXTAP_BIG ? "big" : "little", header->timer_mask);
    printf("registry   0x%08" PRIx32 "..0x%08" PRIx32 ", %" PRIu32 " entries, %zu objects, names of %u bytes\n",
           header->registry_start, header->registry_end, txtap_header_registry_entries(header), session->registry.count,
           header->name_bytes);
    printf("ring       0x%08" PRIx32 "..0x%08" PRIx32 ", %" PRIu32 " entries, %" PRIu32
           " bytes, next entry at 0x%08" PRIx32 "\n",
           header->ring_start, header->ring_end, entries, entries * TXTB_ENTRY_BYTES, header->current);
}

static void print_laps(const struct session *session)
{
    if (session->stats.unseen) {
        printf("laps       not counted by the recorder (plain ThreadX), and the time stamps stand still: losses may go "
               "unseen\n");
        return;
    }
    switch (session->txtb.ring.laps_state) {
    case TXTAP_LAPS_COUNTED:
        printf("laps       counted by the recorder: %" PRIu64 " so far (modulo 65536); loss is exact\n",
               session->txtb.ring.laps);
        break;
    case TXTAP_LAPS_NONE:
        printf("laps       not counted by the recorder (plain ThreadX): every loss is noticed, its size is \"at "
               "least\"\n");
        break;
    default:
        printf("laps       not yet known: the ring has not wrapped since txtap looked\n");
    }
}

static enum txtap_status measure_rate(struct session *session, double seconds, double *event_rate,
                                      char error[static ERROR_TEXT_BYTES])
{
    uint64_t begin = now_us(), head = session->txtb.ring.head;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && (double)(now_us() - begin) / 1e6 < seconds) {
        status = session_step(session, error);
        if (status == TXTAP_OK)
            sleep_us(session_delay_us(session));
    }
    *event_rate = (double)(session->txtb.ring.head - head) / ((double)(now_us() - begin + 1) / 1e6);
    return status;
}

/* Were there laps that nobody counted? Those that went by without a gap yet, too. */
static bool may_be_faster(const struct session *session)
{
    const struct txtap_ring *ring = &session->txtb.ring;

    return ring->laps_state != TXTAP_LAPS_COUNTED &&
           (!session->stats.lost_exact || ring->inexact || ring->guard_gone || !ring->guard_known);
}

/* Bursts, or a ring that is small for them, lose events that the average rate says nothing of. */
static void print_headroom(const struct session *session, double times)
{
    static const char advice[] = "filter events on the target (tx_trace_event_filter) or use a faster probe";
    const struct session_stats *stats = &session->stats;

    char text[TEXT_ROW_BYTES / 2] = "";

    if (times < 1)
        snprintf(text, sizeof text, ": TOO SLOW, events will be lost; %s", advice);
    else if (stats->lost > 0)
        snprintf(text, sizeof text,
                 ", but %s%" PRIu64 " events were lost during the measurement; enlarge the trace buffer, %s",
                 stats->lost_exact ? "" : "at least ", stats->lost, advice);
    text_row("headroom", "%s%.1f times the event rate%s", may_be_faster(session) ? "at most " : "", times, text);
}

static void print_ticks(struct session_stats *stats, const struct tick_rate *ticks)
{
    unsigned notices = txtap_clock_notices(&ticks->clock);
    char rate[TICK_RATE_TEXT_BYTES];

    if (tick_rate_get(ticks, &stats->tick_hz_low, &stats->tick_hz_high)) {
        tick_rate_text(rate, stats->tick_hz_low, stats->tick_hz_high);
        printf("ticks      %s by this host's clock\n", rate);
    }
    for (unsigned bit = 1; bit <= notices; bit <<= 1)
        if (notices & bit)
            text_row("ticks", "%s", txtap_clock_notice_text(bit));
}

static double headroom(const struct figures *figures)
{
    return figures->probe_events / figures->event_rate;
}

static double ring_seconds(const struct session *session, const struct figures *figures)
{
    return txtap_header_ring_entries(&session->header) / figures->event_rate;
}

static void print_speed(struct attachment *attachment, const struct session *session, const struct figures *figures)
{
    printf("rate       %.0f events per second%s\n", figures->event_rate, may_be_faster(session) ? " at least" : "");
    if (figures->event_rate > 0)
        printf("lap        the ring is overwritten every %.3f s%s\n", ring_seconds(session, figures),
               may_be_faster(session) ? " at most" : "");
    else
        printf("lap        no event was written while txtap looked\n");
    if (figures->event_rate <= 0)
        info_print_silence(attachment);
    printf("probe      %.0f kB/s, enough for about %.0f events per second\n", figures->probe_bytes / 1e3,
           figures->probe_events);
    if (figures->event_rate > 0)
        print_headroom(session, headroom(figures));
}

static int laps_of(const struct session *session)
{
    if (session->txtb.ring.laps_state == TXTAP_LAPS_COUNTED)
        return INFO_LAPS_COUNTED;
    return session->txtb.ring.laps_state == TXTAP_LAPS_NONE ? INFO_LAPS_UNCOUNTED : INFO_LAPS_UNKNOWN;
}

/* The same for --stats-json. */
static struct info_figures all_figures(const struct session *session, const struct figures *figures)
{
    bool measured = figures->probe_bytes > 0, moving = measured && figures->event_rate > 0;

    return (struct info_figures){
        .event_rate = measured ? figures->event_rate : -1,
        .byte_rate = measured ? figures->event_rate * TXTB_ENTRY_BYTES : -1,
        .ring_seconds = moving ? ring_seconds(session, figures) : -1,
        .probe_bytes = measured ? figures->probe_bytes : -1,
        .probe_events = measured ? figures->probe_events : -1,
        .headroom = moving ? headroom(figures) : -1,
        .objects = (double)session->registry.count,
        .exact = !may_be_faster(session),
        .laps = laps_of(session),
    };
}

static enum txtap_status show(const struct options *options, struct attachment *attachment, struct session *session,
                              const struct tick_rate *ticks, struct figures *figures,
                              char error[static ERROR_TEXT_BYTES])
{
    double seconds = options->seconds > 0 ? options->seconds : INFO_MEASURE_SECONDS;
    enum txtap_status status = TXTAP_OK;

    if (attachment->live) {
        status = measure_rate(session, seconds, &figures->event_rate, error);
        if (status == TXTAP_OK)
            status = session_judge_unseen(session, error);
        if (status == TXTAP_OK)
            status = info_measure_follow(session, &figures->probe_bytes, &figures->probe_events, error);
        if (status != TXTAP_OK)
            return status;
    }
    attachment->probe.kind->print(attachment->probe.self,
                                  &options->target); /* only now: objects came and went meanwhile */
    print_header(attachment, session);
    if (attachment->live) {
        print_laps(session);
        print_ticks(&session->stats, ticks);
        print_speed(attachment, session, figures);
    }
    info_print_objects(&session->registry);
    return status == TXTAP_OK ? standard_output_flush(error) : status;
}

static int run_command(const struct options *options)
{
    static struct attachment attachment;
    static struct session session;
    static struct tick_rate ticks;
    struct session_place place;
    struct figures figures = {0};
    struct info_figures known;
    char error[ERROR_TEXT_BYTES] = "", more[REPORT_MORE_BYTES];
    uint64_t begin;
    enum txtap_status status;

    if (options->ring.kind != READER_TXTB)
        return info_ring(options);
    status = attach(options, &attachment, error);

    if (status != TXTAP_OK) {
        report_error(error);
        return attach_exit_code(status);
    }
    tick_rate_init(&ticks, &attachment.header);
    begin = now_us();
    place = attach_place(&attachment);
    status = session_init(
        &session, &place, TXTAP_RING_FROM_NOW,
        (struct session_sink){.entry = note_entry, .gap = ignore_gap, .self = &ticks, .window = note_window}, now_us,
        error);
    if (status == TXTAP_OK) {
        status = show(options, &attachment, &session, &ticks, &figures, error);
        attach_account(&attachment, &session.stats);
        known = all_figures(&session, &figures);
        info_figures_json(more, &known);
        if (!report_stats_json_and(options, &session.stats, (double)(now_us() - begin) / 1e6, more))
            status = TXTAP_ERROR_SYSTEM;
        session_free(&session);
    }
    if (*error)
        report_error(error);
    attach_close(&attachment);
    return status >= TXTAP_OK ? EXIT_DONE : EXIT_FAILED;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"seconds", KEY_SECONDS, "TIME", 0, "how long to measure the event rate (default 1s)", 0},
    {0},
};

static const struct argp_child groups[] = {
    {&options_target, 0, OPTIONS_TARGET_HEAD, 1},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 2},
    {&options_ring, 0, OPTIONS_RING_HEAD, 3},
    {0},
};

static const struct argp argp = {
    rows,    options_parse_elf,
    "[ELF]", "Show the trace buffer: header, objects, event rate, and whether the probe is fast enough.",
    groups,  NULL,
    NULL};

const struct command info_command = {
    .name = "info",
    .brief = "show the trace buffer: header, objects, event rate, headroom",
    .run = run_command,
    .argp = &argp,
    .only_shows = true,
};
