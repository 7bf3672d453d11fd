/* SPDX-License-Identifier: MIT */
/* The description in a recording: its rate gets better, and each file has all of it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "error_line.h"
#include "file/definitions_file.h"
#include "file/identity.h"
#include "record/recorder_fixture.h"

static struct identity identity, scanned;

static void set_up(void)
{
    recording_set_up();
    fixture.setup.identity = &identity;
}

static void tear_down(void)
{
    recording_tear_down();
    identity_free(&identity);
    identity_free(&scanned);
}

TestSuite(recorder_identity, .init = set_up, .fini = tear_down);

static void set_rate(enum txtap_rate_how how, double hz, double tolerance)
{
    recording_set_rate(&fixture.recording, &(struct txtap_rate){how, hz, hz - tolerance, hz + tolerance});
}

static void step(void)
{
    fixture.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
}

static void add_text(bool of_user, const char *text)
{
    identity_add_text(&identity, of_user, text, strlen(text));
}

static void scan(void)
{
    const char *path = fixture.path;

    await_written();
    identity_scan(&scanned, &path, 1);
}

static void about_is(const char *key, const char *expected)
{
    size_t length;
    const char *value = scanned.about != NULL ? txtap_recording_about(scanned.about, key, &length) : NULL;

    cr_assert(value != NULL && length == strlen(expected) && memcmp(value, expected, length) == 0, "%s: %s", key,
              scanned.about);
}

Test(recorder_identity, the_head_has_firmware_and_definitions)
{
    identity_add_about(&identity, "firmware", "demo.elf");
    identity_add_about(&identity, "txtap", "0.3.0");
    add_text(false, "vector 15 \"tick\"\n");
    add_text(true, "event 4096 \"mine\"\n");
    start();
    events(3);
    stop();
    cr_assert_str_eq(transcript(), "B about:firmware demo.elf firmware0+17/17 user0+18/18 O* 100-102 E0:3 ");
    scan();
    about_is("firmware", "demo.elf");
    about_is("txtap", "0.3.0");
    cr_assert_eq(scanned.text_count, 2);
    cr_assert_not(scanned.texts[0].of_user);
    cr_assert(scanned.texts[1].of_user && strcmp(scanned.texts[1].text, "event 4096 \"mine\"\n") == 0);
    cr_assert_eq(scanned.rate.how, TXTAP_RATE_UNKNOWN);
}

Test(recorder_identity, a_given_rate_is_in_the_head)
{
    fixture.setup.config.tick_hz = 32768;
    start();
    events(1);
    stop();
    cr_assert_str_eq(transcript(), "B rate1=32768+-0 O* 100-100 E0:1 ");
    scan();
    cr_assert_eq(scanned.rate.how, TXTAP_RATE_GIVEN);
    cr_assert_eq(scanned.rate.hz, 32768);
}

/* A better rate is written at the end; in between only if it is much better, or another rate. */
Test(recorder_identity, the_last_rate_is_the_best)
{
    start();
    events(1);
    step();
    set_rate(TXTAP_RATE_MEASURED, 1e6, 4000);
    step();
    set_rate(TXTAP_RATE_MEASURED, 1e6, 3000);
    events(1);
    step();
    set_rate(TXTAP_RATE_MEASURED, 1e6, 1000);
    step();
    set_rate(TXTAP_RATE_FIRMWARE, 1e6, 900);
    step();
    set_rate(TXTAP_RATE_FIRMWARE, 1e6, 800);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-100 rate2=1e+06+-4000 101-101 rate2=1e+06+-1000 rate3=1e+06+-900 "
                                   "rate3=1e+06+-800 E0:2 ");
    scan();
    cr_assert_eq(scanned.rate.how, TXTAP_RATE_FIRMWARE);
    cr_assert_eq(scanned.rate.high - scanned.rate.low, 1600);
}

