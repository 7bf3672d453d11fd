/* SPDX-License-Identifier: MIT */
/* The loop of the commands that follow a target: runs it, prints messages, and ends it. */
#include "command/run_loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files.h"
#include "base/runtime.h"
#include "command/sampling.h"
#include "output/output.h"
#include "output/report.h"
#include "stream/stream_stats.h"
#include "txtap/inner/host_time.h"
#include "txtap/inner/rate.h"

/* ---- the status line ---- */

#define COLUMNS_DEFAULT 80
#define NAMES_SHARE     3 /* an event waits this part of --timeout for names */
#define ERASE_LINE      "\r\033[K"

/* Prepares the line. If `quiet` is true, the line is never drawn. */
static void status_line_init(struct status_line *line, bool quiet)
{
    const char *terminal = getenv("TERM");

    line->drawn = false;
    line->wanted = !quiet && isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

static void status_line_erase(struct status_line *line)
{
    if (line->drawn)
        (void)write_bytes(STDERR_FILENO, ERASE_LINE, strlen(ERASE_LINE));
    line->drawn = false;
}

/* Erases the line. Call it before other text is printed. */
static void run_status_make_room(struct run_status *status)
{
    if (status->line.drawn)
        status_line_erase(&status->line);
}

/* Draws the text (printable ASCII) over the previous text, cut to the width of the terminal. */
static void status_line_draw(struct status_line *line, const char *text)
{
    struct winsize size;
    int columns = COLUMNS_DEFAULT;

    if (!line->wanted)
        return;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    status_line_erase(line);
    /* The last column stays free: some terminals would move to the next line. */
    (void)write_bytes(STDERR_FILENO, text, strnlen(text, (size_t)columns - 1));
    line->drawn = true;
}

#define SAMPLE_US 1000000 /* minimum time for measuring a rate */
#define SETTLE_US 1000000 /* longest time from the first read after an interruption to the end of its gap */

/* Prints a line on standard error that names the trace buffer and the probe or server. */
static void run_status_begin(struct run_status *status, bool quiet, const struct attachment *attachment,
                             const struct poller *poller, uint64_t now_us)
{
    char source[PROBE_LINE_BYTES], shown[PROBE_LINE_BYTES];

    memset(status, 0, sizeof *status);
    status->quiet = quiet;
    status->advice = attachment->ring->advice;
    status->drops = !attachment->ring->laps;
    status->since.us = status->sampled_us = now_us;
    status_line_init(&status->line, quiet);
    if (attachment->ring->laps)
        status->capacity = txtap_header_ring_entries(&attachment->place.header);
    if (quiet)
        return;
    probe_describe(&attachment->probe, &attachment->config.probe, source);
    printable(shown, sizeof shown, source, strlen(source));
    if (status->capacity > 0)
        fprintf(stderr, "txtap: attached to %s: trace buffer at 0x%08" PRIx32 ", %" PRIu32 " entries, %zu %s\n", shown,
                attachment->place.address, status->capacity, poller->registry.count,
                poller->registry.count == 1 ? "object" : "objects");
    else
        fprintf(stderr, "txtap: attached to %s\n", shown);
}

static void advise(struct run_status *status, const struct stream_stats *stats, uint64_t now_us)
{
    uint64_t events, lost;
    double seconds, written, about;
    char estimate[72] = "";

    if (status->since.reconnections != stats->reconnections) {
        status->since.reconnections = stats->reconnections;
        status->since.us = now_us + SETTLE_US;
    }
    if (now_us <= status->since.us) {
        status->since.events = stats->events;
        status->since.lost = stats->lost;
        return;
    }
    events = stats->events - status->since.events;
    lost = stats->lost - status->since.lost;
    if (*status->said != '\0' || status->advice == NULL || lost == 0 || now_us - status->since.us < SAMPLE_US)
        return;
    seconds = (double)(now_us - status->since.us) / 1e6;
    written = (double)(events + lost) / seconds;
    about = stream_stats_estimate(stats, written);
    if (about > 0)
        snprintf(estimate, sizeof estimate, " (about %.0f by the time stamps of the events read)", round_about(about));
    snprintf(status->said, sizeof status->said,
             "losing events: read %.0f of %s%.0f per second%s: %s, enlarge its trace buffer, or use a faster probe%s",
             (double)events / seconds, stats->lost_exact ? "" : "at least ", written, estimate, status->advice,
             status->drops ? " (no help against events that the target drops)" : "");
    if (status->quiet)
        return;
    run_status_make_room(status);
    fprintf(stderr, "txtap: %s\n", status->said);
}

static void sample(struct run_status *status, const struct stream_stats *stats, uint64_t now_us)
{
    uint64_t written = stats->events + stats->lost;
    char lost[REPORT_LOST_BYTES];

    report_lost(lost, stats);
    status->rate = (double)(written - status->written) * 1e6 / (double)(now_us - status->sampled_us);
    status->written = written;
    status->sampled_us = now_us;
    snprintf(status->text, sizeof status->text, "%.0f events/s, %" PRIu64 " read, %.40s", status->rate, stats->events,
             lost);
    if (status->capacity > 0) {
        size_t length = strlen(status->text);

        snprintf(status->text + length, sizeof status->text - length, ", ring up to %.0f %% unread",
                 100.0 * (double)status->unread / status->capacity);
    }
    status->unread = 0;
}

void run_status_step(struct run_status *status, const struct stream_stats *stats, bool may_draw, uint64_t now_us)
{
    bool is_new = now_us - status->sampled_us >= SAMPLE_US;

    advise(status, stats, now_us);
    if (stats->unread > status->unread)
        status->unread = stats->unread;
    if (!status->line.wanted)
        return;
    if (is_new)
        sample(status, stats, now_us);
    if (may_draw && *status->text && (is_new || !status->line.drawn))
        status_line_draw(&status->line, status->text);
}

/* ---- the loop ---- */

#define RATE_OFF    0.03   /* --hz may differ from the measured rate by this fraction without a warning */
#define SAID_ERROR  1e-3   /* a measured rate is named when its relative error is at most this */
#define PAST_EVENTS 131072 /* more than all events that can wait for names or be in the history (history.h) */
#define HURRY_US    1000
#define DRAIN_US    1000000 /* time limit for reading the last events through a slow probe */

/* ---- the sink between poller and command ---- */

/* Prints a mark. Delays "attached" until the next mark, so that a reset or a new buffer found after reconnecting is in
 * the same line. */
static void say_mark(struct run_loop *loop, const struct txtap_mark *mark)
{
    const char *attached = loop->attached_unsaid ? "attached, " : "";

    loop->attached_unsaid = mark->kind == TXTAP_MARK_ATTACHED;
    if (!loop->attached_unsaid && !loop->silent)
        fprintf(stderr, "txtap: %s%s%s%s\n", attached, txtap_mark_name(mark->kind), *mark->text ? ": " : "",
                mark->text);
}

static void say_attached(struct run_loop *loop)
{
    if (loop->attached_unsaid)
        run_status_make_room(&loop->status);
    if (loop->attached_unsaid && !loop->silent)
        fprintf(stderr, "txtap: %s\n", txtap_mark_name(TXTAP_MARK_ATTACHED));
    loop->attached_unsaid = false;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct run_loop *loop = self;

    if (item->kind != TXTAP_ITEM_BYTES) /* bytes go to a file, not to the terminal */
        run_status_make_room(&loop->status);
    if (item->kind == TXTAP_ITEM_MARK) {
        loop->mark_counts[item->mark.kind]++;
        say_mark(loop, &item->mark);
    }
    return txtap_sink_take(loop->next, item);
}

enum txtap_status run_loop_mark(struct run_loop *loop, const struct txtap_mark *mark)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = *mark};

    return take(loop, &item);
}

