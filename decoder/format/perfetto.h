/* SPDX-License-Identifier: MIT */
/*
 * The state of the exporter for Perfetto, and the packets of its file. perfetto.c decides when each packet is written.
 * Field numbers: Perfetto's protos/perfetto/trace/.
 */
#ifndef TXTAP_DECODER_FORMAT_PERFETTO_H
#define TXTAP_DECODER_FORMAT_PERFETTO_H

#include "format/exporter.h"
#include "format/protobuf.h"
#include "txtap/inner/next_context.h"
#include "txtap/inner/change.h"

/* Perfetto's numbers for the states of a thread. NONE: no state has been written yet. */
enum task_state { TASK_NONE = 0, TASK_RUNNABLE = 2, TASK_RUNNING = 3, TASK_SLEEPS = 4, TASK_STOPPED = 6 };

/* Track numbers: first the single tracks, then rows of tracks. Each row has one track per number. Small numbers take
 * fewer bytes. */
enum {
    TRACK_ROOT = 0,
    TRACK_PROCESS,
    TRACK_INIT,
    TRACK_MARKS,
    TRACK_LOST,
    TRACK_OBJECTS,
    TRACK_SAMPLES,
    TRACK_ROWS = 8
};
enum track_row {
    ROW_THREAD,
    ROW_OBJECT,
    ROW_INTERRUPTS,
    ROW_LOST_TASK /* one task per core, like the row of interrupts */,
    ROW_DEFINED,
    ROW_CHANNEL,
    ROW_COUNT
};

/* Threads have the numbers from 1 on. A generic kernel has no processes, and Perfetto shows each process as a
 * thread. */
#define TASK_PROCESS 100000u
#define TASK_LOST    100001u /* this task runs on core 0 while events are lost */

#define INTERNED       512u
#define INTERNED_BYTES 256u
#define PLACED         1024u

/* Kinds of texts that are written once. Later packets refer to such a text by its number. */
enum interned_kind { INTERNED_EVENT = 2, INTERNED_LABEL = 3, INTERNED_STRING = 29 };

struct interned {
    uint64_t number; /* 0: this slot is unused */
    uint32_t hash;
    uint8_t kind;
    char text[INTERNED_BYTES];
};

/* The number of an interned text, stored by the address of the text. A look-up by address is faster. */
struct placed {
    const char *text;
    uint64_t number;
    uint32_t generation; /* generation of the registry: in another generation the bytes at the address may differ */
    uint8_t kind;
};

/* The last name that was written for a thread or object. object: the named object in the registry; NULL: no object, or
 * no name, so the address was written. */
struct perfetto_name {
    bool written;
    uint32_t generation;
    const struct txtap_object *object;
};

struct perfetto_thread {
    uint64_t last_ns; /* time of the thread's last state */
    uint64_t flow;    /* number of the arrow from the thread's waker to the thread's next run; 0: no arrow */
    struct perfetto_name name;
    uint32_t address, priority;
    uint32_t core; /* core on which the thread ran last */
    enum task_state state;
    bool priority_known;
    bool waits; /* a slice shows the thread's wait */
    enum txtap_wait wait_reason;
    uint32_t wait_number; /* number of the object that the thread waits for */
    struct perfetto_name wait_object;
    uint64_t wait_text; /* number of the text for reason and object */
};

struct perfetto_object {
    struct perfetto_name name;
};

/* The state of a slice or counter from the definitions. */
struct perfetto_defined {
    bool described;
    uint32_t depth; /* number of slices that began and have not ended */
};

/* The track of a channel of samples. */
struct perfetto_channel {
    bool described;
    bool begun;    /* a slice shows the state below */
    uint64_t text; /* number of the text of the slice */
};

struct perfetto_core {
    bool seen, interrupts_described, lost_described;
    uint32_t depth; /* number of interrupts that were entered and have not ended */
};

#define INTERRUPTS 64u

struct perfetto_interrupt {
    uint32_t number;
    const char *name; /* NULL: the number is shown alone */
    uint64_t text;    /* number of the text of the interrupt's name; 0: this slot is unused */
};

#define HELD_COUNTERS 4u
#define HELD_FLOWS    4u

/* An event that is not written yet. It waits for its changes, because its packet contains their counters and flows. */
struct perfetto_held {
    bool any;
    struct txtap_event event;
    uint32_t thread;
    uint64_t ns;
    size_t counter_count, flow_count;
    struct {
        uint64_t track;
        uint32_t value;
    } counters[HELD_COUNTERS];
    uint64_t flows[HELD_FLOWS];
};

