/* SPDX-License-Identifier: MIT */
/* Reads the metadata and the whole stream into memory. The stream is small, because it comes from a small ring. */
#include "file/ctf_directory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"

#define STREAM_MAX (1024u * 1024 * 1024)

bool ctf_directory_is(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool ctf_directory_has_metadata(const char *path)
{
    char metadata[PATH_MAX];

    return ctf_directory_join(metadata, path, CTF_METADATA_NAME, NULL) == TXTAP_OK && access(metadata, F_OK) == 0;
}

enum txtap_status ctf_directory_make(const char *path, struct error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another directory with -o", path, strerror(errno));
}

enum txtap_status ctf_directory_join(char path[PATH_MAX], const char *directory, const char *name, struct error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: the name is too long\nchoose another with -o", directory);
}

enum txtap_status ctf_metadata_read(const char *path, struct txtap_ctf_layout *layout, struct ctf_metadata *text,
                                    struct error *error)
{
    uint8_t *bytes;
    size_t length;
    enum txtap_status status =
        input_read_file(path, TXTAP_CTF_METADATA_MAX, CTF_RIGHT_METADATA, &bytes, &length, error);

    if (status != TXTAP_OK)
        return status;
    status = txtap_ctf_layout_parse(layout, (const char *)bytes, length);
    if (status == TXTAP_OK && text != NULL)
        *text = (struct ctf_metadata){(char *)bytes, length};
    else
        free(bytes);
    if (status == TXTAP_OK)
        return status;
    return failure(error, status, "%.120s: line %zu: %s\n" CTF_RIGHT_METADATA, path, layout->error_line,
                   layout->complaint);
}

enum txtap_status ctf_directory_metadata(const char *path, struct txtap_ctf_layout *layout, struct ctf_metadata *text,
                                         struct error *error)
{
    char name[PATH_MAX];

    if (snprintf(name, sizeof name, "%s/" CTF_METADATA_NAME, path) >= (int)sizeof name)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: the name is too long\nmove it to another directory", path);
    return ctf_metadata_read(name, layout, text, error);
}

enum txtap_status ctf_directory_stream(const char *path, uint8_t **stream, size_t *length, struct error *error)
{
    char name[PATH_MAX];

    (void)snprintf(name, sizeof name, "%.*s/" CTF_STREAM_NAME, PATH_MAX - 16, path);
    return input_read_file(name, STREAM_MAX, "give a trace that txtap wrote with --zephyr-ram", stream, length, error);
}

enum txtap_status ctf_directory_read(const char *path, struct txtap_ctf_layout *layout, uint8_t **stream,
                                     size_t *length, struct error *error)
{
    enum txtap_status status = ctf_directory_metadata(path, layout, NULL, error);

    return status == TXTAP_OK ? ctf_directory_stream(path, stream, length, error) : status;
}
