/* SPDX-License-Identifier: MIT */
/* "txtap view" for a running target. */
#include "command/view/view_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "command/check_watch.h"
#include "command/run_loop.h"
#include "command/view/live_state.h"
#include "file/ctf_directory.h"
#include "record/recorder.h"
#include "ring/ring_kind.h"
#include "stream/stream_stats.h"
#include "view/block_maker.h"
#include "view/block_ring.h"

struct live {
    struct block_ring ring;
    struct block_maker maker;
    struct ctf_metadata metadata;   /* metadata of a ring that contains CTF; for other rings metadata.text is NULL */
    struct txtap_ctf_layout layout; /* parsed from `metadata` */
    struct view_page page;
    struct identity identity;   /* written to `recording` */
    struct recording recording; /* the recording of --record; valid if `records` is true */
    bool records;
    struct check_watch watch; /* a sink that takes items before `recording` and `maker` do */
    struct run_loop loop;
    struct live_state state;
};

/* ---- calls of the server ---- */

static void put_state(void *self, FILE *out)
{
    struct live *live = self;

    live_state_put(&live->state, out, &live->page.document, &live->ring);
}

static void take_figures(struct live *live)
{
    const struct poller *poller = &live->loop.stream.poller;
    const struct txtap_rate rate = run_loop_rate(&live->loop);

    live->loop.records = block_maker_records(&live->maker);
    if (live->records) {
        live->loop.unread_events = live->recording.overflow.events;
        live->loop.unread_gaps = live->recording.overflow.gaps;
    }
    check_watch_rate(&live->watch, &rate);
    if (live->records)
        recording_set_rate(&live->recording, &rate);
    live_state_set(&live->state, &poller->stats, live->loop.records, &rate, live->loop.status.said);
}

/* ---- running ---- */

static enum txtap_status take_item(void *self, const struct txtap_item *item)
{
    struct live *live = self;
    enum txtap_status status = live->records ? recording_take(&live->recording, item) : TXTAP_OK;

    return status == TXTAP_OK ? block_maker_take(&live->maker, item) : status;
}

static enum txtap_status take_violation(void *self, const struct txtap_mark *mark)
{
    struct live *live = self;

    return run_loop_mark(&live->loop, mark);
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct live *live = self;
    enum txtap_status status;

    (void)idle;
    take_figures(live);
    status = check_watch_step(&live->watch);
    if (block_maker_step(&live->maker))
        server_wake(live->page.server);
    server_step(live->page.server);
    if (status != TXTAP_OK)
        return status;
    if (reopen_requested()) /* SIGHUP: a closed terminal is a normal end */
        return TXTAP_END;
    return live->records ? recording_step(&live->recording) : TXTAP_OK;
}

/* ---- opening and closing ---- */

static enum txtap_status open_recording(struct live *live, const struct options *options,
                                        const struct attachment *attachment, const char *firmware, struct error *error)
{
    const struct poller *poller = &live->loop.stream.poller;
    struct recording_setup setup = {.config = options_record(options),
                                    .clock = &poller->maker.clock,
                                    .firmware = firmware,
                                    .identity = &live->identity,
                                    .now_us = now_us,
                                    .wall_us = wall_us};
    enum txtap_status status;

    if (options->view.record == NULL)
        return TXTAP_OK;
    status = record_describe(&live->identity, options, attachment, error);
    if (status != TXTAP_OK)
        return status;
    setup.config.path = options->view.record;
    status = recording_open(&live->recording, &setup, &attachment->place.header, &poller->registry, error);
    live->records = status == TXTAP_OK;
    return status;
}

