/* SPDX-License-Identifier: MIT */
/* The states of a stream (reading, locating, detached), their transitions, and the marks that report them. */
#include "stream/event_stream.h"
#include "txtap/inner/header.h"

#include <stdio.h>
#include <string.h>

#define RETRY_MIN_US     20000
#define RETRY_MAX_US     400000 /* short, so that a returning target is read again within a second */
#define PATIENCE_US      200000 /* a reset takes up to this long; a shorter pause is not reported */
#define CHECK_US         1000000
#define BAD_POINTERS_MAX 3 /* a single bad pointer may be a disturbance on the wire */

#define IN_USE_US 100000  /* firmware does not move its trace twice within this time */
#define MOVE_US   1000000 /* time limit for reading the rest of a buffer that the firmware no longer uses */

/* ---- the marks: each is sent once, after all events that precede it ---- */

static enum txtap_status mark_put(struct event_stream *stream, enum txtap_mark_kind kind, const char *text)
{
    struct poller *poller = &stream->poller;
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_MARK,
        .mark = {kind, poller_next_seq(poller), poller->settings.unix_us(), text},
    };
    enum txtap_status status = poller_flush(poller); /* delivers the events before the mark */

    return status == TXTAP_OK ? txtap_sink_take(poller->sink, &item) : status;
}

static enum txtap_status mark_detached(struct event_stream *stream)
{
    enum txtap_status status;

    if (stream->detached_marked)
        return TXTAP_OK;
    stream->detached_marked = true;
    status = poller_finish(&stream->poller, 0);
    return status == TXTAP_OK ? mark_put(stream, TXTAP_MARK_DETACHED, stream->why) : status;
}

static enum txtap_status mark_attached(struct event_stream *stream)
{
    if (!stream->detached_marked)
        return TXTAP_OK;
    stream->detached_marked = false;
    stream->poller.stats.reconnections++;
    return mark_put(stream, TXTAP_MARK_ATTACHED, "");
}

/* Passes on the mark, after all events that were written before the trace stopped. */
static enum txtap_status mark_disabled(struct event_stream *stream)
{
    if (!stream->stopping)
        return TXTAP_OK;
    stream->stopping = false;
    stream->disabled = true;
    return mark_put(stream, TXTAP_MARK_DISABLED, "the firmware switched its trace off");
}

static enum txtap_status mark_enabled(struct event_stream *stream, bool enabled)
{
    enum txtap_status status;

    if (!enabled && !stream->disabled && !stream->stopping) {
        stream->stopping = true;
        return TXTAP_OK;
    }
    /* the trace stopped before the last check, although events may still wait in the ring */
    status = mark_disabled(stream);
    if (status != TXTAP_OK || !enabled || !stream->disabled)
        return status;
    stream->disabled = false;
    return mark_put(stream, TXTAP_MARK_ENABLED, "the firmware switched its trace on again");
}

static enum txtap_status mark_running(struct event_stream *stream)
{
    stream->halted = false;
    return mark_put(stream, TXTAP_MARK_RUNNING, "the core runs again");
}

static enum txtap_status mark_core(struct event_stream *stream, enum core_state core)
{
    const char *text = core_state_text(core);

    if (text == NULL)
        return stream->halted && core == CORE_RUNS ? mark_running(stream) : TXTAP_OK;
    if (stream->halted)
        return TXTAP_OK;
    stream->halted = true;
    return mark_put(stream, core == CORE_LOCKED_UP ? TXTAP_MARK_FAULT : TXTAP_MARK_HALTED, text);
}

/* Passes on the mark for the core's first state. If the core is already halted when the stream begins, it has written
 * the events in the ring before it halted. So the mark follows these events. */
static enum txtap_status mark_first_core(struct event_stream *stream)
{
    enum core_state core = stream->first_core;

    if (core == CORE_UNKNOWN || poller_delay_us(&stream->poller) == 0)
        return TXTAP_OK;
    stream->first_core = CORE_UNKNOWN;
    stream->checked_head = poller_head(&stream->poller);
    return mark_core(stream, core);
}

