/* SPDX-License-Identifier: MIT */
/* What events tell of objects: which type a field's object has, and where an object begins to be. */
#ifndef TXTAP_DECODER_LIFETIME_H
#define TXTAP_DECODER_LIFETIME_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"

/* The object type that word i of an event of that row points to; TXTAP_OBJECT_NONE where several are possible. */
uint8_t lifetime_field_type(const struct txtap_event_info *info, size_t i);

#endif
