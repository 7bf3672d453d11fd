/* SPDX-License-Identifier: MIT */
/*
 * Follows the newest recording in each folder of a lab. When the first recording of a board is opened, only its last
 * part is analysed. Blocks are read at their offsets, so that a block that is still being written is read again later.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/runtime.h"
#include "command/top/lab_source.h"
#include "store/board.h"

#define BOARDS_US    5000000      /* how often the lab is searched for new boards */
#define LOOK_US      2000000      /* how often the folder of a board is searched for a newer recording */
#define LAST_BYTES   (256u << 10) /* bytes at the end of a recording that are analysed when it is opened */
#define BUFFER_BYTES (4u * (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX))

struct folder {
    struct lab_feed feed;
    char path[PATH_MAX];
    char file[NAME_MAX + 1]; /* of the recording; "": no recording yet */
    uint64_t looked_us;      /* when the folder was searched for a newer recording */
    int fd;                  /* -1: no recording is open */
};

struct lab {
    const char *path;                      /* borrowed */
    uint64_t looked_us;                    /* when the lab was searched */
    struct folder *folders[LAB_SHOWN_MAX]; /* of the boards with the same index */
};

/* ---- the folder of a board ---- */

/* Compares two times, and if they are equal, two names, in which numbers are compared as numbers. */
static bool is_later(const struct timespec *a, const char *name_a, const struct timespec *b, const char *name_b)
{
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec > b->tv_sec;
    return a->tv_nsec != b->tv_nsec ? a->tv_nsec > b->tv_nsec : strverscmp(name_a, name_b) > 0;
}

/* Finds the recording that was changed last. Returns false if there is no recording. */
static bool find_newest(const char *folder, char newest[static NAME_MAX + 1])
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    struct timespec best = {0};

    newest[0] = '\0';
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct stat about;

        if (*entry->d_name == '.' || !board_is_recording_name(entry->d_name) ||
            fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (*newest != '\0' && !is_later(&about.st_mtim, entry->d_name, &best, newest))
            continue;
        best = about.st_mtim;
        snprintf(newest, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (directory != NULL)
        closedir(directory);
    return *newest != '\0';
}

static void read_new(struct folder *folder)
{
    static uint8_t bytes[BUFFER_BYTES];
    struct lab_feed *feed = &folder->feed;
    ssize_t got;

    while (folder->fd >= 0 && !feed->damaged && !stop_requested() &&
           (got = pread(folder->fd, bytes, sizeof bytes, (off_t)feed->offset)) > 0 &&
           lab_feed_take(feed, bytes, (size_t)got)) {
    }
}

static void close_file(struct folder *folder)
{
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = -1;
}

static void open_file(struct folder *folder, const char *name)
{
    const bool first = *folder->file == '\0';
    char path[PATH_MAX + NAME_MAX + 2];
    struct stat about;

    close_file(folder);
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    folder->fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (folder->fd < 0 || fstat(folder->fd, &about) != 0 ||
        !lab_feed_begin(&folder->feed,
                        first && about.st_size > (off_t)LAST_BYTES ? (uint64_t)about.st_size - LAST_BYTES : 0)) {
        close_file(folder);
        return;
    }
    snprintf(folder->file, sizeof folder->file, "%s", name);
}

/* Reads all new blocks of a board. */
static void step_board(struct folder *folder, uint64_t now)
{
    char newest[NAME_MAX + 1];

    read_new(folder);
    if (folder->looked_us != 0 && now - folder->looked_us < LOOK_US)
        return;
    folder->looked_us = now;
    if (!find_newest(folder->path, newest) || strcmp(newest, folder->file) == 0)
        return;
    read_new(folder); /* the rest of the earlier recording, which nobody writes any more */
    open_file(folder, newest);
    read_new(folder);
}

/* ---- boards ---- */

static bool has_board(const struct lab_boards *boards, const char *name)
{
    for (size_t i = 0; i < boards->count; i++)
        if (strcmp(boards->feeds[i]->name, name) == 0)
            return true;
    return false;
}

static enum txtap_status add_board(struct lab *lab, struct lab_boards *boards, const char *name, struct error *error)
{
    struct folder *folder = calloc(1, sizeof *folder);

    if (folder == NULL || !lab_feed_open(&folder->feed, name)) {
        free(folder);
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the board %.60s", name);
    }
    folder->fd = -1;
    snprintf(folder->path, sizeof folder->path, "%.*s/%s", PATH_MAX - NAME_MAX - 2, lab->path, name);
    lab->folders[boards->count] = folder;
    boards->feeds[boards->count++] = &folder->feed;
    return TXTAP_OK;
}

/* Adds the folders with recordings that are not there yet. */
static enum txtap_status look_for_boards(struct lab *lab, struct lab_boards *boards, struct error *error)
{
    DIR *directory = opendir(lab->path);
    enum txtap_status status = TXTAP_OK;
    const struct dirent *entry;

    if (directory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive the folder of a lab", lab->path, strerror(errno));
    while (status == TXTAP_OK && (entry = readdir(directory)) != NULL) {
        char folder[PATH_MAX];

        if (entry->d_name[0] == '.' || has_board(boards, entry->d_name) ||
            snprintf(folder, sizeof folder, "%s/%s", lab->path, entry->d_name) >= (int)sizeof folder ||
            !board_has_recordings(folder))
            continue;
        if (boards->count == LAB_SHOWN_MAX) {
            boards->is_full = true;
            break;
        }
        status = add_board(lab, boards, entry->d_name, error);
    }
    closedir(directory);
    if (status == TXTAP_OK && boards->count == 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: no folder with recordings (*" BOARD_RECORDING_SUFFIX ") in it"
                       "\ngive the folder of a lab or of a board",
                       lab->path);
    return status;
}

/* ---- the row ---- */

static enum txtap_status folders_open(void **source, const char *name, struct error *error)
{
    struct lab *lab = calloc(1, sizeof *lab);

    *source = lab;
    if (lab == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);
    lab->path = name;
    return TXTAP_OK;
}

static enum txtap_status folders_step(void *source, struct lab_boards *boards, struct error *error)
{
    struct lab *lab = source;
    enum txtap_status status = TXTAP_OK;

    if (lab->looked_us == 0 || now_us() - lab->looked_us >= BOARDS_US) {
        status = look_for_boards(lab, boards, error);
        lab->looked_us = now_us();
    }
    for (size_t i = 0; i < boards->count && status == TXTAP_OK; i++)
        step_board(lab->folders[i], now_us());
    return status;
}

static void folders_close(void *source, struct lab_boards *boards)
{
    struct lab *lab = source;

    for (size_t i = 0; i < boards->count; i++) {
        close_file(lab->folders[i]);
        lab_feed_close(&lab->folders[i]->feed);
        free(lab->folders[i]);
    }
    free(lab);
}

const struct lab_source lab_folders = {folders_open, folders_step, folders_close};