static enum txtap_status mark_unsure(struct event_stream *stream)
{
    if (stream->unsure_marked || !stream->poller.stats.unseen)
        return TXTAP_OK;
    stream->unsure_marked = true;
    return mark_put(stream, TXTAP_MARK_UNSURE,
                    "the time stamps stand still and no laps are counted: events may be lost undetected");
}

/* ---- the target's variables ---- */

/* Sets *read to the time of the check. */
static enum txtap_status check(struct event_stream *stream, struct target_state *target, struct target_window *read,
                               struct error *error)
{
    enum txtap_status status;

    read->from_us = stream->poller.now_us();
    status = stream->ports.check(stream->ports.self, target, error);
    read->to_us = stream->poller.now_us();
    return status;
}

/* Checks the uptime. Call it when the same buffer is found again after a time without reading. The uptime may prove
 * that the target was not reset. Otherwise the ring's lap count may have restarted, so the computed loss is not exact.
 */
static enum txtap_status check_uptime(struct event_stream *stream, struct error *error)
{
    struct target_state target = {.enabled = true};
    struct target_window read;
    enum txtap_status status = check(stream, &target, &read, error);
    enum uptime_verdict verdict;

    if (status != TXTAP_OK)
        return status;
    verdict = target_history_judge(&stream->history, &target, &read);
    if (verdict == UPTIME_UNKNOWN)
        poller_mark_inexact(&stream->poller);
    if (verdict == UPTIME_RESET) {
        stream->restarted = true;
        snprintf(stream->why, sizeof stream->why, "the target was reset");
    }
    target_history_note_uptime(&stream->history, &target, &read);
    return TXTAP_OK;
}

/* Notes which buffer the firmware uses, as found by a check. */
static void note_place(struct event_stream *stream, const struct target_state *target, const struct target_window *read)
{
    struct poller *poller = &stream->poller;

    if (poller->elsewhere && !target->moved)
        /* the word at this address is no longer the pointer to the buffer: other firmware may run */
        poller->pointer = 0;
    poller->elsewhere = false;
    if (!target->moved)
        poller->in_use_us = read->from_us;
    target_history_note_place(&stream->history, target, read);
}

/*
 * Leaves the buffer, because the firmware now records into another buffer. Nobody writes the old buffer any more, so
 * the stream reads all of it. A gap follows if this fails, or if the last check was so long ago that the firmware may
 * have used a third buffer since then.
 */
static enum txtap_status leave_buffer(struct event_stream *stream)
{
    struct poller *poller = &stream->poller;
    bool long_ago = stream->poller.now_us() - poller->in_use_us > IN_USE_US;
    struct error unused = {0};
    enum txtap_status status = poller_drain(poller, MOVE_US, &unused);

    stream->left_whole = status == TXTAP_OK && !long_ago;
    return status < TXTAP_OK && error_is_set(&unused) ? TXTAP_OK : status;
}

/* ---- leaving ---- */

static void try_at_once(struct event_stream *stream)
{
    stream->retry_us = RETRY_MIN_US;
    stream->next_try_us = stream->poller.now_us();
}

static void try_later(struct event_stream *stream)
{
    stream->next_try_us = stream->poller.now_us() + stream->retry_us;
    stream->retry_us *= 2;
    if (stream->retry_us > RETRY_MAX_US)
        stream->retry_us = RETRY_MAX_US;
}

/* Returns true if the status means that the server still answers, but the target does not. */
static bool is_of_the_target(enum txtap_status status)
{
    return status == ERROR_FAULT || status == ERROR_TARGET;
}

/* Begins to locate the buffer. `why` is the cause without a hint, because the stream takes the next step itself. */
static void start_locating(struct event_stream *stream, bool restarted, const char *why)
{
    stream->state = STREAM_LOCATING;
    stream->restarted = stream->restarted || restarted;
    stream->halted = false;
    stream->first_core = CORE_UNKNOWN;
    stream->gone_us = stream->poller.now_us();
    snprintf(stream->why, sizeof stream->why, "%s", why);
    try_at_once(stream);
}

