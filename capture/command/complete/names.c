/* SPDX-License-Identifier: MIT */
/* Names in the files that are already on the command line. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/input.h"
#include "command/complete/complete.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "locate/elf_file.h"
#include "locate/vectors.h"
#include "txtap/inner/registry.h"

#define FILE_BYTES_MOST                                                                                                \
    ((off_t)64 << 20)     /* larger files would take too long; of a recording only the beginning is read */
#define BLOCKS_MOST  200u /* blocks of a recording that are read for names */
#define OBJECTS_MOST 4096u

/* Returns true if the path is a regular file, and sets *small to true if it is not too large to be read whole. */
static bool is_file(const char *path, bool *small)
{
    struct stat about;

    if (path[0] == '-' || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    *small = about.st_size <= FILE_BYTES_MOST;
    return true;
}

/* Returns true if the path is a folder with recordings, and sets `recording` to the path of the last name. */
static bool last_recording(const char *path, char *recording, size_t bytes)
{
    DIR *folder = path[0] != '-' ? opendir(path) : NULL;
    char last[NAME_MAX + 1] = "";
    const struct dirent *entry;

    if (folder == NULL)
        return false;
    while ((entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);

        if (length > 4 && strcmp(entry->d_name + length - 4, ".rec") == 0 && strcmp(entry->d_name, last) > 0)
            snprintf(last, sizeof last, "%s", entry->d_name);
    }
    closedir(folder);
    return last[0] != '\0' && (size_t)snprintf(recording, bytes, "%s/%s", path, last) < bytes;
}

static void offer(const struct completion *completion, enum completion_names which,
                  const struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];
        bool is_thread = object->type == TXTAP_OBJECT_THREAD, again = false;

        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(registry->objects[j].name, object->name) == 0;
        if (!again && object->name[0] != '\0' && is_thread == (which == NAMES_THREADS))
            completion_offer(completion, object->name, "");
    }
}

/* Reads the first blocks of a recording. */
static void read_recording(struct txtap_registry *registry, struct input *input)
{
    struct recording_reader *reader = malloc(sizeof *reader);
    struct txtap_recording_item item;
    struct error unused = {0};

    if (reader != NULL && recording_reader_open(reader, input, &unused) == TXTAP_OK) {
        for (unsigned i = 0; i < BLOCKS_MOST && recording_reader_next(reader, &item, &unused) == TXTAP_OK; i++)
            if (item.type == TXTAP_RECORDING_OBJECTS)
                txtap_recording_objects(&item, registry);
        recording_reader_close(reader);
    }
    free(reader);
}

static void offer_file(const struct completion *completion, enum completion_names which, const char *path)
{
    struct txtap_object *objects;
    struct trace_file *file;
    struct txtap_registry registry;
    struct error unused = {0};
    struct input input;
    bool small;

    if (!is_file(path, &small))
        return;
    objects = calloc(OBJECTS_MOST, sizeof *objects);
    file = calloc(1, sizeof *file);
    if (objects != NULL && file != NULL && input_open(&input, &path, 1, &unused) == TXTAP_OK) {
        txtap_registry_init(&registry, objects, OBJECTS_MOST);
        if (txtap_recording_signature(input.head, input.head_bytes)) {
            read_recording(&registry, &input);
            offer(completion, which, &registry);
        } else if (small && trace_file_open(file, &(struct trace_file_request){.input = &input}, &unused) == TXTAP_OK) {
            offer(completion, which, &file->trace.registry);
            trace_file_close(file);
        }
        input_close(&input);
    }
    free(file);
    free(objects);
}

void completion_names(const struct completion *completion, enum completion_names which)
{
    char recording[PATH_MAX];

    for (size_t i = 0; i < completion->count; i++)
        offer_file(completion, which,
                   last_recording(completion->words[i], recording, sizeof recording) ? recording
                                                                                     : completion->words[i]);
}

/* Opens the word if it is the name of an ELF file. NULL: it is not. The caller closes it. */
static struct elf_file *open_elf(const char *word)
{
    struct elf_file *elf;
    struct error unused = {0};
    bool small;

    return is_file(word, &small) && small && elf_open(&elf, word, &unused) == TXTAP_OK ? elf : NULL;
}

/* Offers the names in quotation marks. */
static void offer_quoted(const struct completion *completion, const char *text)
{
    while ((text = strchr(text, '"')) != NULL) {
        size_t length = strcspn(++text, "\"");
        char word[256];

        snprintf(word, sizeof word, "%.*s", (int)length, text);
        completion_offer(completion, word, "");
        text += length + (text[length] == '"');
    }
}

void completion_interrupts(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        struct elf_file *elf = open_elf(completion->words[i]);
        char *text = elf != NULL ? vectors_text(elf) : NULL;

        if (text != NULL)
            offer_quoted(completion, text);
        free(text);
        if (elf != NULL)
            elf_close(elf);
    }
}

void completion_variables(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++) {
        struct elf_file *file = open_elf(completion->words[i]);
        const char *name;
        size_t at = 0;

        if (file == NULL)
            continue;
        for (unsigned n = 0; n < ELF_OFFERS_MAX && (name = elf_next_variable(file, &at)) != NULL; n++)
            completion_offer(completion, name, "");
        elf_close(file);
    }
}
