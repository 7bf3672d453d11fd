/* SPDX-License-Identifier: MIT */
/* What "tail" and "record" have in common: until when they run, what they report, how they end. */
#include "command/live.h"

#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "output/report.h"

#define RATE_OFF 0.03    /* so much may --hz be off without a word */
#define DRAIN_US 1000000 /* for what the target had written when the end was asked for, through a slow probe */

/* ---- the sink between session and command ---- */

/* What is found behind a connection that is back belongs into the same line: a reset, another buffer. */
static void say_mark(struct live *live, const struct txtap_mark *mark)
{
    const char *attached = live->attached_unsaid ? "attached, " : "";

    live->attached_unsaid = mark->kind == TXTAP_MARK_ATTACHED;
    if (!live->attached_unsaid && !live->options->quiet)
        fprintf(stderr, "txtap: %s%s%s%s\n", attached, txtap_mark_name(mark->kind), *mark->text ? ": " : "",
                mark->text);
}

static void say_attached(struct live *live)
{
    if (live->attached_unsaid)
        live_status_make_room(&live->status);
    if (live->attached_unsaid && !live->options->quiet)
        fprintf(stderr, "txtap: %s\n", txtap_mark_name(TXTAP_MARK_ATTACHED));
    live->attached_unsaid = false;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct live *live = self;

    if (item->kind != TXTAP_ITEM_BYTES) /* they go to a file */
        live_status_make_room(&live->status);
    if (item->kind == TXTAP_ITEM_MARK)
        say_mark(live, &item->mark);
    return txtap_sink_take(live->next, item);
}

/* ---- life ---- */

enum txtap_status live_begin(struct live *live, const struct options *options, struct attachment *attachment,
                             struct txtap_sink sink, struct error *error)
{
    const struct follow_ports ports = attach_ports(attachment);
    const struct session_place place = attach_place(attachment);
    const struct session_settings settings = {
        .from = options->only_new ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST,
        .now_us = now_us,
        .unix_us = wall_us,
        .tick_hz = options->tick_hz,
        .patience_us = options->patience_us,
        .waits_for_names = true,
    };
    enum txtap_status status;

    memset(live, 0, sizeof *live);
    runtime_take_requests();
    live->options = options;
    live->attachment = attachment;
    tick_rate_init(&live->tick_rate, attachment->place.header.timer_mask, sink);
    live->next = options->tick_hz > 0 ? tick_rate_sink(&live->tick_rate) : sink;
    live->begin_us = now_us();
    live->deadline_us = options->seconds > 0 ? live->begin_us + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    status = follow_init(&live->follower, &ports, attachment->live && !options->no_reconnect, &place, &settings,
                         (struct txtap_sink){take, live}, error);
    if (status == TXTAP_OK)
        live_status_begin(&live->status, options, attachment, &live->follower.session, live->begin_us);
    return status;
}

/* The session's figures, with what the command lost on its way to the reader. */
static struct session_stats stats_of(const struct live *live)
{
    const struct session *session = &live->follower.session;
    struct session_stats stats = session->stats;

    attach_account(live->attachment, &stats);
    stats.events += live->records;
    stats.events -= live->unread_events;
    stats.lost += live->unread_events;
    stats.lost_estimate += live->unread_events;
    stats.gaps += live->unread_gaps;
    (void)tick_rate_get(live->options->tick_hz > 0 ? &live->tick_rate.maker : &session->maker, &stats.tick_hz_low,
                        &stats.tick_hz_high);
    return stats;
}

static double seconds_of(const struct live *live)
{
    return (double)(now_us() - live->begin_us) / 1e6;
}

static void wait_for_next(const struct live *live, uint64_t delay_us)
{
    uint64_t now = now_us();

    if (now < live->deadline_us)
        sleep_us(live->deadline_us - now < delay_us ? live->deadline_us - now : delay_us);
}

static void show_figures(struct live *live)
{
    const struct session_stats stats = stats_of(live);

    if (statistics_requested()) {
        live_status_make_room(&live->status);
        report_summary(live->options, &stats, seconds_of(live));
    }
    live_status_step(&live->status, &stats, !live->output_busy, now_us());
}

static uint64_t drain_us(void)
{
    uint64_t left = stop_grace_left_us();

    return left < DRAIN_US ? left : DRAIN_US;
}

enum txtap_status live_follow(struct live *live, enum txtap_status (*after_step)(void *self, bool idle), void *self,
                              struct error *error)
{
    struct follower *follower = &live->follower;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && now_us() < live->deadline_us) {
        uint64_t delay;

        status = follow_step(follower, error);
        say_attached(live);
        delay = follow_delay_us(follower);
        if (status == TXTAP_OK)
            status = after_step(self, delay > 0);
        show_figures(live);
        if (status == TXTAP_OK && delay > 0)
            wait_for_next(live, delay);
    }
    live_status_make_room(&live->status);
    if (status == TXTAP_OK)
        status = follow_finish(follower, drain_us(), error);
    else if (status < TXTAP_OK && error_is_set(error))
        /* The source is gone: what was read is still good, and what is known to be written is lost. */
        session_finish(&follower->session, session_head(&follower->session));
    if (status != ERROR_INTERRUPTED || !error_is_set(error))
        return status;
    error_clear(error); /* the user ended it, whatever it was waiting for */
    return TXTAP_OK;
}

/* Who mixes two boards up, or clock and prescaler, is off by more than a crystal, or an oscillator without one. */
static void warn_of_rate(const struct options *options, const struct session_stats *stats)
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

int live_end(struct live *live, enum txtap_status status, struct error *error)
{
    const struct session_stats stats = stats_of(live);
    double seconds = seconds_of(live);
    int code = attach_exit_code(status);

    if (status < TXTAP_OK && !error_is_set(error)) /* no failure ends without a word */
        failure(error, status, "%s", status_text(status));
    warn_of_rate(live->options, &stats);
    report_summary(live->options, &stats, seconds);
    if (code != EXIT_DONE && code != EXIT_NO_SERVER) /* the buffer was found, whatever became of it */
        code = EXIT_FAILED;
    if (!report_stats_json(live->options, &stats, seconds))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && live->options->strict && (stats.lost > 0 || stats.resets > 0 || stats.unseen))
        code = EXIT_LOST;
    follow_free(&live->follower);
    return code;
}

int live_command(const struct options *options, live_run *run)
{
    static struct attachment attachment;
    struct error error = {0};
    enum txtap_status status = attach(options, &attachment, &error);
    int code;

    if (status != TXTAP_OK) {
        bool ended = stop_requested() && options->command->streams; /* Ctrl-C is a normal end of what has no other */

        if (!ended || status == ERROR_INTERRUPTED)
            report_error(&error);
        return ended ? EXIT_DONE : attach_exit_code(status);
    }
    code = run(options, &attachment, &error);
    if (error_is_set(&error))
        report_error(&error);
    attach_close(&attachment);
    return code;
}