/* Appends to stream->why a step that only the user can take. */
static void add_to_why(struct event_stream *stream, const char *text)
{
    size_t length = strlen(stream->why);

    snprintf(stream->why + length, sizeof stream->why - length, "%s", text);
}

static enum txtap_status leave(struct event_stream *stream, enum txtap_status status, struct error *error)
{
    if (!stream->reconnects || status == ERROR_INTERRUPTED)
        return status;
    if (status == TXTAP_ERROR_MOVED) {
        start_locating(stream, true, "the trace buffer was set up again");
        status = TXTAP_OK;
    } else if (status == TXTAP_ERROR_POINTER) {
        start_locating(stream, ++stream->bad_pointers >= BAD_POINTERS_MAX, "its write pointer is outside the ring");
        status = TXTAP_OK;
    } else {
        start_locating(stream, false, error->what);
        if (status == ERROR_TARGET && error->hint[0] != '\0') {
            add_to_why(stream, "; ");
            add_to_why(stream, error->hint);
            add_to_why(stream, ": txtap continues by itself");
        }
        if (is_of_the_target(status)) {
            try_later(stream);
        } else {
            stream->ports.drop(stream->ports.self);
            stream->state = STREAM_DETACHED;
        }
        status = mark_detached(stream);
    }
    error_clear(error);
    return status;
}

/* ---- coming back ---- */

static bool same_buffer(const struct poller *poller, const struct poller_place *place)
{
    return poller->address == place->address && txtap_header_same_buffer(&poller->header, &place->header);
}

/* Marks the trace as enabled, because a restarted trace was enabled. First checks that it was not disabled since. */
static enum txtap_status note_begun(struct event_stream *stream)
{
    struct target_state target = {.enabled = true};
    struct error unused = {0};
    enum txtap_status status = mark_disabled(stream);

    if (status != TXTAP_OK || !stream->disabled ||
        stream->ports.check(stream->ports.self, &target, &unused) != TXTAP_OK)
        return status; /* after an error, the next check reports the state */
    return mark_enabled(stream, target.enabled);
}

/* ---- another trace ---- */

/* Notes a restart. Call it after the old trace's last event. */
static enum txtap_status note_restart(struct event_stream *stream, enum txtap_mark_kind kind)
{
    enum txtap_status status = mark_put(stream, kind, stream->restarted ? stream->why : "");

    if (status != TXTAP_OK)
        return status;
    stream->poller.stats.lost_exact = false;
    stream->poller.stats.resets++;
    return TXTAP_OK;
}

/* Ends the old trace and continues with the new trace. Events that the old trace wrote after the last exchange are
 * unknown: even the last pointer that was read may belong to the new trace. */
static enum txtap_status begin_restart(struct event_stream *stream, const struct poller_place *place,
                                       struct error *error)
{
    struct poller *poller = &stream->poller;
    bool same = same_buffer(poller, place);
    enum txtap_status status = poller_finish(poller, 0);

    if (status == TXTAP_OK)
        status = mark_attached(stream);
    if (status == TXTAP_OK)
        status = note_begun(stream);
    if (status == TXTAP_OK)
        status = note_restart(stream, same ? TXTAP_MARK_RESET : TXTAP_MARK_MOVED);
    if (status != TXTAP_OK)
        return status;
    stream->restarted = true; /* stays true until the new trace is open */
    stream->history.known = false;
    status = poller_restart(poller, place, TXTAP_RING_FROM_START, error);
    if (status != TXTAP_OK)
        return status;
    if (!same && !stream->left_whole)
        poller_mark_all_inexact(poller);
    stream->restarted = stream->left_whole = false;
    stream->history.moving_us = 0;
    return TXTAP_OK;
}