/* ---- opening and closing ---- */

/* Writes the best known name of the chip: the name that the user gave, or the name of its target in OpenOCD. */
static void name_chip(const struct attachment *attachment, char name[static PROBE_TEXT_BYTES])
{
    const struct probe_options *options = &attachment->config.probe;
    const struct probe *probe = &attachment->probe;

    name[0] = '\0';
    if (options->usb.chip != NULL || options->openocd.target != NULL)
        snprintf(name, PROBE_TEXT_BYTES, "%s", options->usb.chip != NULL ? options->usb.chip : options->openocd.target);
    else if (probe->kind != NULL && probe->kind->describe != NULL)
        probe->kind->describe(probe->self, options, name);
}

/* Adds the watch for faults to the guests of the command. A target that stops for each read is not watched. */
static struct guests *watch_faults(struct run_loop *loop)
{
    static struct guests own; /* of a command without other guests */
    struct attachment *attachment = loop->attachment;
    char chip[PROBE_TEXT_BYTES];

    if (!attachment->live)
        return NULL;
    if (attachment->guests == NULL || attachment->guests == &own) {
        own.count = 0;
        attachment->guests = &own;
    }
    if (!attachment->config.probe.gdb.intrusive) {
        name_chip(attachment, chip);
        guests_add_first(attachment->guests, fault_watch_begin(&loop->faults, chip));
    }
    return attachment->guests;
}

