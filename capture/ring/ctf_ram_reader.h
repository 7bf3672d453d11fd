/* SPDX-License-Identifier: MIT */
/* How a poller reads what Zephyr's tracing writes into RAM: as bytes. */
#ifndef TXTAP_CAPTURE_RING_CTF_RAM_READER_H
#define TXTAP_CAPTURE_RING_CTF_RAM_READER_H

#include "stream/poller.h"
#include "txtap/ctf_ram.h"

/* Its place.own is a struct txtap_ctf_ram_place. */
extern const struct reader_ops ram_reader_ops;

/* For a poller that reads such a buffer, while its ring is not over. */
const struct txtap_ctf_ram *zephyr_ram_of(const struct poller *poller);

#endif
