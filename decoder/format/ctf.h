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

/* ---- metadata ---- */

/* For ops->metadata. */
enum txtap_status ctf_metadata(struct txtap_exporter *self, struct txtap_writer writer);

#endif
