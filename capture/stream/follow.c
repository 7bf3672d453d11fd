/* SPDX-License-Identifier: MIT */
/* Goes on after resets and lost connections: detached, locating, streaming. */
#include "stream/follow.h"

#include <stdio.h>
#include <string.h>

#define RETRY_MIN_US     20000
#define RETRY_MAX_US     400000 /* what comes back is read again within a second */
#define PATIENCE_US      200000 /* a reset takes so long: not worth a word that nothing is read meanwhile */
#define LOOK_US          1000000
#define UPTIME_KNOWN_US  900000  /* of the uptime's pace, to expect anything of it */
#define IN_USE_US        100000  /* no firmware moves its trace twice in that time */
#define SET_UP_US        50000   /* a trace is set up in less */
#define MOVE_US          1000000 /* for what the buffer that was left still has */
#define BAD_POINTERS_MAX 3       /* one may be a disturbance on the wire */

static enum txtap_status mark(struct follower *follower, enum txtap_mark_kind kind, const char *text)
{
    struct session *session = &follower->session;
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_MARK,
        .mark = {kind, session_next_seq(session), session->settings.unix_us(), text},
    };
    enum txtap_status status = session_flush(session); /* what is before the mark */

    return status == TXTAP_OK ? txtap_sink_take(session->sink, &item) : status;
}

/* ---- leaving ---- */

static void try_at_once(struct follower *follower)
{
    follower->retry_us = RETRY_MIN_US;
    follower->next_try_us = follower->session.now_us();
}

static void try_later(struct follower *follower)
{
    follower->next_try_us = follower->session.now_us() + follower->retry_us;
    follower->retry_us *= 2;
    if (follower->retry_us > RETRY_MAX_US)
        follower->retry_us = RETRY_MAX_US;
}

/* Tells the sink, once, that nothing is read. What was held back is as good now as it will ever be. */
static enum txtap_status mark_detached(struct follower *follower)
{
    enum txtap_status status;

    if (follower->detached_marked)
        return TXTAP_OK;
    follower->detached_marked = true;
    status = session_finish(&follower->session, 0);
    return status == TXTAP_OK ? mark(follower, TXTAP_MARK_DETACHED, follower->why) : status;
}

/* The connection still answers; it is the target that does not. */
static bool is_of_the_target(enum txtap_status status)
{
    return status == ERROR_FAULT || status == ERROR_TARGET;
}

/* why: without what the user should do, for it is done here. */
static void start_looking(struct follower *follower, bool restarted, const char *why)
{
    follower->state = FOLLOW_LOCATING;
    follower->restarted = follower->restarted || restarted;
    follower->halted = false;
    follower->first_core = CORE_UNKNOWN;
    follower->gone_us = follower->session.now_us();
    snprintf(follower->why, sizeof follower->why, "%s", why);
    try_at_once(follower);
}

/* What nobody can do but the user. */
static void add_to_why(struct follower *follower, const char *text)
{
    size_t length = strlen(follower->why);

    snprintf(follower->why + length, sizeof follower->why - length, "%s", text);
}

static enum txtap_status leave(struct follower *follower, enum txtap_status status, struct error *error)
{
    if (!follower->reconnects || status == ERROR_INTERRUPTED)
        return status;
    if (status == TXTAP_ERROR_MOVED) {
        start_looking(follower, true, "the trace buffer was set up again");
        status = TXTAP_OK;
    } else if (status == TXTAP_ERROR_POINTER) {
        start_looking(follower, ++follower->bad_pointers >= BAD_POINTERS_MAX, "its write pointer is outside the ring");
        status = TXTAP_OK;
    } else {
        start_looking(follower, false, error->what);
        if (status == ERROR_TARGET)
            add_to_why(follower, "; if the probe was unplugged, start OpenOCD again: txtap goes on by itself");
        if (is_of_the_target(status)) {
            try_later(follower);
        } else {
            follower->ports.drop(follower->ports.self);
            follower->state = FOLLOW_DETACHED;
        }
        status = mark_detached(follower);
    }
    error_clear(error);
    return status;
}

/* ---- coming back ---- */

static bool same_buffer(const struct session *session, const struct session_place *place)
{
    const struct txtap_header *a = &session->header, *b = &place->header;

    return session->address == place->address && a->endian == b->endian && a->timer_mask == b->timer_mask &&
           a->registry_start == b->registry_start && a->registry_end == b->registry_end &&
           a->ring_start == b->ring_start && a->ring_end == b->ring_end && a->name_bytes == b->name_bytes;
}

