/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe, of both versions, whose answers go wrong in every way. The source must recover or report an error,
 * at little cost. */
#include "probe/dap/dap_source.h"

#include <criterion/criterion.h>
#include <string.h>

#include "dap_fixture.h"

/* ---- faulty answers ---- */

static unsigned answers_of_a_run(size_t packet_bytes, unsigned packets)
{
    unsigned answers;

    fixture_begin(packet_bytes, packets);
    fixture_reads("without trouble");
    answers = fixture.probe.answers;
    fixture_end();
    return answers;
}

/* Reads while answers are faulty. Data must be right or missing; if the source recovers, no error may be visible. */
static void go_wrong(size_t packet_bytes, enum dap_trouble trouble, unsigned at, unsigned count)
{
    struct dap_pipe pipe = fixture_pipe(packet_bytes, 4, NULL);
    enum txtap_status status;
    char when[100];

    snprintf(when, sizeof when, "version %u, packets of %zu, trouble %d, %u times from answer %u", fixture_version,
             packet_bytes, trouble, count, at);
    fixture.probe.trouble = trouble;
    fixture.probe.trouble_at = at;
    fixture.probe.trouble_count = count;
    status = dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error);
    if (status == TXTAP_OK) {
        status = fixture_read();
        if (status == TXTAP_OK)
            fixture_is_right(when);
        if (count == 1 && trouble < UNPLUGGED &&
            (status == TXTAP_OK || status == ERROR_TARGET || status == ERROR_FAULT))
            fixture_reads(when);
        fixture_end();
    }
    if (count == 1 && trouble < RECOVERABLE_END)
        cr_assert_eq(status, TXTAP_OK, "%s: %s", when, error_line(&fixture.error));
    cr_assert(fixture.probe.closed, "%s", when);
    cr_assert_eq(fixture.probe.target.writes, 0, "%s", when);
    cr_assert_eq(fixture.probe.target.resets, 0, "%s", when);
    cr_assert_lt(fixture.probe.commands, 20000, "%s", when);
    cr_assert_leq(fixture.probe.under_way_max, DAP_IN_FLIGHT_MAX, "%s", when);
}

Test(dap_recovery, the_nth_answer_goes_wrong_in_every_way)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        static const size_t sizes[] = {64, 512};

        for (size_t i = 0; i < 2; i++) {
            unsigned answers = answers_of_a_run(sizes[i], 4);

            for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
                for (unsigned at = 0; at < answers; at++)
                    go_wrong(sizes[i], trouble, at, 1);
        }
    }
}

/* The source must not write to another access port, because that port may not access memory. */
Test(dap_recovery, the_nth_answer_goes_wrong_during_the_search_for_the_access_port)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        const struct debug_target target = {.access_port = 3};

        for (enum dap_trouble trouble = LOST; trouble < RECOVERABLE_END; trouble++)
            for (unsigned at = 0; at < 40; at++) {
                struct dap_pipe pipe = fixture_pipe(64, 4, &target);
                char when[40];

                snprintf(when, sizeof when, "trouble %d at answer %u", trouble, at);
                fixture.probe.trouble = trouble;
                fixture.probe.trouble_at = at;
                fixture.probe.trouble_count = 1;
                cr_assert_eq(
                    dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error),
                    TXTAP_OK, "%s: %s", when, error_line(&fixture.error));
                cr_assert_eq(dap_source_adi(fixture.source)->access_port, 3, "%s", when);
                cr_assert_eq(fixture.probe.dap.port.writes_elsewhere, 0, "%s", when);
                fixture_reads(when);
                fixture_end();
            }
    }
}

Test(dap_recovery, several_answers_go_wrong_in_a_row)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        unsigned answers = answers_of_a_run(64, 4);

        for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
            for (unsigned at = 0; at < answers; at++) {
                go_wrong(64, trouble, at, 2);
                go_wrong(64, trouble, at, 5);
                go_wrong(64, trouble, at, UINT32_MAX / 2);
            }
    }
}

static void read_words(uint32_t offset, uint32_t words, const char *when)
{
    uint8_t bytes[64];
    struct txtap_read read = {START + offset, 4 * words, bytes};
    struct txtap_source source = dap_source_of(fixture.source);

    cr_assert_eq(source.ops->read(source.self, &read, 1), TXTAP_OK, "%s: %s", when, source_error_line(source));
    cr_assert_arr_eq(bytes, fixture.probe.target.memory + offset, read.length, "%s", when);
}

