/* SPDX-License-Identifier: MIT */
/* A CTF trace in txtap's form: a directory with metadata and one stream. */
#ifndef TXTAP_CAPTURE_FILE_CTF_DIRECTORY_H
#define TXTAP_CAPTURE_FILE_CTF_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/inner/ctf_layout.h"

#define CTF_STREAM_NAME    "channel0_0"
#define CTF_METADATA_NAME  "metadata"
#define CTF_RIGHT_METADATA "give subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware was built with"

bool ctf_directory_is(const char *path);

/* Returns true for a folder with the metadata of CTF. */
bool ctf_directory_has_metadata(const char *path);

/* Makes the directory. It may already exist. On failure error is one line. */
enum txtap_status ctf_directory_make(const char *path, struct error *error);

/* Makes the path of a file in the directory. TXTAP_ERROR_SYSTEM: the path is too long; error says so. */
enum txtap_status ctf_directory_join(char path[PATH_MAX], const char *directory, const char *name, struct error *error);

/* The text of a metadata file. The owner of the struct frees `text`. */
struct ctf_metadata {
    char *text;
    size_t length; /* at least 1 */
};

/* Reads a metadata file. If `text` is not NULL, *text gets the file's text, and the caller frees text->text.
 * TXTAP_ERROR_FORMAT: txtap does not understand the metadata; error names the line. */
enum txtap_status ctf_metadata_read(const char *path, struct txtap_ctf_layout *layout, struct ctf_metadata *text,
                                    struct error *error);

/* Reads the metadata file of a directory, like ctf_metadata_read(). */
enum txtap_status ctf_directory_metadata(const char *path, struct txtap_ctf_layout *layout, struct ctf_metadata *text,
                                         struct error *error);

/* Reads the stream of a directory. The caller frees *stream, which has *length bytes. */
enum txtap_status ctf_directory_stream(const char *path, uint8_t **stream, size_t *length, struct error *error);

/* Reads layout and stream of a directory. */
enum txtap_status ctf_directory_read(const char *path, struct txtap_ctf_layout *layout, uint8_t **stream,
                                     size_t *length, struct error *error);

#endif
