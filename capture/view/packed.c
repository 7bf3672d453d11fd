/* SPDX-License-Identifier: MIT */
/* deflate by zlib, base64 by hand. */
#include "view/packed.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define WINDOW_BITS_RAW (-15) /* zlib.h: deflateInit2() */
#define MEMORY_LEVEL    8
#define ROOM_BYTES      24576u /* a multiple of 3 */

struct packed {
    struct txtap_writer writer;
    z_stream stream;
    unsigned char room[ROOM_BYTES];
    char text[ROOM_BYTES / 3 * 4];
};

enum txtap_status packed_open(struct packed **out, struct txtap_writer writer, struct error *error)
{
    struct packed *packed = calloc(1, sizeof *packed);

    *out = packed;
    if (packed != NULL && deflateInit2(&packed->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_RAW,
                                       MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK) {
        packed->writer = writer;
        packed->stream.next_out = packed->room;
        packed->stream.avail_out = ROOM_BYTES;
        return TXTAP_OK;
    }
    free(packed);
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compress the page");
}

/* length: of the bytes in room. */
static enum txtap_status write_base64(struct packed *packed, size_t length)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = packed->room;
    char *to = packed->text;

    memset(packed->room + length, 0, (3 - length % 3) % 3);
    for (size_t i = 0; i < length; i += 3, from += 3) {
        unsigned bits = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];

        for (unsigned shift = 24; shift > 0; shift -= 6)
            *to++ = alphabet[bits >> (shift - 6) & 63];
    }
    for (size_t i = 0; i < (3 - length % 3) % 3; i++)
        to[-1 - (ptrdiff_t)i] = '=';
    return packed->writer.write(packed->writer.self, packed->text, (size_t)(to - packed->text));
}

/* The room is written when it is full, and at the end: only then may its length not be a multiple of 3. */
static enum txtap_status compress_all(struct packed *packed, int flush)
{
    enum txtap_status status = TXTAP_OK;
    int done;

    do {
        done = deflate(&packed->stream, flush);
        if (done == Z_STREAM_ERROR)
            return TXTAP_ERROR_SYSTEM;
        if (packed->stream.avail_out > 0)
            break;
        status = write_base64(packed, ROOM_BYTES);
        packed->stream.next_out = packed->room;
        packed->stream.avail_out = ROOM_BYTES;
    } while (status == TXTAP_OK && done != Z_STREAM_END);
    if (status == TXTAP_OK && done == Z_STREAM_END && packed->stream.avail_out < ROOM_BYTES)
        status = write_base64(packed, ROOM_BYTES - packed->stream.avail_out);
    return status;
}

static enum txtap_status write_bytes(void *self, const char *bytes, size_t length)
{
    struct packed *packed = self;
    enum txtap_status status = TXTAP_OK;

    for (size_t part; length > 0 && status == TXTAP_OK; bytes += part, length -= part) {
        part = length < UINT_MAX ? length : UINT_MAX;
        packed->stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib only reads it */
        packed->stream.avail_in = (uInt)part;
        status = compress_all(packed, Z_NO_FLUSH);
    }
    return status;
}

struct txtap_writer packed_writer(struct packed *packed)
{
    return (struct txtap_writer){write_bytes, packed};
}

enum txtap_status packed_close(struct packed *packed, enum txtap_status status)
{
    if (status == TXTAP_OK)
        status = compress_all(packed, Z_FINISH);
    (void)deflateEnd(&packed->stream);
    free(packed);
    return status;
}
