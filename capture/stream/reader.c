/* SPDX-License-Identifier: MIT */
/* What each kind of ring keeps in its place. */
#include "stream/reader.h"

#include <assert.h>
#include <string.h>

void reader_place_put(struct reader_place *place, const void *own, size_t bytes)
{
    assert(bytes <= sizeof place->own);
    memcpy(place->own, own, bytes);
}

void reader_place_get(const struct reader_place *place, void *own, size_t bytes)
{
    assert(bytes <= sizeof place->own);
    memcpy(own, place->own, bytes);
}