static enum txtap_status mark_attached(struct follower *follower)
{
    if (!follower->detached_marked)
        return TXTAP_OK;
    follower->detached_marked = false;
    follower->session.stats.reconnections++;
    return mark(follower, TXTAP_MARK_ATTACHED, "");
}

/* ---- disabled, enabled ---- */

/* That the trace was stopped stands behind what it had written. */
static enum txtap_status mark_disabled(struct follower *follower)
{
    if (!follower->stopping)
        return TXTAP_OK;
    follower->stopping = false;
    follower->disabled = true;
    return mark(follower, TXTAP_MARK_DISABLED, "the firmware switched its trace off");
}

static enum txtap_status note_enabled(struct follower *follower, bool enabled)
{
    enum txtap_status status;

    if (!enabled && !follower->disabled && !follower->stopping) {
        follower->stopping = true;
        return TXTAP_OK;
    }
    status = mark_disabled(follower); /* whatever still waits in the ring: that was a look ago */
    if (status != TXTAP_OK || !enabled || !follower->disabled)
        return status;
    follower->disabled = false;
    return mark(follower, TXTAP_MARK_ENABLED, "the firmware switched its trace on again");
}

/* A trace that was stopped and then restarted goes on from here, if it has not been stopped again. */
static enum txtap_status note_begun(struct follower *follower)
{
    struct follow_signs signs = {.enabled = true};
    struct error unused;
    enum txtap_status status = mark_disabled(follower);

    if (status != TXTAP_OK || !follower->disabled ||
        follower->ports.look(follower->ports.self, &signs, &unused) != TXTAP_OK)
        return status; /* the next look will tell */
    return note_enabled(follower, signs.enabled);
}

/* ---- another trace ---- */

/*
 * The old trace ends here, and the new one goes on from there. What the old one wrote after the last look nobody knows;
 * not even what its pointer seemed to say last counts, for that may have been the new one's.
 */
static enum txtap_status begin_restart(struct follower *follower, const struct session_place *place,
                                       struct error *error)
{
    struct session *session = &follower->session;
    bool same = same_buffer(session, place);
    enum txtap_status status = session_finish(session, 0);

    if (status == TXTAP_OK)
        status = mark_attached(follower);
    if (status == TXTAP_OK)
        status = note_begun(follower);
    if (status == TXTAP_OK)
        status = mark(follower, same ? TXTAP_MARK_RESET : TXTAP_MARK_MOVED, follower->restarted ? follower->why : "");
    if (status != TXTAP_OK)
        return status;
    session->stats.lost_exact = false;
    session->stats.resets++;
    follower->restarted = true; /* until it is read */
    follower->uptime.known = false;
    status = session_restart(session, place, TXTAP_RING_FROM_START, error);
    if (status != TXTAP_OK)
        return status;
    if (!same && !follower->left_whole)
        session_mark_all_inexact(session);
    follower->restarted = follower->left_whole = false;
    follower->moving_us = 0;
    return TXTAP_OK;
}

/* ---- uptime ---- */

enum verdict { VERDICT_SAME, VERDICT_RESET, VERDICT_UNKNOWN };

/* At least and at most so long after the other one. */
static double least_us(const struct follow_window *before, const struct follow_window *after)
{
    return after->from_us > before->to_us ? (double)(after->from_us - before->to_us) : 0;
}

static double most_us(const struct follow_window *before, const struct follow_window *after)
{
    return (double)(after->to_us - before->from_us);
}

static bool pace_is_known(const struct follow_uptime *uptime)
{
    return uptime->known && least_us(&uptime->first_read, &uptime->last_read) >= UPTIME_KNOWN_US;
}

/*
 * Is it the same life of the target? A count that went back says no. One that is longer than the time away says yes, if
 * it also grew as fast as it did before: the target was up when it was left. Otherwise nobody knows: a target that
 * sleeps may count slower, and one that was reset soon after may have caught up. When a count was read is known only as
 * exactly as the host went on at once, so each bound takes the times that make it widest.
 */
static enum verdict judge_uptime(const struct follow_uptime *before, uint32_t uptime, const struct follow_window *read)
{
    double grown = (double)(before->last - before->first), counted = (double)uptime - before->last, least, most;

