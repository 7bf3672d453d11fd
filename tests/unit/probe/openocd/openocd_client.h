/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl client for tests, and memory for OpenOCD's target. */
#ifndef TXTAP_TESTS_TCL_CLIENT_H
#define TXTAP_TESTS_TCL_CLIENT_H

#include "probe/openocd/openocd.h"

#define TIMEOUT_MS 30000

/*
 * The target of OpenOCD's dummy adapter has no memory. These Tcl procedures replace it: from 0x20000000 to 0x2003ffff,
 * each word is its address xor 0x5a5a5a5a. Other addresses are refused. ::seen keeps the last byte of each requested
 * address.
 */
#define MEMORY_MODEL                                                                                                   \
    "rename x.cpu x.real; set ::seen {}; proc x.cpu {command args} {"                                                  \
    " if {$command eq {read_memory}} { lassign $args address width count; return [model $address $count] };"           \
    " if {$command eq {mem2array}} { lassign $args name width address count; upvar $name data;"                        \
    "  set i 0; foreach word [model $address $count] { set data($i) [expr {$word + 0}]; incr i }; return {} };"        \
    " return [{*}[list \"x.cpu $command\"] {*}$args] };"                                                               \
    "proc model {address count} { lappend ::seen [expr {$address & 0xff}]; set words {};"                              \
    " if {$address < 0x20000000 || $address + $count * 4 > 0x20040000} { error {failed to read memory} };"             \
    " for {set i 0} {$i < $count} {incr i} {"                                                                          \
    "  lappend words [format 0x%x [expr {($address + $i * 4) ^ 0x5a5a5a5a}]] }; return $words }"
#define TESTEE "target create x.cpu testee -chain-position x.cpu"

/* Opens a client of the OpenOCD on port `port` of 127.0.0.1. Fails the test if OpenOCD does not answer. */
struct tcl_source *open_or_fail(const char *port);
void close_tcl(struct tcl_source *tcl);

enum txtap_status read_words(struct tcl_source *tcl, uint32_t address, uint8_t *bytes, uint32_t length);
const char *error_of(struct tcl_source *tcl);

/* Checks that connecting fails with this status and a message of one clean line, which contains `words`. */
void open_fails(const char *host, const char *port, unsigned timeout_ms, enum txtap_status expected, const char *words);

#endif
