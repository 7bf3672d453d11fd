/* SPDX-License-Identifier: MIT */
/* A file of raw memory as a memory source. */
#include "probe/image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define READ_BYTES_MAX      (1024u * 1024)
#define READS_MAX           64u
#define FIRST_CAPACITY      (64u * 1024)
#define CAPACITY_MAX        (IMAGE_BYTES_MAX + 1) /* one byte more tells that it is too large */
#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 32)

struct image_source {
    uint32_t base;
    size_t size, capacity;
    uint8_t *bytes;
    struct error error;
};

static bool grow(struct image_source *image)
{
    size_t capacity = image->capacity == 0 ? FIRST_CAPACITY : image->capacity * 2;
    uint8_t *bytes;

    if (capacity > CAPACITY_MAX)
        capacity = CAPACITY_MAX;
    bytes = realloc(image->bytes, capacity);
    if (bytes == NULL)
        return false;
    image->bytes = bytes;
    image->capacity = capacity;
    return true;
}

static enum txtap_status too_large(const char *name, struct error *error)
{
    return failure(error, TXTAP_ERROR_SPACE, "%.160s: larger than %u MiB\ncut out the part that holds the trace", name,
                   IMAGE_BYTES_MAX >> 20);
}

/* Reads to the end: a pipe does not tell its size, and a file's may grow. */
static enum txtap_status load(struct image_source *image, struct input *input, struct error *error)
{
    const char *name = input->name;
    struct stat about;

    if (fstat(input->fd, &about) == 0 && about.st_size > IMAGE_BYTES_MAX)
        return too_large(name, error); /* without reading it first */
    for (;;) {
        if (image->size == image->capacity && !grow(image))
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);

        ssize_t got = input_read(input, image->bytes + image->size, image->capacity - image->size);

        if (got < 0)
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", name, strerror(errno));
        if (got == 0)
            break;
        image->size += (size_t)got;
        if (image->size > IMAGE_BYTES_MAX)
            return too_large(name, error);
    }
    if (image->size == 0)
        return failure(error, TXTAP_ERROR_TRUNCATED, "%.160s: empty\ngive a file with the target's memory", name);
    if (image->size > ADDRESS_SPACE_BYTES - image->base)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.140s: %zu bytes at 0x%08" PRIx32 " end beyond the last address\ngive a lower address", name,
                       image->size, image->base);
    return TXTAP_OK;
}

static void image_close(void *self)
{
    struct image_source *image = self;

    free(image->bytes);
    free(image);
}

enum txtap_status image_load(struct image_source **out, struct input *input, uint32_t base, struct error *error)
{
    struct image_source *image = calloc(1, sizeof *image);
    enum txtap_status status;

    *out = NULL;
    if (image == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    image->base = base;
    status = load(image, input, error);
    if (status != TXTAP_OK)
        image_close(image);
    else
        *out = image;
    return status;
}

enum txtap_status image_open(struct image_source **out, const char *path, uint32_t base, struct error *error)
{
    struct input input;
    enum txtap_status status = input_open(&input, &path, 1, error);

    *out = NULL;
    if (status != TXTAP_OK)
        return status;
    status = image_load(out, &input, base, error);
    input_close(&input);
    return status;
}

static enum txtap_status image_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct image_source *image = self;

    error_clear(&image->error);
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = (uint64_t)reads[i].address - image->base; /* wraps to a huge one below the base */

        if (reads[i].address < image->base || offset > image->size || reads[i].length > image->size - offset)
            return failure(&image->error, ERROR_FAULT,
                           "the image has no %" PRIu32 " bytes at 0x%08" PRIx32 ": it covers 0x%08" PRIx32
                           " to 0x%08" PRIx32,
                           reads[i].length, reads[i].address, image->base, (uint32_t)(image->base + (image->size - 1)));
        memcpy(reads[i].buffer, image->bytes + offset, reads[i].length);
    }
    return TXTAP_OK;
}

static const char *image_error_text(void *self)
{
    const struct image_source *image = self;

    return image->error.what;
}

struct txtap_source image_source_of(struct image_source *image)
{
    static const struct txtap_source_ops ops = {
        .name = "image",
        .read_bytes_max = READ_BYTES_MAX,
        .reads_max = READS_MAX,
        .read = image_read,
        .error_text = image_error_text,
        .close = image_close,
    };

    return (struct txtap_source){.ops = &ops, .self = image};
}

const uint8_t *image_bytes(const struct image_source *image, size_t *length)
{
    *length = image->size;
    return image->bytes;
}

struct memory_region image_region(const struct image_source *image)
{
    return (struct memory_region){.start = image->base, .size = (uint32_t)image->size};
}
