/* SPDX-License-Identifier: MIT */
/* The files of txtap record: their rotation, and files that cannot be written. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/recorder_fixture.h"
#include "error_line.h"

TestSuite(recording_files, .init = recording_set_up, .fini = recording_tear_down);

Test(recording_files, no_file_is_larger_than_the_limit)
{
    fixture.setup.config.file_bytes = 2000;
    add_object(0x100, "first");
    start();
    for (int i = 0; i < 6; i++) {
        events(20);
        fixture.now_us += RECORDING_BLOCK_US;
    }
    stop();
    cr_assert_leq(file_bytes(), 2000);
    cr_assert_str_eq(transcript_of_part(0), "B O* 100-119 120-139 E1:40 ");
    cr_assert_str_eq(transcript_of_part(1), "B O* 140-159 160-179 E1:40 ");
    cr_assert_str_eq(txtap_registry_find(&fixture.read_registry, 0x100)->name, "first", "each file has the names");
    cr_assert_str_eq(transcript_of_part(2), "B O* 180-199 200-219 E0:40 ");
    cr_assert_eq(fixture.recording.file.disk.files, 3);
}

Test(recording_files, a_file_that_is_removed_ends_the_recording)
{
    start();
    events(3);
    cr_assert_eq(unlink(fixture.path), 0);
    fixture.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(step_to_the_end(), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(recording_close(&fixture.recording, TXTAP_ERROR_SYSTEM, &fixture.error), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(error_line(&fixture.error), "it was removed while it was written"), "%s",
              error_line(&fixture.error));
}

/* Checks that there are several parts, that each has the right size, and that together they have all events. */
static void check_sizes(size_t most, uint64_t events_there)
{
    uint64_t found = 0, last = SEQ;
    unsigned part;

    for (part = 0; part < fixture.recording.file.disk.files; part++) {
        const char *at = transcript_of_part((int)part);
        unsigned from, until;

        cr_assert_leq(part_bytes((int)part), most, "part %u: %s", part, at);
        for (; (at = strchr(at, ' ')); at++)
            if (sscanf(at, " %u-%u ", &from, &until) == 2) {
                cr_assert_eq(from, last, "part %u", part);
                found += until + 1 - from;
                last = until + 1;
            }
    }
    cr_assert_gt(part, 1);
    cr_assert_eq(found, events_there);
}

Test(recording_files, no_file_is_larger_if_all_events_arrive_at_once)
{
    fixture.setup.config.file_bytes = 5000;
    start();
    events(1000);
    stop();
    check_sizes(5000, 1000);
}

Test(recording_files, no_file_is_larger_if_names_are_between_the_events)
{
    char name[24];

    fixture.setup.config.file_bytes = 6000;
    start();
    for (unsigned i = 0; i < 50; i++) {
        events(i % 7);
        snprintf(name, sizeof name, "a name that is long %u", i);
        add_object(0x1000 + i * 4, name);
        events(i % 3);
    }
    events(2000);
    stop();
    check_sizes(6000, 196 + 2000);
}

Test(recording_files, no_file_is_larger_if_the_trace_is_set_up_again)
{
    fixture.setup.config.force = true;
    add_object(0x100, "first");
    for (fixture.setup.config.file_bytes = 1000; fixture.setup.config.file_bytes < 1200;
         fixture.setup.config.file_bytes += 10) {
        fixture.seq = SEQ;
        start();
        for (unsigned i = 0; i < 20; i++) {
            events(2);
            cr_assert_eq(restart(), TXTAP_OK);
        }
        stop();
        check_sizes(fixture.setup.config.file_bytes, 40);
    }
}

/* Returns how often the text occurs in all parts together. */
static unsigned count_in_parts(const char *text)
{
    unsigned count = 0;

    for (unsigned part = 0; part < fixture.recording.file.disk.files; part++)
        for (const char *at = strstr(transcript_of_part((int)part), text); at; at = strstr(at + 1, text))
            count++;
    return count;
}

