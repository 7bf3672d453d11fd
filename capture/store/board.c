/* SPDX-License-Identifier: MIT */
/* Chooses files from the index of the board's folder. */
#include "store/board.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "file/ctf_directory.h"
#include "store/store_index.h"

#define TIME_BYTES 24

bool board_is(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && !ctf_directory_has_metadata(path);
}

/* ---- a folder of boards ---- */

/* Calls is() for the path of each entry that is not hidden, until it returns true. Returns the last result. */
static bool any_entry(const char *path, bool (*is)(const char *path))
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    bool found = false;

    while (directory != NULL && !found && (entry = readdir(directory)) != NULL) {
        char whole[PATH_MAX];

        found = entry->d_name[0] != '.' &&
                snprintf(whole, sizeof whole, "%s/%s", path, entry->d_name) < (int)sizeof whole && is(whole);
    }
    if (directory != NULL)
        closedir(directory);
    return found;
}

bool board_is_recording_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t suffix = strlen(BOARD_RECORDING_SUFFIX);

    return dot != NULL && dot != name && strncmp(dot, BOARD_RECORDING_SUFFIX, suffix) == 0 &&
           dot[suffix + strspn(dot + suffix, "0123456789")] == '\0';
}

static bool is_recording(const char *path)
{
    struct stat about;

    return board_is_recording_name(strrchr(path, '/') + 1) && lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool board_has_recordings(const char *path)
{
    return any_entry(path, is_recording);
}

bool board_is_lab(const char *path)
{
    return !board_has_recordings(path) && any_entry(path, board_has_recordings);
}

/* ---- the files of a board ---- */

/* Formats a time as --since accepts it. */
static const char *time_text(char text[TIME_BYTES], uint64_t unix_us)
{
    time_t seconds = (time_t)(unix_us / 1000000);
    struct tm when;

    if (localtime_r(&seconds, &when) == NULL || strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &when) == 0)
        text[0] = '\0';
    return text;
}

static enum txtap_status refuse_empty(const char *path, const struct store_index *index, struct error *error)
{
    uint64_t until_us = 0;
    char first[TIME_BYTES], last[TIME_BYTES];

    for (size_t i = 0; i < index->count; i++)
        until_us = index->files[i].until_us > until_us ? index->files[i].until_us : until_us;
    if (index->count == 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: no recording in this folder, and no metadata of CTF\ngive a folder with recordings",
                       path);
    return failure(
        error, TXTAP_ERROR_USAGE,
        "%.120s: no recording of this time\nit has recordings from %s to %s: choose with --since and --until", path,
        time_text(first, index->files[0].since_us), time_text(last, until_us));
}

/* Refuses files of several builds. chosen: the last file so far; NULL: none. */
static enum txtap_status check_build(const char *path, const struct store_file *chosen, const struct store_file *file,
                                     struct error *error)
{
    char when[TIME_BYTES];

    if (chosen == NULL || strcmp(chosen->build, file->build) == 0)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE,
                   "%.120s: recordings of two firmware builds: another build begins at %s\nchoose with --since or "
                   "--until",
                   path, time_text(when, file->since_us));
}

static enum txtap_status choose(struct board *board, const char *path, const struct store_index *index,
                                uint64_t since_us, uint64_t until_us, struct error *error)
{
    const struct store_file *chosen = NULL;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < index->count && status == TXTAP_OK; i++) {
        const struct store_file *file = &index->files[i];
        size_t bytes = strlen(path) + 1 + strlen(file->name) + 1;
        char *whole;

        if (file->until_us < since_us || (until_us > 0 && file->since_us > until_us))
            continue;
        status = check_build(path, chosen, file, error);
        if (status != TXTAP_OK)
            break;
        whole = malloc(bytes);
        if (whole == NULL)
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", path);
        snprintf(whole, bytes, "%s/%s", path, file->name);
        board->paths[board->count++] = whole;
        chosen = file;
    }
    if (status == TXTAP_OK && board->count == 0)
        return refuse_empty(path, index, error);
    return status;
}

enum txtap_status board_open(struct board *board, const char *path, uint64_t since_us, uint64_t until_us,
                             struct error *error)
{
    struct store_index index;
    enum txtap_status status = store_index_open(&index, path, error);

    *board = (struct board){.count = 0};
    if (status != TXTAP_OK)
        return status;
    board->paths = calloc(index.count + 1, sizeof *board->paths);
    status = board->paths != NULL ? choose(board, path, &index, since_us, until_us, error)
                                  : failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", path);
    store_index_free(&index);
    if (status != TXTAP_OK)
        board_close(board);
    return status;
}

void board_close(struct board *board)
{
    for (size_t i = 0; i < board->count; i++)
        free((char *)board->paths[i]);
    free(board->paths);
    *board = (struct board){.count = 0};
}
