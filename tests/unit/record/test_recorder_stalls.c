/* SPDX-License-Identifier: MIT */
/* The sink of txtap record while it cannot write: its file is a named pipe, which has no reader at first. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/recorder_fixture.h"
#include "error_line.h"

#define BUFFER_BYTES 1000000 /* this and the pipe have room for about 33,000 events */

static int reader; /* reading end of the named pipe at fixture.path */
static pid_t child;
static char copy[140]; /* data read from the pipe */

static void set_up(void)
{
    recording_set_up();
    signal(SIGPIPE, SIG_IGN);
    snprintf(copy, sizeof copy, "%s.copy", fixture.path);
    cr_assert_eq(mkfifo(fixture.path, 0600), 0);
    reader = open(fixture.path, O_RDONLY | O_NONBLOCK); /* otherwise opening the pipe for writing would wait */
    cr_assert_geq(reader, 0);
    cr_assert_eq(fcntl(reader, F_SETFL, 0), 0);
    fixture.setup.config.buffer_bytes = BUFFER_BYTES;
}

TestSuite(recording_stalls, .init = set_up, .fini = recording_tear_down, .timeout = 1200);

/* Starts a process that reads the pipe until its end. */
static void read_on(void)
{
    static char bytes[65536];

    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        int out = open(copy, O_WRONLY | O_CREAT | O_APPEND, 0600);
        ssize_t got;

        /* otherwise the child has a writing end, and never reads the end of the pipe */
        close(fixture.recording.file.disk.fd);
        while ((got = read(reader, bytes, sizeof bytes)) > 0)
            if (write(out, bytes, (size_t)got) != got)
                _exit(1);
        _exit(0);
    }
    close(reader);
}

static void await_end(void)
{
    int status = 0;

    stop();
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
}

struct sums {
    uint64_t next_seq, events, lost, gaps, marks;
    uint64_t first_gap_seq, first_gap_lost, mark_seq;
};

/* Checks that in the copy each event and each gap begins where the previous item ends. */
static struct sums sum_up(void)
{
    struct sums sums = {.next_seq = SEQ};
    struct txtap_recording_item item;
    struct input input;

