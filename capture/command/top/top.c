/* SPDX-License-Identifier: MIT */
/* txtap top: what threads, interrupts and objects do now. */
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/run_loop.h"
#include "command/top/top_replay.h"
#include "command/top/top_screen.h"

struct top {
    struct top_screen screen;
    struct translation translation; /* in front of it */
    struct run_loop loop;
    uint64_t unread; /* the most entries that waited in the ring since the last screen */
    uint64_t drawn;
    struct error error; /* of after_step() */
};

/* What the monitor does not know. */
static void take_figures(struct top *top)
{
    const struct poller *poller = &top->loop.stream.poller;
    const struct attachment *attachment = top->loop.attachment;
    uint32_t capacity = attachment->ring->laps ? txtap_header_ring_entries(&poller->header) : 0;

    if (top->drawn != top->screen.drawn)
        top->unread = 0;
    top->drawn = top->screen.drawn;
    if (poller->stats.unread > top->unread)
        top->unread = poller->stats.unread;
    if (top->screen.paused)
        return;
    top->screen.state.lost = poller->stats.lost;
    top->screen.state.lost_exact = poller->stats.lost_exact && !poller->stats.unseen;
    if (capacity > 0)
        top->screen.state.ring_used = 100.0 * (double)top->unread / capacity;
    top_screen_rate(&top->screen, &poller->maker);
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct top *top = self;

    (void)idle;
    if (reopen_requested())
        return TXTAP_END;
    take_figures(top);
    return top_screen_step(&top->screen, now_us(), &top->error);
}

static int run(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct top top;
    const char *elf = attachment->config.elf, *slash = elf ? strrchr(elf, '/') : NULL;
    enum exit_code verdict = EXIT_DONE;
    enum txtap_status status;
    int code;

    top.translation.next = (struct txtap_sink){top_screen_take, &top.screen};
    status = operands_translate(&top.translation, options, &top.loop.stream.poller.registry, error);
    if (status == TXTAP_OK)
        status = run_loop_begin(&top.loop, options, attachment, (struct txtap_sink){translation_take, &top.translation},
                                true, error);
    if (status != TXTAP_OK)
        return status_exit_code(status);
    status = top_screen_open(&top.screen, options, slash ? slash + 1 : elf ? elf : "target", error);
    if (status == TXTAP_OK) {
        top.screen.condition = "LIVE";
        top.screen.names = &top.loop.stream.poller.registry;
        status = run_loop_run(&top.loop, after_step, &top, error);
        if (options->top.rows && top.screen.drawn == 0 && status >= TXTAP_OK) /* it ended before the first was due */
            status = top_screen_last(&top.screen, error);
        if (status >= TXTAP_OK)
            verdict = top_screen_verdict(&top.screen, error);
        top_screen_close(&top.screen);
    }
    if (error_is_set(&top.error))
        *error = top.error;
    if (status == TXTAP_ERROR_USAGE) {
        event_stream_free(&top.loop.stream);
        return EXIT_USAGE;
    }
    code = run_loop_end(&top.loop, status == TXTAP_END ? TXTAP_OK : status, error);
    return exit_code_with_checks(code, verdict);
}

static int run_command(const struct options *options)
{
    return operands_run(options, run, top_replay);
}

/* ---- its options ---- */

static error_t parse_top(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return top_option(&options->top, key, text, state);
}

static const struct argp_option rate_rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "the time stamps' clock, such as 168M or 32768; of a target it is measured without it", 0},
    {0},
};

static const struct argp top_argp = {top_option_rows, parse_top, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child top_child[] = {{&top_argp, 0, NULL, 0}, {0}};
static const struct argp screen = {rate_rows, options_parse_with, NULL, NULL, top_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&options_target, 0, OPTIONS_TARGET_HEAD, 1},
    {&screen, 0, "The screen:", 2},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 3},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 4},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 5},
    {&options_ring, 0, OPTIONS_RING_HEAD, 6},
    {0},
};

const struct command top_command = {
    .name = "top",
    .brief = "a live table of threads, interrupts and objects",
    .run = run_command,
    .parser = options_parse_operands,
    .operands = "[ELF | FILE...]",
    .help = "Show what the threads, interrupts and objects of a running target do now.\v"
            "ELF is the firmware's file: it says where the trace buffer is. Without it RAM is "
            "searched. FILE is a recording, or "
            "a trace as 'txtap decode' reads it: it is replayed.\n\n"
            "Keys: q ends, s sorts, w chooses the window, ? shows all others.",
    .groups = groups,
    .streams = true,
    .only_shows = true,
};