    if (!before->known)
        return VERDICT_UNKNOWN;
    if (uptime < before->last)
        return VERDICT_RESET;
    if (!pace_is_known(before))
        return VERDICT_UNKNOWN;
    least = grown / most_us(&before->first_read, &before->last_read) * least_us(&before->last_read, read);
    most = grown / least_us(&before->first_read, &before->last_read) * most_us(&before->last_read, read);
    if (counted < least * 0.9 - 2 || counted > most * 1.1 + 2 || (double)uptime <= most * 1.1 + 2)
        return VERDICT_UNKNOWN;
    return VERDICT_SAME;
}

static void note_uptime(struct follower *follower, const struct follow_signs *signs, const struct follow_window *read)
{
    struct follow_uptime *uptime = &follower->uptime;

    if (!signs->has_uptime)
        return;
    if (!uptime->known || signs->uptime < uptime->last)
        *uptime = (struct follow_uptime){.known = true, .first = signs->uptime, .first_read = *read};
    uptime->last = signs->uptime;
    uptime->last_read = *read;
}

static enum txtap_status read_signs(struct follower *follower, struct follow_signs *signs, struct follow_window *read,
                                    struct error *error)
{
    enum txtap_status status;

    read->from_us = follower->session.now_us();
    status = follower->ports.look(follower->ports.self, signs, error);
    read->to_us = follower->session.now_us();
    return status;
}

/*
 * The same buffer again, after a time in which nothing was read. If nothing says that the target lived through it, the
 * ring's lap count may be another life's, and what it says was lost is not certain any more.
 */
static enum txtap_status check_uptime(struct follower *follower, struct error *error)
{
    struct follow_signs signs = {.enabled = true};
    struct follow_window read;
    enum txtap_status status = read_signs(follower, &signs, &read, error);
    enum verdict verdict = VERDICT_UNKNOWN;

    if (status != TXTAP_OK)
        return status;
    if (signs.has_uptime)
        verdict = judge_uptime(&follower->uptime, signs.uptime, &read);
    if (verdict == VERDICT_UNKNOWN)
        session_mark_inexact(&follower->session);
    if (verdict == VERDICT_RESET) {
        follower->restarted = true;
        snprintf(follower->why, sizeof follower->why, "the target was reset");
    }
    note_uptime(follower, &signs, &read);
    return TXTAP_OK;
}

static enum txtap_status resume(struct follower *follower, const struct session_place *place)
{
    follower->session.source = place->source;
    follower->session.poll_now = true;
    return mark_attached(follower);
}

static enum txtap_status arrive(struct follower *follower, const struct session_place *place, struct error *error)
{
    enum txtap_status status;

    follower->state = FOLLOW_STREAMING;
    follower->next_look_us = follower->session.now_us() + LOOK_US;
    error_clear(error);
    if (!follower->restarted && follower->detached_marked && same_buffer(&follower->session, place)) {
        enum txtap_status checked = check_uptime(follower, error);

        if (checked != TXTAP_OK)
            return leave(follower, checked, error);
    }
    if (!follower->restarted && same_buffer(&follower->session, place))
        return resume(follower, place);
    status = begin_restart(follower, place, error);
    return status < TXTAP_OK && error_is_set(error) ? leave(follower, status, error) : status;
}

/* Nothing there yet. */
static enum txtap_status wait_longer(struct follower *follower, const char *error)
{
    try_later(follower);
    if (follower->session.now_us() - follower->gone_us < PATIENCE_US)
        return TXTAP_OK;
    if (!follower->detached_marked && follower->why[0] == '\0')
        snprintf(follower->why, sizeof follower->why, "%s", error);
    return mark_detached(follower);
}

static bool answered(enum txtap_status status)
{
    switch (program_status(status)) {
    case PROGRAM_UNREACHABLE:
    case PROGRAM_CLOSED:
    case PROGRAM_TIMEOUT:
    case PROGRAM_PROTOCOL:
        return false;
    default:
        return status != TXTAP_ERROR_SYSTEM;
    }
}

static enum txtap_status locate_step(struct follower *follower, struct error *error)
{
    struct session_place place = {.address = 0};
    enum txtap_status status;

    if (follower->session.now_us() < follower->next_try_us)
        return TXTAP_OK;
    status = follower->ports.find(follower->ports.self, &place, error);
    if (status == TXTAP_OK)
        return arrive(follower, &place, error);
    if (status == ERROR_INTERRUPTED)
        return status;
    if (!answered(status)) {
        follower->ports.drop(follower->ports.self);
        follower->state = FOLLOW_DETACHED;
    }
    status = wait_longer(follower, error->what);
    error_clear(error);
    return status;
}

