/* SPDX-License-Identifier: MIT */
/* A kind of place for blocks: a subject of a NATS server. Each write is a message. Only block_disk.c uses this header.
 */
#ifndef TXTAP_CAPTURE_RECORD_BLOCK_DISK_NATS_H
#define TXTAP_CAPTURE_RECORD_BLOCK_DISK_NATS_H

#include "record/block_disk.h"

extern const struct block_disk_kind nats_disk_kind, nats_disk_tls_kind;

#endif
