/* SPDX-License-Identifier: MIT */
/* The text of openocd-cfg/txtap.tcl, built in (capture/embed.cmake). */
#ifndef TXTAP_CAPTURE_TCL_PROCEDURES_H
#define TXTAP_CAPTURE_TCL_PROCEDURES_H

extern const char tcl_procedures[]; /* ends in a NUL */

#endif
