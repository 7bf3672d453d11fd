/* SPDX-License-Identifier: MIT */
/* Causes and pieces in words. */
#include <inttypes.h>
#include <string.h>

#include "figures/sentence.h"
#include "txtap/inner/quantity.h"
#include "txtap/inner/why.h"

const char *txtap_why_state_name(enum txtap_why_state state)
{
    static const char *const names[TXTAP_WHY_STATES] = {"ran",     "ready", "interrupted", "waited",
                                                        "unknown", "gap",   "various"};

    return names[state];
}

static void say_ticks(struct sentence *sentence, uint64_t ticks)
{
    double number = (double)ticks;

    say_number(sentence, &(struct txtap_measure){true, number, number, number}, TXTAP_UNIT_TICKS);
}

/* Writes a thread, an interrupt or another context. */
static void say_context(struct sentence *sentence, const struct txtap_subject *context)
{
    if (context->kind == TXTAP_SUBJECT_IDLE)
        say(sentence, "no thread");
    else if (context->kind == TXTAP_SUBJECT_INIT)
        say(sentence, "the initialization");
    else if (context->kind == TXTAP_SUBJECT_INTERRUPT && context->number == UINT32_MAX)
        say(sentence, "an interrupt");
    else if (context->kind == TXTAP_SUBJECT_INTERRUPT || context->kind == TXTAP_SUBJECT_THREAD)
        say_name(sentence, context);
    else
        say(sentence, "something unknown");
}

/* Writes why a thread ran: its priority and, if `wakes` is true, the context that woke it. */
static void say_reason(struct sentence *sentence, const struct txtap_why_piece *piece, bool wakes)
{
    wakes = wakes && piece->waker.kind != TXTAP_SUBJECT_SYSTEM;
    if (!piece->priority_known && !wakes)
        return;
    say(sentence, " (");
    if (piece->priority_known)
        say(sentence, "priority %" PRIu32 "%s", piece->priority, wakes ? ", " : "");
    if (wakes) {
        say(sentence, "woken by ");
        say_context(sentence, &piece->waker);
        say(sentence, " at event %" PRIu64, piece->woken);
    }
    say(sentence, ")");
}

/* Writes the object of a wait, or the reason if the object is unknown. */
static void say_wait(struct sentence *sentence, enum txtap_wait reason, const struct txtap_subject *object)
{
    static const char *const unknown[] = {
        [TXTAP_WAIT_SUSPENDED] = "a call of tx_thread_resume",
        [TXTAP_WAIT_QUEUE] = "a queue",
        [TXTAP_WAIT_SEMAPHORE] = "a semaphore",
        [TXTAP_WAIT_FLAGS] = "event flags",
        [TXTAP_WAIT_BLOCK_POOL] = "a block pool",
        [TXTAP_WAIT_BYTE_POOL] = "a byte pool",
        [TXTAP_WAIT_IO] = "I/O",
        [TXTAP_WAIT_FILE] = "a file",
        [TXTAP_WAIT_TCP_IP] = "the network",
        [TXTAP_WAIT_MUTEX] = "a mutex",
    };
    bool has_words = (size_t)reason < sizeof unknown / sizeof *unknown && unknown[reason] != NULL;

    if (object->kind == TXTAP_SUBJECT_OBJECT)
        say_object(sentence, object);
    else
        say(sentence, "%s", has_words ? unknown[reason] : "something unknown");
}

/* Writes the thread for which a thread waits: ", held by reporter since event 284". */
static void say_link(struct sentence *sentence, const struct txtap_why_link *link)
{
    say_wait(sentence, link->reason, &link->object);
    if (link->reason == TXTAP_WAIT_MUTEX || link->since.known)
        say(sentence, ", held by ");
    else
        say(sentence, link->object.type == TXTAP_OBJECT_QUEUE ? ", served by " : ", given by ");
    say_name(sentence, &link->thread);
    if (link->since.known)
        say(sentence, " since event %" PRIu64, link->since.seq);
}

static void say_ending(struct sentence *sentence, const struct txtap_why_piece *piece)
{
    switch (piece->ending) {
    case TXTAP_ENDING_TIMEOUT:
        say(sentence, piece->reason == TXTAP_WAIT_SLEEP ? "" : ", until the timeout");
        break;
    case TXTAP_ENDING_DELETED:
        say(sentence, ", until its deletion");
        break;
    case TXTAP_ENDING_ABORTED:
        say(sentence, ", until the wait was aborted");
        break;
    default:
        if (piece->by.kind == TXTAP_SUBJECT_SYSTEM || piece->reason == TXTAP_WAIT_SLEEP)
            return;
        say(sentence, ", ended by ");
        say_context(sentence, &piece->by);
    }
}