static enum txtap_status connect_step(struct follower *follower, struct error *error)
{
    enum txtap_status status;

    if (follower->session.now_us() < follower->next_try_us)
        return TXTAP_OK;
    status = follower->ports.open(follower->ports.self, error);
    if (status == ERROR_INTERRUPTED || status == ERROR_UNSAFE) /* the latter could halt the target again */
        return status;
    if (status != TXTAP_OK) {
        status = wait_longer(follower, error->what);
        error_clear(error);
        return status;
    }
    follower->state = FOLLOW_LOCATING;
    return locate_step(follower, error);
}

/* ---- streaming ---- */

/* A count that stands still, or grows otherwise than it did, is not that of the firmware that was read. */
static bool counts_otherwise(const struct follow_uptime *before, const struct follow_signs *signs,
                             const struct follow_window *read)
{
    if (before->known && signs->uptime == before->last)
        return true;
    return pace_is_known(before) && judge_uptime(before, signs->uptime, read) != VERDICT_SAME;
}

/* While the other buffer is being set up the trace is disabled, and the header there may be that of an older trace. */
static bool has_settled(const struct follower *follower, const struct follow_signs *signs)
{
    return signs->enabled ||
           (follower->moving_us != 0 && follower->session.now_us() - follower->moving_us >= SET_UP_US);
}

/* What the variables say that needs another search; NULL: nothing. */
static const char *reason_to_look(const struct follower *follower, const struct follow_signs *signs,
                                  const struct follow_window *read)
{
    if (!follower->reconnects)
        return NULL;
    if (signs->moved && has_settled(follower, signs))
        return "the firmware records into another buffer";
    if (signs->has_uptime && follower->uptime.known && signs->uptime < follower->uptime.last)
        return "the target was reset";
    if (signs->flashed &&
        (signs->flashed_surely || !signs->has_uptime || counts_otherwise(&follower->uptime, signs, read)))
        return "other firmware was flashed";
    return NULL;
}

/* ---- a core that stands still ---- */

const char *follow_core_text(enum core_state core)
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

static enum txtap_status mark_running(struct follower *follower)
{
    follower->halted = false;
    return mark(follower, TXTAP_MARK_RUNNING, "the core runs again");
}

static enum txtap_status note_core(struct follower *follower, enum core_state core)
{
    const char *text = follow_core_text(core);

    if (text == NULL)
        return follower->halted && core == CORE_RUNS ? mark_running(follower) : TXTAP_OK;
    if (follower->halted)
        return TXTAP_OK;
    follower->halted = true;
    return mark(follower, TXTAP_MARK_HALTED, text);
}

static void note_place(struct follower *follower, const struct follow_signs *signs, const struct follow_window *read)
{
    if (follower->session.elsewhere && !signs->moved)
        follower->session.pointer = 0; /* what is there is no pointer any more: other firmware may run */
    follower->session.elsewhere = false;
    if (!signs->moved) {
        follower->session.in_use_us = read->from_us;
        follower->moving_us = 0;
    } else if (follower->moving_us == 0) {
        follower->moving_us = read->to_us;
    }
}

/*
 * The firmware records into another buffer, and nobody writes the one before any more: all that it has is read. If that
 * fails, or it was not looked for so long that there may have been a third one between the two, a gap will say so.
 */
static enum txtap_status leave_buffer(struct follower *follower)
{
    struct session *session = &follower->session;
    bool long_ago = follower->session.now_us() - session->in_use_us > IN_USE_US;
    struct error unused = {0};
    enum txtap_status status = session_drain(session, MOVE_US, &unused);

    follower->left_whole = status == TXTAP_OK && !long_ago;
    return status < TXTAP_OK && error_is_set(&unused) ? TXTAP_OK : status;
}

/*
 * A trace that was stopped, or enabled elsewhere, or whose firmware was replaced by one that left this memory alone,
 * looks like one in which nothing happens: the variables know.
 */
static enum txtap_status look(struct follower *follower, struct error *error)
{
    uint64_t head = session_head(&follower->session);
    bool silent = head == follower->looked_head, first = follower->looked_head == UINT64_MAX;
    struct follow_signs signs = {.enabled = true, .silent = silent, .wants_core = silent || first};
    struct follow_window read;
    enum txtap_status status = read_signs(follower, &signs, &read, error);
    const char *reason;

