/* SPDX-License-Identifier: MIT */
/* A CTF trace: its packets and its event classes. The metadata declares the event classes, and the stream uses them. */
#ifndef TXTAP_DECODER_FORMAT_CTF_H
#define TXTAP_DECODER_FORMAT_CTF_H

#include "format/exporter.h"
#include "txtap/inner/change.h"

#define CTF_MAGIC     0xC1FC1FC1u
#define CTF_NO_THREAD 0 /* tid of idle, as on Linux */
#define CTF_UNKNOWN   (-1)
#define CTF_INIT      (-2)

enum ctf_class {
    CTF_SCHED_SWITCH,
    CTF_SCHED_WAKEUP,
    CTF_IRQ_ENTRY,
    CTF_IRQ_EXIT,
    CTF_OTHER,     /* an event without a row in the table or the definitions */
    CTF_THREAD,    /* identity of a thread, before the first event that refers to the thread */
    CTF_INTERRUPT, /* an interrupt started; its end is not recorded */
    CTF_GAP,       /* events were lost before this event */
    CTF_MARK,
    CTF_SAMPLE, /* a value, or a program counter */
    CTF_LOG,    /* a line of a log */
    CTF_ROWS /* row n of the table has class CTF_ROWS + n; the rows of the definitions have the classes after these */
};

/* Returns the class for the event's row in the table or in the definitions. info: NULL if the event has no row. */
uint32_t ctf_class_of(const struct txtap_definitions *definitions, const struct txtap_event_info *info);

/* Returns the number of stamp units per second. */
uint64_t ctf_clock_hz(double tick_hz);

/* ---- metadata ---- */

/* Writes the metadata. The function implements ops->metadata. */
enum txtap_status ctf_metadata(struct txtap_exporter *self, struct txtap_writer writer);

#endif