/* The tested sizes are close together. So for each kind of block there is a size at which it fills a file. */
Test(recording_files, a_gap_or_a_mark_may_be_the_first_of_a_file)
{
    fixture.setup.config.force = true;
    for (fixture.setup.config.file_bytes = 600; fixture.setup.config.file_bytes < 800;
         fixture.setup.config.file_bytes += 10) {
        fixture.seq = SEQ;
        start();
        for (unsigned i = 0; i < 20; i++) {
            events(2);
            cr_assert_eq(gap(fixture.seq, 0, false), TXTAP_OK);
            events(1);
            cr_assert_eq(mark(TXTAP_MARK_DETACHED, fixture.seq), TXTAP_OK);
        }
        stop();
        check_sizes(fixture.setup.config.file_bytes, 60);
        cr_assert_eq(count_in_parts("gap"), 20);
        cr_assert_eq(count_in_parts("detached"), 20);
        cr_assert_eq(count_in_parts("cut"), 0);
    }
}

static void record_two_blocks(uint64_t file_bytes_max)
{
    fixture.setup.config.file_bytes = file_bytes_max;
    fixture.setup.config.force = true;
    start();
    events(20);
    fixture.now_us += RECORDING_BLOCK_US;
    events(20);
    stop();
}

Test(recording_files, a_file_may_be_exactly_as_large_as_the_limit)
{
    size_t whole;

    record_two_blocks(1000000);
    whole = file_bytes();
    record_two_blocks(whole);
    cr_assert_eq(fixture.recording.file.disk.files, 1);
    cr_assert_eq(file_bytes(), whole);
    record_two_blocks(whole - 1);
    cr_assert_eq(fixture.recording.file.disk.files, 2);
    cr_assert_lt(file_bytes(), whole);
}

Test(recording_files, a_limit_below_one_block_still_works)
{
    fixture.setup.config.file_bytes = 1;
    start();
    events(1);
    fixture.now_us += RECORDING_BLOCK_US;
    events(1);
    stop();
    cr_assert_str_eq(transcript_of_part(0), "B O* 100-100 E1:1 ");
    cr_assert_str_eq(transcript_of_part(1), "B O* 101-101 E0:1 ");
}

Test(recording_files, starts_the_next_file_in_time_even_without_events)
{
    char pattern[128];

    setenv("TZ", "UTC", 1);
    tzset();
    snprintf(pattern, sizeof pattern, "%s/%%S", fixture.directory);
    fixture.setup.config.path = pattern;
    fixture.setup.config.file_seconds = 2;
    fixture.setup.config.file_count = 2;
    start();
    events(1);
    fixture.now_us += 2000000;
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
    fixture.now_us += 2000000;
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_END);
    stop();
    snprintf(fixture.path, sizeof fixture.path, "%s/50", fixture.directory); /* 1010 s after the start of 1970 */
    cr_assert_str_eq(transcript(), "B O* 100-100 E1:1 ");
    snprintf(fixture.path, sizeof fixture.path, "%s/52", fixture.directory);
    cr_assert_str_eq(transcript(), "B O* E0:0 ");
}

Test(recording_files, consecutive_files_are_read_as_one)
{
    char command[400];

    fixture.setup.config.file_bytes = 1;
    start();
    events(1);
    fixture.now_us += RECORDING_BLOCK_US;
    events(1);
    stop();
    snprintf(command, sizeof command, "cat %s1 >>%s", fixture.path, fixture.path);
    cr_assert_eq(system(command), 0);
    cr_assert_str_eq(transcript(), "B O* 100-100 E1:1 B O* 101-101 E0:1 ");
    snprintf(command, sizeof command, "echo >>%s", fixture.path);
    cr_assert_eq(system(command), 0);
    cr_assert_str_eq(transcript(), "B O* 100-100 E1:1 B O* 101-101 E0:1 cut ");
}

/* ---- files that cannot be written ---- */

static void fails(const char *words, enum txtap_status want)
{
    enum txtap_status status =
        recording_open(&fixture.recording, &fixture.setup, &fixture.header, &fixture.registry, &fixture.error);

    cr_assert_eq(status, want, "%d", status);
    cr_assert(strstr(error_line(&fixture.error), words), "%s", error_line(&fixture.error));
}

Test(recording_files, does_not_touch_an_existing_file)
{
    FILE *file = fopen(fixture.path, "w");

    fputs("mine", file);
    fclose(file);
    fails("file exists", ERROR_EXISTS);
    cr_assert_eq(file_bytes(), 4);
}

Test(recording_files, reports_that_a_device_is_full)
{
    fixture.setup.config.path = "/dev/full";
    fails("/dev/full: cannot be written: No space left", TXTAP_ERROR_SYSTEM);
    fixture.setup.config.path = "/dev/null";
    start();
    events(10);
    stop();
}