static struct sampling sampling; /* of the command, which is the only one in this process */

enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, bool silent, struct error *error)
{
    const struct event_stream_ports ports = attach_ports(attachment);
    const struct poller_place place = attach_place(attachment);
    struct poller_settings settings = {
        .from = options->only_new  ? TXTAP_RING_FROM_NOW
                : attachment->live ? TXTAP_RING_FROM_OLDEST
                                   : TXTAP_RING_AT_REST,
        .now_us = now_us,
        .pause_us = pause_us,
        .unix_us = wall_us,
        .tick_hz = options->tick_hz,
        .stops = options->target.probe.gdb.intrusive,
        .patience_us = options->patience_us,
        .names_wait_us = options->target.probe.timeout_ms * UINT64_C(1000) / NAMES_SHARE,
        .past_events = PAST_EVENTS,
    };
    enum txtap_status status;

    memset(loop, 0, sizeof *loop);
    loop->logs = sampling.logs.count > 0 ? &sampling.logs : NULL;
    runtime_take_requests();
    loop->options = options;
    loop->silent = silent || options->quiet;
    loop->attachment = attachment;
    loop->next = sink;
    loop->begin_us = now_us();
    loop->stats_us = options->stats_seconds > 0 && options->stats_json != NULL ? 0 : UINT64_MAX;
    loop->deadline_us = options->seconds > 0 ? loop->begin_us + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    settings.guests = watch_faults(loop);
    status = event_stream_init(&loop->stream, &ports, attachment->live && !options->no_reconnect, &place, &settings,
                               (struct txtap_sink){take, loop}, error);
    if (status == TXTAP_OK)
        run_status_begin(&loop->status, loop->silent, attachment, &loop->stream.poller, loop->begin_us);
    return status;
}

/* Returns the poller's counts. Events that the command itself could not write count as lost, not as read. */
static struct stream_stats stats_of(const struct run_loop *loop)
{
    const struct poller *poller = &loop->stream.poller;
    struct stream_stats stats = poller->stats;

    attach_account(loop->attachment, &stats);
    stats.events += loop->records;
    stats.events -= loop->unread_events;
    stats.lost += loop->unread_events;
    stats.lost_estimate += loop->unread_events;
    stats.gaps += loop->unread_gaps;
    stats.undecided = loop->undecided;
    (void)tick_rate_get(&poller->maker, &stats.tick_hz_low, &stats.tick_hz_high);
    return stats;
}

struct txtap_rate run_loop_rate(struct run_loop *loop)
{
    const struct poller *poller = &loop->stream.poller;
    double given = loop->options->tick_hz, low, high;

    (void)tick_rate_get(&poller->maker, &low, &high);
    if (loop->core_clock_read && loop->core_clock_resets != poller->stats.resets)
        loop->core_clock_read = false;
    if (given == 0 && !loop->core_clock_read && low > 0 && high - low <= low * TICK_RATE_KNOWN) {
        loop->core_clock_hz = attach_core_clock(loop->attachment);
        loop->core_clock_read = true;
        loop->core_clock_resets = poller->stats.resets;
    }
    return tick_rate_choose(given, loop->core_clock_hz, low, high);
}

/* Returns true if the rate is not the rate that standard error last named. While a rate is being measured, its value
 * changes within its bounds, which is no news. */
static bool is_news(const struct txtap_rate *said, const struct txtap_rate *rate)
{
    if (rate->how == TXTAP_RATE_UNKNOWN)
        return false;
    if (said->how != rate->how)
        return true;
    return rate->how == TXTAP_RATE_MEASURED ? rate->hz < said->low || rate->hz > said->high : rate->hz != said->hz;
}

/* Names the rate of the time stamps, and how it was found, when this is known. A measured rate is named when it is
 * exact, or at the end. A SystemCoreClock that contradicts the measurement is named, too: txtap must not choose between
 * the two silently. */
static void say_rate(struct run_loop *loop, const struct txtap_rate *rate, bool ends)
{
    const double seconds = txtap_host_time_rate_seconds(&loop->stream.poller.maker.host_time);
    char text[TXTAP_RATE_TEXT_BYTES], over[32] = "", clock[96] = "";

    if (loop->silent || !is_news(&loop->said, rate) ||
        (rate->how == TXTAP_RATE_MEASURED && !ends && txtap_rate_error(rate) > SAID_ERROR))
        return;
    loop->said = *rate;
    if (rate->how != TXTAP_RATE_GIVEN && seconds > 0)
        snprintf(over, sizeof over, " over %.1f s", seconds);
    if (rate->how == TXTAP_RATE_MEASURED && loop->core_clock_hz > 0)
        snprintf(clock, sizeof clock, "; the firmware's SystemCoreClock, %g Hz, does not agree", loop->core_clock_hz);
    run_status_make_room(&loop->status);
    fprintf(stderr, "txtap: time stamps: %s%s%s\n", txtap_rate_text(text, rate), over, clock);
}

