/* SPDX-License-Identifier: MIT */
/* A real OpenOCD without hardware (its dummy adapter), on free ports of 127.0.0.1. */
#ifndef TXTAP_TESTS_OPENOCD_PROCESS_H
#define TXTAP_TESTS_OPENOCD_PROCESS_H

#include <sys/types.h>

struct openocd {
    pid_t pid;
    int log; /* kept open, so that OpenOCD can keep writing */
    char tcl_port[8];
    char telnet_port[8];
};

/* Starts OpenOCD. commands: run after the scan chain `x.cpu` is declared, before and after init. Fails the test if
 * OpenOCD does not start.
 */
void openocd_start(struct openocd *openocd, const char *before_init, const char *after_init);

void openocd_stop(struct openocd *openocd);

#endif
