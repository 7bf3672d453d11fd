/* SPDX-License-Identifier: MIT */
/* The parts of the row of the event logger's ring. */
#ifndef TXTAP_CAPTURE_RING_EVENT_LOGGER_H
#define TXTAP_CAPTURE_RING_EVENT_LOGGER_H

#include "ring/ring_kind.h"
#include "txtap/event_logger.h"

#define EVENT_LOGGER_SYMBOL "sys_k_event_logger"

/* event_logger.events, built in. */
extern const char event_logger_definitions[];

/* As struct ring_kind says. */
enum txtap_status event_logger_measure(struct poller *poller, double *bytes_per_second, struct error *error);
enum txtap_status event_logger_describe(struct poller *poller, const struct poller_place *place,
                                        const struct elf_file *elf, struct error *error);

/* Its place.own is a struct txtap_logger_place. Threads get their names from place.name_at() as they appear. */
extern const struct reader_ops logger_reader_ops;

/* For a poller that reads such a ring, while the ring is not over. */
const struct txtap_logger_ring *logger_ring_of(const struct poller *poller);

/* The name of the thread at an address, without the prefix of Zephyr's macros. False: not known. */
bool logger_thread_name(const struct reader_place *place, uint32_t address, char *name, size_t name_bytes);

#endif
