/* SPDX-License-Identifier: MIT */
/*
 * What comes back over OpenOCD's Tcl port, checked. Bytes in, numbers and sentences out: knows no socket, believes no
 * server. The replies' grammar is openocd-cfg/txtap.tcl's.
 */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_REPLY_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define TCL_TARGET_NAME_BYTES  64
#define TCL_TARGET_STATE_BYTES 24
#define TCL_TARGETS_BYTES      128
#define TCL_WORD_TEXT_BYTES    11   /* " 0x89abcdef": longest text of one word */
#define TCL_REPLY_EXTRA_BYTES  1024 /* tag, or an error's text */
#define TCL_PROBE_TAG          "txtap-probe "

struct tcl_target {
    char name[TCL_TARGET_NAME_BYTES];
    char all[TCL_TARGETS_BYTES];        /* names of all targets of the server, "" if it has one; cut if too long */
    char state[TCL_TARGET_STATE_BYTES]; /* OpenOCD's word: running, halted, unknown, ... */
    enum txtap_endian endian;
    bool reads_arrays; /* OpenOCD 0.11: no read_memory */
};

/*
 * Who answered the probe: NULL if the reply begins (or, still incomplete, can begin) as OpenOCD's Tcl port does; else
 * what the peer rather is, as the end of a sentence.
 */
const char *tcl_reply_foreign(const char *reply, size_t length);

/* Whether that can be a target's name, and stand in a Tcl command as it is. */
bool tcl_reply_is_name(const char *name);

/*
 * The answer to txtap_hello. ERROR_TARGET: no target, or not examined. TXTAP_ERROR_USAGE: not the one that is
 * wanted. ERROR_PROTOCOL: nonsense.
 */
enum txtap_status tcl_reply_hello(const char *reply, size_t length, struct tcl_target *target, struct error *error);

/*
 * The answer to txtap_read: fills the buffers of all reads with the words, as they lie in the target's memory.
 * ERROR_FAULT or _TARGET as the server says, ERROR_PROTOCOL if the words are not exactly those asked for.
 */
enum txtap_status tcl_reply_words(const char *reply, size_t length, enum txtap_endian endian,
                                  const struct txtap_read *reads, size_t count, struct error *error);

/*
 * The answer to txtap_gdb, of GDB port `port`. TXTAP_OK: connecting there leaves the target as it is.
 * ERROR_UNSAFE if not, _PROTOCOL nonsense.
 */
enum txtap_status tcl_reply_gdb(const char *reply, size_t length, const char *port, struct error *error);

#endif