Test(recorder_identity, a_rate_that_did_not_change_is_written_once)
{
    start();
    set_rate(TXTAP_RATE_MEASURED, 1e6, 100);
    step();
    set_rate(TXTAP_RATE_UNKNOWN, 0, 0);
    events(1);
    step();
    stop();
    cr_assert_str_eq(transcript(), "B O* rate2=1e+06+-100 100-100 E0:1 ");
}

Test(recorder_identity, each_file_has_all_of_it)
{
    identity_add_about(&identity, "firmware", "demo.elf");
    add_text(true, "event 4096 \"mine\"\n");
    fixture.setup.config.file_bytes = 2000;
    start();
    set_rate(TXTAP_RATE_MEASURED, 1e6, 100);
    for (int i = 0; i < 8; i++) {
        events(20);
        step();
    }
    stop();
    cr_assert_gt(fixture.recording.file.disk.files, 2);
    for (unsigned part = 1; part < fixture.recording.file.disk.files; part++)
        cr_assert_eq(
            strncmp(transcript_of_part((int)part), "B rate2=1e+06+-100 about:firmware demo.elf user0+18/18 O* ", 58), 0,
            "%s", transcript_of_part((int)part));
}

Test(recorder_identity, the_last_file_ends_with_the_stacks)
{
    static const char lines[] = "20000100 20001000 512 64 exact a\n";

    start();
    events(1);
    step();
    recording_set_stacks(&fixture.recording, lines);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-100 stacks:20000100 20001000 512 64 exact a E0:1 ");
    scan();
    cr_assert_not_null(scanned.stacks);
    cr_assert_str_eq(scanned.stacks, lines);
}

Test(recorder_identity, stacks_that_do_not_fit_into_a_file_are_left_out)
{
    static char lines[4000];

    memset(lines, 'x', sizeof lines - 1);
    fixture.setup.config.force = true;
    fixture.setup.config.file_bytes = 2000;
    start();
    events(1);
    step();
    recording_set_stacks(&fixture.recording, lines);
    stop();
    cr_assert_leq(part_bytes(0), 2000);
    cr_assert_str_eq(transcript_of_part(0), "B O* 100-100 E0:1 ");
}

/* Sizes that are close to each other, so that each kind of block is the last that fits at one of them. */
Test(recorder_identity, no_file_is_larger_than_its_limit)
{
    fixture.setup.config.force = true;
    identity_add_about(&identity, "firmware", "demo.elf");
    for (fixture.setup.config.file_bytes = 700; fixture.setup.config.file_bytes < 900;
         fixture.setup.config.file_bytes += 7) {
        double tolerance = 5000;

        fixture.seq = SEQ;
        start();
        for (unsigned i = 0; i < 20; i++, tolerance *= 0.7) {
            set_rate(TXTAP_RATE_MEASURED, 1e6, tolerance);
            events(i % 5 == 4 ? 60 : i % 5); /* 60 events fill more than a file */
            step();
        }
        stop();
        for (unsigned part = 0; part < fixture.recording.file.disk.files; part++)
            cr_assert_leq(part_bytes((int)part), fixture.setup.config.file_bytes, "%u: %s", part,
                          transcript_of_part((int)part));
    }
}

/* ---- functions ---- */

static struct txtap_definitions *meaning;

/* Starts a recording whose events 4097 have the address of a function, 1000 times their number of words. */
static void start_with_functions(void)
{
    add_text(true, "event 4097 \"mentions\" \"{0:function}\"\n");
    identity.functions = strdup("function 1000 \"first\"\nfunction 2000 \"second\"\nfunction 4000 \"never\"\n");
    cr_assert_eq(definitions_load(&meaning, NULL, &identity, NULL, 0, true, &fixture.error), TXTAP_OK);
    fixture.setup.definitions = meaning;
    start();
}

