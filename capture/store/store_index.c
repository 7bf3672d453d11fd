/* SPDX-License-Identifier: MIT */
/* Compares the kept rows with the files of the folder by name, size and time of change. */
#include "store/store_index.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/own_file.h"

#define INDEX_NAME      ".txtap-index.json"
#define INDEX_BYTES_MAX ((size_t)64 << 20)

/* ---- rows ---- */

struct store_file *store_index_add(struct store_index *index)
{
    if (index->count == index->room) {
        size_t room = index->room > 0 ? 2 * index->room : 64;
        struct store_file *files = realloc(index->files, room * sizeof *files);

        if (files == NULL)
            return NULL;
        index->files = files;
        index->room = room;
    }
    return &index->files[index->count++];
}

static int by_name(const void *first, const void *second)
{
    const struct store_file *a = first, *b = second;

    return strcmp(a->name, b->name);
}

static int by_time(const void *first, const void *second)
{
    const struct store_file *a = first, *b = second;

    if (a->since_us != b->since_us)
        return a->since_us < b->since_us ? -1 : 1;
    return by_name(first, second);
}

static void sort(struct store_index *index, int (*order)(const void *, const void *))
{
    if (index->count > 1)
        qsort(index->files, index->count, sizeof *index->files, order);
}

void store_index_free(struct store_index *index)
{
    for (size_t i = 0; i < index->count; i++)
        store_file_free(&index->files[i]);
    free(index->files);
    *index = (struct store_index){0};
}

/* ---- a folder ---- */

/* Takes the kept row of an unchanged file. Returns false if there is no such row. kept: sorted by name. */
static bool take_kept(struct store_file *file, struct store_index *kept, const char *name, const struct stat *about)
{
    struct store_file wanted = {.name = (char *)name}, *row;

    if (kept->count == 0)
        return false;
    row = bsearch(&wanted, kept->files, kept->count, sizeof *kept->files, by_name);
    if (row == NULL || row->bytes != (uint64_t)about->st_size || row->modified_s != about->st_mtim.tv_sec ||
        row->modified_ns != about->st_mtim.tv_nsec)
        return false;
    *file = *row;
    file->name = strdup(name);
    return file->name != NULL;
}

static enum txtap_status add_file(struct store_index *index, struct store_index *kept, const char *path,
                                  const char *name, const struct stat *about, struct error *error)
{
    struct error why = {0};
    struct store_file file;
    struct store_file *row;

    if (!take_kept(&file, kept, name, about)) {
        enum txtap_status status = store_file_read(&file, path, &why);

        index->read++;
        if (status == TXTAP_ERROR_FORMAT || status == TXTAP_ERROR_USAGE) {
            index->skipped++;
            return TXTAP_OK;
        }
        if (status != TXTAP_OK) {
            *error = why;
            return status;
        }
    }
    row = index->count < STORE_FILES_MAX ? store_index_add(index) : NULL;
    if (row != NULL) {
        *row = file;
        return TXTAP_OK;
    }
    store_file_free(&file);
    if (index->count >= STORE_FILES_MAX)
        return failure(error, TXTAP_ERROR_SPACE, "%.160s: more than %u recordings\ngive a smaller folder", path,
                       STORE_FILES_MAX);
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to list it", path);
}

static enum txtap_status add_folder(struct store_index *index, struct store_index *kept, const char *folder,
                                    struct error *error)
{
    DIR *directory = opendir(folder);
    enum txtap_status status = TXTAP_OK;
    const struct dirent *entry;

    if (directory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\ngive another folder", folder, strerror(errno));
    while (status == TXTAP_OK && (entry = readdir(directory)) != NULL) {
        char path[PATH_MAX];
        struct stat about;

        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        status = add_file(index, kept, path, entry->d_name, &about, error);
    }
    closedir(directory);
    return status;
}

static void read_kept(struct store_index *kept, const char *path)
{
    size_t length;
    char *text = own_file_read(path, INDEX_BYTES_MAX, &length);

    if (text != NULL && store_index_parse(kept, text, length))
        sort(kept, by_name);
    free(text);
}

static void keep(const struct store_index *index, const char *path)
{
    struct error unused;
    size_t length;
    char *text = store_index_text(index, &length);

    if (text != NULL)
        (void)own_file_write(path, text, length, &unused);
    free(text);
}

enum txtap_status store_index_open(struct store_index *index, const char *folder, struct error *error)
{
    struct store_index kept = {0};
    enum txtap_status status;
    char path[PATH_MAX];

    *index = (struct store_index){0};
    if (snprintf(path, sizeof path, "%s/" INDEX_NAME, folder) >= (int)sizeof path)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", folder, strerror(ENAMETOOLONG));
    read_kept(&kept, path);
    status = add_folder(index, &kept, folder, error);
    if (status == TXTAP_OK) {
        sort(index, by_time);
        if (index->read > index->skipped || kept.count != index->count)
            keep(index, path);
    } else {
        store_index_free(index);
    }
    store_index_free(&kept);
    return status;
}