struct perfetto {
    uint64_t ticks, ns; /* ticks and nanoseconds of the last conversion */
    uint64_t packet_ns; /* time of the last packet with a time; later packets have times relative to this time */
    /* The last time that was used. No two states have the same time, because Perfetto would not know their order. */
    uint64_t now_ns;
    uint64_t flows, texts; /* numbers of flows and texts used so far */
    bool in_gap;
    uint64_t gap_ns;
    struct perfetto_held held;
    struct interned interned[INTERNED];
    struct placed placed[PLACED];
    struct perfetto_interrupt interrupts[INTERRUPTS];
    struct perfetto_core cores[TXTAP_CORES_MAX];
    struct perfetto_defined defined[TXTAP_DEFINITION_ROWS_MAX];
    struct perfetto_channel channels[TXTAP_CHANNELS_MAX];
    uint64_t samples_ns;             /* time of the last sample */
    bool samples_described;          /* the track above the channels' tracks was described */
    struct perfetto_thread *threads; /* array after this struct in memory, with as many elements as the limits allow */
    struct perfetto_object *objects; /* array after the threads in memory, with as many elements as the limits allow */
};

/* Returns the nanoseconds of a tick. */
uint64_t perfetto_ns(struct txtap_exporter *self, uint64_t ticks);

/* ---- packets ---- */

struct packet {
    struct line line;
    struct protobuf message;
    uint8_t *begin;
};

/* Begins a packet with a time. */
void packet_begin_at(struct txtap_exporter *self, struct packet *packet, uint64_t ns);
enum txtap_status packet_end(struct txtap_exporter *self, struct packet *packet);

enum track_event_type { TRACK_BEGIN = 1, TRACK_END = 2, TRACK_INSTANT = 3, TRACK_COUNTER = 4 };

/* Begins a track event, which protobuf_close() ends. */
uint8_t *track_event_open(struct packet *packet, enum track_event_type type, uint64_t track);

/* Writes a complete track event. name: number of a text; 0: no name. */
enum txtap_status perfetto_track_event(struct txtap_exporter *self, enum track_event_type type, uint64_t track,
                                       uint64_t ns, uint64_t name);
enum txtap_status perfetto_counter(struct txtap_exporter *self, uint64_t track, uint64_t ns, uint64_t value);
enum txtap_status perfetto_counter_double(struct txtap_exporter *self, uint64_t track, uint64_t ns, double value);
enum txtap_status perfetto_task(struct txtap_exporter *self, uint64_t ns, uint64_t task, enum task_state state,
                                uint32_t core, uint32_t priority);

/* ---- texts ---- */

/*
 * Returns the number of the text. Writes the text first if it is new. Call it before packet_begin(). Texts are cut to
 * INTERNED_BYTES - 1 bytes.
 */
uint64_t perfetto_text(struct txtap_exporter *self, enum interned_kind kind, const char *text);

/* Like perfetto_text(), but only for a text that stays at its address as long as the registry does not change. */
uint64_t perfetto_placed_text(struct txtap_exporter *self, enum interned_kind kind, const char *text);

/* ---- descriptions ---- */

/* Writes the first packets of a file. */
enum txtap_status perfetto_begin(struct txtap_exporter *self);

/* Describes a track that is not the track of a thread. unit: unit of a counter; NULL: the track is not a counter. */
enum txtap_status perfetto_describe(struct txtap_exporter *self, uint64_t track, const char *name, const char *unit);
enum txtap_status perfetto_describe_child(struct txtap_exporter *self, uint64_t track, const char *name,
                                          const char *unit, uint64_t parent);

/*
 * Writes the thread's description, if it has not been written or if the name has changed. seq: seq of an event that
 * refers to the thread.
 */
enum txtap_status perfetto_describe_thread(struct txtap_exporter *self, struct txtap_change_party thread, uint64_t seq);
enum txtap_status perfetto_describe_object(struct txtap_exporter *self, struct txtap_change_party object, uint64_t seq);
enum txtap_status perfetto_describe_interrupts(struct txtap_exporter *self, uint32_t core);
enum txtap_status perfetto_describe_lost(struct txtap_exporter *self, uint32_t core);

/* Returns the number of the text for the thread's wait. The wait is usually the same as the thread's last wait. */
uint64_t perfetto_wait_text(struct txtap_exporter *self, struct perfetto_thread *row,
                            const struct txtap_change *change);

static inline uint64_t track_of(enum track_row row, uint32_t number)
{
    return TRACK_ROWS + ROW_COUNT * (uint64_t)number + row;
}

/* ---- slices and counters of the definitions ---- */

/* Writes the event as a slice or a counter, if its definition says so. */
enum txtap_status perfetto_write_defined(struct txtap_exporter *self, const struct txtap_event *event,
                                         const struct txtap_definition *definition, uint64_t ns);

/* Ends all slices. */
enum txtap_status perfetto_stop_defined(struct txtap_exporter *self, uint64_t ns);

/* ---- samples ---- */

enum txtap_status perfetto_sample(struct txtap_exporter *self, const struct txtap_sample *sample);

/* Ends the slices of all states, not before the last sample. */
enum txtap_status perfetto_stop_samples(struct txtap_exporter *self, uint64_t ns);

#endif
