/* SPDX-License-Identifier: MIT */
/* Compresses with zlib, which allocates all its memory in gzip_open(). Without zlib, gzip_open() fails. */
#include "output/gzip.h"

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>

#define WINDOW_BITS_GZIP (15 + 16) /* zlib.h: deflateInit2() */
#define MEMORY_LEVEL     8

struct gzip {
    struct output *output;
    z_stream stream;
    uLong checksum; /* CRC-32 of the input so far */
    uint32_t bytes; /* length of the input so far, modulo 2^32 */
    bool pending;   /* some bytes can be read only after a flush */
    unsigned char room[16384];
};

enum txtap_status gzip_open(struct gzip **out, struct output *output, struct error *error)
{
    struct gzip *gzip = calloc(1, sizeof *gzip);

    *out = gzip;
    if (gzip != NULL && deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_GZIP, MEMORY_LEVEL,
                                     Z_DEFAULT_STRATEGY) == Z_OK) {
        gzip->output = output;
        output->replaces_end = output->file.binary = true;
        gzip->checksum = crc32(0, NULL, 0);
        return TXTAP_OK;
    }
    free(gzip);
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to compress", output->name);
}

/* Writes the output that deflate() makes from the input. */
static enum txtap_status compress_all(struct gzip *gzip, int flush)
{
    struct txtap_writer writer = output_writer(gzip->output);
    enum txtap_status status = TXTAP_OK;
    size_t made;

    do {
        gzip->stream.next_out = gzip->room;
        gzip->stream.avail_out = sizeof gzip->room;
        if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
            return TXTAP_ERROR_SYSTEM;
        made = sizeof gzip->room - gzip->stream.avail_out;
        if (made > 0)
            status = writer.write(writer.self, (const char *)gzip->room, made);
    } while (status == TXTAP_OK && gzip->stream.avail_out == 0);
    return status;
}

static enum txtap_status write_bytes(void *self, const char *bytes, size_t length)
{
    struct gzip *gzip = self;

    gzip->stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib only reads it */
    gzip->stream.avail_in = (uInt)length;
    gzip->checksum = crc32(gzip->checksum, (const unsigned char *)bytes, (uInt)length);
    gzip->bytes += (uint32_t)length;
    gzip->pending = true;
    return compress_all(gzip, Z_NO_FLUSH);
}

struct txtap_writer gzip_writer(struct gzip *gzip)
{
    return (struct txtap_writer){write_bytes, gzip};
}

static void put_u32(unsigned char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

enum txtap_status gzip_flush(struct gzip *gzip)
{
    unsigned char ending[10] = {0x03, 0x00}; /* an empty last block; then checksum and length */
    enum txtap_status status;

    if (!gzip->pending)
        return output_flush(gzip->output);
    gzip->pending = false;
    status = compress_all(gzip, Z_SYNC_FLUSH);
    put_u32(ending + 2, (uint32_t)gzip->checksum);
    put_u32(ending + 6, gzip->bytes);
    return status == TXTAP_OK ? output_flush_before(gzip->output, (const char *)ending, sizeof ending) : status;
}

enum txtap_status gzip_end(struct gzip *gzip)
{
    enum txtap_status status = compress_all(gzip, Z_FINISH);

    (void)deflateReset(&gzip->stream);
    gzip->checksum = crc32(0, NULL, 0);
    gzip->bytes = 0;
    gzip->pending = false;
    return status;
}

void gzip_free(struct gzip *gzip)
{
    if (gzip == NULL)
        return;
    (void)deflateEnd(&gzip->stream);
    free(gzip);
}

#else

enum txtap_status gzip_open(struct gzip **out, struct output *output, struct error *error)
{
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "%.120s: this txtap was built without zlib and cannot compress\n"
                   "choose a name without .gz, or install zlib1g-dev and build it again",
                   output->name);
}

struct txtap_writer gzip_writer(struct gzip *gzip)
{
    (void)gzip;
    return (struct txtap_writer){NULL, NULL};
}

enum txtap_status gzip_flush(struct gzip *gzip)
{
    (void)gzip;
    return TXTAP_OK;
}

enum txtap_status gzip_end(struct gzip *gzip)
{
    (void)gzip;
    return TXTAP_OK;
}

void gzip_free(struct gzip *gzip)
{
    (void)gzip;
}

#endif
