/* SPDX-License-Identifier: MIT */
#include "ring/txtb_model.h"

#include <string.h>

#include "seeds.h"

#define HOLD_UP_US 20000 /* the longest time between two stores of a writer; the reader relies on 50 ms */

/* ---- the writer ---- */

/*
 * Sets up a trace with a smaller ring before the reader reads `address`, or before a later read in two cases that
 * docs/developer/reader-proof-guard.md explains in "Remaining cases". First, the new lap count must stay below the old
 * count, because otherwise the reader could read the same value twice. Second, the ring must not shrink between the
 * reads of ring end and pointer, which belong together.
 */
static void shrink_ring(struct ring_run *run, uint32_t address)
{
    if ((run->target.counts_laps && run->count_read == 0) || address == TARGET_BASE + TXTB_HEADER_CURRENT) {
        run->in_reads = 1;
        return;
    }
    target_set_up_again(&run->target, run->target.entries - 1);
    if (run->target.counts_laps)
        run->target.limit = (uint64_t)run->count_read * run->target.entries - 1;
    run->is_restarted = true;
}

/* Returns true if `in_reads` counts this read: after `in_reads` such reads the ring shrinks. */
static bool counts_down(const struct ring_run *run, uint32_t address)
{
    const struct ring_target *target = &run->target;

    if (run->in_reads == 0 || !run->of_laps)
        return run->in_reads > 0;
    return address == TARGET_BASE + TXTB_HEADER_LAPS && target->written / target->entries >= run->from_lap;
}

/* Lets the writer write its late fields before the reader stops waiting for them, as the kernel does. */
static void keep_deadlines(struct ring_target *target)
{
    while (target->store != 0 && target->now_us - target->mid_event_since_us > HOLD_UP_US)
        target_store(target);
    if (target->now_us - target->unpatched_since_us > TXTAP_RING_HOLD_US / 2)
        target_patch_all(target);
}

/*
 * Lets time pass during an exchange. Some exchanges take longer than the writer's deadlines; then the writer may also
 * stop at an awkward place.
 */
static void take_time(struct ring_run *run)
{
    if (!run->slow || --run->quick_words > 0)
        return;
    run->quick_words = 1 + target_random(&run->target, 300);
    run->target.now_us += target_random(&run->target, 120000);
    keep_deadlines(&run->target);
    if (run->eagerness > 0 && target_random(&run->target, 2)) {
        target_run_to_turn(&run->target);
        run->pause_words = target_random(&run->target, 300);
    }
}

static void let_writer_run(struct ring_target *target, uint32_t address)
{
    struct ring_run *run = target->scripted;
    uint32_t stores;

    take_time(run);
    if (counts_down(run, address) && --run->in_reads == 0)
        shrink_ring(run, address);
    if (address == TARGET_BASE + TXTB_HEADER_LAPS)
        run->count_read = (uint16_t)(target->written / target->entries);
    if (run->pause_words > 0) {
        run->pause_words--;
        return;
    }
    stores = random_steps(&target->random, run->eagerness, 3 * run->eagerness,
                          10 * target->entries * (1 + run->eagerness / 4)); /* a burst may take several laps */
    if (run->eagerness == 0)
        return;
    while (stores-- > 0)
        target_store(target);
    if (target_random(target, 512) == 0) {
        target_run_to_turn(target);
        run->pause_words = target_random(target, 100);
    }
    if (target_random(target, 128) == 0)
        target_patch_all(target);
}

static void pass_time(struct ring_run *run)
{
    struct ring_target *target = &run->target;

    target->now_us += target_random(target, 4000);
    if (target_random(target, 8) == 0) {
        target_patch_all(target);
        target->now_us += target_random(target, 120000);
    }
    if (run->eagerness > 0 && target_random(target, 16) == 0)
        target_run_to_turn(target);
    keep_deadlines(target);
}

/*
 * Sometimes enables the trace again in its old place, or plans to shrink the ring. Before that, the reader has read
 * everything it knows of. Until the reader notices the new trace, the new trace stays short: it does not fill the
 * ring, or, if laps are counted, has fewer laps than the old trace. Only the target's uptime would show a longer trace
 * as new.
 */
static void maybe_set_up_again(struct ring_run *run)
{
    struct ring_target *target = &run->target;
    uint64_t slot = run->inside.head % target->entries, laps = run->inside.laps % 65536;

    if (!run->wants_restart || target_random(target, 8) != 0)
        return;
    if (run->to_shrink) {
        run->of_laps = run->from_lap > 0 || target_random(target, 2);
        run->in_reads = 1 + target_random(target, run->of_laps ? 2 : 200);
    } else {
        if (run->inside.head != run->inside.read_end || slot < 2)
            return;
        target->limit = target->entries - 2;
        if (target->counts_laps && laps == 0)
            target->limit = slot - 1;
        else if (target->counts_laps && laps <= INT16_MAX)
            target->limit = laps * target->entries - 1;
        target_set_up_again(target, target->entries);
        run->is_restarted = true;
    }
    run->wants_restart = false;
}

/* ---- what the reader delivers ---- */

