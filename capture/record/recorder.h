/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes a recording. It collects events in blocks, and writes the blocks to the file that the rotation
 * chooses. With triggers, it writes only the items around each trigger. docs/reference/recording.md has the layout.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_H
#define TXTAP_CAPTURE_RECORD_RECORDER_H

#include "base/compress.h"
#include "file/identity.h"
#include "output/sinks.h"
#include "record/around_triggers.h"
#include "record/block_file.h"
#include "record/blocks.h"
#include "record/description.h"
#include "record/sample_batch.h"
#include "txtap/clock.h"
#include "txtap/definitions.h"
#include "txtap/item.h"
#include "txtap/recording.h"

#define RECORDING_BLOCK_US     250000  /* longest time from reading the first event of a block to writing the block */
#define RECORDING_STORE_US     100000  /* the same in a store */
#define RECORDING_WRITEBACK_US 1000000 /* how often Linux is asked to write data to the disk */

/* What to record, and to which file. Pointers are borrowed until recording_close(). */
struct record_config {
    const char *path;  /* path, or pattern for names: see struct rotation; NULL or "-": standard output */
    bool force;        /* overwrite existing files */
    bool stores;       /* the file is in a store: it is never overwritten, and is followed while it is written */
    const char *spool; /* folder for blocks that a place of NATS has not stored; NULL: no folder */
    struct stream_limits stream;           /* limits of a stream of NATS that is made */
    uint64_t file_bytes, file_seconds;     /* limits of a file; 0: no limit */
    uint32_t file_count;                   /* 0: no limit */
    int compress;                          /* zstd level; 0: do not compress */
    uint64_t limit;                        /* maximum number of events; 0: no limit */
    size_t buffer_bytes;                   /* how much data may wait for the disk; 0: each write waits for the disk */
    const struct record_trigger *triggers; /* trigger_count triggers */
    size_t trigger_count;
    const struct value_trigger *value_triggers; /* value_trigger_count triggers */
    size_t value_trigger_count;
    bool is_fired;                /* the caller may call recording_fire() */
    uint64_t before_us, after_us; /* how much time before and after a trigger to record */
    double tick_hz;               /* tick rate for before_us and after_us; 0: use the host's clock */
    unsigned profile;             /* TXTAP_PROFILE_*: selects the names of events in triggers */
    const char *definitions; /* definitions of another kernel's events, in txtap's format; NULL: ThreadX's events */
};

struct recording_setup {
    struct record_config config;
    const struct txtap_clock *clock;             /* the clock that gave the events their times; borrowed */
    const struct txtap_definitions *definitions; /* names of events and interrupts, for triggers; borrowed, or NULL */
    const char *firmware;                        /* name of the firmware's file, or NULL */
    const struct txtap_channels *channels;       /* written at the start of each file; borrowed, or NULL */
    const struct identity *identity;             /* description of the recording, but for the rate; borrowed, or NULL */
    uint64_t (*now_us)(void);                    /* a clock that never jumps */
    uint64_t (*wall_us)(void);                   /* microseconds since 1970 */
};

struct recording {
    struct recording_setup setup;
    struct rotation rotation;
    struct block_file file;
    struct compressor *compressor; /* NULL: do not compress */

    struct txtap_header header;
    struct object_blocks objects;
    struct event_batch batch; /* the block that is not written yet; its payload is also used for gaps and marks */
    uint64_t bytes_max;       /* limit for a block's entries and words */
    struct txtap_recording_file part; /* the next file's number, and counts of the events and losses before it */
    size_t head_bytes;                /* size of the present file's head */
    size_t buffer_bytes;              /* size of the head's blocks of the buffer and of its definitions */
    size_t channels_bytes;            /* size of the head's blocks of channels */
    size_t part_bytes;                /* size of the block that identifies the file */
    struct description description;   /* written at the start of each file */
    bool has_news;                    /* the file has blocks after its head */
    uint64_t writeback_us;

    struct around_triggers around; /* with triggers only */

    struct overflow overflow; /* the first sink: drops items while the disk is too slow */
    struct limit limit;       /* the next sink: ends the recording after the maximum number of events */
    uint64_t taken_us;        /* time at which the current item was read */

    struct sample_batch samples; /* samples that precede the block of events */

    uint64_t file_events; /* events in this file, including events that still wait in the queue */
    struct error error;   /* why the sink failed */

    uint8_t other[TXTAP_RECORDING_PAYLOAD_MAX]; /* payloads of other blocks, including the next file's head */
    uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX];
    uint8_t packed_words[TXTAP_RECORDING_PAYLOAD_MAX];
};

/*
 * Creates the first file and writes its head. Later data may wait in the buffer. registry: borrowed; its objects are
 * written again when its generation has changed. After success, call recording_close(). On failure error is one line,
 * and nothing stays open.
 */
enum txtap_status recording_open(struct recording *recording, const struct recording_setup *setup,
                                 const struct txtap_header *header, const struct txtap_registry *registry,
                                 struct error *error);

/*
 * Takes an item. A sink's function. TXTAP_END: the limit is reached, or the pipe has no reader any more.
 * TXTAP_ERROR_SYSTEM: a file cannot be written; recording->error has the cause.
 */
enum txtap_status recording_take(void *self, const struct txtap_item *item);

/* Starts a trigger that no event caused; needs config.is_fired. Records config.before_us before now and after_us after
 * now. text: the reason. seq: sequence number of the next event. Returns the statuses of recording_take(). */
enum txtap_status recording_fire(struct recording *recording, const char *text, uint64_t seq);

/* Notes the best known rate of the time stamps. It is written at the start and at the end of each file, and in between
 * when it has become much better. */
static inline void recording_set_rate(struct recording *recording, const struct txtap_rate *rate)
{
    description_set_rate(&recording->description, rate);
}

/* Sets the stacks according to the kernel, in lines as in stacks.h. They are written at the end of each file. text:
 * borrowed until the recording is closed. */
static inline void recording_set_stacks(struct recording *recording, const char *text)
{
    recording->description.stacks = text;
}

/* Writes data that has waited long enough, and begins the next file when it is time. Call it every few milliseconds.
 * Returns the statuses of recording_take(). With a buffer, a failed write is reported some time later, by
 * recording_take() or by this function. */
enum txtap_status recording_step(struct recording *recording);

/* Writes the remaining data and the end block, unless a file has failed. Waits until all data is written, and closes
 * the file. Returns the first failure: `earlier`, or a failure of the recording. Without a failure, returns `earlier`.
 * Sets error to the cause, unless error is already set. */
enum txtap_status recording_close(struct recording *recording, enum txtap_status earlier, struct error *error);

#endif
