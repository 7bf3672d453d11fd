/* SPDX-License-Identifier: MIT */
/*
 * Reads what Zephyr's tracing writes into RAM as CTF: a buffer that fills up once, and the position up to which it is
 * filled, which only grows. When a record does not fit, the target discards it and all that follow, without counting.
 * Source: subsys/tracing/tracing_backend_ram.c. Plan and commit as in ring.h.
 */
#ifndef TXTAP_ZEPHYR_RAM_H
#define TXTAP_ZEPHYR_RAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/header.h"
#include "txtap/source.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

#define TXTAP_ZEPHYR_RAM_BYTES_MAX   (64u * 1024 * 1024)
#define TXTAP_ZEPHYR_RAM_GUARD_BYTES 32u
#define TXTAP_ZEPHYR_RAM_READS_MAX   5

struct txtap_zephyr_ram_place {
    enum txtap_endian endian;
    uint32_t buffer, size; /* address, and bytes: 1 to BYTES_MAX */
    uint32_t position;     /* address of the word that says how many bytes are filled */
    bool has_full;         /* there is a flag, a byte, that says that a record did not fit */
    uint32_t full;         /* its address */
};

struct txtap_zephyr_ram {
    struct txtap_zephyr_ram_place place;
    uint8_t *buffer; /* the caller's, for what one exchange reads */
    uint32_t buffer_bytes;
    uint64_t next;                               /* what is before it was delivered */
    uint64_t head;                               /* written up to here */
    bool full;                                   /* what came later was discarded; not told while position is 0 */
    uint8_t guard[TXTAP_ZEPHYR_RAM_GUARD_BYTES]; /* the last bytes delivered */
    bool cleared;                                /* these are zero now: it is starting, and head may be the old one's */
    uint32_t guard_bytes;
};

/* One exchange. To be kept unmoved until committed. */
struct txtap_zephyr_ram_plan {
    struct txtap_read reads[TXTAP_ZEPHYR_RAM_READS_MAX];
    size_t count;
    uint64_t first, end; /* which bytes stand if all is well */
    uint32_t skip;       /* bytes read before first, for the sake of alignment */
    uint32_t guard_skip;
    bool guarded;
    uint8_t position[8], full[4];
    uint8_t guard[TXTAP_ZEPHYR_RAM_GUARD_BYTES + 8];
};

/* buffer: room for buffer_bytes, a multiple of 4 and at least 16, the caller's for as long as it is used. */
void txtap_zephyr_ram_init(struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_place *place, uint8_t *buffer,
                           uint32_t buffer_bytes);

void txtap_zephyr_ram_plan(struct txtap_zephyr_ram *ram, struct txtap_zephyr_ram_plan *plan);

/*
 * TXTAP_OK: *bytes are the next *count bytes of the stream, valid until the next plan, maybe none.
 * TXTAP_ERROR_MOVED: the target restarted. TXTAP_ERROR_POINTER: the position is beyond the buffer. Nothing changed
 * then.
 */
enum txtap_status txtap_zephyr_ram_commit(struct txtap_zephyr_ram *ram, const struct txtap_zephyr_ram_plan *plan,
                                          const uint8_t **bytes, uint32_t *count);

TXTAP_API_END

#endif
