/* SPDX-License-Identifier: MIT */
/*
 * Reads the CTF that Zephyr's tracing writes into RAM: a buffer that is filled once, and the position up to which it is
 * filled. The target discards the first record that does not fit and all later records. It does not count the discarded
 * records. Source: Zephyr subsys/tracing/tracing_backend_ram.c. The caller alternates plan and commit as in ring.h.
 */
#ifndef TXTAP_CTF_RAM_H
#define TXTAP_CTF_RAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/header.h"
#include "txtap/source.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

#define TXTAP_CTF_RAM_BYTES_MAX   (64u * 1024 * 1024)
#define TXTAP_CTF_RAM_GUARD_BYTES 32u
#define TXTAP_CTF_RAM_READS_MAX   5

struct txtap_ctf_ram_place {
    enum txtap_endian endian;
    uint32_t buffer, size; /* address, and size in bytes: 1 to BYTES_MAX */
    uint32_t position;     /* address of the word that contains the number of bytes filled */
    bool has_full;         /* the target has a one-byte flag, which it sets when a record does not fit */
    uint32_t full;         /* address of that flag */
};

struct txtap_ctf_ram {
    struct txtap_ctf_ram_place place;
    uint64_t next; /* bytes before this position were delivered */
    uint64_t head; /* the target has written all bytes before this position */
    bool full;     /* the target discards all further records; always false while the position is 0 */
    bool cleared;  /* the guard was cleared: the target is starting, and head may be out of date */

    /* private */
    uint8_t *buffer; /* borrowed: room for the bytes of one exchange */
    uint32_t buffer_bytes;
    uint8_t guard[TXTAP_CTF_RAM_GUARD_BYTES]; /* the last guard_bytes bytes delivered */
    uint32_t guard_bytes;
};

/* One exchange. Must not be moved before it is committed. */
struct txtap_ctf_ram_plan {
    struct txtap_read reads[TXTAP_CTF_RAM_READS_MAX];
    size_t count;        /* number of reads */
    uint64_t first, end; /* positions of the bytes to read */

    /* private */
    uint32_t skip;       /* number of extra bytes read before first, for alignment */
    uint32_t guard_skip; /* number of extra bytes read before the guard, for alignment */
    bool guarded;        /* guard was read */
    uint8_t position[8], full[4];
    uint8_t guard[TXTAP_CTF_RAM_GUARD_BYTES + 8];
};

/* Starts a reader. buffer: buffer_bytes bytes, a multiple of 4 and at least 16; borrowed as long as ram is in use. */
void txtap_ctf_ram_init(struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_place *place, uint8_t *buffer,
                        uint32_t buffer_bytes);

/* Plans the next reads. */
void txtap_ctf_ram_plan(struct txtap_ctf_ram *ram, struct txtap_ctf_ram_plan *plan);

/*
 * Takes the answers to a plan after all of its reads succeeded. TXTAP_OK: *bytes points to the next *count bytes of the
 * stream, which are valid until the next plan; *count may be 0. TXTAP_ERROR_MOVED: the target restarted.
 * TXTAP_ERROR_POINTER: the position is beyond the buffer. After an error ram is unchanged.
 */
enum txtap_status txtap_ctf_ram_commit(struct txtap_ctf_ram *ram, const struct txtap_ctf_ram_plan *plan,
                                       const uint8_t **bytes, uint32_t *count);

TXTAP_API_END

#endif