static double seconds_of(const struct run_loop *loop)
{
    return (double)(now_us() - loop->begin_us) / 1e6;
}

/* Waits, and reads the lines of logs when they arrive, so that their times are exact. */
static void wait_for_next(const struct run_loop *loop, uint64_t delay_us)
{
    struct sample_queue *queue = loop->logs != NULL ? &loop->attachment->guests->queue : NULL;
    uint64_t now = now_us(), until = now + delay_us < loop->deadline_us ? now + delay_us : loop->deadline_us;

    if (loop->logs == NULL && now < until)
        sleep_us(until - now);
    while (loop->logs != NULL && now < until && logs_wait(loop->logs, queue, until - now)) {
        logs_read(loop->logs, queue);
        now = now_us();
    }
}

/* Writes --stats-json. state: what the stream does. */
static bool write_stats(const struct run_loop *loop, const struct stream_stats *stats, const char *state)
{
    char more[REPORT_MORE_BYTES];

    snprintf(more, sizeof more, ",\"state\":\"%s\",\"checks_violated\":%" PRIu64 ",\"faults\":%" PRIu64, state,
             loop->mark_counts[TXTAP_MARK_CHECK], loop->mark_counts[TXTAP_MARK_FAULT]);
    return report_stats_json(loop->options->stats_json, loop->options->command->name, stats, seconds_of(loop), more);
}

/* Writes --stats-json at the interval of --stats-every. A failure ends this, but not the recording. */
static void write_stats_in_time(struct run_loop *loop, const struct stream_stats *stats)
{
    static const char *const states[] = {
        [STREAM_READING] = "reading", [STREAM_LOCATING] = "locating", [STREAM_DETACHED] = "detached"};
    uint64_t now = now_us();

    if (now < loop->stats_us)
        return;
    loop->stats_us = now + (uint64_t)(loop->options->stats_seconds * 1e6);
    if (!write_stats(loop, stats, states[loop->stream.state]))
        loop->stats_us = UINT64_MAX;
}

static void show_figures(struct run_loop *loop)
{
    const struct stream_stats stats = stats_of(loop);

    write_stats_in_time(loop, &stats);
    if (statistics_requested()) {
        run_status_make_room(&loop->status);
        if (!loop->silent)
            report_summary(&stats, seconds_of(loop), loop->options->verbose);
    }
    run_status_step(&loop->status, &stats, !loop->output_busy, now_us());
}

static uint64_t drain_us(void)
{
    uint64_t left = stop_grace_left_us();

    return left < DRAIN_US ? left : DRAIN_US;
}

enum txtap_status run_loop_run(struct run_loop *loop, enum txtap_status (*after_step)(void *self, bool idle),
                               void *self, struct error *error)
{
    struct event_stream *stream = &loop->stream;
    enum txtap_status status = TXTAP_OK;
    struct txtap_rate rate;

    while (status == TXTAP_OK && !stop_requested() && now_us() < loop->deadline_us) {
        uint64_t delay;

        if (loop->logs != NULL)
            logs_read(loop->logs, &loop->attachment->guests->queue);
        status = event_stream_step(stream, error);
        say_attached(loop);
        delay = event_stream_delay_us(stream);
        if (status == TXTAP_OK)
            status = after_step(self, delay > 0);
        show_figures(loop);
        rate = run_loop_rate(loop);
        say_rate(loop, &rate, false);
        if (status == TXTAP_OK && delay > 0)
            wait_for_next(loop, loop->hurries && delay > HURRY_US ? HURRY_US : delay);
    }
    run_status_make_room(&loop->status);
    if (loop->logs != NULL)
        logs_finish(loop->logs, &loop->attachment->guests->queue);
    if (status == TXTAP_OK)
        status = event_stream_finish(stream, drain_us(), error);
    else if (status < TXTAP_OK && error_is_set(error))
        /* The target is gone. Gives the sink the events read so far, and a gap for the entries that could not be read.
         */
        poller_finish(&stream->poller, poller_head(&stream->poller));
    if (status != ERROR_INTERRUPTED || !error_is_set(error))
        return status;
    error_clear(error); /* the user ended the run, which is no failure */
    return TXTAP_OK;
}

