/* SPDX-License-Identifier: MIT */
/* A real OpenOCD without hardware (its dummy adapter), on free ports of 127.0.0.1. */
#ifndef TXTAP_TESTS_OPENOCD_PROCESS_H
#define TXTAP_TESTS_OPENOCD_PROCESS_H

#include <sys/types.h>

struct openocd {
    pid_t pid;
    int log; /* stays open, so that OpenOCD can always write */
    char tcl_port[8];
    char telnet_port[8];
};

/* Starts OpenOCD. Both command texts run after the scan chain `x.cpu` is declared: before init, and after it. Fails the
 * test if OpenOCD does not start.
 */
void openocd_start(struct openocd *openocd, const char *before_init, const char *after_init);

void openocd_stop(struct openocd *openocd);

#endif
