/* SPDX-License-Identifier: MIT */
/*
 * Orders the files of a recording, and finds the events that are missing between two files. A block of type FILE
 * contains the recording's random number, and the number of events in earlier files. Recordings of older versions have
 * no such block, so their files are compared by the seqs and times of the events. These functions do not know file
 * names.
 */
#include <string.h>

#include "txtap/inner/crc32.h"
#include "base/heapsort.h"
#include "txtap/recording.h"

static void copy_name(char to[64], const char *name)
{
    size_t length = strnlen(name, 63);

    memcpy(to, name, length);
    to[length] = '\0';
}

/* ---- order ---- */

bool txtap_recording_start_take(struct txtap_recording_start *start, const struct txtap_recording_item *block)
{
    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        if (start->has_buffer) /* the trace was set up again; only the first BUFFER of the file counts */
            return false;
        start->has_buffer = true;
        start->unix_us = block->unix_us;
        start->endian = block->header.endian;
        copy_name(start->name, block->name);
        return false;
    case TXTAP_RECORDING_FILE:
        start->has_file = true;
        start->file = block->file;
        return true;
    case TXTAP_RECORDING_EVENTS:
        start->has_seq = true;
        start->seq = block->seq;
        start->ticks = block->ticks;
        start->crc = txtap_crc32(0, block->entries, (size_t)block->count * TXTB_ENTRY_BYTES);
        return true;
    case TXTAP_RECORDING_GAP:
    case TXTAP_RECORDING_MARK:
        start->has_seq = true;
        start->seq = block->type == TXTAP_RECORDING_GAP ? block->gap.seq : block->mark.seq;
        return true;
    case TXTAP_RECORDING_END:
        return true;
    default:
        return false;
    }
}

/*
 * Returns true if the file first comes before the file second. For a file without events, only the time at which the
 * file was begun is known.
 */
static bool comes_before(const void *first, const void *second)
{
    const struct txtap_recording_start *a = first, *b = second;

    if (a->has_file != b->has_file)
        return a->has_file;
    if (a->has_file && a->file.number != b->file.number)
        return a->file.number < b->file.number;
    if (a->has_seq != b->has_seq)
        return a->has_seq;
    if (a->has_seq && a->seq != b->seq)
        return a->seq < b->seq;
    if (!a->has_file && a->unix_us != b->unix_us)
        return a->unix_us < b->unix_us;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes;
    return a->index < b->index;
}

static bool is_same_file(const struct txtap_recording_start *a, const struct txtap_recording_start *b)
{
    if (a->has_file || b->has_file)
        return a->has_file && b->has_file && a->file.number == b->file.number;
    return a->unix_us == b->unix_us && a->has_seq == b->has_seq && a->seq == b->seq && a->crc == b->crc;
}

/* Returns true if both files may belong to one recording. a: sorted before b. */
static bool is_akin(const struct txtap_recording_start *a, const struct txtap_recording_start *b)
{
    if (!b->has_file && !b->has_seq)
        return true; /* b has no events */
    if (a->has_file || b->has_file)
        return a->has_file && b->has_file && a->file.id == b->file.id;
    if (a->endian != b->endian || strcmp(a->name, b->name) != 0)
        return false;
    if (a->seq == b->seq && a->crc != 0 && b->crc != 0)
        return is_same_file(a, b);
    return (b->ticks == 0 || a->ticks <= b->ticks) && a->unix_us <= b->unix_us;
}

enum txtap_status txtap_recording_sort(struct txtap_recording_start *starts, size_t count, size_t *a, size_t *b)
{
    size_t kept = 0;

    heapsort_items(starts, count, sizeof *starts, comes_before);
    for (size_t i = 1; i < count; i++) {
        *a = starts[kept].index;
        *b = starts[i].index;
        if (!is_akin(&starts[kept], &starts[i]))
            return TXTAP_ERROR_FORMAT;
        starts[i].again = is_same_file(&starts[kept], &starts[i]);
        if (!starts[i].again)
            kept = i;
    }
    return TXTAP_OK;
}

/* ---- between two files ---- */

void txtap_recording_joint_file(struct txtap_recording_joint *joint)
{
    joint->boundary = joint->begun;
    joint->goes_on = false;
}

static void take_buffer(struct txtap_recording_joint *joint, const struct txtap_recording_item *block)
{
    if (!joint->begun) {
        joint->endian = block->header.endian;
        copy_name(joint->name, block->name);
    } else if (joint->boundary) {
        joint->other_buffer =
            joint->endian != block->header.endian || strncmp(joint->name, block->name, sizeof joint->name - 1) != 0;
    }
}

