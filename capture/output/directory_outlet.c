/* SPDX-License-Identifier: MIT */
/* The outlet of a format whose output is a directory: a stream, and a file of metadata that describes its bytes. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "file/ctf_directory.h"
#include "output/changes_outlet.h"

static bool takes(const struct outlet_config *config)
{
    return config->format->metadata != NULL;
}

static enum txtap_status append(void *self, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, self) == length ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

static enum txtap_status write_metadata(struct txtap_exporter *exporter, const char *directory, struct error *error)
{
    char path[PATH_MAX];
    struct text_maker maker;
    enum txtap_status status = TXTAP_ERROR_SYSTEM;

    if (text_maker_begin(&maker))
        status = exporter->ops->metadata(exporter, (struct txtap_writer){append, maker.out});
    if (!text_maker_end(&maker))
        status = TXTAP_ERROR_SYSTEM;
    if (status != TXTAP_OK)
        failure(error, status, "no memory for the metadata of the trace");
    if (status == TXTAP_OK)
        status = ctf_directory_join(path, directory, CTF_METADATA_NAME, error);
    if (status == TXTAP_OK)
        status = output_whole_file(path, maker.text, maker.length, true, error);
    free(maker.text);
    return status;
}

/* *path: the caller's to free. */
static enum txtap_status make_directory(const struct outlet_config *config, char **path, struct error *error)
{
    char joined[PATH_MAX];
    enum txtap_status status;

    *path = NULL;
    if (output_is_standard(config->path))
        return failure(error, TXTAP_ERROR_USAGE, "--format %s: it is a directory\nuse -o DIRECTORY",
                       config->format->name);
    status = ctf_directory_make(config->path, error);
    if (status == TXTAP_OK)
        status = ctf_directory_join(joined, config->path, CTF_STREAM_NAME, error);
    if (status == TXTAP_OK && (*path = strdup(joined)) == NULL)
        status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    return status;
}

static enum txtap_status open_directory(void **self, const struct outlet_config *config, struct error *error)
{
    struct outlet_config stream = *config;
    struct changes_outlet *outlet;
    char *path;
    enum txtap_status status = make_directory(config, &path, error);

    stream.path = path;
    if (status == TXTAP_OK)
        status = changes_outlet_open(self, &stream, error);
    if (status != TXTAP_OK) {
        free(path);
        return status;
    }
    outlet = *self;
    outlet->path = path;
    status = write_metadata(&outlet->printer.exporter, config->path, error);
    if (status != TXTAP_OK)
        (void)changes_outlet_close(outlet, status, NULL, &(struct outlet_counts){0}, error);
    return status;
}

extern const struct outlet_kind outlet_directory;
const struct outlet_kind outlet_directory = {
    .takes = takes,
    .open = open_directory,
    .sink = changes_outlet_sink,
    .begin = changes_outlet_begin,
    .flush = changes_outlet_flush,
    .count = changes_outlet_count,
    .close = changes_outlet_close,
};
