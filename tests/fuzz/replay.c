/* SPDX-License-Identifier: MIT */
/*
 * replay DIRECTORY: gives each file of the directory to a fuzzer, once. So builds without clang's libFuzzer also test
 * the fuzzers' initial inputs, and the inputs on which they have failed.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

#define FILE_BYTES_MAX 65536u

static void run(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(FILE_BYTES_MAX);
    if (!file || !bytes) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    size_t length = fread(bytes, 1, FILE_BYTES_MAX, file);
    fclose(file);
    /* Exact size: otherwise the sanitizer would not detect a read past the end. */
    uint8_t *exact = malloc(length > 0 ? length : 1);
    if (!exact)
        exit(EXIT_FAILURE);
    memcpy(exact, bytes, length);
    free(bytes);
    printf("%s\n", name); /* if the fuzzer crashes, the last name printed is its input */
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
}

int main(int argc, char **argv)
{
    DIR *directory = argc == 2 ? opendir(argv[1]) : NULL;
    unsigned count = 0;

    if (!directory) {
        fprintf(stderr, "Usage: %s DIRECTORY\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        run(argv[1], entry->d_name);
        count++;
    }
    closedir(directory);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
