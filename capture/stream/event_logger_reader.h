/* SPDX-License-Identifier: MIT */
/* How a session reads the ring of Zephyr's kernel event logger: as TXTB entries, with the names of threads. */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_LOGGER_READER_H
#define TXTAP_CAPTURE_STREAM_EVENT_LOGGER_READER_H

#include "stream/reader.h"
#include "txtap/registry.h"

struct logger_reader;

/*
 * registry: gets the threads as they are met; borrowed, as is what place->self is. read_bytes_max: of the source. NULL:
 * out of memory. logger_reader_free() gives it back.
 */
struct logger_reader *logger_reader_new(const struct reader_place *place, struct txtap_registry *registry,
                                        uint32_t read_bytes_max, enum txtap_ring_from from);

/* NULL is allowed. */
void logger_reader_free(struct logger_reader *reader);

extern const struct reader_ops logger_reader_ops;

/* The ring, for what is to be known of it. */
const struct txtap_logger_ring *logger_reader_ring(const struct logger_reader *reader);

/* What a session and its printer take for the header of a logger's ring at that address: that of its events. */
struct txtap_header logger_reader_header(uint32_t address, uint32_t entries);

#endif