/*
 * The first answer arrives twice. The second read is one word longer than the first, so that both answers are equally
 * long: words and then TAR.
 */
Test(dap_recovery, a_repeated_answer_is_not_taken_for_the_next_answer)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        for (unsigned turn = 0; turn < 2; turn++)
            for (uint32_t words = 1; words < 10; words++) {
                char when[40];

                snprintf(when, sizeof when, "turn %u, %u words", turn, (unsigned)words);
                fixture_begin(64, 4);
                if (turn != 0)
                    read_words(0, 1, when);
                fixture.probe.trouble = TWICE;
                fixture.probe.trouble_at = fixture.probe.answers;
                fixture.probe.trouble_count = 1;
                read_words(4, words, when);
                read_words(0, words + 1, when);
                fixture_end();
            }
    }
}

/*
 * Reads `first` words, and then `twice` other words two times, all in one exchange. Returns the number of commands that
 * this takes.
 */
static unsigned commands_to_read_twice(uint32_t first, uint32_t twice, unsigned turn, unsigned replaced,
                                       const char *when)
{
    uint8_t bytes[3][64];
    struct txtap_read reads[] = {
        {START, 4 * first, bytes[0]}, {START + 0x100, 4 * twice, bytes[1]}, {START + 0x100, 4 * twice, bytes[2]}};
    struct txtap_source source;
    unsigned commands;

    fixture_begin(64, 4);
    source = dap_source_of(fixture.source);
    if (turn != 0)
        read_words(0, 1, when);
    fixture.probe.trouble = REPLACED;
    fixture.probe.trouble_at = fixture.probe.answers + replaced;
    fixture.probe.trouble_count = replaced != 0;
    commands = fixture.probe.commands;
    cr_assert_eq(source.ops->read(source.self, reads, 3), TXTAP_OK, "%s: %s", when, source_error_line(source));
    commands = fixture.probe.commands - commands;
    fixture_end();
    return commands;
}

/* An earlier answer replaces any answer. The last two answers have the same length and end at the same address. */
Test(dap_recovery, an_answer_that_replaces_the_last_answer_is_noticed)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        for (unsigned turn = 0; turn < 2; turn++)
            for (uint32_t first = 1; first < 15; first++)
                for (uint32_t twice = 1; twice < 15; twice++) {
                    char when[60];
                    unsigned commands;

                    snprintf(when, sizeof when, "turn %u, %u words, %u words twice", turn, (unsigned)first,
                             (unsigned)twice);
                    commands = commands_to_read_twice(first, twice, turn, 0, when);
                    for (unsigned replaced = 1; replaced < commands; replaced++)
                        cr_assert_gt(commands_to_read_twice(first, twice, turn, replaced, when), commands,
                                     "%s: answer %u was that before it", when, replaced);
                }
    }
}

/* Reads `words` words several times. Before each read all bytes of the memory change. */
static void read_changing_words(uint32_t words, const char *when)
{
    for (unsigned turn = 0; turn < 4; turn++) {
        for (size_t i = 0; i < sizeof fixture.probe.target.memory; i++)
            fixture.probe.target.memory[i]++;
        read_words(0x3F8, words, when);
    }
}

/* The reads are equal, so a late or repeated answer to a read would fit the next read. */
Test(dap_recovery, no_read_returns_words_of_an_earlier_read)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++)
        for (uint32_t words = 1; words <= 16; words += 3)
            for (enum dap_trouble trouble = LOST; trouble < RECOVERABLE_END; trouble++)
                for (unsigned at = 0; at < 12; at++) {
                    char when[80];

                    snprintf(when, sizeof when, "version %u, %u words, trouble %d at answer %u", fixture_version,
                             (unsigned)words, trouble, at);
                    fixture_begin(64, 4);
                    fixture.probe.trouble = trouble;
                    fixture.probe.trouble_at = fixture.probe.answers + at;
                    fixture.probe.trouble_count = 1;
                    read_changing_words(words, when);
                    fixture_end();
                }
}

/* Reads four pieces. The third is at an address without memory. */
static enum txtap_status read_no_memory(void)
{
    uint8_t bytes[8];
    struct txtap_read reads[] = {
        {START, 4, bytes}, {START + 0x40, 8, bytes}, {0x10000000, 8, bytes}, {START, 4, bytes}};

    return dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, reads, 4);
}

