/* SPDX-License-Identifier: MIT */
/* A CTF trace: its classes of events, which the metadata declares and the stream uses, and its packets. */
#ifndef TXTAP_DECODER_FORMAT_CTF_H
#define TXTAP_DECODER_FORMAT_CTF_H

#include "format/exporter.h"
#include "txtap/inner/change.h"

#define CTF_MAGIC     0xC1FC1FC1u
#define CTF_NO_THREAD 0 /* tid of what is no thread: idle, as on Linux; */
#define CTF_UNKNOWN   (-1)
#define CTF_INIT      (-2)

enum ctf_class {
    CTF_SCHED_SWITCH,
    CTF_SCHED_WAKEUP,
    CTF_IRQ_ENTRY,
    CTF_IRQ_EXIT,
    CTF_OTHER,     /* an event without a row */
    CTF_THREAD,    /* who a thread is, before the first event that is about it */
    CTF_INTERRUPT, /* an interrupt came; when it ended is not recorded */
    CTF_GAP,       /* events were lost up to here */
    CTF_MARK,
    CTF_ROWS /* the row n of the table is class CTF_ROWS + n; definitions follow in their order */
};

/* The class of the event's row, which is of the table or of the definitions; info: NULL: it has none. */
uint32_t ctf_class_of(const struct txtap_definitions *definitions, const struct txtap_event_info *info);

/* Stamps count in this unit. */
uint64_t ctf_clock_hz(double tick_hz);

/* ---- packets ---- */

#define CTF_PACKET_BYTES 16384u
#define CTF_CORES        4u

struct ctf {
    uint8_t packet[CTF_PACKET_BYTES];
    size_t used; /* 0: no packet is open */
    uint32_t core;
    uint64_t stamp, discarded;
    struct txtap_change_switch runs[CTF_CORES]; /* the newest switch: to whom */
    uint32_t *priority;                         /* by thread */
    bool *told;                                 /* by thread: CTF_THREAD was written */
};

static inline struct ctf *ctf_of(const struct txtap_exporter *self)
{
    return self->changes.state;
}

/*
 * Starts an event at the change's time: its fields follow. When a packet is full, or is of another core, it is
 * written, and the next one begins.
 */
enum txtap_status ctf_start_event(struct txtap_exporter *self, const struct txtap_change *change, uint32_t core,
                                  uint32_t class);

/* Inline, because bytes is a constant everywhere. */
static inline void ctf_store(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* A field of the event: a number, or a text, in which control characters and broken UTF-8 are escaped. */
static inline void ctf_put(struct ctf *ctf, uint64_t value, size_t bytes)
{
    ctf_store(ctf->packet + ctf->used, value, bytes);
    ctf->used += bytes;
}
void ctf_put_text(struct ctf *ctf, const char *text);

/* The same of an object's name, which is escaped once. */
void ctf_put_name(struct txtap_exporter *self, const struct txtap_object *object);

/* Writes the open packet, if there is one. For ops->flush, too. */
enum txtap_status ctf_close_packet(struct txtap_exporter *self);

/* From now on stamps are not below that of the time. */
void ctf_set_time(struct txtap_exporter *self, uint64_t ticks);

/* ---- metadata ---- */

/* For ops->metadata. */
enum txtap_status ctf_metadata(struct txtap_exporter *self, struct txtap_writer writer);

#endif
