/* SPDX-License-Identifier: MIT */
/*
 * The sink of txtap record with a simulated clock, in a folder of its own. The recorded files are read back as a line
 * of text. For example, "B O* 100-120 gap121+5 126-130 E0:26 " is a buffer, all objects, events, a gap, events, and the
 * end of a file with 26 events. "cut " is the end of an incomplete file.
 *
 * Each test runs twice: once data are written directly, once by the thread of a queue of RECORDING_BUFFER_BYTES.
 */
#ifndef TXTAP_TESTS_RECORDING_FIXTURE_H
#define TXTAP_TESTS_RECORDING_FIXTURE_H

#include "file/recording_reader.h"
#include "record/recorder.h"
#include "txtap/event_maker.h"

#ifndef RECORDING_BUFFER_BYTES
#define RECORDING_BUFFER_BYTES 0
#endif

enum { OBJECTS = 3000, SEQ = 100 };

struct recording_fixture {
    uint64_t now_us;
    char directory[64], path[128];
    struct error error;
    struct record_trigger triggers[RECORD_TRIGGERS_MAX];
    struct recording_setup setup;
    struct txtap_header header;
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;
    struct recording recording;
    struct txtap_event_maker maker;
    uint64_t from_us, to_us; /* window in which the next events are written; 0: unknown */
    size_t room;             /* bytes that fit into the empty queue */
    uint64_t seq;
    char transcript[65536]; /* the files' data as text */
    bool with_ticks;        /* the transcript contains the ticks of each block of events */
    struct recording_reader reader;
    struct txtap_object read_objects[OBJECTS];
    struct txtap_registry read_registry;
};

extern struct recording_fixture fixture;

/* Functions for TestSuite(). */
void recording_set_up(void);
void recording_tear_down(void);

void add_object(uint32_t pointer, const char *name);

/* Adds a trigger to the next recording. event: a name, a pattern or an id; it must stay valid. */
void wait_for(const char *event, uint64_t before_us, uint64_t after_us);

/* Open and close a recording with the fixture's options. Both must succeed. */
void start(void);
void stop(void);

/* Calls recording_step() until it fails or ends. This may take several calls if a thread writes. */
enum txtap_status step_to_the_end(void);

/*
 * Write events. event() writes one event, whose stamp is its number in the stream. events() writes `count` events,
 * which must all be accepted.
 */
enum txtap_status event_at(uint32_t id, uint32_t stamp);
enum txtap_status event(uint32_t id);
void events(unsigned count);

/* Writes an event with `count` words. In the transcript, "W2" is a correct block with the words of two events. */
enum txtap_status event_of_words(uint32_t id, uint8_t count);

/* Write one gap, mark or restart. */
enum txtap_status gap(uint64_t seq, uint64_t lost, bool exact);
enum txtap_status mark(enum txtap_mark_kind kind, uint64_t seq);
enum txtap_status restart(void);

/* Writes a sample of channel 0 or 1. In the transcript, "C1" is the block of a channel, and "S2" has two samples. */
enum txtap_status sample_of(uint32_t channel, uint64_t bits, const char *text);

/* Waits until no data are waiting to be written. */
void await_written(void);

/*
 * Return a file's content as text, which is valid until the next call. A part is one of several files made with -C.
 */
const char *transcript(void);
const char *transcript_of(const char *path);
const char *transcript_of_part(int part);
void append_item(const struct txtap_recording_item *item);

size_t file_bytes(void);
size_t part_bytes(int part);

#endif
