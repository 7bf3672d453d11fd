/* SPDX-License-Identifier: MIT */
/* The kinds of ring that can be read. */
#ifndef TXTAP_CAPTURE_BASE_RING_KIND_H
#define TXTAP_CAPTURE_BASE_RING_KIND_H

enum reader_kind { READER_TXTB, READER_LOGGER, READER_ZEPHYR_RAM };

#endif