static void violated(struct ring_run *run, const char *what)
{
    stream_violated_if(&run->stream, true, what);
}

static void take_event(struct ring_run *run, const uint8_t *entry, uint64_t seq, bool unsettled)
{
    uint64_t number = target_entry_number(&run->target, entry);
    uint64_t first = run->target.begin - (run->is_restarted ? 1u << TARGET_TRACE_SHIFT : 0);

    if (number < first || number - first >= 1u << TARGET_TRACE_SHIFT)
        violated(run, "an event is from another trace");
    if (run->from_start && !run->inexact && number - first != seq)
        violated(run, "the first event does not have the first sequence number");
    if (number < run->not_before)
        violated(run, "an event is older than wanted");
    if (!target_entry_is_intact(&run->target, entry, number))
        violated(run, "an entry is torn");
    if (!unsettled && !target_entry_is(&run->target, entry, number))
        violated(run, "an entry is not patched");
    stream_take_event(&run->stream, seq, number);
    run->number = number;
}

/* Takes delivered events. unsettled: if bit n is set, the entry n places before the last entry may be incomplete. */
static void take_events(struct ring_run *run, const uint8_t *entries, size_t count, uint64_t seq, uint32_t unsettled)
{
    for (size_t i = 0; i < count; i++) {
        size_t before_last = count - 1 - i;

        take_event(run, entries + i * TXTB_ENTRY_BYTES, seq + i, before_last < 32 && (unsettled >> before_last & 1));
    }
}

