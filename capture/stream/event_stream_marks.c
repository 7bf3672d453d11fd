/* SPDX-License-Identifier: MIT */
/*
 * Part of the event stream: the marks between the events. Each is put once, behind the events that came before what it
 * says. Knows nothing of connections and of where the trace buffer is.
 */
#include "stream/event_stream_parts.h"

enum txtap_status mark_put(struct event_stream *stream, enum txtap_mark_kind kind, const char *text)
{
    struct poller *poller = &stream->poller;
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_MARK,
        .mark = {kind, poller_next_seq(poller), poller->settings.unix_us(), text},
    };
    enum txtap_status status = poller_flush(poller); /* the events before the mark */

    return status == TXTAP_OK ? txtap_sink_take(poller->sink, &item) : status;
}

enum txtap_status mark_detached(struct event_stream *stream)
{
    enum txtap_status status;

    if (stream->detached_marked)
        return TXTAP_OK;
    stream->detached_marked = true;
    status = poller_finish(&stream->poller, 0);
    return status == TXTAP_OK ? mark_put(stream, TXTAP_MARK_DETACHED, stream->why) : status;
}

enum txtap_status mark_attached(struct event_stream *stream)
{
    if (!stream->detached_marked)
        return TXTAP_OK;
    stream->detached_marked = false;
    stream->poller.stats.reconnections++;
    return mark_put(stream, TXTAP_MARK_ATTACHED, "");
}

/* The mark stands behind all events that were written before the trace stopped. */
enum txtap_status mark_disabled(struct event_stream *stream)
{
    if (!stream->stopping)
        return TXTAP_OK;
    stream->stopping = false;
    stream->disabled = true;
    return mark_put(stream, TXTAP_MARK_DISABLED, "the firmware switched its trace off");
}

enum txtap_status mark_enabled(struct event_stream *stream, bool enabled)
{
    enum txtap_status status;

    if (!enabled && !stream->disabled && !stream->stopping) {
        stream->stopping = true;
        return TXTAP_OK;
    }
    status = mark_disabled(stream); /* even if events still wait in the ring: the trace stopped a check ago */
    if (status != TXTAP_OK || !enabled || !stream->disabled)
        return status;
    stream->disabled = false;
    return mark_put(stream, TXTAP_MARK_ENABLED, "the firmware switched its trace on again");
}

const char *core_state_text(enum core_state core)
{
    switch (core) {
    case CORE_HALTED:
        return "the core is halted (by a debugger?): no events until it runs on";
    case CORE_IN_RESET:
        return "the target is held in reset: no events until it is let go";
    default:
        return NULL;
    }
}

enum txtap_status mark_running(struct event_stream *stream)
{
    stream->halted = false;
    return mark_put(stream, TXTAP_MARK_RUNNING, "the core runs again");
}

enum txtap_status mark_core(struct event_stream *stream, enum core_state core)
{
    const char *text = core_state_text(core);

    if (text == NULL)
        return stream->halted && core == CORE_RUNS ? mark_running(stream) : TXTAP_OK;
    if (stream->halted)
        return TXTAP_OK;
    stream->halted = true;
    return mark_put(stream, TXTAP_MARK_HALTED, text);
}

/* A core that was halted from the start had written its events before: the mark comes behind them. */
enum txtap_status mark_first_core(struct event_stream *stream)
{
    enum core_state core = stream->first_core;

    if (core == CORE_UNKNOWN || poller_delay_us(&stream->poller) == 0)
        return TXTAP_OK;
    stream->first_core = CORE_UNKNOWN;
    stream->checked_head = poller_head(&stream->poller);
    return mark_core(stream, core);
}

enum txtap_status mark_unsure(struct event_stream *stream)
{
    if (stream->unsure_marked || !stream->poller.stats.unseen)
        return TXTAP_OK;
    stream->unsure_marked = true;
    return mark_put(stream, TXTAP_MARK_UNSURE,
                    "the time stamps stand still and no laps are counted: events may be lost unseen");
}
