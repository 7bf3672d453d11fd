/* SPDX-License-Identifier: MIT */
/* The text of openocd-cfg/txtap.tcl, as embedded by capture/base/embed.cmake. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_PROCEDURES_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_PROCEDURES_H

extern const char tcl_procedures[]; /* ends in a NUL */

/* The text of openocd-cfg/common.cfg, likewise. */
extern const char openocd_configuration[];

/* The text of openocd-cfg/versions.tcl, likewise. */
extern const char openocd_versions[];

#endif
