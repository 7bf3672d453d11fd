/* SPDX-License-Identifier: MIT */
/* The loop of "tail" and "record": until when it runs, what it reports, how it ends. */
#include "command/run_loop.h"

#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "output/report.h"
#include "stream/stream_stats.h"

#define RATE_OFF    0.03    /* --hz may be off by this much without a warning */
#define PAST_EVENTS 131072  /* more than wait for names, and then for a trigger: history.h */
#define DRAIN_US    1000000 /* to read what the target had written before the end, through a slow probe */

/* ---- the sink between poller and command ---- */

/* A reset, or another buffer, that is found right after reconnecting belongs in the same line. */
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
    if (item->kind == TXTAP_ITEM_MARK)
        say_mark(loop, &item->mark);
    return txtap_sink_take(loop->next, item);
}

enum txtap_status run_loop_mark(struct run_loop *loop, const struct txtap_mark *mark)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = *mark};

    return take(loop, &item);
}

/* ---- life ---- */

enum txtap_status run_loop_begin(struct run_loop *loop, const struct options *options, struct attachment *attachment,
                                 struct txtap_sink sink, bool silent, struct error *error)
{
    const struct event_stream_ports ports = attach_ports(attachment);
    const struct poller_place place = attach_place(attachment);
    const struct poller_settings settings = {
        .from = options->only_new  ? TXTAP_RING_FROM_NOW
                : attachment->live ? TXTAP_RING_FROM_OLDEST
                                   : TXTAP_RING_AT_REST,
        .now_us = now_us,
        .pause_us = pause_us,
        .unix_us = wall_us,
        .tick_hz = options->tick_hz,
        .stops = options->target.probe.gdb.intrusive,
        .patience_us = options->patience_us,
        .waits_for_names = true,
        .past_events = PAST_EVENTS,
    };
    enum txtap_status status;

    memset(loop, 0, sizeof *loop);
    runtime_take_requests();
    loop->options = options;
    loop->silent = silent || options->quiet;
    loop->attachment = attachment;
    loop->next = sink;
    loop->begin_us = now_us();
    loop->deadline_us = options->seconds > 0 ? loop->begin_us + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    status = event_stream_init(&loop->stream, &ports, attachment->live && !options->no_reconnect, &place, &settings,
                               (struct txtap_sink){take, loop}, error);
    if (status == TXTAP_OK)
        run_status_begin(&loop->status, loop->silent, attachment, &loop->stream.poller, loop->begin_us);
    return status;
}

/* The poller's figures, with what the command itself lost on the way to its output. */
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

static double seconds_of(const struct run_loop *loop)
{
    return (double)(now_us() - loop->begin_us) / 1e6;
}

static void wait_for_next(const struct run_loop *loop, uint64_t delay_us)
{
    uint64_t now = now_us();

    if (now < loop->deadline_us)
        sleep_us(loop->deadline_us - now < delay_us ? loop->deadline_us - now : delay_us);
}

static void show_figures(struct run_loop *loop)
{
    const struct stream_stats stats = stats_of(loop);

    if (statistics_requested()) {
        run_status_make_room(&loop->status);
        if (!loop->silent)
            report_summary(&stats, seconds_of(loop));
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

    while (status == TXTAP_OK && !stop_requested() && now_us() < loop->deadline_us) {
        uint64_t delay;

        status = event_stream_step(stream, error);
        say_attached(loop);
        delay = event_stream_delay_us(stream);
        if (status == TXTAP_OK)
            status = after_step(self, delay > 0);
        show_figures(loop);
        if (status == TXTAP_OK && delay > 0)
            wait_for_next(loop, delay);
    }
    run_status_make_room(&loop->status);
    if (status == TXTAP_OK)
        status = event_stream_finish(stream, drain_us(), error);
    else if (status < TXTAP_OK && error_is_set(error))
        /* The source is gone: what was read is delivered, and what is known to have been written is a gap. */
        poller_finish(&stream->poller, poller_head(&stream->poller));
    if (status != ERROR_INTERRUPTED || !error_is_set(error))
        return status;
    error_clear(error); /* the user ended it: no failure */
    return TXTAP_OK;
}

/* A wrong board, clock or prescaler is further off than any crystal or RC oscillator. */
static void warn_of_rate(const struct options *options, const struct stream_stats *stats)
{
    char text[TICK_RATE_TEXT_BYTES];

    if (options->quiet || options->tick_hz == 0 || stats->tick_hz_low == 0 ||
        (options->tick_hz > stats->tick_hz_low * (1 - RATE_OFF) &&
         options->tick_hz < stats->tick_hz_high * (1 + RATE_OFF)))
        return;
    tick_rate_text(text, stats->tick_hz_low, stats->tick_hz_high);
    fprintf(stderr, "txtap: --hz %g is not what the time stamps run at: %s by this host's clock\n", options->tick_hz,
            text);
}

int run_loop_end(struct run_loop *loop, enum txtap_status status, struct error *error)
{
    const struct stream_stats stats = stats_of(loop);
    double seconds = seconds_of(loop);
    int code = status_exit_code(status);

    if (status < TXTAP_OK && !error_is_set(error)) /* every failure has a message */
        failure(error, status, "%s", status_text(status));
    warn_of_rate(loop->options, &stats);
    if (!loop->options->quiet)
        report_summary(&stats, seconds);
    if (code != EXIT_DONE && code != EXIT_NO_SERVER) /* for the buffer had been found */
        code = EXIT_FAILED;
    if (!report_stats_json(loop->options->stats_json, loop->options->command->name, &stats, seconds, ""))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && loop->options->strict && (stats.lost > 0 || stats.resets > 0 || stats.unseen))
        code = EXIT_LOST;
    event_stream_free(&loop->stream);
    return code;
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
            stop_requested() && options->command->streams; /* Ctrl-C is a normal end if the output has no other */

        if (!ended || status == ERROR_INTERRUPTED)
            report_error(&error);
        if (ended && options->check.count > 0)
            return EXIT_CHECK_UNDECIDED;
        return ended ? EXIT_DONE : status_exit_code(status);
    }
    code = run(options, &attachment, &error);
    if (error_is_set(&error))
        report_error(&error);
    attach_close(&attachment);
    return code;
}
