/* SPDX-License-Identifier: MIT */
/* What the exporter for Perfetto remembers, and the packets of which its file consists. perfetto.c says which and when.
 * Field numbers: Perfetto's protos/perfetto/trace/. */
#ifndef TXTAP_DECODER_FORMAT_PERFETTO_H
#define TXTAP_DECODER_FORMAT_PERFETTO_H

#include "format/exporter.h"
#include "format/protobuf.h"
#include "txtap/next_context.h"

/* States of a thread as Perfetto numbers them. NONE: nothing was said yet. */
enum task_state { TASK_NONE = 0, TASK_RUNNABLE = 2, TASK_RUNNING = 3, TASK_SLEEPS = 4, TASK_STOPPED = 6 };

/* Tracks by their identity: some, then those of each core, then those of threads and objects. */
enum {
    TRACK_PROCESS = 1,
    TRACK_INIT,
    TRACK_MARKS,
    TRACK_LOST,
    TRACK_OBJECTS,
    TRACK_CORES = 16,                                   /* interrupts */
    TRACK_LOST_TASKS = TRACK_CORES + TXTAP_CORES_MAX,   /* what runs on a core while events are lost */
    TRACK_THREADS = TRACK_LOST_TASKS + TXTAP_CORES_MAX, /* even numbers; odd ones are objects */
};

/* Threads have 1 and up; the kernel has no processes, and Perfetto makes a thread of each process. */
#define TASK_PROCESS 100000u
#define TASK_LOST    100001u /* of core 0: what runs while events are lost */

#define INTERNED       1024u
#define INTERNED_BYTES 64u

/* Texts that are written once, and from then on are numbers. */
enum interned_kind { INTERNED_EVENT = 2, INTERNED_LABEL = 3, INTERNED_STRING = 29 };

struct interned {
    uint64_t number; /* 0: this slot is unused */
    uint32_t hash;
    uint8_t kind;
    char text[INTERNED_BYTES];
};

struct perfetto_thread {
    uint64_t last_ns; /* of its last state */
    uint64_t flow;    /* from who woke it to its next turn; 0: none */
    uint32_t address, priority, name_hash;
    uint32_t core; /* that it ran on last */
    enum task_state state;
    bool described, priority_known;
    bool waits; /* a slice says for what, */
    uint32_t wait;
};

struct perfetto_object {
    uint32_t name_hash;
    bool described;
};

struct perfetto_core {
    bool seen, interrupts_described, lost_described;
    uint32_t depth; /* interrupts that were entered and not left */
};

#define HELD_COUNTERS 4u
#define HELD_FLOWS    4u

/* An event waits for what follows from it: counters and flows go into its packet. */
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
    uint64_t now_ns;       /* no two states have the same time: Perfetto could not tell which is the later one */
    uint64_t flows, texts; /* numbers given so far */
    bool in_gap;
    uint64_t gap_ns;
    struct perfetto_held held;
    struct interned interned[INTERNED];
    struct perfetto_core cores[TXTAP_CORES_MAX];
    struct perfetto_thread *threads; /* behind this struct, as many as limits say, */
    struct perfetto_object *objects; /* and these */
};

/* ---- packets ---- */

struct packet {
    struct line line;
    struct protobuf message;
    uint8_t *begin;
};

/* TEXTS: it refers to texts by number. */
enum packet_kind { PACKET_TIMELESS, PACKET_TIMED, PACKET_TIMED_TEXTS };

/* Begins a packet. ns: only if it has a time. */
void packet_begin(struct txtap_exporter *self, struct packet *packet, enum packet_kind kind, uint64_t ns);
enum txtap_status packet_end(struct txtap_exporter *self, struct packet *packet);

/* What stands before all others. */
enum txtap_status perfetto_first(struct txtap_exporter *self);

uint32_t perfetto_hash(const char *text);

/* The number that stands for the text from now on; 0: it is too long, and must be written as it is. */
uint64_t perfetto_text(struct txtap_exporter *self, enum interned_kind kind, const char *text);

enum track_event_type { TRACK_BEGIN = 1, TRACK_END = 2, TRACK_INSTANT = 3, TRACK_COUNTER = 4 };

/* The beginning of a track event, which protobuf_close() ends. name: NULL: none. */
uint8_t *track_event_open(struct packet *packet, enum track_event_type type, uint64_t track);

/* A whole track event. name: NULL: none. */
enum txtap_status perfetto_track_event(struct txtap_exporter *self, enum track_event_type type, uint64_t track,
                                       uint64_t ns, const char *name);
enum txtap_status perfetto_counter(struct txtap_exporter *self, uint64_t track, uint64_t ns, uint64_t value);
enum txtap_status perfetto_task(struct txtap_exporter *self, uint64_t ns, uint64_t task, enum task_state state,
                                uint32_t core, uint32_t priority);

/* ---- descriptions ---- */

/* What stands at the beginning of each file. */
enum txtap_status perfetto_begin(struct txtap_exporter *self);

/* Says who the thread is, if that was not said, or if its name is another one now. seq: of the event that means it. */
enum txtap_status perfetto_describe_thread(struct txtap_exporter *self, struct txtap_change_party thread, uint64_t seq);
enum txtap_status perfetto_describe_object(struct txtap_exporter *self, struct txtap_change_party object, uint64_t seq);
enum txtap_status perfetto_describe_interrupts(struct txtap_exporter *self, uint32_t core);
enum txtap_status perfetto_describe_lost(struct txtap_exporter *self, uint32_t core);

/* The party's name, or its address. room: TXTAP_OBJECT_NAME_BYTES bytes. Returns it. */
const char *perfetto_name(const struct txtap_exporter *self, struct txtap_change_party party, uint64_t seq, char *room);

static inline uint64_t thread_track(uint32_t number)
{
    return TRACK_THREADS + 2 * (uint64_t)number;
}

static inline uint64_t object_track(uint32_t number)
{
    return TRACK_THREADS + 1 + 2 * (uint64_t)number;
}

/* ---- events ---- */

/* Writes the event that waits, if there is one. */
enum txtap_status perfetto_write_held(struct txtap_exporter *self);

#endif
