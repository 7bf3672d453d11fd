/* SPDX-License-Identifier: MIT */
/*
 * The folder of a board while its recorder writes: the newest recording, then each file that begins later. Knows how a
 * recording begins, because a folder may have other files and copies. Files are found by inotify, and by a look into
 * the folder each second, because inotify does not see files that another host writes.
 */
#include "input/input_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/runtime.h"
#include "txtap/recording.h"

#define START_BYTES 8192    /* the first two blocks of a recording fit */
#define SCAN_US     1000000 /* longest time between two looks into the folder */
#define RECENT_US   10000000
#define EVENTS      (IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF)

/* The facts in the first two blocks of a file. */
struct start {
    uint64_t id;       /* of the recording; 0: recorded by an old txtap */
    uint32_t number;   /* of the file in its recording */
    uint64_t begun_us; /* microseconds since 1970; 0: there is no file */
};

struct folder {
    char path[PATH_MAX]; /* of the present file; its first `stem` bytes are the folder's path and a slash */
    size_t stem;
    int watch;        /* inotify */
    bool changed;     /* a file may have begun since the last look */
    uint64_t scan_us; /* time of the next look */
    bool over;        /* the present file has ended */
    struct start now, next;
    char next_name[NAME_MAX + 1];
    bool looked;        /* a look came after the first file was opened */
    struct start *seen; /* `seen_count` files that were read, or that did not come after the file of that time; owned */
    size_t seen_count, seen_room;
};

/* ---- the start of a file ---- */

/* Reads the first two blocks. Returns false if the file is no recording of events, or has not both blocks yet. */
static bool parse_start(const uint8_t *bytes, size_t length, struct start *start)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed;

    *start = (struct start){0};
    if (length < TXTAP_RECORDING_HEAD_BYTES || !txtap_recording_signature(bytes, length) ||
        txtap_recording_open(&recording, bytes) != TXTAP_OK || recording.ctf)
        return false;
    for (unsigned i = 0; i < 2; i++, at += needed) {
        if (txtap_recording_block(&recording, bytes + at, length - at, &block, &needed) != TXTAP_OK ||
            block.compressed || txtap_recording_item(&block, block.stored, block.stored_bytes, &item) != TXTAP_OK)
            return false;
        if (item.type == TXTAP_RECORDING_BUFFER)
            start->begun_us = item.unix_us;
        if (item.type == TXTAP_RECORDING_FILE) {
            start->id = item.file.id;
            start->number = item.file.number;
        }
    }
    return start->begun_us > 0;
}

static bool read_start(int folder, const char *name, struct start *start)
{
    uint8_t bytes[START_BYTES];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? pread(fd, bytes, sizeof bytes, 0) : -1;

    if (fd >= 0)
        close(fd);
    return got > 0 && parse_start(bytes, (size_t)got, start);
}

/* Returns true if the file comes before the other file. A clock that was set back does not change the order of the
 * files of a recording. */
static bool is_earlier(const struct start *a, const struct start *b)
{
    bool by_number = a->begun_us == b->begun_us || (a->id != 0 && a->id == b->id);

    return by_number ? a->number < b->number : a->begun_us < b->begun_us;
}

/* Returns true if the clock of this host had this time a moment ago. */
static bool is_recent(uint64_t unix_us)
{
    uint64_t wall = wall_us();

    return unix_us <= wall + RECENT_US && wall <= unix_us + RECENT_US;
}

/* Returns true if the file comes after the present file. A copy of an earlier file does not. A file that has just begun
 * comes after it, even if the host's clock was set back. */
static bool follows(const struct folder *folder, const struct start *start)
{
    const struct start *now = &folder->now;

    if (start->id == now->id && start->id != 0)
        return start->number > now->number;
    return !is_earlier(start, now) || (folder->looked && is_recent(start->begun_us));
}

static bool is_seen(const struct folder *folder, const struct start *start)
{
    for (size_t i = 0; i < folder->seen_count; i++) {
        const struct start *seen = &folder->seen[i];

        if (seen->id == start->id && seen->number == start->number && seen->begun_us == start->begun_us)
            return true;
    }
    return false;
}

/* Notes that the file must not be the next file. Returns false if there is no memory. */
static bool note_seen(struct folder *folder, const struct start *start)
{
    if (folder->seen_count == folder->seen_room) {
        size_t room = folder->seen_room > 0 ? 2 * folder->seen_room : 64;
        struct start *seen = realloc(folder->seen, room * sizeof *seen);

        if (seen == NULL)
            return false;
        folder->seen = seen;
        folder->seen_room = room;
    }
    folder->seen[folder->seen_count++] = *start;
    return true;
}

/* ---- the files of the folder ---- */

/* Returns true if the file was written after the present file began, or a moment ago. */
static bool is_newer(int folder, const char *name, const struct start *now)
{
    struct stat about;

    return fstatat(folder, name, &about, 0) == 0 && S_ISREG(about.st_mode) &&
           ((uint64_t)about.st_mtim.tv_sec + 1 >= now->begun_us / 1000000 ||
            is_recent((uint64_t)about.st_mtim.tv_sec * 1000000));
}

/* Judges a file of the folder. It may become folder->next. Returns false if there is no memory. */
static bool judge(struct folder *folder, const char *name, const struct start *start)
{
    const bool any = folder->now.begun_us == 0;

    if (!any && is_seen(folder, start))
        return true;
    if (!any && !follows(folder, start))
        return note_seen(folder, start);
    if (folder->next.begun_us > 0 && is_earlier(start, &folder->next) == any)
        return true;
    folder->next = *start;
    snprintf(folder->next_name, sizeof folder->next_name, "%s", name);
    return true;
}