static void take(struct ring_run *run, const struct txtap_ring_batch *batch)
{
    take_events(run, batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    if (batch->lost > 0) {
        if (!run->stream.reported && !run->guarded && batch->exact && batch->count > 0 &&
            target_entry_number(&run->target, batch->entries) > run->head_at_attach + batch->lost)
            violated(run, "the first gap claims less than was lost");
        stream_take_gap(&run->stream, batch->lost_seq, batch->lost, batch->exact, 1);
        run->inexact = run->inexact || !batch->exact;
    }
    take_events(run, batch->entries, batch->count, batch->seq, batch->unsettled);
}

/* ---- the reader ---- */

/* Reads the last slot after the header. Returns true if it is still empty: then the ring had not wrapped when the
 * header was read. */
static bool is_young(struct ring_run *run)
{
    static const uint8_t never_written[4] = {0};
    const struct txtap_header *header = &run->inside.header;
    uint8_t thread[4];

    target_read(&run->target, &(struct txtap_read){header->ring_end - TXTB_ENTRY_BYTES, sizeof thread, thread});
    return memcmp(thread, never_written, sizeof thread) == 0;
}

static void attach(struct ring_run *run)
{
    struct ring_target *target = &run->target;
    enum txtap_ring_from from = (enum txtap_ring_from)target_random(target, 3);
    uint64_t written = target->written;

    target_attach(target, &run->ring, run->buffer, TXTAP_RING_BUFFER_MIN, from);
    /* If the reader attaches while the count lags or changes, it may begin up to a lap earlier. */
    run->not_before = 0;
    if (from == TXTAP_RING_FROM_NOW &&
        (!target->counts_laps || run->inside.head_at_attach >= written + target->entries))
        run->not_before = target->begin + written;
    run->from_start = from == TXTAP_RING_FROM_START;
    if (run->from_start && run->inside.header.laps == 0 && !is_young(run)) {
        run->from_start = false;
        target_attach(target, &run->ring, run->buffer, TXTAP_RING_BUFFER_MIN, TXTAP_RING_FROM_OLDEST);
    }
    run->head_at_attach = target->begin + (target->counts_half_laps ? target_published(target) : target->written);
    /* This stays true for the rest of the run, because later traces also include the gaps of this trace. */
    run->as_uncounted |= run->inside.header.laps == 0 && target->written / target->entries > UINT16_MAX;
    if (target->written / target->entries > UINT16_MAX)
        run->from_start = false; /* the count has already wrapped at the attach */
    run->stream.anything = run->stream.reported = run->stream.unsure = run->stream.based = run->inexact = false;
    run->stream.next_seq = 0;
    run->traces++;
}

/* Ends a stream: held entries are delivered, and unread events before position `until` are reported as lost. */
static void finish(struct ring_run *run, uint64_t until)
{
    uint64_t held = txtap_ring_held(&run->ring), unread = until > 0 ? txtap_ring_unread(&run->ring) : 0;
    bool reported = run->stream.reported;
    struct txtap_ring_batch batch;

    txtap_ring_finish(&run->ring, until, &batch);
    take(run, &batch);
    if (batch.held_count != held)
        violated(run, "what was held back is not delivered at the end");
    if (batch.lost > unread || (reported && batch.lost != unread))
        violated(run, "what was not read is not reported at the end");
}

/* The reader has reported a new trace: ends the old trace's stream, and attaches to the new trace. */
static void go_over(struct ring_run *run)
{
    if (!run->is_restarted)
        violated(run, "a trace that goes on is reported as a new one");
    finish(run, 0);
    run->is_restarted = false;
    run->target.limit = 0;
    attach(run);
}

static void exchange(struct ring_run *run)
{
    struct ring_target *target = &run->target;
    const struct txtap_header *header = &run->inside.header;
    struct txtap_ring_batch batch;
    bool disturbed = target_random(target, 64) == 0;

    if (disturbed)
        target->bad_pointer = (uint32_t[]){header->ring_start - TXTB_ENTRY_BYTES, header->ring_end,
                                           header->ring_start + 4, 0xFFFFFFE0}[target_random(target, 4)];
    run->guarded = run->inside.guard_known;
    switch (target_exchange(target, &run->ring, &batch)) {
    case TXTAP_OK:
        /* a pointer that belongs to another life is ignored, even if it is valid */
        if (disturbed && !(run->is_restarted && target->counts_half_laps))
            violated(run, "an invalid pointer was believed");
        take(run, &batch);
        break;
    case TXTAP_ERROR_MOVED:
        go_over(run);
        break;
    case TXTAP_ERROR_POINTER:
        if (!disturbed)
            violated(run, "a valid pointer was refused");
        break;
    default:
        violated(run, "a valid exchange failed");
        break;
    }
}

static void begin(struct ring_run *run, uint64_t seed)
{
    struct ring_target *target = &run->target;
    uint32_t entries;
    bool counts;

    memset(run, 0, sizeof *run);
    target_init(target, 2, false, seed);
    counts = target_random(target, 2);
    entries = 2 + target_random(target, target_random(target, 4) ? 12 : 100);
    target_init(target, entries, counts, seed ^ 0x5bd1e995);
    target->counts_half_laps = counts && seed % 3 == 1;
    target_set_endian(target, target_random(target, 4) == 0 ? TXTAP_BIG : TXTAP_LITTLE);
    target->order = target_random(target, 2) ? TARGET_STORES_AS_RECORDER : TARGET_STORES_AS_THREADX;
    target->constant_stamps = target_random(target, 4) == 0;
    target->alike = !target->constant_stamps && target_random(target, 3) == 0;
    /*
     * Two choices are excluded: late words if all events are alike, and a late word that the target would store last
     * anyway (allowed with constant stamps). They allow a case for which the proof's last paragraph has no proof.
     */
    target->patched_percent = !target->alike && target_random(target, 2) ? 30 : 0;
    target->patched_id = TARGET_ALLOCATE_ID;
    if (target->order == TARGET_STORES_AS_RECORDER && !target->constant_stamps)
        target->patched_id = TARGET_RESUME_ID;
    target->patched_id |= target_random(target, 2) << 24; /* the high byte is a core's number */
    run->eagerness = (uint32_t[]){0, 1, 4, 20, 100}[target_random(target, 5)];

    target_write(target, target_random(target, 3) ? target_random(target, 3 * entries) : 0);
    if (target_random(target, 4) == 0)
        target_run_to_turn(target);
    if (counts && target->store == 0 && target_random(target, 8) == 0) { /* the 16-bit count will wrap during the run */
        target_skip_laps(target, 65536u - 5);
        run->from_lap = 65537;
    }
    run->wants_restart = entries >= 4 && target_random(target, run->from_lap ? 2 : 8) == 0;
    run->to_shrink = target_random(target, 2);
    run->slow = seed % 4 == 3;
    run->quick_words = 1;
    target->before_word = let_writer_run;
    target->scripted = run;
    attach(run);
}

/* Reads everything while the writer rests. */
static void drain(struct ring_run *run)
{
    struct ring_target *target = &run->target;

    while (target->store != 0)
        target_store(target);
    target->before_word = NULL;
    if (run->is_restarted && target->written % target->entries == 0)
        /* the pointer is where the old trace left it: without one more event the reader cannot notice the new trace */
        target_write(target, 1);
    target_patch_all(target);
    for (unsigned i = 0; i < 80 && !run->stream.violation; i++) {
        exchange(run);
        target->now_us += 2500;
    }
    if (run->is_restarted)
        violated(run, "a trace that restarted was not noticed");
    if (txtap_ring_held(&run->ring) > 0 || txtap_ring_unread(&run->ring) > 0)
        violated(run, "a resting ring was not drained");
    finish(run, run->inside.head);
    if (run->stream.anything && !run->stream.unsure && run->number + 1 != target->begin + target->written)
        violated(run, "the newest event is missing");
    if (run->from_start && !run->inexact && run->stream.next_seq != target->written)
        violated(run, "stream and trace have different numbers of events");
    if (target->counts_laps && !run->as_uncounted && run->stream.inexact_gaps > 0)
        violated(run, "counted laps gave an inexact gap");
}

void ring_model_run(struct ring_run *run, uint64_t seed)
{
    unsigned exchanges;

    begin(run, seed);
    exchanges = 10 + target_random(&run->target, 60);
    for (unsigned i = 0; i < exchanges && !run->stream.violation; i++) {
        maybe_set_up_again(run);
        exchange(run);
        pass_time(run);
    }
    if (run->stream.violation)
        return;
    if (target_random(&run->target, 4) == 0)
        finish(run, run->inside.head);
    else
        drain(run);
}
