/* SPDX-License-Identifier: MIT */
/* A copy of target memory as a file, for tests that cannot include txtap/trace.h: the recorder's header uses the same
 * include guard. */
#ifndef TXTAP_TESTS_MEMORY_IMAGE_H
#define TXTAP_TESTS_MEMORY_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/registry.h"

/* Opens the trace buffer at `image` and passes on each of its entries, with the registry. */
void image_events(const uint8_t *image, size_t length,
                  void (*take)(const struct txtap_registry *registry, const uint8_t *entry, uint64_t seq));

#endif
