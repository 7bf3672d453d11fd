/* SPDX-License-Identifier: MIT */
/* Directories of faults: their names, their number, and a connection that is lost while the RAM is copied. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crash/crash_files.h"
#include "locate/elf_maker.h"

#define CORTEX_M4 0x410FC241u

static struct crash_files files;
static struct fault_watch watch;
static struct elf_file *elf;
static char directory[] = "/tmp/txtap_crash_files_XXXXXX";
static unsigned reads, reads_left;

static enum txtap_status read_memory(void *self, const struct txtap_read *read, size_t count)
{
    (void)self;
    (void)count;
    reads++;
    if (reads_left == 0)
        return ERROR_CLOSED;
    reads_left--;
    memset(read->buffer, 0, read->length);
    if (read->address == TXTAP_FAULT_REGISTERS_AT)
        memcpy(read->buffer, (uint32_t[]){CORTEX_M4, 3}, 8);
    return TXTAP_OK;
}

static const struct txtap_source_ops ops = {
    .name = "made", .read_bytes_max = 1024, .reads_max = 1, .read = read_memory};
static const struct poller_place place = {.source = {&ops, NULL}};

static uint64_t clock_us(void)
{
    return 0;
}

static uint64_t wall_us(void)
{
    return UINT64_C(1767323045678901); /* 2026-01-02T03:04:05.678901Z */
}

static void begin(void)
{
    static uint8_t bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&(struct elf_recipe){.without_symbols = false}, bytes);
    struct error error = {0};
    char path[32];
    int fd = elf_make_file(bytes, length, path);

    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK, "%s", error.what);
    close(fd);
    cr_assert_not_null(mkdtemp(directory));
    /* the event logger's ring has no copy, so there is no file of events */
    cr_assert_eq(crash_files_open(&files,
                                  &(struct crash_files_setup){.directory = directory,
                                                              .max = 3,
                                                              .elf = elf,
                                                              .ring = &ring_event_logger,
                                                              .quiet = true,
                                                              .now_us = clock_us,
                                                              .wall_us = wall_us},
                                  &error),
                 TXTAP_OK, "%s", error.what);
    watch = (struct fault_watch){.text = "HardFault"};
    reads = 0;
    reads_left = UINT32_MAX;
}

static void remove_all(const char *path)
{
    char command[300];

    snprintf(command, sizeof command, "rm -r '%s'", path);
    cr_assert_eq(system(command), 0);
}

static void end(void)
{
    crash_files_close(&files);
    elf_close(elf);
    remove_all(directory);
}

TestSuite(crash_files, .init = begin, .fini = end);

static bool has(const char *name)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

/* Reads a file of the first directory. */
static const char *text_of(const char *name)
{
    static char text[8192];
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/2026-01-02T03-04-05.678Z/%s", directory, name);
    file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void step(bool readable)
{
    crash_files_step(&files, &watch, &place, readable, 1000);
}

Test(crash_files, never_uses_a_directory_twice)
{
    step(true);
    cr_assert_eq(reads, 0, "no fault yet");
    for (watch.faults = 1; watch.faults <= 5; watch.faults++)
        step(true);
    cr_assert(has("2026-01-02T03-04-05.678Z/core.elf"));
    cr_assert(has("2026-01-02T03-04-05.678Z-2/core.elf"));
    cr_assert(has("2026-01-02T03-04-05.678Z-3/fault.txt"));
    cr_assert_not(has("2026-01-02T03-04-05.678Z-4"), "the limit is 3");
    cr_assert_not(has("2026-01-02T03-04-05.678Z/events.trx"));
    cr_assert_eq(strncmp(text_of("fault.txt"), "HardFault\n", 10), 0);
}

Test(crash_files, waits_until_the_target_can_be_read)
{
    watch.faults = 1;
    step(false);
    cr_assert_eq(reads, 0);
    step(true);
    cr_assert(has("2026-01-02T03-04-05.678Z/core.elf"));
}

Test(crash_files, keeps_a_part_if_the_connection_is_lost)
{
    watch.faults = 1;
    reads_left = 4;
    step(true);
    cr_assert_not(files.busy);
    cr_assert(strstr(text_of("fault.txt"), "ended early") != NULL);
    cr_assert(strstr(text_of("fault.txt"), "bytes of RAM could not be read") != NULL);
    step(true);
    cr_assert_not(has("2026-01-02T03-04-05.678Z-2"), "one fault has one directory");
}