/* Finds the first file after the present file, or the newest file if there is no present file. */
static enum txtap_status scan(struct folder *folder, const char *name, struct error *error)
{
    bool has_memory = true;
    char path[PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    snprintf(path, sizeof path, "%.*s", (int)folder->stem, folder->path);
    directory = opendir(path);
    folder->changed = false;
    folder->scan_us = now_us() + SCAN_US;
    if (directory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", name, strerror(errno));
    while (has_memory && (entry = readdir(directory)) != NULL) {
        struct start start;

        if (entry->d_name[0] != '.' && is_newer(dirfd(directory), entry->d_name, &folder->now) &&
            read_start(dirfd(directory), entry->d_name, &start))
            has_memory = judge(folder, entry->d_name, &start);
    }
    closedir(directory);
    folder->looked = folder->now.begun_us > 0;
    return has_memory ? TXTAP_OK : failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to follow it", name);
}

/* Notes the changes since the last call. A file that has begun may get its first blocks only with a later change. */
static enum txtap_status take_changes(struct folder *folder, const char *name, struct error *error)
{
    char bytes[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    const char *present = folder->path + folder->stem;
    ssize_t got;

    while ((got = read(folder->watch, bytes, sizeof bytes)) > 0) {
        const struct inotify_event *event;

        for (const char *at = bytes; at < bytes + got; at += sizeof *event + event->len) {
            event = (const struct inotify_event *)(const void *)at;
            if ((event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0)
                return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: the folder was removed", name);
            if (event->len == 0 || strcmp(event->name, present) != 0)
                folder->changed = true;
        }
    }
    return TXTAP_OK;
}

static enum txtap_status open_next(struct input *input, struct folder *folder, struct error *error)
{
    struct stat about;
    int length = snprintf(folder->path + folder->stem, sizeof folder->path - folder->stem, "%s", folder->next_name);

    if (folder->stem + (size_t)length >= sizeof folder->path)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(ENAMETOOLONG));
    if (input->fd >= 0)
        close(input->fd);
    input->fd = open(folder->path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0 || fstat(input->fd, &about) != 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", folder->path, strerror(errno));
    input->existing_bytes = folder->now.begun_us == 0 ? (uint64_t)about.st_size : 0;
    if (!note_seen(folder, &folder->next))
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to follow it", input->name);
    folder->now = folder->next;
    folder->next = (struct start){0};
    folder->over = false;
    folder->changed = true;
    return TXTAP_OK;
}

/* ---- the row ---- */

static void folder_close(struct input *input)
{
    struct folder *folder = input->place;

    if (input->fd >= 0)
        close(input->fd);
    if (folder->watch >= 0)
        close(folder->watch);
    free(folder->seen);
    free(folder);
    input->place = NULL;
    input->fd = -1;
}

static enum txtap_status begin(struct input *input, struct folder *folder, const char *name, struct error *error)
{
    enum txtap_status status;

    folder->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (folder->watch < 0 || inotify_add_watch(folder->watch, name, EVENTS | IN_ONLYDIR) < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: the folder cannot be watched: %s", name, strerror(errno));
    status = scan(folder, name, error);
    if (status == TXTAP_OK && folder->next.begun_us == 0)
        status = failure(error, TXTAP_ERROR_USAGE, "%.160s: no recording in this folder\ngive a folder with recordings",
                         name);
    return status == TXTAP_OK ? open_next(input, folder, error) : status;
}

static enum txtap_status folder_open(struct input *input, const char *name, struct error *error)
{
    struct folder *folder = calloc(1, sizeof *folder);
    enum txtap_status status;

    if (folder == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);
    folder->watch = -1;
    folder->stem = strlen(name) + 1;
    input->place = folder;
    if (folder->stem >= sizeof folder->path) {
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", name, strerror(ENAMETOOLONG));
    } else {
        snprintf(folder->path, sizeof folder->path, "%s/", name);
        status = begin(input, folder, name, error);
    }
    if (status != TXTAP_OK) {
        folder_close(input);
        return status;
    }
    input->name = folder->path;
    input->live = input->board = true;
    return TXTAP_OK;
}

/* Looks for a next file only before a read, so that a file ends only after all its bytes were read. */
static ssize_t folder_read(struct input *input, void *buffer, size_t length, struct error *error)
{
    struct folder *folder = input->place;

    while (!folder->over) {
        struct pollfd wakes = {.fd = folder->watch, .events = POLLIN};
        enum txtap_status status = take_changes(folder, input->name, error);
        ssize_t got;

        if (status == TXTAP_OK && folder->next.begun_us == 0 && (folder->changed || now_us() >= folder->scan_us))
            status = scan(folder, input->name, error);
        if (status != TXTAP_OK)
            return -1;
        if (stop_grace_left_us() == 0) {
            folder->next = (struct start){0};
            folder->over = true;
            break;
        }
        got = read(input->fd, buffer, length);
        if (got > 0)
            return got;
        if (got < 0 && errno != EINTR) {
            failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(errno));
            return -1;
        }
        folder->over = folder->next.begun_us > 0 || !input_idle(input);
        if (!folder->over)
            (void)poll(&wakes, 1, INPUT_IDLE_US / 1000);
    }
    return 0;
}

static enum txtap_status folder_next(struct input *input, struct error *error)
{
    struct folder *folder = input->place;

    return folder->next.begun_us > 0 ? open_next(input, folder, error) : TXTAP_END;
}

const struct input_kind input_folder = {
    .prefix = NULL, .open = folder_open, .read = folder_read, .next = folder_next, .close = folder_close};
