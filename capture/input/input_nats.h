/* SPDX-License-Identifier: MIT */
/* A kind of place: a subject of a NATS server. "?since_us=N" after the subject begins with the file of this time, in
 * microseconds since 1970. Only input.c uses this header. */
#ifndef TXTAP_CAPTURE_INPUT_INPUT_NATS_H
#define TXTAP_CAPTURE_INPUT_INPUT_NATS_H

#include "input/input.h"

extern const struct input_kind nats_input_kind, nats_input_tls_kind;

#endif
