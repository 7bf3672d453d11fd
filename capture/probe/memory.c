/* SPDX-License-Identifier: MIT */
/* Reads through any memory source. Knows no probe. */
#include "probe/memory.h"

enum txtap_status memory_read(struct txtap_source source, uint32_t address, uint8_t *bytes, uint32_t length)
{
    struct txtap_read read = {.address = address, .length = length, .buffer = bytes};

    return source.ops->read(source.self, &read, 1);
}

enum txtap_status memory_failure(struct txtap_source source, enum txtap_status status, const char *what,
                                 struct error *error)
{
    const char *cause = source.ops->error_text(source.self);
    const char *hint = source.ops->hint_text != NULL ? source.ops->hint_text(source.self) : "";

    return failure(error, status, "%.64s%s%s\n%s", what != NULL ? what : "", what != NULL ? ": " : "",
                   cause != NULL && *cause != '\0' ? cause : status_text(status), hint);
}

uint32_t memory_word(const uint8_t bytes[4], enum txtap_endian endian)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        word = word << 8 | bytes[endian == TXTAP_BIG ? i : 3 - i];
    return word;
}
