/* SPDX-License-Identifier: MIT */
/*
 * Parses any text as CTF metadata, and any bytes as a stream with this metadata. The text ends at the first NUL of the
 * input; the rest of the input is the stream.
 */
#include <string.h>

#include "fuzz.h"
#include "txtap/inner/ctf_layout.h"

static void check_counter(const struct txtap_ctf_counter *counter, size_t length)
{
    REQUIRE(counter->bytes + counter->partial == length);
    REQUIRE(counter->records <= length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct txtap_ctf_layout layout;
    const uint8_t *end = memchr(data, 0, length);
    size_t text_bytes = end != NULL ? (size_t)(end - data) : length;
    const uint8_t *stream = data + text_bytes;
    size_t stream_bytes = length - text_bytes, half = stream_bytes / 2;
    struct txtap_ctf_counter whole = {0}, pieces = {0};
    enum txtap_status status = txtap_ctf_layout_parse(&layout, (const char *)data, text_bytes);

    if (status != TXTAP_OK) {
        REQUIRE(status == TXTAP_ERROR_FORMAT && layout.complaint[0] != '\0' && layout.error_line > 0);
        for (const char *at = layout.complaint; *at != '\0'; at++)
            REQUIRE(*at >= ' ' && *at <= '~');
        return 0;
    }
    REQUIRE(layout.header_bytes <= TXTAP_CTF_HEADER_MAX && layout.event_count > 0);
    REQUIRE(layout.id_bytes > 0 && layout.id_at + layout.id_bytes <= layout.header_bytes);
    for (size_t i = 1; i < layout.event_count; i++)
        REQUIRE(layout.events[i - 1].id < layout.events[i].id);
    txtap_ctf_count(&layout, &whole, stream, stream_bytes);
    txtap_ctf_count(&layout, &pieces, stream, half);
    txtap_ctf_count(&layout, &pieces, stream + half, stream_bytes - half);
    check_counter(&whole, stream_bytes);
    check_counter(&pieces, stream_bytes);
    REQUIRE(whole.records == pieces.records && whole.bytes == pieces.bytes);
    return 0;
}
