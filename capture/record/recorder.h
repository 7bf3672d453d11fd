/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes a recording: events become blocks, and blocks go to the file that the rotation names. With
 * triggers, only what is around them is written. The layout is in docs/reference/recording.md.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_H
#define TXTAP_CAPTURE_RECORD_RECORDER_H

#include "base/compress.h"
#include "output/sinks.h"
#include "record/block_file.h"
#include "record/blocks.h"
#include "record/history.h"
#include "txtap/clock.h"
#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/item.h"
#include "txtap/recording.h"

#define RECORDING_BLOCK_US     250000  /* a block is closed at the latest this long after its first event was read */
#define RECORDING_WRITEBACK_US 1000000 /* how often the system is asked to bring data to the disk */

#define RECORD_TRIGGERS_MAX       8
#define RECORD_TRIGGER_TEXT_BYTES 512 /* NUL included */

struct record_trigger {
    const char *text; /* as given; borrowed */
    struct txtap_filter filter;
    char words[RECORD_TRIGGER_TEXT_BYTES]; /* the filter borrows from it: the struct must not move */
};

/* What is recorded, and where to. Pointers are borrowed until recording_close(). */
struct record_config {
    const char *path; /* of the file, or of the files' names: see struct rotation; NULL or "-": standard output */
    bool force;       /* overwrite files that exist */
    uint64_t file_bytes, file_seconds;     /* a file is full; 0: no limit */
    uint32_t file_count;                   /* 0: no limit */
    int compress;                          /* level of zstd; 0: do not compress */
    uint64_t limit;                        /* the number of events after which the recording ends; 0: no limit */
    size_t buffer_bytes;                   /* what may wait for the disk; 0: writing waits for it */
    const struct record_trigger *triggers; /* trigger_count of them */
    size_t trigger_count;
    bool is_fired;                /* recording_fire() triggers, too */
    uint64_t before_us, after_us; /* what is recorded around a trigger */
    double tick_hz;               /* by which that time is measured; 0: by the host's clock */
    unsigned profile;             /* TXTAP_PROFILE_*: names of events in triggers */
    const char *definitions;      /* of another kernel's events, in txtap's format; NULL: they are ThreadX's */
};

struct recording_setup {
    struct record_config config;
    const struct txtap_clock *clock;             /* that gave the events their time; borrowed */
    const struct txtap_definitions *definitions; /* of user events, for triggers; borrowed, or NULL */
    const char *firmware;                        /* name of its file, or NULL */
    uint64_t (*now_us)(void);                    /* never jumps */
    uint64_t (*wall_us)(void);                   /* since 1970 */
};

struct recording {
    struct recording_setup setup;
    struct rotation rotation;
    struct block_file file;
    struct compressor *compressor; /* NULL: do not compress */

    struct txtap_header header;
    struct object_blocks objects;
    struct event_batch batch;         /* whose block is not written yet; its payload is also a gap's or a mark's */
    uint64_t bytes_max;               /* of a full block's entries and words */
    struct txtap_recording_file part; /* what the next file says of itself and of those before it */
    size_t head_bytes;                /* of what each file begins with */
    size_t buffer_bytes;              /* of the blocks before its objects */
    bool has_news;                    /* the file has more than that */
    uint64_t writeback_us;

    struct history history; /* with triggers only */
    bool open;              /* the time after a trigger has not passed yet */
    uint64_t open_until_us; /* until then, by window_us */
    uint64_t window_us;     /* time of the newest entry, by which --before and --after are measured */

    struct overflow overflow; /* of the buffer, when the disk stalls; in front of limit */
    struct limit limit;       /* in front of the blocks */
    uint64_t taken_us;        /* when the item came that is being recorded */

    uint64_t file_events;     /* in this file, written or waiting; file.disk counts what was written */
    uint64_t triggers;        /* that fired */
    uint64_t short_histories; /* of them, those with less history than asked for: it was pushed out */
    struct error error;       /* why the sink failed */

    uint8_t other[TXTAP_RECORDING_PAYLOAD_MAX]; /* anything else, the next file's head too */
    uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX];
    uint8_t packed_words[TXTAP_RECORDING_PAYLOAD_MAX];
};

/*
 * Makes the first file and writes its head. What comes later may wait in the buffer. registry: borrowed; read whenever
 * its generation has changed. After success recording_close() is due. On failure error is one line, and nothing stays
 * open.
 */
enum txtap_status recording_open(struct recording *recording, const struct recording_setup *setup,
                                 const struct txtap_header *header, const struct txtap_registry *registry,
                                 struct error *error);

/*
 * A sink: takes the items. TXTAP_END: the limit is reached, or nobody reads the pipe any more. TXTAP_ERROR_SYSTEM: a
 * file cannot be written, and recording->error says why.
 */
enum txtap_status recording_take(void *self, const struct txtap_item *item);

/*
 * Triggers by something else than an event; config.is_fired must be set. What was just before is recorded, and what
 * comes for some time. text: why. seq: of the next event. Statuses as the sink's.
 */
enum txtap_status recording_fire(struct recording *recording, const char *text, uint64_t seq);

/*
 * To be called every few milliseconds: writes what has waited long enough, and begins the next file when it is time.
 * Statuses as the sink's. With a buffer a failure is reported some time later, here or by the sink.
 */
enum txtap_status recording_step(struct recording *recording);

/*
 * Writes what is left and the end, unless a file has failed, waits until everything is written, and closes. Returns
 * earlier if it is a failure, else the first failure; error says why, unless it is set already.
 */
enum txtap_status recording_close(struct recording *recording, enum txtap_status earlier, struct error *error);

#endif
