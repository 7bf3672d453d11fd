/* SPDX-License-Identifier: MIT */
/* "txtap view --follow" for a board whose recorder runs elsewhere. The page gets the newest recording from its start.
 */
#include "command/view/view_page.h"

#include "base/runtime.h"
#include "command/view/live_state.h"
#include "follow/follow.h"
#include "output/report.h"
#include "view/block_maker.h"
#include "view/block_ring.h"

struct board_view {
    const struct options *options;
    struct follow follow;
    struct block_ring ring;
    struct block_maker maker;
    struct view_page page;
    bool served; /* the page is served */
    struct stream_stats stats;
    struct live_state state;
    uint64_t begin_us, deadline_us;
    bool ends; /* the user or --seconds has ended it */
};

/* ---- calls of the server ---- */

static void put_state(void *self, FILE *out)
{
    struct board_view *view = self;

    live_state_put(&view->state, out, &view->page.document, &view->ring);
}

/* ---- running ---- */

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct board_view *view = self;

    stream_stats_count(&view->stats, item);
    if (item->kind == TXTAP_ITEM_MARK) {
        view->stats.unseen = view->stats.unseen || item->mark.kind == TXTAP_MARK_UNSURE;
        view->stats.resets += item->mark.kind == TXTAP_MARK_RESET;
    }
    return block_maker_take(&view->maker, item);
}

/* Also called while no block comes. */
static bool step(void *self)
{
    struct board_view *view = self;

    view->ends = view->ends || now_us() >= view->deadline_us || reopen_requested();
    if (view->ends || !view->served)
        return !view->ends;
    live_state_set(&view->state, &view->stats, 0, &view->follow.identity.rate, "");
    if (block_maker_step(&view->maker))
        server_wake(view->page.server);
    server_step(view->page.server);
    return true;
}

/* ---- opening and closing ---- */

/* Returns the names of interrupts in the firmware, which the recording has; NULL: it has no names. */
static const char *interrupts_of(const struct identity *identity)
{
    for (size_t i = 0; i < identity->text_count; i++)
        if (!identity->texts[i].of_user)
            return identity->texts[i].text;
    return NULL;
}

static enum txtap_status open_blocks(struct board_view *view, struct error *error)
{
    const struct block_maker_setup setup = {.ring = &view->ring,
                                            .clock = &view->follow.player.maker.clock,
                                            .definitions = view->follow.definitions,
                                            .now_us = now_us,
                                            .wall_us = wall_us};

    if (!block_ring_init(&view->ring, view->options->buffer_bytes))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to keep %zu bytes of events\nchoose a smaller --buffer",
                       view->options->buffer_bytes);
    if (block_maker_open(&view->maker, &setup, &view->follow.player.header, &view->follow.registry))
        return TXTAP_OK;
    block_ring_free(&view->ring);
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the names of objects");
}

/* Serves the page until the end. Open pages first get all events that were read. */
static enum txtap_status serve(struct board_view *view, struct error *error)
{
    const struct server_source source = live_source(&view->ring);
    enum txtap_status status = view_page_serve(&view->page, &source, put_state, view, error);

    view->served = status == TXTAP_OK;
    while (status == TXTAP_OK && step(view))
        status = follow_step(&view->follow, (struct txtap_sink){take, view}, error);
    block_maker_end(&view->maker);
    return status;
}

static enum txtap_status open_page(struct board_view *view, struct error *error)
{
    enum txtap_status status = view_page_open(&view->page, view->options, DOCUMENT_LIVE, NULL, NULL, error);

    if (status != TXTAP_OK)
        return status;
    view->page.document.interrupts = interrupts_of(&view->follow.identity);
    status = open_blocks(view, error);
    if (status == TXTAP_OK) {
        status = serve(view, error);
        view_page_close(&view->page); /* closed first, because the page's server reads from the ring */
        block_maker_close(&view->maker);
        block_ring_free(&view->ring);
    } else {
        view_page_close(&view->page);
    }
    return status;
}

static int finish(const struct board_view *view, enum txtap_status status, struct error *error)
{
    const double seconds = (double)(now_us() - view->begin_us) / 1e6;
    const struct options *options = view->options;
    int code = status_exit_code(status);

    if (status < TXTAP_OK && !error_is_set(error))
        failure(error, status, "%s", status_text(status));
    if (!options->quiet) {
        report_notes(&view->follow.reader.notes);
        report_summary(&view->stats, seconds, options->verbose);
    }
    if (!report_stats_json(options->stats_json, options->command->name, &view->stats, seconds, ""))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && options->strict && (view->stats.lost > 0 || !view->stats.lost_exact || view->stats.unseen))
        code = EXIT_LOST;
    return code;
}

int view_board(const struct options *options)
{
    static struct board_view view = {.state.mutex = PTHREAD_MUTEX_INITIALIZER};
    const struct input_wait wait = {step, &view};
    struct error error = {0};
    enum txtap_status status;
    int code;

    runtime_take_requests();
    view.options = options;
    view.begin_us = now_us();
    view.deadline_us = options->seconds > 0 ? view.begin_us + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    view.stats.lost_exact = true;
    status = follow_open(&view.follow, options->files, options->only_new, &wait, &error);
    code = status_exit_code(status);
    if (status == TXTAP_OK) {
        code = finish(&view, open_page(&view, &error), &error);
        follow_close(&view.follow);
    }
    if (error_is_set(&error))
        report_error(&error);
    return code;
}