    follower->looked_head = head;
    follower->next_look_us = follower->session.now_us() + LOOK_US;
    if (status != TXTAP_OK)
        return leave(follower, status, error);
    note_place(follower, &signs, &read);
    reason = reason_to_look(follower, &signs, &read);
    if (reason != NULL && signs.moved)
        status = leave_buffer(follower);
    if (reason != NULL) /* says more than that it does not record for a moment */
        start_looking(follower, true, reason);
    else
        status = note_enabled(follower, signs.enabled);
    if (first && reason == NULL)
        follower->first_core = signs.core;
    else if (reason == NULL && status == TXTAP_OK)
        status = note_core(follower, signs.core);
    note_uptime(follower, &signs, &read);
    return status;
}

/* A core that stood still from the start wrote what is there before that. */
static enum txtap_status note_first_core(struct follower *follower)
{
    enum core_state core = follower->first_core;

    if (core == CORE_UNKNOWN || session_delay_us(&follower->session) == 0)
        return TXTAP_OK;
    follower->first_core = CORE_UNKNOWN;
    follower->looked_head = session_head(&follower->session);
    return note_core(follower, core);
}

/* Once: what is lost unseen has no other place. */
static enum txtap_status mark_unsure(struct follower *follower)
{
    if (follower->unsure_marked || !follower->session.stats.unseen)
        return TXTAP_OK;
    follower->unsure_marked = true;
    return mark(follower, TXTAP_MARK_UNSURE,
                "the time stamps stand still and no laps are counted: events may be lost unseen");
}

static enum txtap_status stream_step(struct follower *follower, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    if (follower->session.now_us() >= follower->next_look_us || follower->session.elsewhere) {
        status = look(follower, error);
        if (status != TXTAP_OK || follower->state != FOLLOW_STREAMING)
            return status;
    }
    status = session_poll(&follower->session, error);
    if (status == TXTAP_OK && follower->halted && session_head(&follower->session) != follower->looked_head)
        status = mark_running(follower); /* what it wrote comes behind that */
    if (status == TXTAP_OK)
        status = session_deliver(&follower->session, error);
    if (status == TXTAP_OK)
        status = note_first_core(follower);
    if (status < TXTAP_OK && error_is_set(error))
        return leave(follower, status, error);
    follower->bad_pointers = 0;
    if (status == TXTAP_OK && session_is_read(&follower->session))
        status = mark_disabled(follower);
    return status == TXTAP_OK ? mark_unsure(follower) : status;
}

enum txtap_status follow_step(struct follower *follower, struct error *error)
{
    error_clear(error);
    switch (follower->state) {
    case FOLLOW_LOCATING:
        return locate_step(follower, error);
    case FOLLOW_DETACHED:
        return connect_step(follower, error);
    case FOLLOW_STREAMING:
        break;
    }
    return stream_step(follower, error);
}

uint64_t follow_delay_us(const struct follower *follower)
{
    uint64_t now = follower->session.now_us();

    if (follower->state == FOLLOW_STREAMING)
        return session_delay_us(&follower->session);
    return follower->next_try_us > now ? follower->next_try_us - now : 0;
}

/* ---- life ---- */

enum txtap_status follow_init(struct follower *follower, const struct follow_ports *ports, bool reconnects,
                              const struct session_place *place, const struct session_settings *settings,
                              struct txtap_sink sink, struct error *error)
{
    enum txtap_status status;

    memset(follower, 0, sizeof *follower);
    follower->ports = *ports;
    follower->reconnects = reconnects;
    status = session_init(&follower->session, place, settings, sink, error);
    follower->next_look_us = settings->now_us();
    follower->looked_head = UINT64_MAX;
    return status;
}

enum txtap_status follow_finish(struct follower *follower, uint64_t limit_us, struct error *error)
{
    struct session *session = &follower->session;
    enum txtap_status status = TXTAP_OK;

    error_clear(error);
    if (follower->state == FOLLOW_STREAMING)
        status = session_drain(session, limit_us, error);
    if (status == TXTAP_OK)
        status = mark_disabled(follower);
    if (status == TXTAP_OK)
        status = mark_unsure(follower);
    if (follower->state == FOLLOW_STREAMING && (status == TXTAP_OK || !error_is_set(error)))
        return status;
    /* The source is gone: what was read is still good, and what is known to be written is lost. */
    (void)session_finish(session, session_head(session));
    return status;
}

void follow_free(struct follower *follower)
{
    session_free(&follower->session);
}
