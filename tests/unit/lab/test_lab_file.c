/* SPDX-License-Identifier: MIT */
/* The file of a lab: the command lines that it makes, and the lines that it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "error_line.h"
#include "lab/lab_file.h"
#include "lab/restart.h"
#include "options/command_line.h"
#include "command/commands.h"

static struct lab_file file;
static struct error error;

static enum txtap_status parse(const char *text)
{
    static char bytes[1 << 19];

    snprintf(bytes, sizeof bytes, "%s", text);
    error = (struct error){0};
    return lab_file_parse(&file, "lab.conf", "/labs/one", bytes, strlen(bytes), &error);
}

static void refused(const char *text, const char *what)
{
    char line[ERROR_TEXT_BYTES];

    cr_expect_eq(parse(text), TXTAP_ERROR_USAGE, "%s", text);
    cr_expect_not_null(strstr(error_text(&error, line), what), "'%s' instead of '%s'", line, what);
    cr_expect_eq(file.board_count, 0);
}

static void has(size_t board, const char *words)
{
    char all[1024] = "";

    for (size_t i = 0; i < file.boards[board].word_count; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, file.boards[board].words[i]);
    }
    cr_expect_str_eq(all, words);
}

Test(lab_file, a_board_has_its_own_settings_and_those_of_the_lab)
{
    cr_assert_eq(parse("# a lab\n"
                       "[lab]\nstore = /data\nlisten = 127.0.0.1:9464\nelf = fw.elf\ncompress = yes\ncheck = a<1\n"
                       "[board b1]\nprobe = usb:1-1.2\n"
                       "[board b2]\ncheck = b<2\ncheck = c<3\nelf = /x/other.elf\nfile-seconds = 10min\ncompress = no\n"
                       "store = apart\nchecks = limits.txt\nnew = yes\nscan = no\non-fault = yes\n"),
                 TXTAP_OK, "%s", error.what);
    cr_assert_eq(file.board_count, 2);
    cr_expect_str_eq(file.store, "/data");
    cr_expect_str_eq(file.host, "127.0.0.1");
    cr_expect_eq(file.port, 9464);
    cr_expect_str_eq(file.boards[0].name, "b1");
    cr_expect_str_eq(file.boards[0].store, "/data/b1");
    cr_expect_str_eq(file.boards[0].elf, "/labs/one/fw.elf");
    has(0, "--compress --check=a<1 --probe=usb:1-1.2");
    cr_expect_str_eq(file.boards[1].store, "/labs/one/apart");
    cr_expect_null(file.boards[0].publish);
    cr_expect_str_eq(file.boards[1].elf, "/x/other.elf");
    has(1, "--check=b<2 --check=c<3 --file-seconds=10min --checks=/labs/one/limits.txt --new "
           "--on-fault=/labs/one/apart/on-fault");
    lab_file_free(&file);
}

Test(lab_file, the_connection_of_a_board_replaces_that_of_the_lab)
{
    cr_assert_eq(parse("[lab]\nprobe = yes\n[board b1]\ntcl = 6667\n[board b2]\nhz = 1M\n"), TXTAP_OK);
    has(0, "--tcl=6667");
    has(1, "--probe --hz=1M");
    cr_expect_str_eq(file.store, "/labs/one");
    cr_expect_str_eq(file.host, "");
    lab_file_free(&file);
}

Test(lab_file, a_lab_on_nats_has_a_subject_for_each_board)
{
    cr_assert_eq(
        parse("[lab]\npublish = nats://host/lab\n[board b1]\nspool = yes\n[board b2]\npublish = tls://other/x\n"),
        TXTAP_OK, "%s", error.what);
    cr_expect_str_eq(file.boards[0].publish, "nats://host/lab.b1");
    cr_expect_str_eq(file.boards[1].publish, "tls://other/x");
    cr_expect_str_eq(file.boards[0].store, "/labs/one/b1");
    has(0, "--spool=/labs/one/b1/spool");
    lab_file_free(&file);
    refused("[lab]\nstore = nats://host/lab\n[board b1]\n", "lab.conf:2: store: it is a folder");
    refused("[board b1]\npublish = nats://host/a b\n", "lab.conf:2: publish: ");
    refused("[lab]\npublish = nats://host/lab\n[board b..1]\n", "lab.conf:3: publish: ");
    refused("[lab]\npublish = nats://host/lab\n[board b1]\n[board b2]\npublish = nats://host/lab.b1\n",
            "lab.conf:4: b2 has the subject of b1");
    refused("[lab]\npublish = nats://host/lab\n[board b1]\n[board b1.alarm]\n",
            "lab.conf:4: b1.alarm has the subject of b1");
}

Test(lab_file, a_board_without_settings_is_a_board)
{
    cr_assert_eq(parse("[board b1]\n[lab]\nprobe = yes\n[board b2]"), TXTAP_OK);
    cr_expect_eq(file.board_count, 2);
    has(1, "--probe");
    lab_file_free(&file);
}

Test(lab_file, names_the_line_of_a_mistake)
{
    refused("", "lab.conf:1: no board");
    refused("hz = 1M\n[board b1]\n", "lab.conf:1: no section");
    refused("[board b1]\n[tail]\n\nhz = 1\n", "lab.conf:2: [tail]: the sections are");
    refused("[board b1]\n\nspeling = 1\n", "lab.conf:3: 'speling' is no setting of a board");
    refused("[lab]\nspeling = 1\n", "lab.conf:2: 'speling' is no setting of a lab");
    refused("[board b1]\nlisten = 127.0.0.1:1\n", "'listen' is no setting of a board");
    refused("[board b1]\nhz = 1\n[board b1]\n", "lab.conf:3: [board b1] is already in line 1");
    refused("[board b1]\nnew = 1\n", "lab.conf:2: new: write yes or no");
    refused("[board b1]\nhz 1\n", "lab.conf:2: the line has no '='");
    refused("[board b1\nhz = 1\n", "lab.conf:1: the section has no ]");
    refused("[board b1]\nstore = x\n[board b2]\nstore = x\n", "lab.conf:3: b2 has the store of b1");
    for (const char *const *bad =
             (const char *const[]){"1", ":1", "127.0.0.1:", "127.0.0.1:1x", "127.0.0.1:65536", NULL};
         *bad != NULL; bad++) {
        char text[64];

        snprintf(text, sizeof text, "[lab]\nlisten = %s\n[board b1]\n", *bad);
        refused(text, "lab.conf:2: listen: ");
    }
}

Test(lab_file, a_board_cannot_leave_its_place)
{
    refused("[board ../x]\n", "lab.conf:1: the section has an invalid name");
    refused("[board .x]\n", "lab.conf:1: the section has an invalid name");
    refused("[board a b]\n", "lab.conf:1: the section has an invalid name");
    refused("[board ]\n", "lab.conf:1: [board]: the sections are [lab] and [board NAME]");
    refused("[board -x]\n", "does not begin with '-'");
    refused("[board aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg]\n", "at most 63 characters");
}

Test(lab_file, nothing_in_it_starts_a_program_or_writes_elsewhere)
{
    static const char *const names[] = {"openocd", "openocd-program", "output",  "stats-json", "alarms", "junit",
                                        "quiet",   "intrusive",       "seconds", "limit",      "force",  "image"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];

        snprintf(text, sizeof text, "[board b1]\n%s = x\n", names[i]);
        refused(text, "is no setting of a board");
    }
    refused("[board b1]\nprobe = x} ; exec y\n", "lab.conf:2: probe: only letters");
    refused("[board b1]\nchip = a[b]\n", "lab.conf:2: chip: only letters");
}

Test(lab_file, each_option_is_an_option_of_record)
{
    static struct option_table table;
    const char *name;

    options_table_of(&table, &record_command);
    for (size_t i = 0; (name = lab_file_option(i)) != NULL; i++)
        cr_expect_not_null(option_table_find(&table, name, strlen(name)), "%s", name);
}

Test(lab_file, the_number_of_boards_and_of_options_is_limited)
{
    static char text[1 << 18];
    size_t used = 0;

    for (unsigned i = 0; i <= LAB_BOARDS_MAX; i++)
        used += (size_t)sprintf(text + used, "[board b%u]\n", i);
    refused(text, "more than 256 boards");
    used = (size_t)sprintf(text, "[board b]\n");
    for (unsigned i = 0; i <= LAB_WORDS_MAX; i++)
        used += (size_t)sprintf(text + used, "check = a<%u\n", i);
    refused(text, "more than 64 options");
    used = 0;
    for (unsigned i = 0; i <= LAB_SETTINGS_MAX; i++)
        used += (size_t)sprintf(text + used, "[lab]\n");
    refused(text, "too many settings");
}

Test(lab_file, a_changed_board_is_not_equal)
{
    static const char *const changed[] = {"[board b1]\nhz = 2M\n", "[board b1]\nhz = 1M\nelf = a\n",
                                          "[board b1]\nhz = 1M\nstore = x\n", "[board b1]\nhz = 1M\nnew = yes\n"};
    struct lab_file first;

    cr_assert_eq(parse("[board b1]\nhz = 1M\n"), TXTAP_OK);
    first = file;
    cr_assert_eq(parse("[lab]\nhz = 1M\n[board b0]\n[board b1]\n"), TXTAP_OK);
    cr_expect(board_setup_equal(&first.boards[0], &file.boards[1]));
    cr_expect_not(board_setup_equal(&first.boards[0], &file.boards[0]));
    lab_file_free(&file);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        cr_assert_eq(parse(changed[i]), TXTAP_OK);
        cr_expect_not(board_setup_equal(&first.boards[0], &file.boards[0]), "%s", changed[i]);
        lab_file_free(&file);
    }
    lab_file_free(&first);
}

Test(restart, pauses_grow_to_half_a_minute)
{
    static const unsigned want_s[] = {1, 2, 4, 8, 16, 30, 30};
    uint64_t pause_us = 0;

    for (size_t i = 0; i < sizeof want_s / sizeof *want_s; i++) {
        pause_us = restart_pause_us(pause_us, 200000);
        cr_expect_eq(pause_us, want_s[i] * UINT64_C(1000000));
    }
    cr_expect_eq(restart_pause_us(pause_us, RESTART_WELL_US - 1), RESTART_MOST_US);
    cr_expect_eq(restart_pause_us(pause_us, RESTART_WELL_US), RESTART_FIRST_US);
}
