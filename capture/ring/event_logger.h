/* SPDX-License-Identifier: MIT */
/* The parts of the row of the event logger's ring. */
#ifndef TXTAP_CAPTURE_RING_EVENT_LOGGER_H
#define TXTAP_CAPTURE_RING_EVENT_LOGGER_H

#include "ring/ring_kind.h"

#define EVENT_LOGGER_SYMBOL "sys_k_event_logger"

/* event_logger.events, built in. */
extern const char event_logger_definitions[];

/* As struct ring_kind says. */
enum txtap_status event_logger_measure(struct session *session, const struct session_place *place,
                                       double *bytes_per_second, struct error *error);
enum txtap_status event_logger_describe(struct session *session, const struct session_place *place,
                                        const struct elf_file *elf, bool live, struct error *error);

#endif
