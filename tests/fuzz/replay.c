/* SPDX-License-Identifier: MIT */
/*
 * replay DIRECTORY [CHANGES]: gives each file of the directory to a fuzzer, once. So builds without clang's libFuzzer
 * also test the fuzzers' initial inputs, and the inputs on which they have failed. With CHANGES it also gives each file
 * with so many random changes, which are the same in each run. If the fuzzer crashes, the last line of the output is
 * the name of its input and the number of the change.
 *
 * replay DIRECTORY NAME NUMBER: only writes this input to standard output, for tests/fuzz/run and the corpus.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

#define FILE_BYTES_MAX 65536u
#define EDITS_MAX      8u

struct bytes {
    uint8_t at[FILE_BYTES_MAX];
    size_t length;
};

/* ---- files ---- */

static void read_file(const char *directory, const char *name, struct bytes *bytes)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    bytes->length = fread(bytes->at, 1, FILE_BYTES_MAX, file);
    fclose(file);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* ---- changes ---- */

static uint64_t state;

/* Returns a random number from 0 to below - 1 (xorshift64*). */
static uint32_t chance(size_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717ull) >> 33) % (uint32_t)below;
}

/* Starts the random numbers of a change. They depend on the name, so another file in the folder has no influence. */
static void begin(const char *name, uint32_t number)
{
    state = 14695981039346656037ull + number;
    for (; *name != '\0'; name++)
        state = (state ^ (uint8_t)*name) * 1099511628211ull;
    state |= 1;
}

static uint8_t any_byte(void)
{
    static const uint8_t usual[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '"', ' '};

    return chance(2) == 0 ? usual[chance(sizeof usual)] : (uint8_t)chance(256);
}

/* Removes, repeats or moves a part of the bytes. */
static void edit_part(struct bytes *bytes)
{
    size_t from = chance(bytes->length), count = 1 + chance(bytes->length - from);
    size_t to = chance(bytes->length);

    if (count > 64 && chance(4) != 0)
        count = 1 + chance(64);
    switch (chance(3)) {
    case 0:
        memmove(bytes->at + from, bytes->at + from + count, bytes->length - from - count);
        bytes->length -= count;
        break;
    case 1:
        if (bytes->length + count > FILE_BYTES_MAX)
            break;
        memmove(bytes->at + from + count, bytes->at + from, bytes->length - from);
        bytes->length += count;
        break;
    default:
        memmove(bytes->at + to, bytes->at + from, count < bytes->length - to ? count : bytes->length - to);
        break;
    }
}

static void edit(struct bytes *bytes)
{
    size_t at;

    if (bytes->length == 0) {
        bytes->at[bytes->length++] = any_byte();
        return;
    }
    at = chance(bytes->length);
    switch (chance(6)) {
    case 0:
        bytes->at[at] ^= (uint8_t)(1u << chance(8));
        break;
    case 1:
        bytes->at[at] = (uint8_t)(bytes->at[at] + 1 - 2 * chance(2));
        break;
    case 2:
        for (size_t i = 0; i < 4 && at + i < bytes->length; i++)
            bytes->at[at + i] = any_byte();
        break;
    case 3:
        bytes->length = chance(8) == 0 ? at : bytes->length;
        break;
    case 4:
        edit_part(bytes);
        break;
    default:
        bytes->at[at] = any_byte();
        break;
    }
}

static void change(struct bytes *bytes, const char *name, uint32_t number)
{
    begin(name, number);
    for (uint32_t edits = 1 + chance(EDITS_MAX); edits > 0; edits--)
        edit(bytes);
}

/* ---- running ---- */

static void run(const struct bytes *bytes)
{
    /* Exact size: otherwise the sanitizer would not detect a read past the end. */
    uint8_t *exact = malloc(bytes->length > 0 ? bytes->length : 1);

    if (!exact)
        exit(EXIT_FAILURE);
    memcpy(exact, bytes->at, bytes->length);
    LLVMFuzzerTestOneInput(exact, bytes->length);
    free(exact);
}

static void run_with_changes(const char *directory, const char *name, unsigned long changes)
{
    static struct bytes file, changed;

    read_file(directory, name, &file);
    for (uint32_t number = 0; number <= changes; number++) {
        printf("%s %u\n", name, number);
        fflush(stdout);
        changed = file;
        if (number > 0)
            change(&changed, name, number);
        run(&changed);
    }
}

static int write_input(const char *directory, const char *name, uint32_t number)
{
    static struct bytes bytes;

    read_file(directory, name, &bytes);
    if (number > 0)
        change(&bytes, name, number);
    return fwrite(bytes.at, 1, bytes.length, stdout) == bytes.length && fflush(stdout) == 0 ? EXIT_SUCCESS
                                                                                            : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    unsigned long changes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    struct dirent **entries = NULL;
    int count;

    if (argc < 2 || argc > 4) {
        fprintf(stderr, "Usage: %s DIRECTORY [CHANGES | NAME NUMBER]\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (argc == 4)
        return write_input(argv[1], argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
    count = scandir(argv[1], &entries, is_file, alphasort);
    for (int i = 0; i < count; i++) {
        run_with_changes(argv[1], entries[i]->d_name, changes);
        free(entries[i]);
    }
    free(entries);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