/* Writes the wait of the thread at the end of a chain. */
static void say_waited(struct sentence *sentence, const struct txtap_why_piece *piece)
{
    if (piece->reason == TXTAP_WAIT_SLEEP || piece->reason == TXTAP_WAIT_COMPLETED ||
        piece->reason == TXTAP_WAIT_TERMINATED) {
        say(sentence, piece->reason == TXTAP_WAIT_SLEEP       ? "slept"
                      : piece->reason == TXTAP_WAIT_COMPLETED ? "had completed"
                                                              : "was terminated");
        return;
    }
    say(sentence, "waited for ");
    say_wait(sentence, piece->reason, &piece->object);
    if (piece->circle || piece->deep) {
        say(sentence, piece->reason == TXTAP_WAIT_MUTEX ? ", held by " : ", given by ");
        say_name(sentence, &piece->by);
        say(sentence, piece->deep                         ? ", and so on"
                      : piece->reason == TXTAP_WAIT_MUTEX ? ": a deadlock"
                                                          : ": they waited for each other");
    } else if (piece->reason == TXTAP_WAIT_MUTEX && piece->ending == TXTAP_ENDING_UNKNOWN) {
        say(sentence, ", whose owner is unknown");
    } else {
        say_ending(sentence, piece);
    }
}

/* Writes the state of the thread at the end of a chain. */
static void say_state(struct sentence *sentence, const struct txtap_why_piece *piece, bool wakes)
{
    switch (piece->state) {
    case TXTAP_WHY_RAN:
        say(sentence, "ran");
        say_reason(sentence, piece, false);
        break;
    case TXTAP_WHY_READY_WHILE:
        say(sentence, "was ready while ");
        say_context(sentence, &piece->by);
        say_reason(sentence, piece, wakes);
        say(sentence, " ran");
        break;
    case TXTAP_WHY_INTERRUPTED:
        say(sentence, "was interrupted by ");
        say_context(sentence, &piece->by);
        break;
    case TXTAP_WHY_WAITED:
        say_waited(sentence, piece);
        break;
    case TXTAP_WHY_GAP:
        say(sentence, "is not in the trace: events were lost");
        break;
    case TXTAP_WHY_VARIOUS:
        say(sentence, "did several things, each shorter than the other pieces");
        break;
    default:
        say(sentence, "is not shown by the trace");
    }
}

static void say_piece(struct sentence *sentence, const struct txtap_why_piece *piece)
{
    if (piece->state == TXTAP_WHY_INTERRUPTED && piece->thread.kind != TXTAP_SUBJECT_THREAD) {
        say_context(sentence, &piece->by);
        return;
    }
    for (unsigned i = 0; i < piece->link_count; i++) {
        say(sentence, i == 0 ? "waited for " : ", which waited for ");
        say_link(sentence, &piece->links[i]);
    }
    if (piece->link_count > 0)
        say(sentence, ", which ");
    say_state(sentence, piece, true);
}

char *txtap_why_piece_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_piece *piece,
                           const struct txtap_finding_names *names)
{
    struct sentence sentence = {.at = out, .size = TXTAP_WHY_TEXT_BYTES, .names = names};

    *out = '\0';
    say_piece(&sentence, piece);
    return out;
}

char *txtap_why_piece_line(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_piece *piece,
                           const struct txtap_subject *thread, const struct txtap_finding_names *names)
{
    struct sentence sentence = {.at = out, .size = TXTAP_WHY_TEXT_BYTES, .names = names};

    *out = '\0';
    say(&sentence, piece->before ? "before: " : "");
    if (piece->before)
        thread = &piece->thread;
    if (thread->kind == TXTAP_SUBJECT_THREAD && (!piece->before || piece->link_count == 0)) {
        say_name(&sentence, thread);
        say(&sentence, " ");
    }
    say_piece(&sentence, piece);
    return out;
}

/* Writes the rest of a cause that begins with a wait: the chain up to its end. */
static void say_chain(struct sentence *sentence, const struct txtap_why_summary *summary)
{
    const struct txtap_why_piece *main = &summary->main;

    for (unsigned i = 1; i < main->link_count; i++) {
        say(sentence, ", which waited for ");
        say_link(sentence, &main->links[i]);
    }
    if (main->state == TXTAP_WHY_RAN && main->link_count == 1 && main->links[0].reason == TXTAP_WAIT_MUTEX)
        return;
    say(sentence, main->ticks < summary->ticks ? "; for " : ", which ");
    if (main->ticks < summary->ticks) {
        say_ticks(sentence, main->ticks);
        say(sentence, " ");
        say_name(sentence, &main->links[main->link_count - 1].thread);
        say(sentence, " ");
    }
    say_state(sentence, main, false);
}