    cr_assert_eq(input_open(&input, (const char *const[]){copy}, 1, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    cr_assert_eq(recording_reader_open(&fixture.reader, &input, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    while (recording_reader_next(&fixture.reader, &item, &fixture.error) == TXTAP_OK) {
        if (item.type == TXTAP_RECORDING_EVENTS) {
            cr_assert_eq(item.seq, sums.next_seq);
            sums.next_seq += item.count;
            sums.events += item.count;
        } else if (item.type == TXTAP_RECORDING_GAP) {
            cr_assert_eq(item.gap.seq, sums.next_seq);
            cr_assert(item.gap.exact);
            sums.next_seq += item.gap.lost;
            sums.lost += item.gap.lost;
            if (sums.gaps++ == 0)
                sums.first_gap_seq = item.gap.seq, sums.first_gap_lost = item.gap.lost;
        } else if (item.type == TXTAP_RECORDING_MARK) {
            sums.marks++;
            sums.mark_seq = item.mark.seq;
            cr_assert_eq(item.mark.seq, sums.next_seq);
        }
    }
    recording_reader_close(&fixture.reader);
    cr_assert(!fixture.reader.cut, "%s", fixture.reader.notes.at[0].what);
    input_close(&input);
    return sums;
}

Test(recording_stalls, cost_nothing_while_the_buffer_has_room)
{
    struct sums sums;

    start();
    events(20000);
    cr_assert_lt(block_file_room(&fixture.recording.file), 500000, "data waits, the recorder does not");
    read_on();
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.events, 20000);
    cr_assert_eq(sums.gaps, 0);
}

Test(recording_stalls, events_that_do_not_fit_become_one_gap_in_their_place)
{
    struct sums sums;
    uint64_t last_taken;

    start();
    while (fixture.recording.overflow.events == 0)
        events(1);
    last_taken = fixture.seq - 1;
    events(9999);
    cr_assert_eq(fixture.recording.overflow.events, 10000);
    read_on();
    await_written();
    events(100);
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.first_gap_seq, last_taken);
    cr_assert_eq(sums.first_gap_lost, 10000);
    cr_assert_eq(sums.gaps, 1);
    cr_assert_eq(sums.events, fixture.seq - SEQ - 10000);
    cr_assert_gt(sums.events * 32, BUFFER_BYTES / 2, "the buffer was used");
    cr_assert_eq(fixture.recording.overflow.gaps, 1);
    cr_assert_eq(sums.next_seq, fixture.seq);
    cr_assert_eq(fixture.recording.file.disk.events, sums.events);
}

/* Reads from the pipe, so that the thread can write the same amount. */
static void read_some(size_t length)
{
    static char bytes[65536];
    FILE *file = fopen(copy, "a");

    cr_assert_not_null(file);
    while (length > 0) {
        ssize_t got = read(reader, bytes, length < sizeof bytes ? length : sizeof bytes);

        cr_assert_gt(got, 0);
        cr_assert_eq(fwrite(bytes, 1, (size_t)got, file), (size_t)got);
        length -= (size_t)got;
    }
    fclose(file);
}

static void await_room(size_t room)
{
    for (int i = 0; i < 20000 && block_file_room(&fixture.recording.file) < room; i++)
        usleep(1000);
    cr_assert_geq(block_file_room(&fixture.recording.file), room);
}

Test(recording_stalls, few_and_large_gaps_are_better_than_many)
{
    struct sums sums;

    start();
    while (fixture.recording.overflow.events == 0)
        events(1);
    read_some(250000);
    await_room(300000);
    events(1);
    cr_assert_eq(fixture.recording.overflow.events, 2, "room for some, but not for half");
    read_some(250000);
    await_room(550000);
    events(1);
    cr_assert_eq(fixture.recording.overflow.events, 2);
    read_on();
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.gaps, 1);
    cr_assert_eq(sums.lost, 2);
    cr_assert_eq(sums.next_seq, fixture.seq);
}

Test(recording_stalls, gaps_of_the_target_become_part_of_that_gap)
{
    struct sums sums;

    start();
    while (fixture.recording.overflow.events == 0)
        events(1);
    cr_assert_eq(gap(fixture.seq, 70, true), TXTAP_OK);
    fixture.seq += 70;
    events(5);
    read_on();
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.gaps, 1, "also if nothing follows");
    cr_assert_eq(sums.lost, 76);
    cr_assert_eq(fixture.recording.overflow.events, 6, "events lost by the target are counted elsewhere");
    cr_assert_eq(sums.next_seq, fixture.seq);
}

Test(recording_stalls, marks_are_never_left_out)
{
    struct sums sums;

    start();
    while (fixture.recording.overflow.events < 10)
        events(1);
    cr_assert_eq(mark(TXTAP_MARK_DISABLED, fixture.seq), TXTAP_OK);
    events(10);
    cr_assert_eq(mark(TXTAP_MARK_DISABLED, fixture.seq), TXTAP_OK);
    read_on();
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.marks, 2);
    cr_assert_eq(sums.mark_seq, fixture.seq);
    cr_assert_eq(sums.gaps, 2, "what was lost before a mark comes before it");
    cr_assert_eq(sums.lost, 20);
}

Test(recording_stalls, the_next_files_wait_in_their_order)
{
    char part[140];

    fixture.setup.config.file_bytes = 100000;
    start();
    events(2000);
    fixture.now_us += RECORDING_BLOCK_US;
    events(2000);
    fixture.now_us += RECORDING_BLOCK_US;
    events(2000); /* a file has room for one block, so each block closes the file of the previous block */
    snprintf(part, sizeof part, "%s1", fixture.path);
    cr_assert_neq(access(part, F_OK), 0, "the first is not written yet");
    read_on();
    stop();
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert_str_eq(transcript_of(copy), "B O* 100-2099 E1:2000 ");
    cr_assert_str_eq(transcript_of_part(1), "B O* 2100-4099 E1:2000 ");
    cr_assert_str_eq(transcript_of_part(2), "B O* 4100-6099 E0:2000 ");
    cr_assert_eq(fixture.recording.file.disk.files, 3);
}

