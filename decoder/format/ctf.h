/* SPDX-License-Identifier: MIT */
/* The classes of events of a CTF trace, which its metadata declares and its stream uses. */
#ifndef TXTAP_DECODER_FORMAT_CTF_H
#define TXTAP_DECODER_FORMAT_CTF_H

#include "format/exporter.h"

#define CTF_MAGIC     0xC1FC1FC1u
#define CTF_NO_THREAD 0 /* tid of what is no thread: idle, as on Linux; */
#define CTF_UNKNOWN   (-1)
#define CTF_INIT      (-2)

enum ctf_class {
    CTF_SCHED_SWITCH,
    CTF_SCHED_WAKEUP,
    CTF_IRQ_ENTRY,
    CTF_IRQ_EXIT,
    CTF_OTHER, /* an event without a row in the table */
    CTF_ROWS   /* the row n of the table is class CTF_ROWS + n */
};

/* The class of the event's row; info: NULL: it has none. */
uint32_t ctf_class_of(const struct txtap_event_info *info);

/* Stamps count in this unit. */
uint64_t ctf_clock_hz(double tick_hz);

/* For ops->metadata. */
enum txtap_status ctf_metadata(struct txtap_exporter *self, struct txtap_writer writer);

#endif
