/* SPDX-License-Identifier: MIT */
/* Bytes as text in a page: compressed (RFC 1951, which browsers call deflate-raw), then in base64. */
#ifndef TXTAP_CAPTURE_VIEW_PACKED_H
#define TXTAP_CAPTURE_VIEW_PACKED_H

#include "base/failure.h"
#include "txtap/exporter.h"

struct packed;

/* writer: takes the text. TXTAP_ERROR_SYSTEM: no memory; *out is NULL. */
enum txtap_status packed_open(struct packed **out, struct txtap_writer writer, struct error *error);

/* What takes the bytes. Statuses as those of the writer behind it. */
struct txtap_writer packed_writer(struct packed *packed);

/* Writes what is left, unless status says that writing has failed, and frees. Returns the first failure. */
enum txtap_status packed_close(struct packed *packed, enum txtap_status status);

#endif