Test(recording_stalls, the_next_file_by_time_waits_for_room)
{
    struct sums sums;

    fixture.setup.config.file_seconds = 1;
    start();
    while (fixture.recording.overflow.events == 0)
        events(1);
    for (int i = 0; i < 10000; i++) { /* each name would need a few hundred bytes of the buffer */
        fixture.now_us += 1000000;
        cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
    }
    read_on();
    await_written();
    unlink(fixture.path); /* the next file of this name will be a regular file */
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
    events(3);
    await_end();
    cr_assert_eq(fixture.recording.file.disk.files, 2);
    sums = sum_up();
    cr_assert_eq(sums.lost, 1);
    snprintf(copy, sizeof copy, "B O* %d-%d E0:3 ", (int)fixture.seq - 3, (int)fixture.seq - 1);
    cr_assert_str_eq(transcript(), copy);
}

/* Events between the times of two triggers are not lost. */
Test(recording_stalls, a_gap_does_not_span_events_between_triggers)
{
    char want[100], *end;
    uint64_t first_lost;

    wait_for("5000", 2000, 1000);
    start();
    cr_assert_eq(event(5000), TXTAP_OK);
    while (fixture.recording.overflow.events == 0)
        events(1);
    first_lost = fixture.seq - 1;
    events(6);
    for (int i = 0; i < 10; i++) {
        fixture.now_us += 1000;
        events(1); /* one event belongs to the last trigger, two are kept for the next trigger */
    }
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK);
    read_on();
    stop();
    cr_assert_eq(waitpid(child, NULL, 0), child);
    snprintf(want, sizeof want, " gap%d+8 gap%d+2 trigger%d gap%d+1 E0:%d ", (int)first_lost, (int)fixture.seq - 3,
             (int)fixture.seq - 1, (int)fixture.seq - 1, (int)first_lost - SEQ);
    end = strstr(transcript_of(copy), " gap");
    cr_assert_not_null(end);
    cr_assert_str_eq(end, want);
}

/* The data are much larger than the buffer, although the disk is not slow. */
Test(recording_stalls, events_kept_for_a_trigger_always_fit)
{
    struct sums sums;

    wait_for("5000", 60000000, 0);
    start();
    events(HISTORY_ITEMS);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(fixture.recording.overflow.events, 0);
    read_on();
    await_end();
    sums = sum_up();
    cr_assert_eq(sums.events, HISTORY_ITEMS + 1);
    cr_assert_eq(sums.marks, 1);
}

Test(recording_stalls, a_reader_that_closes_its_end_ends_the_wait)
{
    start();
    while (fixture.recording.overflow.events == 0)
        events(1);
    close(reader);
    cr_assert_eq(step_to_the_end(), TXTAP_END);
    cr_assert_eq(recording_close(&fixture.recording, TXTAP_END, &fixture.error), TXTAP_END);
}

static void give_blocks(unsigned count)
{
    static uint8_t payload[50000];
    const struct txtap_recording_block block = {
        .type = TXTAP_RECORDING_EVENTS, .stored = payload, .stored_bytes = sizeof payload, .bytes = sizeof payload};

    while (count-- > 0)
        cr_assert_eq(block_file_add(&fixture.recording.file, &block, 1, false, &fixture.error), TXTAP_OK);
}

static void give_next_file(const char *path)
{
    cr_assert_eq(block_file_close(&fixture.recording.file, false, &fixture.error), TXTAP_OK);
    cr_assert_eq(block_file_open(&fixture.recording.file, path, false, &fixture.error), TXTAP_OK);
}

Test(recording_stalls, nothing_is_written_after_a_failure)
{
    struct block_file *file = &fixture.recording.file;
    char nowhere[140], next[140];

    snprintf(nowhere, sizeof nowhere, "%s/nowhere/file", fixture.directory);
    snprintf(next, sizeof next, "%s.next", fixture.path);
    block_file_init(file);
    cr_assert_eq(block_file_open(file, fixture.path, false, &fixture.error), TXTAP_OK);
    cr_assert_eq(block_file_start_queue(file, BUFFER_BYTES, &fixture.error), TXTAP_OK);
    give_blocks(3); /* these blocks do not fit into the pipe */
    give_next_file(nowhere);
    give_blocks(1);
    give_next_file(next);
    give_blocks(1);
    read_on();
    cr_assert_eq(block_file_finish(file, &fixture.error), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(error_line(&fixture.error), "nowhere/file: cannot be written: No such file"), "%s",
              error_line(&fixture.error));
    cr_assert_neq(access(next, F_OK), 0);
    cr_assert_eq(file->disk.events, 3);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}
