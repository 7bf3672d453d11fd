/* SPDX-License-Identifier: MIT */
/* Walks through the folders with fts(3). */
#include "store/board_folders.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file/ctf_directory.h"

char *board_folder_name(const char *lab, const char *folder)
{
    size_t length = strlen(lab);
    const char *slash;
    char whole[PATH_MAX];

    while (length > 1 && lab[length - 1] == '/')
        length--;
    if (strncmp(folder, lab, length) == 0 && folder[length] == '/' && folder[length + 1] != '\0')
        return strdup(folder + length + 1);
    if (realpath(folder, whole) == NULL)
        return strdup(folder);
    slash = strrchr(whole, '/');
    return strdup(slash != NULL && slash[1] != '\0' ? slash + 1 : whole);
}

static int files_by_name(const void *a, const void *b)
{
    return strcmp((*(const struct store_file *const *)a)->name, (*(const struct store_file *const *)b)->name);
}

/* Fills in the name, the path, and the files by name. False: no memory. */
static bool describe(struct board_folder *board, const char *root, const char *path)
{
    board->name = board_folder_name(root, path);
    board->path = strdup(path);
    board->named = calloc(board->index.count, sizeof *board->named);
    if (board->name == NULL || board->path == NULL || board->named == NULL)
        return false;
    for (size_t i = 0; i < board->index.count; i++)
        board->named[i] = &board->index.files[i];
    qsort(board->named, board->index.count, sizeof *board->named, files_by_name);
    return true;
}

static void close_board(struct board_folder *board)
{
    free(board->name);
    free(board->path);
    free(board->named);
    store_index_free(&board->index);
}

struct board_folder *board_folders_new(struct board_folders *lab)
{
    if (lab->count == lab->room) {
        size_t room = lab->room > 0 ? 2 * lab->room : 16;
        struct board_folder *boards = realloc(lab->boards, room * sizeof *boards);

        if (boards == NULL)
            return NULL;
        lab->boards = boards;
        lab->room = room;
    }
    lab->boards[lab->count] = (struct board_folder){.name = NULL};
    return &lab->boards[lab->count++];
}

static enum txtap_status add(struct board_folders *lab, const char *root, const char *path, struct error *error)
{
    struct store_index index;
    struct board_folder *board;
    enum txtap_status status = store_index_open(&index, path, error);

    if (status != TXTAP_OK)
        return status;
    if (index.count == 0) {
        store_index_free(&index);
        return TXTAP_OK;
    }
    board = board_folders_new(lab);
    if (board == NULL)
        store_index_free(&index);
    else
        board->index = index;
    if (board != NULL && describe(board, root, path))
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", path);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum txtap_status add_entry(struct board_folders *lab, FTS *walk, FTSENT *entry, const char *root,
                                   struct error *error)
{
    switch (entry->fts_info) {
    case FTS_D:
        if ((entry->fts_level > 0 && entry->fts_name[0] == '.') || ctf_directory_has_metadata(entry->fts_path)) {
            (void)fts_set(walk, entry, FTS_SKIP);
            return TXTAP_OK;
        }
        return add(lab, root, entry->fts_path, error);
    case FTS_NS: /* the lab itself is absent, or a file was just removed */
        if (entry->fts_level > 0)
            return TXTAP_OK;
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", entry->fts_path,
                       strerror(entry->fts_errno));
    case FTS_DNR:
    case FTS_ERR:
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", entry->fts_path,
                       strerror(entry->fts_errno));
    default:
        return TXTAP_OK;
    }
}

static int boards_by_name(const void *a, const void *b)
{
    return strcmp(((const struct board_folder *)a)->name, ((const struct board_folder *)b)->name);
}

enum txtap_status board_folders_open(struct board_folders *lab, const char *path, struct error *error)
{
    char root[PATH_MAX], *paths[] = {root, NULL};
    enum txtap_status status = TXTAP_OK;
    FTSENT *entry;
    FTS *walk;

    *lab = (struct board_folders){.count = 0};
    snprintf(root, sizeof root, "%s", path);
    for (size_t length = strlen(root); length > 1 && root[length - 1] == '/';)
        root[--length] = '\0';
    walk = fts_open(paths, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (walk == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", path, strerror(errno));
    while (status == TXTAP_OK && (entry = fts_read(walk)) != NULL)
        status = add_entry(lab, walk, entry, root, error);
    fts_close(walk);
    if (status != TXTAP_OK)
        board_folders_close(lab);
    else if (lab->count > 1)
        qsort(lab->boards, lab->count, sizeof *lab->boards, boards_by_name);
    return status;
}

void board_folders_close(struct board_folders *lab)
{
    for (size_t i = 0; i < lab->count; i++)
        close_board(&lab->boards[i]);
    free(lab->boards);
    *lab = (struct board_folders){.count = 0};
}

const struct store_file *board_folders_find(const struct board_folders *lab, const char *path,
                                            const struct board_folder **board)
{
    const char *slash = strrchr(path, '/');

    for (size_t i = 0; slash != NULL && i < lab->count; i++) {
        const struct board_folder *at = &lab->boards[i];
        const struct store_file wanted = {.name = (char *)slash + 1}, *const key = &wanted, **found;

        if (strncmp(at->path, path, (size_t)(slash - path)) != 0 || at->path[slash - path] != '\0')
            continue;
        found = bsearch(&key, at->named, at->index.count, sizeof *at->named, files_by_name);
        if (found == NULL)
            return NULL;
        *board = at;
        return *found;
    }
    return NULL;
}
