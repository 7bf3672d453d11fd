/* SPDX-License-Identifier: MIT */
/* Prints the events of a board as its recorder writes them. A slow reader of the output delays the reading, because the
 * events stay in their files. */
#include "command/tail/tail_board.h"

#include <stdio.h>

#include "base/runtime.h"
#include "command/check_watch.h"
#include "command/hold.h"
#include "follow/follow.h"
#include "output/outlet.h"
#include "output/output.h"
#include "output/report.h"

struct board_tail {
    const struct options *options;
    struct follow follow;
    struct outlet outlet;
    struct hold hold; /* before the outlet, while the rate of the time stamps is unknown */
    struct check_watch watch;
    struct txtap_sink next; /* the watch, the hold or the outlet */
    struct stream_stats stats;
    uint64_t begin_us, deadline_us;
    enum txtap_status status; /* failure of idle() */
    struct error error;       /* its cause */
};

static double seconds_of(const struct board_tail *tail)
{
    return (double)(now_us() - tail->begin_us) / 1e6;
}

/* ---- the sink ---- */

static bool knows_rate(const struct board_tail *tail)
{
    return tail->options->tick_hz > 0 || tail->follow.identity.rate.hz > 0;
}

/* Opens the output with the first item, because the names that it needs precede this item. */
static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct board_tail *tail = self;
    enum txtap_status status = tail->hold.holds && knows_rate(tail) ? hold_end(&tail->hold) : TXTAP_OK;

    if (status == TXTAP_OK)
        status = txtap_sink_take(tail->next, item);

    if (status >= TXTAP_OK)
        stream_stats_count(&tail->stats, item);
    if (item->kind != TXTAP_ITEM_MARK)
        return status;
    tail->stats.unseen = tail->stats.unseen || item->mark.kind == TXTAP_MARK_UNSURE;
    tail->stats.resets += item->mark.kind == TXTAP_MARK_RESET;
    return status;
}

static enum txtap_status take_violation(void *self, const struct txtap_mark *mark)
{
    struct board_tail *tail = self;
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = *mark};

    if (!tail->options->quiet)
        fprintf(stderr, "txtap: %s: %s\n", txtap_mark_name(mark->kind), mark->text);
    return txtap_sink_take(tail->watch.next, &item);
}

static enum txtap_status begin_output(void *self)
{
    struct board_tail *tail = self;
    struct outlet_config config = options_outlet(tail->options);
    enum txtap_status status;

    config.items = (struct outlet_items){.definitions = tail->follow.definitions};
    config.channels = &tail->follow.channels;
    config.view.identity = &tail->follow.identity;
    if (config.view.tick_hz == 0)
        config.view.tick_hz = tail->follow.identity.rate.hz;
    status = outlet_open(&tail->outlet, &config, &tail->error);
    if (status != TXTAP_OK)
        return status;
    tail->hold.next = outlet_sink(&tail->outlet);
    return outlet_begin(&tail->outlet, &tail->follow.player.header, &tail->follow.registry);
}

/* ---- while no events come ---- */

/* Opens the output file again, after SIGHUP. */
static enum txtap_status reopen(struct board_tail *tail)
{
    if (output_is_standard(tail->options->output) || terminal_is_gone())
        return TXTAP_END;
    return tail->outlet.kind != NULL ? outlet_reopen(&tail->outlet, &tail->error) : TXTAP_OK;
}

static enum txtap_status step(struct board_tail *tail)
{
    const struct txtap_rate *rate = &tail->follow.identity.rate;
    enum txtap_status status;
    bool written;

    if (tail->next.take == NULL) /* the description of the recording is still being read */
        return now_us() >= tail->deadline_us ? TXTAP_END : TXTAP_OK;
    check_watch_rate(&tail->watch, rate);
    status = check_watch_step(&tail->watch);
    if (status == TXTAP_OK && hold_is_over(&tail->hold))
        status = hold_end(&tail->hold);
    if (status == TXTAP_OK && statistics_requested())
        report_summary(&tail->stats, seconds_of(tail), tail->options->verbose);
    if (status == TXTAP_OK && reopen_requested())
        status = reopen(tail);
    if (status == TXTAP_OK && tail->outlet.kind != NULL)
        status = outlet_flush(&tail->outlet, &written);
    return status == TXTAP_OK && now_us() >= tail->deadline_us ? TXTAP_END : status;
}

static bool idle(void *self)
{
    struct board_tail *tail = self;

    if (tail->status == TXTAP_OK)
        tail->status = step(tail);
    return tail->status == TXTAP_OK;
}

