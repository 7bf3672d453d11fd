/* SPDX-License-Identifier: MIT */
/* Whether the core runs, as far as the server can be asked, and what else keeps a target silent. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_CORE_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_CORE_H

#include "attach/attach.h"

/* CORE_UNKNOWN where the probe cannot be asked without stopping the core. */
enum core_state attach_core(const struct attachment *attachment);

/*
 * Why a target writes nothing, as one clause: the core stands still, or the firmware switched its trace off. NULL:
 * nothing is known that would keep it from writing.
 */
const char *attach_silence(struct attachment *attachment);

#endif
