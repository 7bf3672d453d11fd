/* SPDX-License-Identifier: MIT */
/* Begins with the newest event of the board, so that the screen shows the present and not the past. Reads keys and
 * draws after each block, and while no block comes. */
#include "command/top/top_board.h"

#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "command/top/top_screen.h"
#include "follow/follow.h"
#include "output/report.h"
#include "output/translation.h"

#define SILENT_US 10000000u /* after this time without an event the screen says so */

struct board_top {
    const struct options *options;
    struct follow follow;
    struct top_screen screen;
    struct translation translation; /* before the screen */
    bool open;                      /* the screen is open */
    uint64_t deadline_us, event_us; /* event_us: when the last event came */
    double hz;                      /* the rate that the screen has; 0: no rate */
    enum txtap_status status;       /* of idle() */
    struct error error;             /* its cause */
};

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct board_top *top = self;

    if (item->kind == TXTAP_ITEM_EVENT)
        top->event_us = now_us();
    if (item->kind == TXTAP_ITEM_GAP) {
        top->screen.state.lost += item->gap.lost;
        top->screen.state.lost_exact = top->screen.state.lost_exact && item->gap.exact;
    }
    return top_screen_take(&top->screen, item);
}

/* Gives the screen the best known rate. */
static void use_rate(struct board_top *top)
{
    const struct txtap_rate given = {.how = TXTAP_RATE_GIVEN, .hz = top->options->tick_hz};
    const struct txtap_rate *rate = given.hz > 0 ? &given : &top->follow.identity.rate;

    if (rate->hz == top->hz)
        return;
    top->hz = rate->hz;
    top_screen_rate(&top->screen, rate);
}

static enum txtap_status step(struct board_top *top)
{
    const uint64_t now = now_us();

    if (now >= top->deadline_us || reopen_requested())
        return TXTAP_END;
    if (!top->open) /* the description of the recording is still being read */
        return TXTAP_OK;
    use_rate(top);
    top->screen.exception = now - top->event_us > SILENT_US ? "SILENT" : NULL;
    return top_screen_step(&top->screen, now, &top->error);
}

static bool idle(void *self)
{
    struct board_top *top = self;

    if (top->status == TXTAP_OK)
        top->status = step(top);
    return top->status == TXTAP_OK;
}

static enum txtap_status play(struct board_top *top, struct error *error)
{
    enum txtap_status status = TXTAP_OK, last;

    top->screen.condition = "FOLLOW";
    top->screen.names = &top->follow.registry;
    top->translation.next = (struct txtap_sink){take, top};
    if (top->follow.definitions != NULL)
        status = translation_from_logger(&top->translation, error);
    while (status == TXTAP_OK && idle(top))
        status = follow_step(&top->follow, (struct txtap_sink){translation_take, &top->translation}, error);
    if (status >= TXTAP_OK && top->status < TXTAP_OK)
        status = top->status;
    last = status >= TXTAP_OK && !top->screen.quit ? translation_end(&top->translation) : TXTAP_OK;
    if (status >= TXTAP_OK && last < TXTAP_OK)
        status = last;
    return status >= TXTAP_OK && !top->screen.quit ? top_screen_last(&top->screen, &top->error) : status;
}

/* Shows the board until the user ends it. Returns an enum exit_code. */
static int show(struct board_top *top, struct error *error)
{
    const char *name = top->follow.input.name, *slash = strrchr(name, '/');
    enum txtap_status status =
        top_screen_open(&top->screen, top->options, &top->follow.identity, slash != NULL ? slash + 1 : name, error);
    enum exit_code verdict = EXIT_DONE;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    top->open = true;
    top->event_us = now_us();
    status = play(top, error);
    if (status >= TXTAP_OK)
        verdict = top_screen_verdict(&top->screen, &top->error);
    top_screen_close(&top->screen);
    if (!top->options->quiet)
        report_notes(&top->follow.reader.notes);
    if (status < TXTAP_OK && !error_is_set(error) && !error_is_set(&top->error))
        failure(error, status, "%s", status_text(status));
    return status < TXTAP_OK ? status_exit_code(status) : (int)verdict;
}

int top_board_run(const struct options *options)
{
    static struct board_top top;
    const struct input_wait wait = {idle, &top};
    struct error error = {0};
    enum txtap_status status;
    int code;

    runtime_take_requests();
    top.options = options;
    top.deadline_us = options->seconds > 0 ? now_us() + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    status = follow_open(&top.follow, options->files, true, &wait, &error);
    code = status == TXTAP_OK ? show(&top, &error) : status_exit_code(status);
    if (status == TXTAP_OK)
        follow_close(&top.follow);
    if (error_is_set(&error) || error_is_set(&top.error))
        report_error(error_is_set(&error) ? &error : &top.error);
    return code;
}