Test(recorder_identity, functions_are_recorded_when_events_mention_them)
{
    start_with_functions();
    events(2);
    cr_assert_eq(event_of_words(4097, 1), TXTAP_OK);
    cr_assert_eq(event_of_words(4097, 2), TXTAP_OK);
    cr_assert_eq(event_of_words(4097, 1), TXTAP_OK);
    cr_assert_eq(event_of_words(4097, 3), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(),
                     "B user0+37/37 O* 100-101 firmware0+28/28 W1 102-102 firmware0+57/57 W3 103-105 E0:6 ");
    scan();
    cr_assert_eq(scanned.text_count, 2, "the longer text replaces the shorter text");
    cr_assert_str_eq(scanned.texts[1].text, "function 0x000003e8 \"first\"\nfunction 0x000007d0 \"second\"\n");
    definitions_free(meaning);
}

Test(recorder_identity, functions_are_recorded_when_events_before_a_trigger_mention_them)
{
    wait_for("4098", 1000000, 0);
    start_with_functions();
    cr_assert_eq(event_of_words(4097, 1), TXTAP_OK);
    cr_assert_eq(event(4098), TXTAP_OK);
    stop();
    scan();
    cr_assert_eq(scanned.text_count, 2);
    cr_assert_str_eq(scanned.texts[1].text, "function 0x000003e8 \"first\"\n");
    definitions_free(meaning);
}

static void take_pc(uint32_t pc)
{
    static const struct txtap_channel channel = {.number = 7, .kind = TXTAP_CHANNEL_PC, .name = "pc"};
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};

    item.sample = (struct txtap_sample){.channel = &channel, .seq = fixture.seq, .bits = pc, .text = ""};
    cr_assert_eq(recording_take(&fixture.recording, &item), TXTAP_OK);
}

Test(recorder_identity, functions_of_program_counters_are_recorded)
{
    start_with_functions();
    for (unsigned i = 0; i < 3; i++)
        take_pc(2400);
    take_pc(999); /* before the first function */
    events(1);
    take_pc(1999);
    events(1);
    stop();
    scan();
    cr_assert_eq(scanned.text_count, 2, "the longer text replaces the shorter text");
    cr_assert_str_eq(scanned.texts[1].text, "function 0x000007d0 \"second\"\nfunction 0x000003e8 \"first\"\n");
    definitions_free(meaning);
}

Test(recorder_identity, each_file_has_the_functions_so_far)
{
    unsigned last;

    fixture.setup.config.file_bytes = 900;
    start_with_functions();
    cr_assert_eq(event_of_words(4097, 1), TXTAP_OK);
    for (unsigned i = 0; i < 100; i++)
        cr_assert_eq(event_of_words(4097, i == 50 ? 2 : 3), TXTAP_OK);
    stop();
    last = fixture.recording.file.disk.files - 1;
    cr_assert_gt(last, 3);
    for (unsigned part = 0; part <= last; part++) {
        cr_assert_leq(part_bytes((int)part), fixture.setup.config.file_bytes, "%s", transcript_of_part((int)part));
        cr_assert(strstr(transcript_of_part((int)part), " firmware0+") != NULL);
    }
    cr_assert(strstr(transcript_of_part((int)last), " firmware0+57/57 O*") != NULL, "%s",
              transcript_of_part((int)last));
    definitions_free(meaning);
}

/* ---- texts ---- */

Test(recorder_identity, a_text_that_is_too_large_is_left_out)
{
    static char text[TXTAP_RECORDING_MEANING_MAX + 1];

    memset(text, '#', sizeof text);
    identity_add_text(&identity, true, text, sizeof text);
    identity_add_text(&identity, true, text, sizeof text - 1);
    start();
    events(1);
    stop();
    cr_assert(strstr(transcript(), "B user0+65524/262144 user65524+65524/262144 ") == transcript(), "%s", transcript());
    scan();
    cr_assert_eq(scanned.text_count, 1);
    cr_assert_eq(scanned.texts[0].length, TXTAP_RECORDING_MEANING_MAX);
}