/* Reads no memory until an error is reported. Returns the number of answers until then. */
static unsigned find_no_memory(const char *when)
{
    struct txtap_source source = dap_source_of(fixture.source);
    unsigned before = fixture.probe.answers;

    cr_assert_eq(read_no_memory(), ERROR_FAULT, "%s: %s", when, source_error_line(source));
    cr_assert_str_eq(source_error_line(source), "8 bytes at 0x10000000 cannot be read: bus fault: is there memory?",
                     "%s", when);
    return fixture.probe.answers - before;
}

Test(dap_recovery, the_nth_answer_goes_wrong_during_the_search_for_a_bus_fault)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        unsigned answers;

        fixture_begin(64, 4);
        answers = find_no_memory("without trouble");
        fixture_end();
        for (enum dap_trouble trouble = LOST; trouble < RECOVERABLE_END; trouble++)
            for (unsigned at = 0; at < answers; at++) {
                char when[40];

                snprintf(when, sizeof when, "trouble %d at answer %u", trouble, at);
                fixture_begin(64, 4);
                fixture.probe.trouble = trouble;
                fixture.probe.trouble_at = fixture.probe.answers + at;
                fixture.probe.trouble_count = 1;
                (void)find_no_memory(when);
                fixture_reads(when);
                cr_assert_leq(fixture.probe.under_way_max, DAP_IN_FLIGHT_MAX, "%s", when);
                fixture_end();
            }
    }
}

Test(dap_recovery, a_probe_unplugged_during_the_search_for_a_bus_fault_is_reported)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        unsigned answers;

        fixture_begin(64, 4);
        answers = find_no_memory("without trouble");
        fixture_end();
        for (unsigned at = 0; at < answers; at++) {
            fixture_begin(64, 4);
            fixture.probe.trouble = UNPLUGGED;
            fixture.probe.trouble_at = fixture.probe.answers + at;
            fixture.probe.trouble_count = UINT32_MAX / 2;
            cr_assert_eq(read_no_memory(), ERROR_CLOSED, "at answer %u", at);
            fixture_end();
        }
    }
}

Test(dap_recovery, old_answers_are_skipped_when_it_opens)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        static const uint8_t old[][4] = {{0x00, 0xFF}, {0x00, 0xFE}, {0x02, 0x01}};
        struct dap_pipe pipe = fixture_pipe(64, 16, NULL);

        for (size_t i = 0; i < 3; i++)
            cr_assert_eq(usb_probe_out(&fixture.probe.probe, fixture.probe.probe.identity->out_endpoint, old[i], 2),
                         USB_DONE);
        cr_assert_eq(dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error),
                     TXTAP_OK, "%s", error_line(&fixture.error));
        fixture_reads("after old answers");
        fixture_end();
    }
}

Test(dap_recovery, reports_the_cause)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        static const struct {
            enum dap_trouble trouble;
            enum txtap_status status;
            const char *text;
        } rows[] = {
            {LOST, ERROR_TIMEOUT, "Test Probe does not answer within 100 ms: plug it in again"},
            {UNPLUGGED, ERROR_CLOSED, "Test Probe 0123 was unplugged: plug it in again"},
            {INVERTED, ERROR_PROTOCOL,
             "Test Probe gives answers that do not match its commands: read through OpenOCD instead: --openocd"},
            {SWD_WAITS, ERROR_TARGET, "the target's access port stays busy: check power and wiring"},
            {SWD_PARITY_ERROR, ERROR_TARGET,
             "SWD is disturbed (wrong parity): check the wiring, or give a lower --speed"},
            {SWD_NOBODY, ERROR_TARGET,
             "no target answers on SWD: check power and wiring, or give --chip or a lower --speed"},
        };

        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            fixture_begin(64, 4);
            fixture.probe.trouble = rows[i].trouble;
            fixture.probe.trouble_at = fixture.probe.answers;
            fixture.probe.trouble_count = UINT32_MAX / 2;
            cr_expect_eq(fixture_read(), rows[i].status, "%s", rows[i].text);
            cr_expect_str_eq(source_error_line(dap_source_of(fixture.source)), rows[i].text);
            fixture_end();
        }
    }
}

Test(dap_recovery, it_disconnects_whatever_happens_to_the_previous_answer)
{
    for (fixture_version = 1; fixture_version <= 2; fixture_version++) {
        for (enum dap_trouble trouble = LOST; trouble < UNPLUGGED; trouble++) {
            fixture_begin(64, 4);
            fixture.probe.trouble = trouble;
            fixture.probe.trouble_at = fixture.probe.answers;
            fixture.probe.trouble_count = 1;
            fixture_end();
            cr_expect_eq(fixture.probe.seen[0x03], 1, "trouble %d", trouble);
        }
    }
}
