/* SPDX-License-Identifier: MIT */
/* What the server and the firmware's variables say about a target, beside the ring itself. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_CHECK_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_CHECK_H

#include "attach/attach.h"

/*
 * Reads the firmware's variables in one exchange and sets what they say. Needs an ELF file whose symbols apply; if the
 * trace was switched off, checks again whether they do. On failure error is one line.
 */
enum txtap_status attach_check_variables(struct attachment *attachment, struct target_state *target,
                                         struct error *error);

/* CORE_UNKNOWN where the probe cannot be asked without stopping the core. */
enum core_state attach_core(const struct attachment *attachment);

/*
 * Why the target writes nothing, as one clause: the core is halted, or the firmware switched its trace off. NULL: no
 * reason is known.
 */
const char *attach_silence(struct attachment *attachment);

#endif
