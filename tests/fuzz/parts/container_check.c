/* SPDX-License-Identifier: MIT */
#include "container_check.h"

#include <stdbool.h>

#include "fuzz.h"

static void check_segments(const struct txtap_container *container, const uint8_t *memory,
                           const struct txtap_segment *segments, size_t count, uint64_t overlapping)
{
    bool in_file = container->memory_bytes == 0;
    const uint8_t *from = in_file ? container->file : memory;
    size_t room = in_file ? container->file_bytes : container->memory_bytes;
    uint64_t sum = 0;

    REQUIRE(count <= container->segments_max);
    for (size_t i = 0; i < count; i++) {
        const struct txtap_segment *segment = &segments[i];

        REQUIRE(segment->length > 0 && segment->length - 1 <= UINT64_MAX - segment->address);
        REQUIRE(segment->bytes >= from && (size_t)(segment->bytes - from) <= room);
        REQUIRE(segment->length <= room - (size_t)(segment->bytes - from));
        REQUIRE(i == 0 || segment->address - 1 > segment[-1].address + (segment[-1].length - 1));
        sum += segment->length;
    }
    REQUIRE(in_file || sum + overlapping == container->memory_bytes);
}

void container_check(const uint8_t *bytes, size_t length)
{
    struct txtap_container container;
    enum txtap_status status = txtap_container_open(&container, bytes, length);
    struct txtap_segment *segments;
    uint8_t *memory;
    size_t count;
    uint64_t overlapping;

    if (status != TXTAP_OK) {
        REQUIRE(container.error[0] != '\0');
        return;
    }
    REQUIRE(container.memory_bytes <= length);
    /* At least one byte, because malloc(0) may return NULL. */
    memory = malloc(container.memory_bytes + (container.memory_bytes == 0));
    segments = malloc((container.segments_max + (container.segments_max == 0)) * sizeof *segments);
    REQUIRE(memory != NULL && segments != NULL);
    REQUIRE(txtap_container_read(&container, memory, segments, &count, &overlapping) == TXTAP_OK);
    check_segments(&container, memory, segments, count, overlapping);
    free(memory);
    free(segments);
}