/* Writes a delay that is no wait for another thread. */
static void say_own(struct sentence *sentence, const struct txtap_why_summary *summary)
{
    const struct txtap_why_piece *main = &summary->main;

    switch (main->state) {
    case TXTAP_WHY_RAN:
        say(sentence, " itself ran for ");
        say_ticks(sentence, summary->ticks);
        return;
    case TXTAP_WHY_READY_WHILE:
        say(sentence, " was ready for ");
        say_ticks(sentence, summary->ticks);
        say(sentence, " while ");
        say_context(sentence, &main->by);
        say_reason(sentence, main, false);
        say(sentence, " ran");
        return;
    case TXTAP_WHY_INTERRUPTED:
        say(sentence, " was interrupted for ");
        say_ticks(sentence, summary->ticks);
        say(sentence, " by ");
        say_context(sentence, &main->by);
        return;
    case TXTAP_WHY_WAITED:
        say(sentence, " ");
        say_waited(sentence, main);
        say(sentence, ", for ");
        break;
    default:
        say(sentence, ": the trace does not show the cause of ");
    }
    say_ticks(sentence, summary->ticks);
}

char *txtap_why_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_summary *summary,
                     const struct txtap_finding_names *names, double tick_hz)
{
    struct sentence sentence = {.at = out, .size = TXTAP_WHY_TEXT_BYTES, .names = names, .tick_hz = tick_hz};
    const struct txtap_why_piece *main = &summary->main;

    *out = '\0';
    say_name(&sentence, &summary->span.thread);
    if (main->link_count > 0) {
        say(&sentence, " waited ");
        say_ticks(&sentence, summary->ticks);
        say(&sentence, " for ");
        say_link(&sentence, &main->links[0]);
        say_chain(&sentence, summary);
    } else if (summary->total == 0) {
        say(&sentence, " was not delayed");
    } else {
        say_own(&sentence, summary);
    }
    return out;
}

/* ---- the span ---- */

char *txtap_why_span_text(char out[static TXTAP_WHY_TEXT_BYTES], const struct txtap_why_summary *summary,
                          const struct txtap_finding_names *names, double tick_hz)
{
    static const char *const kinds[] = {"job", "wait", "wait for a core", "time with a mutex"};
    struct sentence sentence = {.at = out, .size = TXTAP_WHY_TEXT_BYTES, .names = names, .tick_hz = tick_hz};
    const struct txtap_why_span *span = &summary->span;
    const struct txtap_place end = {true, span->end.seq, span->end.ticks};
    char place[PLACE_BYTES];

    *out = '\0';
    say(&sentence, "%s of ", kinds[span->kind]);
    say_name(&sentence, &span->thread);
    say(&sentence, span->open || span->began_earlier ? ": at least " : ": ");
    say_ticks(&sentence, summary->total);
    if (span->began_earlier)
        say(&sentence, ", until %s", place_text(place, &end, tick_hz));
    else
        say(&sentence, ", from event %" PRIu64 " to %s", span->start.seq, place_text(place, &end, tick_hz));
    if (span->before_known) {
        say(&sentence, "; before it ");
        say_ticks(&sentence, span->before);
        say(&sentence, " since the interrupt");
    }
    return out;
}

const char *txtap_why_note(const struct txtap_why *why, const struct txtap_why_summary *summary, unsigned index)
{
    const struct txtap_why_span *span = &summary->span;
    const struct {
        bool valid;
        const char *text;
    } notes[] = {
        {span->began_earlier, "it may have begun earlier: the trace does not show its beginning"},
        {span->open, "it may have lasted longer: a gap, or the end of the trace, cuts it off"},
        {span->gap, "events are missing inside: it may be several jobs"},
        {span->vague,
         "several cores: the trace does not show every switch; time in which a thread may have run unseen is unknown"},
        {span->too_long, "it is too long: txtap no longer has all changes of its first part, which may be unknown"},
        {txtap_why_merged(why), "there are too many pieces: the shortest neighbours are one piece each"},
    };

    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (notes[i].valid && index-- == 0)
            return notes[i].text;
    return NULL;
}
