/* SPDX-License-Identifier: MIT */
/* Common functions of memory sources. Knows no probe. */
#include "probe/source_base.h"

#include <errno.h>
#include <string.h>

const char *source_error_text(void *self)
{
    const struct error *error = self;

    return error->what;
}

const char *source_hint_text(void *self)
{
    const struct error *error = self;

    return error->hint;
}

static bool within_limits(const struct txtap_source_ops *ops, const struct txtap_read *reads, size_t count,
                          uint32_t *bytes)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (reads[i].address % 4 != 0 || reads[i].length % 4 != 0 || reads[i].length > ops->read_bytes_max - sum)
            return false;
        if (reads[i].length > 0 && reads[i].address > UINT32_MAX - (reads[i].length - 1))
            return false;
        sum += reads[i].length;
    }
    *bytes = sum;
    return count <= ops->reads_max;
}

enum txtap_status source_check_reads(const struct txtap_source_ops *ops, const struct txtap_read *reads, size_t count,
                                     uint32_t *bytes, struct error *error)
{
    if (within_limits(ops, reads, count, bytes))
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE, "a read of %zu pieces is beyond the source's limits", count);
}

enum txtap_status source_connection_failure(enum txtap_status status, const char *server, unsigned waited_ms,
                                            const char *doubt, const char *note, struct error *error)
{
    if (status == ERROR_INTERRUPTED)
        return failure(error, status, "%s: interrupted%s", server, note);
    if (status == ERROR_TIMEOUT)
        return failure(error, status, "%s does not answer within %u ms\n%s%s", server, waited_ms, doubt, note);
    if (status == ERROR_CLOSED)
        return failure(error, status,
                       "%s closed the connection (exited or restarting)\nrun txtap again once it is up%s", server,
                       note);
    return failure(error, status, "connection to %s: %s%s", server, strerror(errno), note);
}

/* ---- words ---- */

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