/* Warns if the firmware's clock, by which times were shown, does not agree with the final measurement. */
static void warn_of_clock(const struct run_loop *loop, const struct stream_stats *stats)
{
    const struct txtap_rate rate = tick_rate_choose(0, loop->used_hz, stats->tick_hz_low, stats->tick_hz_high);
    char text[TXTAP_RATE_TEXT_BYTES];

    if (loop->options->quiet || loop->used_hz == 0 || stats->tick_hz_low == 0 || rate.how != TXTAP_RATE_MEASURED)
        return;
    txtap_rate_bounds_text(text, stats->tick_hz_low, stats->tick_hz_high);
    fprintf(stderr,
            "txtap: times are by the firmware's SystemCoreClock, %g Hz, but the time stamps have %s by this "
            "host's clock: give --hz\n",
            loop->used_hz, text);
}

/* Warns if the measured tick rate differs from --hz by more than the tolerance of a crystal or RC oscillator. Then --hz
 * is probably wrong: another board, clock or prescaler. */
static void warn_of_rate(const struct options *options, const struct stream_stats *stats)
{
    char text[TXTAP_RATE_TEXT_BYTES];

    if (options->quiet || options->tick_hz == 0 || stats->tick_hz_low == 0 ||
        (options->tick_hz > stats->tick_hz_low * (1 - RATE_OFF) &&
         options->tick_hz < stats->tick_hz_high * (1 + RATE_OFF)))
        return;
    txtap_rate_bounds_text(text, stats->tick_hz_low, stats->tick_hz_high);
    fprintf(stderr, "txtap: --hz %g differs from the rate of the time stamps: %s by this host's clock\n",
            options->tick_hz, text);
}

int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error)
{
    struct stream_stats stats = stats_of(loop);
    double seconds = seconds_of(loop);
    int code = status_exit_code(status);

    stats.rate = tick_rate_choose(loop->options->tick_hz, loop->core_clock_hz, stats.tick_hz_low, stats.tick_hz_high);
    if (status < TXTAP_OK && !error_is_set(error)) /* every failure must have a message */
        failure(error, status, "%s", status_text(status));
    say_rate(loop, &stats.rate, true);
    warn_of_rate(loop->options, &stats);
    warn_of_clock(loop, &stats);
    if (!loop->options->quiet)
        report_summary(&stats, seconds, loop->options->verbose);
    if (code != EXIT_DONE && code != EXIT_NO_SERVER) /* the buffer was found, so EXIT_NO_BUFFER would be wrong */
        code = EXIT_FAILED;
    if (!write_stats(loop, &stats, "ended"))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && loop->options->strict && (stats.lost > 0 || stats.resets > 0 || stats.unseen))
        code = EXIT_LOST;
    event_stream_free(&loop->stream);
    return code;
}

/* Explains the error to a user who gave no operand: a trace would do, too. */
static void explain_nothing(const struct options *options, struct error *error)
{
    const struct error cause = *error;

    (void)failure(error, cause.status,
                  "%s: %.200s\ngive a trace file or the firmware's ELF file, or connect the target",
                  options->command->nothing, cause.what);
}

int report_unopened(const struct options *options, enum txtap_status status, struct error *error)
{
    error->status = status;
    report_error(error);
    if (options->command->unopened != NULL)
        options->command->unopened(options, error);
    return status_exit_code(status);
}

int run_attached(const struct options *options, const char *elf, attached_run *run)
{
    static struct attachment attachment;
    struct attach_config config = options->target;
    struct error error = {0};
    enum txtap_status status;
    int code;

    config.elf = elf;
    status = attach(&config, &attachment, &error);
    if (status != TXTAP_OK) {
        bool ended =
            stop_requested() && options->command->streams; /* Ctrl-C is the normal end if the output is endless */

        if ((status == ERROR_SYMBOL || status == ERROR_NOT_FOUND) && elf != NULL && !ended &&
            options->command->without_ring != NULL) {
            code = options->command->without_ring(options, elf);
            if (code >= 0)
                return code;
        }
        if (status == ERROR_UNREACHABLE && elf == NULL && options->command->nothing != NULL &&
            !options->target.probe.openocd.given)
            explain_nothing(options, &error);
        if (!ended || status == ERROR_INTERRUPTED)
            code = report_unopened(options, status, &error);
        if (ended)
            code = options->check.count > 0 ? EXIT_CHECK_UNDECIDED : EXIT_DONE;
        return code;
    }
    status = sampling_open(&sampling, options, &attachment, &error);
    code = status == TXTAP_OK ? run(options, &attachment, &error) : status_exit_code(status);
    if (error_is_set(&error))
        report_error(&error);
    sampling_summary(&sampling);
    sampling_close(&sampling);
    attach_close(&attachment);
    return code;
}