Test(recording_files, a_full_disk_leaves_whole_blocks)
{
    const struct rlimit limit = {4096, RLIM_INFINITY};
    enum txtap_status status;

    signal(SIGXFSZ, SIG_IGN); /* as runtime_init() does */
    start();
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    events(100);
    fixture.now_us += RECORDING_BLOCK_US;
    status = recording_step(&fixture.recording);
    cr_assert_eq(status, TXTAP_OK);
    events(100);
    fixture.now_us += RECORDING_BLOCK_US;
    status = step_to_the_end();
    cr_assert_eq(status, TXTAP_ERROR_SYSTEM);
    cr_assert_eq(recording_close(&fixture.recording, status, &fixture.error), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(error_line(&fixture.error), "File too large: what was written before is whole"), "%s",
              error_line(&fixture.error));
    cr_assert_str_eq(transcript(), "B O* 100-199 cut ");
    cr_assert_eq(fixture.reader.stream.offset, file_bytes(), "nothing comes after the last whole block");
    cr_assert_eq(fixture.recording.file.disk.events, 100, "which is what was written");
    cr_assert_eq(fixture.recording.file.disk.total_bytes, file_bytes());
}

Test(recording_files, of_a_store_never_overwrite_a_file)
{
    char second[sizeof fixture.path + 8];

    snprintf(second, sizeof second, "%s-2", fixture.path);
    fixture.setup.config.stores = true;
    for (unsigned run = 0; run < 2; run++) {
        start();
        events(run + 1);
        fixture.now_us += RECORDING_STORE_US;
        cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
        cr_assert(strstr(transcript_of(run == 0 ? fixture.path : second), "cut "), "a follower gets the block soon");
        stop();
    }
    cr_assert_str_eq(transcript(), "B O* 100-100 E0:1 ");
    cr_assert_str_eq(transcript_of(second), "B O* 101-102 E0:2 ");
    unlink(second);
}

Test(recording_files, of_a_store_have_the_numbers_of_their_names)
{
    char second[sizeof fixture.path + 8];

    snprintf(second, sizeof second, "%s-2", fixture.path);
    fixture.setup.config.stores = true;
    for (unsigned run = 0; run < 2; run++) {
        start();
        cr_assert_eq(mark(TXTAP_MARK_RESET, SEQ), TXTAP_OK);
        cr_expect_str_eq(fixture.recording.rotation.name, run == 0 ? fixture.path : second);
        stop();
    }
    unlink(second);
}

Test(recording_files, a_reader_that_closes_its_end_is_a_normal_end)
{
    int ends[2];
    char name[32];

    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    fixture.setup.config.path = name;
    start();
    close(ends[0]);
    events(1);
    fixture.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(step_to_the_end(), TXTAP_END);
    cr_assert_eq(recording_close(&fixture.recording, TXTAP_END, &fixture.error), TXTAP_END);
}

Test(recording_files, no_file_with_words_is_larger_than_the_limit)
{
    fixture.setup.config.file_bytes = 16384;
    start();
    for (int i = 0; i < 2000; i++) {
        cr_assert_eq(event_of_words(4096, (uint8_t)(i % 60)), TXTAP_OK);
        if (i % 37 == 0) /* makes blocks of several sizes, each of which may fill a file */
            fixture.now_us += RECORDING_BLOCK_US;
    }
    stop();
    for (int part = 1; part < 5; part++) {
        cr_assert_leq(part_bytes(part), 16384);
        cr_assert_eq(strncmp(transcript_of_part(part), "B O* W", 6), 0, "%s", transcript_of_part(part));
        cr_assert_eq(strstr(transcript_of_part(part), "wrong"), NULL);
    }
}

/* A file's limit also counts its samples, and each file has the channels that it needs. */
Test(recording_files, no_file_with_samples_is_larger_than_the_limit)
{
    static struct txtap_channels channels;
    const struct txtap_channel a = {.number = 0, .name = "a"};

    fixture.setup.config.file_bytes = 4000;
    cr_assert_not_null(txtap_channels_add(&channels, &a));
    fixture.setup.channels = &channels;
    start();
    for (int i = 0; i < 300; i++) {
        events(1);
        cr_assert_eq(sample_of(i % 3 == 0, (uint64_t)i, ""), TXTAP_OK);
        if (i % 10 == 9)
            fixture.now_us += RECORDING_BLOCK_US;
    }
    stop();
    check_sizes(4000, 300);
    cr_assert(strstr(transcript_of_part(2), "B C0 O* C1 S") != NULL, "%s", transcript_of_part(2));
}