static enum txtap_status open_blocks(struct live *live, const struct options *options,
                                     const struct attachment *attachment, const char *firmware, struct error *error)
{
    const struct poller *poller = &live->loop.stream.poller;
    const bool of_ctf = options->target.ring.kind->bytes;
    enum txtap_status status =
        of_ctf ? ctf_metadata_read(options->target.ring.ctf_metadata, &live->layout, &live->metadata, error) : TXTAP_OK;
    const struct block_maker_setup setup = {.ring = &live->ring,
                                            .clock = &poller->maker.clock,
                                            .definitions = options->target.ring.kind->definitions,
                                            .firmware = firmware,
                                            .layout = of_ctf ? &live->layout : NULL,
                                            .now_us = now_us,
                                            .wall_us = wall_us};

    if (status != TXTAP_OK)
        return status;
    if (!block_ring_init(&live->ring, options->buffer_bytes))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to keep %zu bytes of events\nchoose a smaller --buffer",
                       options->buffer_bytes);
    if (of_ctf)
        block_ring_set_metadata(&live->ring, live->metadata.text, live->metadata.length);
    if (block_maker_open(&live->maker, &setup, &attachment->place.header, &poller->registry))
        return TXTAP_OK;
    block_ring_free(&live->ring);
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the names of objects");
}

static void close_blocks(struct live *live)
{
    block_maker_close(&live->maker);
    block_ring_free(&live->ring);
    free(live->metadata.text);
    live->metadata.text = NULL;
}

/* Opens the recording and the page, which get the items of the loop. close_outputs() closes them in the same order. */
static enum txtap_status open_outputs(struct live *live, const struct options *options,
                                      const struct attachment *attachment, struct error *error)
{
    const char *elf = attachment->config.elf;
    const char *firmware = elf != NULL ? basename(elf) : NULL; /* without the path, which is private */
    const struct server_source source = live_source(&live->ring);
    enum txtap_status status = view_page_open(&live->page, options, DOCUMENT_LIVE, NULL, attachment, error);

    if (status != TXTAP_OK)
        return status;
    status = open_blocks(live, options, attachment, firmware, error);
    if (status != TXTAP_OK)
        goto close_page;
    status = open_recording(live, options, attachment, firmware, error);
    if (status != TXTAP_OK)
        goto close_blocks;
    status = view_page_serve(&live->page, &source, put_state, live, error);
    if (status == TXTAP_OK)
        return status;
    if (live->records)
        (void)recording_close(&live->recording, status, error);
    live->records = false;
    view_page_close(&live->page); /* closed first, because the page's server reads from the ring */
close_blocks:
    close_blocks(live);
close_page:
    view_page_close(&live->page);
    return status;
}

/* Closes the recording and the page. Open pages first get all events that were read. */
static enum txtap_status close_outputs(struct live *live, enum txtap_status status, struct error *error)
{
    block_maker_end(&live->maker);
    if (live->records)
        status = recording_close(&live->recording, status, error);
    take_figures(live);
    view_page_close(&live->page);
    close_blocks(live);
    identity_free(&live->identity);
    return status;
}

static int follow(struct live *live, const struct options *options, struct attachment *attachment, struct error *error)
{
    const struct txtap_sink sink = check_watch_sink(&live->watch, (struct txtap_sink){take_item, live});
    enum txtap_status status = run_loop_begin(&live->loop, options, attachment, sink, false, error), judged;
    int code;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    status = open_outputs(live, options, attachment, error);
    if (status != TXTAP_OK) {
        event_stream_free(&live->loop.stream);
        return status_exit_code(status);
    }
    status = run_loop_run(&live->loop, after_step, live, error);
    check_watch_stacks(&live->watch, &live->loop);
    judged = check_watch_finish(&live->watch);
    status = close_outputs(live, status >= TXTAP_OK && judged < TXTAP_OK ? judged : status, error);
    code = run_loop_end(&live->loop, status, error);
    if (live->records && !options->quiet)
        record_summary(&live->recording, NULL);
    return check_watch_end(&live->watch, code, error);
}

int view_live(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct live live = {.state.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct identity identity = {.about = NULL};
    enum txtap_status status =
        check_watch_open(&live.watch, options, &live.loop.stream.poller.registry, now_us, wall_us, error);
    int code;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    live.watch.marks.take = take_violation;
    live.watch.marks.self = &live;
    attach_identity(attachment, &identity);
    status = check_watch_learn(&live.watch, &identity, error);
    identity_free(&identity);
    code = status == TXTAP_OK ? follow(&live, options, attachment, error) : status_exit_code(status);
    check_watch_close(&live.watch);
    return code;
}