/* ---- all parts ---- */

static enum txtap_status open_watch(struct board_tail *tail, const struct options *options, struct error *error)
{
    enum txtap_status status = check_watch_open(&tail->watch, options, &tail->follow.registry, now_us, wall_us, error);

    if (status != TXTAP_OK)
        return status;
    tail->watch.marks.take = take_violation;
    tail->watch.marks.self = tail;
    status = check_watch_learn(&tail->watch, &tail->follow.identity, error);
    if (status != TXTAP_OK)
        check_watch_close(&tail->watch);
    return status;
}

/* Plays the items until the end. Returns the first failure, or TXTAP_OK. */
static enum txtap_status play(struct board_tail *tail, struct error *error)
{
    enum txtap_status status = TXTAP_OK, last;

    tail->hold = (struct hold){.holds = true, .begin = begin_output, .self = tail, .now_us = now_us};
    tail->next = check_watch_sink(&tail->watch, (struct txtap_sink){hold_take, &tail->hold});
    while (status == TXTAP_OK && now_us() < tail->deadline_us)
        status = follow_step(&tail->follow, (struct txtap_sink){take, tail}, error);
    if (status >= TXTAP_OK && tail->status < TXTAP_OK)
        status = tail->status;
    last = check_watch_finish(&tail->watch);
    status = status >= TXTAP_OK && last < TXTAP_OK ? last : status;
    last = hold_end(&tail->hold);
    status = status >= TXTAP_OK && last < TXTAP_OK ? last : status;
    if (status < TXTAP_OK && !error_is_set(error) && error_is_set(&tail->error))
        *error = tail->error;
    if (tail->outlet.kind != NULL)
        status = outlet_close(&tail->outlet, status, &tail->follow.player.maker, error);
    tail->stats.undecided = tail->outlet.counts.undecided;
    tail->stats.bytes_read = tail->follow.reader.stream.offset;
    return status;
}

/* Prints the summary, and returns the exit code. */
static int summarize(struct board_tail *tail, enum txtap_status status, struct error *error)
{
    const struct options *options = tail->options;
    int code = status_exit_code(status);

    if (status < TXTAP_OK && !error_is_set(error))
        failure(error, status, "%s", status_text(status));
    if (!options->quiet) {
        report_notes(&tail->follow.reader.notes);
        report_summary(&tail->stats, seconds_of(tail), options->verbose);
    }
    if (!report_stats_json(options->stats_json, options->command->name, &tail->stats, seconds_of(tail), ""))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && options->strict && (tail->stats.lost > 0 || !tail->stats.lost_exact || tail->stats.unseen))
        code = EXIT_LOST;
    return check_watch_end(&tail->watch, code, error);
}

/* Refuses options that apply only to a target, because they would be ignored silently. */
static enum txtap_status check_options(const struct options *options, struct error *error)
{
    const struct ring_config *ring = &options->target.ring;
    const char *name = ring->kind->name != NULL         ? ring->kind->name
                       : options->variables.count > 0   ? "watch"
                       : options->samples.log_count > 0 ? "log"
                       : ring->wished.has_address       ? "address"
                       : options->no_reconnect          ? "no-reconnect"
                                                        : NULL;

    if (name == NULL)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.160s has the recordings of a board\n--%s works only with a running target", options->files[0],
                   name);
}

static int follow_board(struct board_tail *tail, struct error *error)
{
    const struct input_wait wait = {idle, tail};
    const struct options *options = tail->options;
    enum txtap_status status = follow_open(&tail->follow, options->files, options->only_new, &wait, error);
    int code = status_exit_code(status);

    if (status != TXTAP_OK)
        return code;
    status = open_watch(tail, options, error);
    code = status_exit_code(status);
    if (status == TXTAP_OK) {
        if (!options->quiet)
            fprintf(stderr, "txtap: following %s\n", tail->follow.input.name);
        code = summarize(tail, play(tail, error), error);
        check_watch_close(&tail->watch);
    }
    follow_close(&tail->follow);
    return code;
}

int tail_board(const struct options *options)
{
    static struct board_tail tail;
    struct error error = {0};
    int code;

    runtime_take_requests();
    tail.options = options;
    tail.begin_us = now_us();
    tail.deadline_us = options->seconds > 0 ? tail.begin_us + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    tail.stats.lost_exact = true;
    code = check_options(options, &error) == TXTAP_OK ? follow_board(&tail, &error) : EXIT_USAGE;
    if (error_is_set(&error))
        report_error(&error);
    return code;
}
