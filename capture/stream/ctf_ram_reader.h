/* SPDX-License-Identifier: MIT */
/* How a session reads what Zephyr's tracing writes into RAM: as bytes. */
#ifndef TXTAP_CAPTURE_STREAM_CTF_RAM_READER_H
#define TXTAP_CAPTURE_STREAM_CTF_RAM_READER_H

#include "stream/reader.h"

struct ram_reader;

/* read_bytes_max: of the source. NULL: out of memory. ram_reader_free() gives it back. */
struct ram_reader *ram_reader_new(const struct reader_place *place, uint32_t read_bytes_max);

/* NULL is allowed. */
void ram_reader_free(struct ram_reader *reader);

extern const struct reader_ops ram_reader_ops;

/* For what is to be known of it. */
const struct txtap_zephyr_ram *ram_reader_ram(const struct ram_reader *reader);

#endif
