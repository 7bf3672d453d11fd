/* SPDX-License-Identifier: MIT */
/* Checks and parses the replies of OpenOCD's Tcl port: bytes in, numbers and messages out. It knows no sockets and does
 * not trust the server. openocd-cfg/txtap.tcl has the grammar of the replies. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_REPLY_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_REPLY_H

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
#define TCL_REPLY_EXTRA_BYTES  1024 /* size of a tag, or of an error's text */
#define TCL_PROBE_TAG          "txtap-probe "

struct tcl_target {
    char name[TCL_TARGET_NAME_BYTES];
    char all[TCL_TARGETS_BYTES]; /* names of all targets of the server, cut if too long; "" if there is only one target
                                  */
    char state[TCL_TARGET_STATE_BYTES]; /* OpenOCD's word: running, halted, unknown, ... */
    enum txtap_endian endian;
    bool reads_arrays; /* this is OpenOCD 0.11, without read_memory */
};

/* Checks the reply to the probe. Returns NULL if it begins like a reply of OpenOCD's Tcl port, or is too short to tell;
 * otherwise a guess which server it is, as the end of a sentence. */
const char *tcl_reply_foreign(const char *reply, size_t length);

/* Reports whether this text can be a target's name, and can be used unquoted in a Tcl command. */
bool tcl_reply_is_name(const char *name);

/* Parses the answer to txtap_hello. ERROR_TARGET: no target, or not examined. TXTAP_ERROR_USAGE: no target of the
 * requested name. ERROR_PROTOCOL: not such an answer. */
enum txtap_status tcl_reply_hello(const char *reply, size_t length, struct tcl_target *target, struct error *error);

/*
 * Parses the answer to txtap_read: fills the buffers of all reads with the words, in the target's byte order.
 * ERROR_FAULT or _TARGET: the server reports this error. ERROR_PROTOCOL: the answer does not have exactly the requested
 * words.
 */
enum txtap_status tcl_reply_words(const char *reply, size_t length, enum txtap_endian endian,
                                  const struct txtap_read *reads, size_t count, struct error *error);

/* Parses the answer to txtap_gdb about that GDB port. TXTAP_OK: a connection to the port leaves the target alone.
 * ERROR_UNSAFE: a connection may change the target. _PROTOCOL: not such an answer. */
enum txtap_status tcl_reply_gdb(const char *reply, size_t length, const char *port, struct error *error);

#endif