static enum txtap_status resume(struct event_stream *stream, const struct poller_place *place)
{
    stream->poller.source = place->source;
    stream->poller.poll_now = true;
    return mark_attached(stream);
}

static enum txtap_status arrive(struct event_stream *stream, const struct poller_place *place, struct error *error)
{
    enum txtap_status status;

    stream->state = STREAM_READING;
    stream->next_check_us = stream->poller.now_us() + CHECK_US;
    error_clear(error);
    if (!stream->restarted && stream->detached_marked && same_buffer(&stream->poller, place)) {
        enum txtap_status checked = check_uptime(stream, error);

        if (checked != TXTAP_OK)
            return leave(stream, checked, error);
    }
    if (!stream->restarted && same_buffer(&stream->poller, place))
        return resume(stream, place);
    status = begin_restart(stream, place, error);
    return status < TXTAP_OK && error_is_set(error) ? leave(stream, status, error) : status;
}

/* Waits longer before the next try. Call this function while the target or its trace buffer cannot be found yet. */
static enum txtap_status wait_longer(struct event_stream *stream, const char *error)
{
    try_later(stream);
    if (stream->poller.now_us() - stream->gone_us < PATIENCE_US)
        return TXTAP_OK;
    if (!stream->detached_marked && stream->why[0] == '\0')
        snprintf(stream->why, sizeof stream->why, "%s", error);
    return mark_detached(stream);
}

static bool answered(enum txtap_status status)
{
    return status != ERROR_UNREACHABLE && status != ERROR_CLOSED && status != ERROR_TIMEOUT &&
           status != ERROR_PROTOCOL && status != TXTAP_ERROR_SYSTEM;
}

static enum txtap_status locate_step(struct event_stream *stream, struct error *error)
{
    struct poller_place place = {.address = 0};
    enum txtap_status status;

    if (stream->poller.now_us() < stream->next_try_us)
        return TXTAP_OK;
    status = stream->ports.find(stream->ports.self, &place, error);
    if (status == TXTAP_OK)
        return arrive(stream, &place, error);
    if (status == ERROR_INTERRUPTED)
        return status;
    if (!answered(status)) {
        stream->ports.drop(stream->ports.self);
        stream->state = STREAM_DETACHED;
    }
    status = wait_longer(stream, error->what);
    error_clear(error);
    return status;
}

static enum txtap_status connect_step(struct event_stream *stream, struct error *error)
{
    enum txtap_status status;

    if (stream->poller.now_us() < stream->next_try_us)
        return TXTAP_OK;
    status = stream->ports.open(stream->ports.self, error);
    if (status == ERROR_INTERRUPTED || status == ERROR_UNSAFE) /* an unsafe server could halt the target again */
        return status;
    if (status != TXTAP_OK) {
        status = wait_longer(stream, error->what);
        error_clear(error);
        return status;
    }
    stream->state = STREAM_LOCATING;
    return locate_step(stream, error);
}

/* ---- streaming ---- */

/* Checks the firmware's variables. If nothing happens in a ring, they show the cause: the trace was stopped, it moved
 * to another buffer, or other firmware runs that does not use this memory. */
static enum txtap_status check_target(struct event_stream *stream, struct error *error)
{
    uint64_t head = poller_head(&stream->poller);
    bool silent = head == stream->checked_head, first = stream->checked_head == UINT64_MAX;
    struct target_state target = {.enabled = true, .silent = silent, .wants_core = silent || first};
    struct target_window read;
    enum txtap_status status = check(stream, &target, &read, error);
    const char *reason = NULL;

    stream->checked_head = head;
    stream->next_check_us = stream->poller.now_us() + CHECK_US;
    if (status != TXTAP_OK)
        return leave(stream, status, error);
    note_place(stream, &target, &read);
    if (stream->reconnects)
        reason = target_history_reason_to_locate(&stream->history, &target, &read, stream->poller.now_us());
    if (reason != NULL && target.moved)
        status = leave_buffer(stream);
    if (reason != NULL) /* a reason to locate the buffer again has priority over a trace that is off for a moment */
        start_locating(stream, true, reason);
    else
        status = mark_enabled(stream, target.enabled);
    if (first && reason == NULL)
        stream->first_core = target.core;
    else if (reason == NULL && status == TXTAP_OK)
        status = mark_core(stream, target.core);
    target_history_note_uptime(&stream->history, &target, &read);
    return status;
}

