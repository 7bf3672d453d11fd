/* SPDX-License-Identifier: MIT */
/* Walks through folders with fts(3). Reads a subject of a NATS server from the file of a time on. */
#include "command/report/trace_files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/input.h"
#include "file/ctf_directory.h"
#include "nats/subjects.h"
#include "txtap/inner/recording.h"

static enum txtap_status add(struct trace_files *files, const char *path, struct error *error)
{
    char text[NATS_TEXT_BYTES];
    const char *name = nats_shown_name(text, path);

    if (files->count == TRACE_FILES_MAX)
        return failure(error, TXTAP_ERROR_SPACE, "%.120s: more than %d traces\ngive smaller folders", name,
                       TRACE_FILES_MAX);
    if (files->count == files->room) {
        size_t room = files->room > 0 ? 2 * files->room : 64;
        struct trace_file_name *at = realloc(files->at, room * sizeof *at);

        if (at == NULL)
            return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to list it", name);
        files->at = at;
        files->room = room;
    }
    files->at[files->count] = (struct trace_file_name){strdup(path), strdup(name)};
    files->count++;
    if (files->at[files->count - 1].path == NULL || files->at[files->count - 1].name == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to list it", name);
    return TXTAP_OK;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), bytes = strlen(end);

    return length > bytes && strcmp(name + length - bytes, end) == 0;
}

static bool is_trace(const char *path, bool reports)
{
    struct input input;
    struct error unused = {0};
    bool is_recording;

    if (ends_with(path, ".rec") || ends_with(path, ".trx") || (reports && ends_with(path, ".json")))
        return true;
    if (input_open(&input, &path, 1, &unused) != TXTAP_OK)
        return false;
    is_recording = txtap_recording_signature(input.head, input.head_bytes);
    input_close(&input);
    return is_recording;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum txtap_status add_entry(struct trace_files *files, FTS *walk, FTSENT *entry, bool reports,
                                   struct error *error)
{
    bool is_hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';

    switch (entry->fts_info) {
    case FTS_D:
        if (is_hidden || ctf_directory_has_metadata(entry->fts_path))
            (void)fts_set(walk, entry, FTS_SKIP);
        return !is_hidden && ctf_directory_has_metadata(entry->fts_path) ? add(files, entry->fts_path, error)
                                                                         : TXTAP_OK;
    case FTS_F:
        return !is_hidden && is_trace(entry->fts_path, reports) ? add(files, entry->fts_path, error) : TXTAP_OK;
    case FTS_DNR:
    case FTS_ERR:
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", entry->fts_path,
                       strerror(entry->fts_errno));
    default:
        return TXTAP_OK;
    }
}

static enum txtap_status add_folder(struct trace_files *files, const char *path, bool reports, struct error *error)
{
    char *paths[] = {(char *)path, NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    enum txtap_status status = TXTAP_OK;
    size_t before = files->count;
    FTSENT *entry;

    if (walk == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", path, strerror(errno));
    while (status == TXTAP_OK && (entry = fts_read(walk)) != NULL)
        status = add_entry(files, walk, entry, reports, error);
    fts_close(walk);
    if (status == TXTAP_OK && files->count == before)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.160s: no trace in this folder\ngive a folder with .rec or .trx files", path);
    return status;
}

/* ---- subjects ---- */

static enum txtap_status add_subjects(struct trace_files *files, const char *place, uint64_t since_us,
                                      struct error *error)
{
    struct nats_subjects subjects;
    enum txtap_status status = nats_subjects_find(&subjects, place, since_us, error);

    files->fixed = subjects.fixed;
    for (size_t i = 0; i < subjects.count && status == TXTAP_OK; i++) {
        char *path = nats_place_of(place, subjects.names[i], since_us);

        status = path != NULL ? add(files, path, error)
                              : failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to list it", subjects.names[i]);
        free(path);
    }
    nats_subjects_free(&subjects);
    return status;
}

enum txtap_status trace_files_add(struct trace_files *files, const char *path, bool reports, uint64_t since_us,
                                  struct error *error)
{
    struct stat about;

    if (nats_is_place(path))
        return add_subjects(files, path, since_us, error);

    if (stat(path, &about) != 0 && strcmp(path, "-") != 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
    if (strcmp(path, "-") != 0 && S_ISDIR(about.st_mode) && !ctf_directory_has_metadata(path))
        return add_folder(files, path, reports, error);
    return add(files, path, error);
}

void trace_files_free(struct trace_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->at[i].path);
        free(files->at[i].name);
    }
    free(files->at);
    *files = (struct trace_files){0};
}