/* ---- what commands make of it ---- */

static const struct txtap_definition *find(const struct txtap_definitions *definitions)
{
    return definitions != NULL ? txtap_definitions_find(definitions, 4096) : NULL;
}

Test(recorder_identity, the_users_files_replace_recorded_definitions_but_not_those_of_the_firmware)
{
    static const char of_file[] = "enum state 0=off\nevent 4096 \"of the file\" \"{0:enum state}\"\n";
    static const char recorded[] = "enum state 0=idle\nevent 4096 \"recorded\"\nevent 4097 \"also\"\n";
    const char *path = fixture.path;
    struct txtap_definitions *definitions;
    FILE *file = fopen(path, "w");

    fputs(of_file, file);
    fclose(file);
    identity_add_text(&identity, true, recorded, sizeof recorded - 1);
    add_text(false, "vector 15 \"tick\"\n");
    cr_assert_eq(definitions_load(&definitions, NULL, &identity, NULL, 0, true, &fixture.error), TXTAP_OK);
    cr_assert_str_eq(find(definitions)->info.name, "recorded");
    definitions_free(definitions);
    cr_assert_eq(definitions_load(&definitions, NULL, &identity, &path, 1, true, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    cr_assert_str_eq(find(definitions)->info.name, "of the file");
    cr_assert_null(txtap_definitions_find(definitions, 4097));
    cr_assert_str_eq(definitions->vectors[15], "tick");
    definitions_free(definitions);
}

/* A later txtap may write lines of other kinds. */
Test(recorder_identity, an_unknown_line_of_a_recording_is_no_failure)
{
    static const char text[] = "event 4096 \"known\"\ntask 1 \"unknown\"\nevent 4097 \"not read\"\n";
    struct txtap_definitions *definitions;

    identity_add_text(&identity, true, text, sizeof text - 1);
    cr_assert_eq(definitions_load(&definitions, NULL, &identity, NULL, 0, true, &fixture.error), TXTAP_OK);
    cr_assert_str_eq(find(definitions)->info.name, "known");
    cr_assert_null(txtap_definitions_find(definitions, 4097));
    definitions_free(definitions);
}

Test(recorder_identity, a_damaged_or_foreign_file_gives_nothing)
{
    FILE *file;

    identity_add_about(&identity, "firmware", "demo.elf");
    fixture.setup.config.tick_hz = 1000;
    start();
    events(1);
    stop();
    await_written();
    file = fopen(fixture.path, "r+");
    fseek(file, TXTAP_RECORDING_HEAD_BYTES + 100, SEEK_SET); /* in the first block: only its head is read */
    fputc('X', file);
    fclose(file);
    scan();
    cr_assert_eq(scanned.rate.hz, 1000);
    file = fopen(fixture.path, "w");
    fputs("not a recording", file);
    fclose(file);
    identity_free(&scanned);
    scan();
    cr_assert(scanned.rate.how == TXTAP_RATE_UNKNOWN && scanned.about == NULL && scanned.text_count == 0);
    cr_assert(scanned.scanned);
}

Test(recorder_identity, a_piece_of_a_longer_text_does_not_continue_a_text)
{
    static uint8_t bytes[60000];
    struct txtap_recording_item piece = {.type = TXTAP_RECORDING_MEANING, .bytes = bytes, .length = 5, .total = 10};

    identity_take(&scanned, &piece);
    piece.at = 5;
    piece.length = sizeof bytes;
    piece.total = 5 + sizeof bytes;
    identity_take(&scanned, &piece);
    cr_assert_eq(scanned.text_count, 0);
    piece.length = 5;
    piece.total = 10;
    identity_take(&scanned, &piece);
    cr_assert_eq(scanned.text_count, 1, "the other text does not disturb it");
    cr_assert_eq(scanned.texts[0].length, 10);
}
