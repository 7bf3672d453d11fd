/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes a recording: events become blocks, blocks go to the file that the rotation names. With triggers
 * only what is around them is written. docs/FORMAT.md has the layout.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_H
#define TXTAP_CAPTURE_RECORD_RECORDER_H

#include "base/compress.h"
#include "options/record.h"
#include "output/limit.h"
#include "output/overflow.h"
#include "record/block_file.h"
#include "record/event_words.h"
#include "record/history.h"
#include "record/rotation.h"
#include "txtap/clock.h"
#include "txtap/definitions.h"
#include "txtap/item.h"
#include "txtap/recording.h"

#define RECORDING_BLOCK_US 250000  /* a block is closed at the latest so long after its first event was read */
#define RECORDING_ASK_US   1000000 /* so often the system is asked to bring what was written to the disk */

struct recording_setup {
    const struct record_options *options;        /* borrowed */
    const char *path;                            /* borrowed; "-": standard output */
    bool overwrite;                              /* the first file may be there already */
    size_t buffer_bytes;                         /* that may wait for the disk; 0: it is waited for */
    uint64_t limit;                              /* events; 0: none */
    double tick_hz;                              /* of the target's time stamps; 0: not known */
    const struct txtap_clock *clock;             /* of the events that come; borrowed */
    const struct txtap_definitions *definitions; /* of user events, for triggers; borrowed, or NULL */
    unsigned profile;                            /* TXTAP_PROFILE_*, for triggers */
    const char *built_in;                        /* definitions of the ring's own events, to be recorded; or NULL */
    const char *firmware;                        /* name of its file, or NULL */
    uint64_t (*now_us)(void);                    /* never jumps */
    uint64_t (*wall_us)(void);                   /* since 1970 */
};

struct recording {
    struct recording_setup setup;
    struct rotation rotation;
    struct record_file file;
    struct compressor *compressor; /* NULL: none is wanted */

    struct txtap_header header;
    const struct txtap_registry *registry;
    uint32_t generation;          /* of the registry, when it was written */
    struct txtap_object *written; /* its objects as they were written, sorted */
    size_t written_count, written_capacity;

    uint32_t count; /* entries in payload: those of the block that is not yet written */
    uint64_t first_seq, first_ticks, last_ticks, first_us, last_us;
    uint64_t bytes_max; /* of its entries and words, when it is full */
    bool has_words;     /* some event had other than four */
    struct event_words words;
    size_t head_bytes;   /* of what each file begins with, */
    size_t buffer_bytes; /* in which the buffer's block has so many */
    bool has_news;       /* the file has more than what each file begins with */
    uint64_t asked_us;

    struct history history; /* with triggers only */
    bool open;              /* a trigger's time after has not passed */
    uint64_t open_until_us; /* by window_us */
    uint64_t window_us;     /* time by which --before and --after are measured, of the newest entry */

    struct overflow overflow; /* of the buffer, when the disk stalls; in front of */
    struct limit limit;       /* in front of the blocks */
    uint64_t taken_us;        /* when the item came that is on its way there */

    uint64_t file_events;     /* given to be written; file.disk has what was */
    uint64_t triggers;        /* that there were */
    uint64_t short_histories; /* of them, with less before than was asked for, for want of room */
    struct error error;       /* why the sink failed */

    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]; /* of the stream: events, a gap or a mark */
    uint8_t other[TXTAP_RECORDING_PAYLOAD_MAX];   /* of what stands around it, the next file's head too */
    uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX];
    uint8_t packed_words[TXTAP_RECORDING_PAYLOAD_MAX];
};

/*
 * Makes the first file, and writes its head; what comes later may wait in the buffer. registry: borrowed, and looked at
 * whenever its generation has changed. On success the recording is to be closed. On failure error is one line, and
 * nothing stays open.
 */
enum txtap_status recording_open(struct recording *recording, const struct recording_setup *setup,
                                 const struct txtap_header *header, const struct txtap_registry *registry,
                                 struct error *error);

/*
 * What takes the items. It returns TXTAP_END when the limit is reached or nobody reads the pipe any more,
 * TXTAP_ERROR_SYSTEM when a file cannot be written: recording->error says why.
 */
struct txtap_sink recording_sink(struct recording *recording);

/*
 * To be called every few milliseconds: writes what has waited long enough, and takes the next file when it is time.
 * Statuses as the sink's; with a buffer a failure is told here or by the sink, some time after it came.
 */
enum txtap_status recording_step(struct recording *recording);

/*
 * Writes what is left and the end, unless earlier or a file failed, waits until all is written, and closes. Returns
 * earlier if it is a failure, else how the end went; error is filled in, unless it says something already.
 */
enum txtap_status recording_close(struct recording *recording, enum txtap_status earlier, struct error *error);

#endif