static enum txtap_status read_step(struct event_stream *stream, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    if (stream->poller.now_us() >= stream->next_check_us || stream->poller.elsewhere) {
        status = check_target(stream, error);
        if (status != TXTAP_OK || stream->state != STREAM_READING)
            return status;
    }
    status = poller_fetch(&stream->poller, error);
    if (status == TXTAP_OK && stream->halted && poller_head(&stream->poller) != stream->checked_head)
        status = mark_running(stream); /* delivers the mark before the events that the running core wrote */
    if (status == TXTAP_OK)
        status = poller_deliver(&stream->poller, error);
    if (status == TXTAP_OK)
        status = mark_first_core(stream);
    if (status < TXTAP_OK && error_is_set(error))
        return leave(stream, status, error);
    stream->bad_pointers = 0;
    if (status == TXTAP_OK && poller_is_read(&stream->poller))
        status = mark_disabled(stream);
    return status == TXTAP_OK ? mark_unsure(stream) : status;
}

enum txtap_status event_stream_step(struct event_stream *stream, struct error *error)
{
    error_clear(error);
    switch (stream->state) {
    case STREAM_LOCATING:
        return locate_step(stream, error);
    case STREAM_DETACHED:
        return connect_step(stream, error);
    case STREAM_READING:
        break;
    }
    return read_step(stream, error);
}

uint64_t event_stream_delay_us(const struct event_stream *stream)
{
    uint64_t now = stream->poller.now_us();

    if (stream->state == STREAM_READING)
        return poller_delay_us(&stream->poller);
    return stream->next_try_us > now ? stream->next_try_us - now : 0;
}

/* ---- life ---- */

enum txtap_status event_stream_init(struct event_stream *stream, const struct event_stream_ports *ports,
                                    bool reconnects, const struct poller_place *place,
                                    const struct poller_settings *settings, struct txtap_sink sink, struct error *error)
{
    enum txtap_status status;

    memset(stream, 0, sizeof *stream);
    stream->ports = *ports;
    stream->reconnects = reconnects;
    status = poller_init(&stream->poller, place, settings, sink, error);
    stream->next_check_us = settings->now_us();
    stream->checked_head = UINT64_MAX;
    return status;
}

enum txtap_status event_stream_finish(struct event_stream *stream, uint64_t limit_us, struct error *error)
{
    struct poller *poller = &stream->poller;
    enum txtap_status status = TXTAP_OK;

    error_clear(error);
    if (stream->state == STREAM_READING)
        status = poller_drain(poller, limit_us, error);
    if (status < TXTAP_OK && error_is_set(error)) /* as after any failed step, except that no step follows */
        status = leave(stream, status, error);
    if (status == TXTAP_OK && stream->state == STREAM_LOCATING && stream->restarted) {
        status = poller_finish(poller, 0);
        return status == TXTAP_OK ? note_restart(stream, TXTAP_MARK_RESET) : status;
    }
    if (status == TXTAP_OK && stream->state != STREAM_READING)
        status = mark_detached(stream);
    if (status == TXTAP_OK)
        status = mark_disabled(stream);
    if (status == TXTAP_OK)
        status = mark_unsure(stream);
    if (stream->state == STREAM_READING && (status == TXTAP_OK || !error_is_set(error)))
        return status;
    /* The target is gone. Delivers the entries that were read, and a gap for entries that were written but not read. */
    (void)poller_finish(poller, poller_head(poller));
    return status;
}

void event_stream_free(struct event_stream *stream)
{
    poller_free(&stream->poller);
}