/* Computes the gap before a file: the number of events in all earlier files, minus the number of events read. */
static enum txtap_recording_join measure(const struct txtap_recording_joint *joint,
                                         const struct txtap_recording_file *file, struct txtap_gap *gap)
{
    if (file->id != joint->file.id)
        return TXTAP_RECORDING_FOREIGN;
    if (file->number <= joint->file.number || file->events < joint->events)
        return TXTAP_RECORDING_BACK;
    gap->lost = file->events - joint->events;
    gap->exact = file->doubts == joint->doubts;
    gap->seq = joint->has_next ? joint->next_seq : file->seq - gap->lost;
    if (gap->seq > UINT64_MAX - gap->lost) /* txtap writes no such numbers */
        return TXTAP_RECORDING_FOREIGN;
    return gap->lost > 0 || !gap->exact ? TXTAP_RECORDING_MISSES : TXTAP_RECORDING_FOLLOWS;
}

static enum txtap_recording_join take_file(struct txtap_recording_joint *joint, const struct txtap_recording_file *file,
                                           struct txtap_gap *gap)
{
    enum txtap_recording_join join = TXTAP_RECORDING_FOLLOWS;

    joint->from = file->seq;
    if (joint->boundary)
        join = joint->has_file ? measure(joint, file, gap) : TXTAP_RECORDING_FOREIGN;
    else if (!joint->has_file)
        joint->first = *file;
    if (join == TXTAP_RECORDING_BACK || join == TXTAP_RECORDING_FOREIGN)
        return join;
    joint->has_file = true;
    joint->boundary = false;
    joint->file = *file;
    joint->events = file->events;
    joint->doubts = file->doubts;
    return join;
}

/*
 * Takes the first events, or the first gap, of a file without a number. In a recording with triggers, seq jumps
 * although no events are lost.
 */
static enum txtap_recording_join take_first(struct txtap_recording_joint *joint, uint64_t seq, struct txtap_gap *gap)
{
    joint->from = seq;
    if (joint->has_file || joint->other_buffer)
        return TXTAP_RECORDING_FOREIGN;
    joint->boundary = false;
    if (!joint->has_next || seq == joint->next_seq)
        return TXTAP_RECORDING_FOLLOWS;
    if (seq < joint->next_seq)
        return TXTAP_RECORDING_BACK;
    *gap = (struct txtap_gap){
        .seq = joint->next_seq, .lost = joint->triggered ? 0 : seq - joint->next_seq, .exact = !joint->triggered};
    return TXTAP_RECORDING_MISSES;
}

/*
 * Takes count events, or a gap of count events. seq: seq of the first event. ticks: ticks of the first event; for a
 * gap, ticks of an earlier event.
 */
static enum txtap_recording_join take_events(struct txtap_recording_joint *joint, uint64_t seq, uint64_t count,
                                             uint64_t ticks, struct txtap_gap *gap)
{
    enum txtap_recording_join join = TXTAP_RECORDING_FOLLOWS;

    if (joint->boundary) {
        join = take_first(joint, seq, gap);
        if (join == TXTAP_RECORDING_MISSES && ticks < joint->ticks)
            join = TXTAP_RECORDING_FOREIGN;
    } else if (joint->has_next && seq > joint->next_seq) {
        joint->triggered = true;
    }
    joint->ticks = ticks;
    joint->has_next = true;
    joint->next_seq = seq + count;
    joint->events += count;
    return join;
}

enum txtap_recording_join txtap_recording_join(struct txtap_recording_joint *joint,
                                               const struct txtap_recording_item *block, struct txtap_gap *gap)
{
    enum txtap_recording_join join = TXTAP_RECORDING_FOLLOWS;

    *gap = (struct txtap_gap){0};
    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        take_buffer(joint, block);
        break;
    case TXTAP_RECORDING_FILE:
        join = take_file(joint, &block->file, gap);
        break;
    case TXTAP_RECORDING_EVENTS:
        join = take_events(joint, block->seq, block->count, block->ticks, gap);
        break;
    case TXTAP_RECORDING_GAP:
        joint->doubts += !block->gap.exact;
        join = take_events(joint, block->gap.seq, block->gap.lost, joint->ticks, gap);
        break;
    case TXTAP_RECORDING_MARK:
        joint->doubts++;
        joint->triggered = joint->triggered || block->mark.kind == TXTAP_MARK_TRIGGER;
        break;
    case TXTAP_RECORDING_END:
        joint->goes_on = block->why == TXTAP_RECORDING_ROTATED;
        break;
    default:
        break;
    }
    joint->begun = true;
    return join;
}

uint32_t txtap_recording_joint_earlier(const struct txtap_recording_joint *joint)
{
    const struct txtap_recording_file *first = &joint->first, *last = &joint->file;

    /* A writer that keeps a limited number of files removes the oldest file when it begins a further file. */
    uint32_t oldest = first->kept > 0 && last->number >= first->kept ? last->number - first->kept + 1 : 0;

    return first->number > oldest ? first->number - oldest : 0;
}
