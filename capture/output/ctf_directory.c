/* SPDX-License-Identifier: MIT */
/* The directory of a CTF trace: its metadata and its stream of bytes. */
#include "output/ctf_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/output.h"

#define STREAM_NAME   "channel0_0"
#define METADATA_NAME "metadata"

const char *ctf_directory_name(const struct ctf_directory *directory)
{
    static char name[PATH_MAX];

    if (directory->number == 0)
        return directory->path;
    snprintf(name, sizeof name, "%s.%u", directory->path, directory->number);
    return name;
}

static enum txtap_status join(char path[static PATH_MAX], const struct ctf_directory *directory, const char *name,
                              struct error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s", ctf_directory_name(directory), name) < PATH_MAX)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: too long a name\nchoose another with -o", directory->path);
}

/* ---- metadata ---- */

static enum txtap_status read_metadata(struct ctf_directory *directory, const char *path, struct error *error)
{
    FILE *file = fopen(path, "rb");
    size_t room = TXTAP_CTF_METADATA_MAX + 1, length = 0;

    if (file == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
    directory->metadata = malloc(room);
    if (directory->metadata != NULL)
        length = fread(directory->metadata, 1, room, file);
    if (directory->metadata == NULL || ferror(file)) {
        fclose(file);
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: cannot be read: %s", path, strerror(errno));
    }
    fclose(file);
    if (length == room || length == 0)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.120s: %s\ngive subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware was built "
                       "with",
                       path, length == 0 ? "empty" : "too large for CTF metadata");
    directory->metadata_bytes = length;
    return TXTAP_OK;
}

static void learn_layout(struct ctf_directory *directory, const char *path)
{
    struct txtap_ctf_layout *layout = &directory->layout;
    enum txtap_status status = txtap_ctf_layout_parse(layout, directory->metadata, directory->metadata_bytes);

    directory->knows_layout = status == TXTAP_OK;
    if (status != TXTAP_OK)
        fprintf(stderr,
                "txtap: %s: line %zu: %s: records are not counted, and an end without a record is not cut off\n", path,
                layout->error_line, layout->complaint);
}

/* ---- one trace ---- */

static enum txtap_status begin(struct ctf_directory *directory, bool force, struct error *error)
{
    char path[PATH_MAX];
    enum txtap_status status;

    directory->counter = (struct txtap_ctf_counter){.records = 0};
    directory->bytes = 0;
    if (mkdir(ctf_directory_name(directory), 0777) != 0 && errno != EEXIST)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another directory with -o",
                       ctf_directory_name(directory), strerror(errno));
    status = join(path, directory, STREAM_NAME, error);
    if (status != TXTAP_OK)
        return status;
    directory->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666);
    if (directory->fd < 0 && errno == EEXIST)
        return failure(error, TXTAP_ERROR_EXISTS,
                       "%.160s: has a trace already\nchoose another directory with -o, or use --force",
                       ctf_directory_name(directory));
    if (directory->fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another directory with -o", path,
                       strerror(errno));
    status = join(path, directory, METADATA_NAME, error);
    if (status == TXTAP_OK)
        status = output_whole_file(path, directory->metadata, directory->metadata_bytes, true, error);
    return status;
}

static void end_stream(struct ctf_directory *directory)
{
    if (directory->fd >= 0)
        close(directory->fd);
    directory->fd = -1;
}

enum txtap_status ctf_directory_open(struct ctf_directory *directory, const char *path, const char *metadata,
                                     bool force, struct error *error)
{
    enum txtap_status status;

    memset(directory, 0, sizeof *directory);
    directory->path = path;
    directory->fd = -1;
    status = read_metadata(directory, metadata, error);
    if (status == TXTAP_OK) {
        learn_layout(directory, metadata);
        status = begin(directory, force, error);
    }
    if (status != TXTAP_OK)
        ctf_directory_close(directory);
    return status;
}

static enum txtap_status cannot_be_written(const struct ctf_directory *directory, struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s/%s: cannot be written: %s: what was written before is whole",
                   ctf_directory_name(directory), STREAM_NAME, strerror(errno));
}

enum txtap_status ctf_directory_write(struct ctf_directory *directory, const uint8_t *bytes, size_t length,
                                      struct error *error)
{
    if (directory->knows_layout)
        txtap_ctf_count(&directory->layout, &directory->counter, bytes, length);
    while (length > 0) {
        ssize_t done = write(directory->fd, bytes, length);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return cannot_be_written(directory, error);
        directory->bytes += (uint64_t)done;
        bytes += done;
        length -= (size_t)done;
    }
    return TXTAP_OK;
}

/* Does the stream hold nothing but zeros from there on? */
static bool is_zero_from(const struct ctf_directory *directory, uint64_t from)
{
    char path[PATH_MAX];
    struct error unused;
    uint8_t bytes[4096];
    bool zero = true;
    int fd;

    if (join(path, directory, STREAM_NAME, &unused) != TXTAP_OK || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return false;
    while (zero && from < directory->bytes) {
        ssize_t got = pread(fd, bytes, sizeof bytes, (off_t)from);

        for (ssize_t i = 0; i < got; i++)
            zero = zero && bytes[i] == 0;
        zero = zero && got > 0;
        from += got > 0 ? (uint64_t)got : 0;
    }
    close(fd);
    return zero;
}

enum txtap_status ctf_directory_end(struct ctf_directory *directory, uint64_t *rest, bool *all_zero,
                                    struct error *error)
{
    *rest = directory->knows_layout ? directory->counter.partial : 0;
    *all_zero = false;
    if (directory->fd < 0 || *rest == 0)
        return TXTAP_OK;
    *all_zero = is_zero_from(directory, directory->counter.bytes);
    if (ftruncate(directory->fd, (off_t)directory->counter.bytes) != 0)
        return cannot_be_written(directory, error);
    directory->bytes = directory->counter.bytes;
    directory->counter.partial = 0;
    directory->counter.missing = 0;
    return TXTAP_OK;
}

enum txtap_status ctf_directory_next(struct ctf_directory *directory, bool force, struct error *error)
{
    end_stream(directory);
    directory->number++;
    return begin(directory, force, error);
}

void ctf_directory_close(struct ctf_directory *directory)
{
    end_stream(directory);
    free(directory->metadata);
    directory->metadata = NULL;
}
