/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe as a memory source: what it reads, what it sends, and every answer that goes wrong in every way. */
#include "probe/dap_source.h"

#include <criterion/criterion.h>
#include <string.h>

#include "dap_probe.h"
#include "error_line.h"
#include "probe/dap_permitted.h"

#define START     FAKE_TARGET_START
#define TIMEOUT   100
#define BYTES_MAX 8192

static struct dap_probe probe;
static struct dap_source *source;
static struct error error;
static uint8_t got[BYTES_MAX];

static const struct dap_settings generic = {.name = "Test Probe", .serial = "0123", .node = ""};

static enum txtap_status open_at(size_t packet_bytes, unsigned packets, const struct dap_settings *settings,
                                 const struct debug_target *target)
{
    struct dap_pipe pipe = dap_probe_init(&probe, packet_bytes, packets, target);

    return dap_source_open(&source, pipe, settings, TIMEOUT, &error);
}

static void begin(size_t packet_bytes, unsigned packets)
{
    cr_assert_eq(open_at(packet_bytes, packets, &generic, NULL), TXTAP_OK, "%s", error_line(&error));
}

static void end(void)
{
    dap_source_of(source).ops->close(dap_source_of(source).self);
    cr_expect(probe.closed);
}

/* Pieces as a poll has them: words before, around and behind the ends of KiB, and none. */
static const struct {
    uint32_t address, length;
} pieces[] = {{START + 0x3F8, 20}, {START + 0x10, 4}, {START + 0x20, 0}, {START + 0x7FC, 1500}, {START + 0xC00, 1024}};

enum { PIECES = sizeof pieces / sizeof *pieces };

static enum txtap_status read_pieces(void)
{
    struct txtap_read reads[PIECES];
    size_t used = 0;

    memset(got, 0xEE, sizeof got);
    for (size_t i = 0; i < PIECES; i++) {
        reads[i] = (struct txtap_read){pieces[i].address, pieces[i].length, got + used};
        used += pieces[i].length;
    }
    return dap_source_of(source).ops->read(dap_source_of(source).self, reads, PIECES);
}

static void are_right(const char *when)
{
    size_t used = 0;

    for (size_t i = 0; i < PIECES; i++) {
        cr_assert_arr_eq(got + used, probe.target.memory + (pieces[i].address - START), pieces[i].length,
                         "%s: piece %zu", when, i);
        used += pieces[i].length;
    }
    cr_assert_eq(got[used], 0xEE);
}

static void reads_pieces(const char *when)
{
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s: %s", when, source_error_line(dap_source_of(source)));
    are_right(when);
}

/* ---- reading ---- */

Test(dap_source, reads_pieces_with_packets_of_any_size)
{
    static const size_t sizes[] = {64, 68, 100, 128, 256, 508, 512};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned packets = 1; packets <= 5; packets++) {
            begin(sizes[i], packets);
            reads_pieces("whole");
            cr_assert_eq(probe.under_way_max, packets < DAP_IN_FLIGHT_MAX ? packets : DAP_IN_FLIGHT_MAX);
            cr_assert_eq(probe.target.writes, 0);
            cr_assert_eq(probe.target.resets, 0);
            end();
        }
}

Test(dap_source, reads_each_length_at_each_place_in_a_segment)
{
    uint8_t bytes[600];

    begin(64, 4);
    for (uint32_t at = 0x300; at < 0x500; at += 4)
        for (uint32_t length = 4; length <= sizeof bytes; length += at % 32 == 0 ? 4 : 52) {
            struct txtap_read read = {START + at, length, bytes};

            cr_assert_eq(dap_source_of(source).ops->read(dap_source_of(source).self, &read, 1), TXTAP_OK);
            cr_assert_arr_eq(bytes, probe.target.memory + at, length);
        }
    end();
}

Test(dap_source, a_poll_takes_as_few_packets_as_there_is_room_for)
{
    static const struct {
        size_t packet_bytes;
        unsigned commands;
    } polls[] = {{64, 29}, {512, 4}};
    uint8_t bytes[1524];
    struct txtap_read reads[] = {{START, 20, bytes}, {START + 64, 4, bytes}, {START + 128, 1500, bytes}};

    for (size_t i = 0; i < 2; i++) {
        unsigned before;

        begin(polls[i].packet_bytes, 4);
        before = probe.commands;
        cr_assert_eq(dap_source_of(source).ops->read(dap_source_of(source).self, reads, 3), TXTAP_OK);
        cr_expect_eq(probe.commands - before, polls[i].commands, "%u commands", probe.commands - before);
        end();
    }
}

Test(dap_source, a_place_without_memory_is_a_fault_and_the_next_read_works)
{
    uint8_t bytes[8];
    struct txtap_read reads[] = {{START, 4, bytes}, {0x10000000, 8, bytes}};

    begin(64, 4);
    cr_assert_eq(dap_source_of(source).ops->read(dap_source_of(source).self, reads, 2), ERROR_FAULT);
    cr_assert_str_eq(source_error_line(dap_source_of(source)),
                     "8 bytes at 0x10000000 cannot be read: bus fault: is there memory?");
    reads_pieces("after a fault");
    end();
}

Test(dap_source, leaves_the_debug_port_as_it_was)
{
    begin(64, 4);
    reads_pieces("whole");
    cr_expect_eq(probe.dap.port.control, 0x50000000);
    end();
    cr_expect_eq(probe.dap.port.control, 0);
    cr_expect_eq(probe.seen[0x03], 1, "it disconnects once");
}

Test(dap_source, power_that_another_requested_stays)
{
    struct dap_pipe pipe = dap_probe_init(&probe, 64, 4, NULL);

    probe.dap.port.control = 0x50000000;
    cr_assert_eq(dap_source_open(&source, pipe, &generic, TIMEOUT, &error), TXTAP_OK);
    end();
    cr_expect_eq(probe.dap.port.control, 0x50000000);
}

Test(dap_source, power_is_taken_back_after_it_connected_again)
{
    begin(64, 4);
    probe.trouble = SWD_NOBODY;
    probe.trouble_at = probe.answers;
    probe.trouble_count = 1;
    cr_assert_eq(read_pieces(), ERROR_TARGET);
    reads_pieces("again");
    end();
    cr_expect_eq(probe.dap.port.control, 0);
}

Test(dap_source, a_debug_port_that_lost_power_is_woken_up_by_the_next_read)
{
    begin(64, 4);
    probe.dap.port.control = 0;
    probe.dap.port.csw = 0;
    cr_assert_eq(read_pieces(), ERROR_TARGET);
    cr_expect_not_null(strstr(source_error_line(dap_source_of(source)), "no target answers"));
    reads_pieces("with power");
    end();
}

Test(dap_source, an_address_that_does_not_count_up_is_noticed)
{
    struct txtap_read kib = {START + 0x400, 1024, got};

    begin(64, 4);
    probe.dap.port.csw = 0x42;
    reads_pieces("without increments");
    probe.dap.port.csw = 0x42;
    cr_assert_eq(dap_source_of(source).ops->read(dap_source_of(source).self, &kib, 1), TXTAP_OK);
    cr_assert_arr_eq(got, probe.target.memory + 0x400, 1024);
    end();
}

/* ---- which target ---- */

Test(dap_source, finds_the_access_port_of_the_core)
{
    struct debug_target target = {.access_port = 3};
    struct dap_settings settings = generic;

    cr_assert_eq(open_at(64, 4, &generic, &target), TXTAP_OK, "%s", error_line(&error));
    cr_expect_eq(dap_source_adi(source)->access_port, 3);
    reads_pieces("found");
    end();
    settings.target = (struct adi_target){.has_access_port = true, .access_port = 3};
    cr_assert_eq(open_at(64, 4, &settings, &target), TXTAP_OK, "%s", error_line(&error));
    reads_pieces("given");
    end();
    settings.target.access_port = 1;
    cr_assert_eq(open_at(64, 4, &settings, &target), ERROR_TARGET);
    cr_expect_str_eq(error_line(&error), "access port 1 of the target is not one for memory: is --chip right?");
    cr_expect(probe.closed);
}

Test(dap_source, selects_one_of_several_debug_ports)
{
    struct debug_target target = {.select = 0x11002927};
    struct dap_settings settings = generic;

    settings.target.target_select = 0x11002927;
    cr_assert_eq(open_at(64, 4, &settings, &target), TXTAP_OK, "%s", error_line(&error));
    reads_pieces("selected");
    end();
    settings.target.target_select = 0x01002927;
    cr_expect_eq(open_at(64, 4, &settings, &target), ERROR_TARGET);
    cr_expect_eq(open_at(64, 4, &generic, &target), ERROR_TARGET, "it answers only when it is selected");
    cr_expect_not_null(strstr(error_line(&error), "no target answers on SWD"));
    settings.target.target_select = 0x11002927;
    cr_expect_eq(open_at(64, 4, &settings, NULL), ERROR_TARGET, "another one answers");
}

/* ---- what is sent ---- */

Test(dap_source, sends_nothing_that_the_table_does_not_list)
{
    const struct dap_permission *row;

    begin(64, 4);
    reads_pieces("whole");
    end();
    for (size_t i = 0; (row = dap_permission(i)) != NULL; i++) {
        if (row->is_register) {
            cr_expect_gt(probe.requests[row->number], row->number == 0x04 ? 0u : 0u, "%s is listed, and unused",
                         row->name);
            probe.requests[row->number] = 0;
        } else {
            cr_expect(probe.seen[row->number] > 0 || row->number == 0x1D, "%s is listed, and unused", row->name);
            probe.seen[row->number] = 0;
        }
    }
    for (unsigned i = 0; i < 256; i++)
        cr_expect_eq(probe.seen[i], 0, "command 0x%02x is not listed", i);
    for (unsigned i = 0; i < 16; i++)
        cr_expect_eq(probe.requests[i], 0, "request 0x%x is not listed", i);
}

/* ---- answers that go wrong ---- */

static unsigned answers_of_a_run(size_t packet_bytes, unsigned packets)
{
    unsigned answers;

    begin(packet_bytes, packets);
    reads_pieces("without trouble");
    answers = probe.answers;
    end();
    return answers;
}

/* The n-th answers go wrong. Data is right or there is none; what passes is not noticed. */
static void go_wrong(size_t packet_bytes, enum dap_trouble trouble, unsigned at, unsigned count)
{
    struct dap_pipe pipe = dap_probe_init(&probe, packet_bytes, 4, NULL);
    enum txtap_status status;
    char when[80];

    snprintf(when, sizeof when, "packets of %zu, trouble %d, %u times from answer %u", packet_bytes, trouble, count,
             at);
    probe.trouble = trouble;
    probe.trouble_at = at;
    probe.trouble_count = count;
    status = dap_source_open(&source, pipe, &generic, TIMEOUT, &error);
    if (status == TXTAP_OK) {
        status = read_pieces();
        if (status == TXTAP_OK)
            are_right(when);
        if (count == 1 && trouble < UNPLUGGED &&
            (status == TXTAP_OK || status == ERROR_TARGET || status == ERROR_FAULT))
            reads_pieces(when);
        end();
    }
    if (count == 1 && trouble < RECOVERABLE_END)
        cr_assert_eq(status, TXTAP_OK, "%s: %s", when, error_line(&error));
    cr_assert(probe.closed, "%s", when);
    cr_assert_eq(probe.target.writes, 0, "%s", when);
    cr_assert_eq(probe.target.resets, 0, "%s", when);
    cr_assert_lt(probe.commands, 20000, "%s", when);
}

Test(dap_source, the_nth_answer_goes_wrong_in_every_way)
{
    static const size_t sizes[] = {64, 512};

    for (size_t i = 0; i < 2; i++) {
        unsigned answers = answers_of_a_run(sizes[i], 4);

        for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
            for (unsigned at = 0; at < answers; at++)
                go_wrong(sizes[i], trouble, at, 1);
    }
}

Test(dap_source, several_answers_go_wrong_in_a_row)
{
    unsigned answers = answers_of_a_run(64, 4);

    for (enum dap_trouble trouble = LOST; trouble < DAP_TROUBLES; trouble++)
        for (unsigned at = 0; at < answers; at++) {
            go_wrong(64, trouble, at, 2);
            go_wrong(64, trouble, at, 5);
            go_wrong(64, trouble, at, UINT32_MAX / 2);
        }
}

Test(dap_source, falls_back_to_one_command_at_a_time)
{
    begin(64, 4);
    cr_assert_eq(dap_source_adi(source)->link->in_flight, 4);
    probe.trouble = MERGED;
    probe.trouble_at = probe.answers + 2;
    probe.trouble_count = 1;
    reads_pieces("merged");
    cr_expect_eq(dap_source_adi(source)->link->in_flight, 1);
    end();
}

Test(dap_source, old_answers_are_skipped_when_it_opens)
{
    static const uint8_t old[][4] = {{0x00, 0xFF}, {0x00, 0xFE}, {0x02, 0x01}};
    struct dap_pipe pipe = dap_probe_init(&probe, 64, 16, NULL);

    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(usb_probe_out(&probe.probe, 0x04, old[i], 2), USB_DONE);
    cr_assert_eq(dap_source_open(&source, pipe, &generic, TIMEOUT, &error), TXTAP_OK, "%s", error_line(&error));
    reads_pieces("after old answers");
    end();
}

Test(dap_source, says_what_is_wrong)
{
    static const struct {
        enum dap_trouble trouble;
        enum txtap_status status;
        const char *text;
    } rows[] = {
        {LOST, ERROR_TIMEOUT, "Test Probe does not answer within 100 ms: plug it in again"},
        {UNPLUGGED, ERROR_CLOSED, "Test Probe 0123 was unplugged: plug it in again"},
        {INVERTED, ERROR_PROTOCOL,
         "Test Probe does not answer what it was asked: read through OpenOCD instead: --openocd"},
        {SWD_WAITS, ERROR_TARGET, "the target's access port stays busy: check power and wiring"},
        {SWD_PARITY_ERROR, ERROR_TARGET, "SWD is disturbed (wrong parity): check the wiring, or give a lower --speed"},
        {SWD_NOBODY, ERROR_TARGET,
         "no target answers on SWD: check power and wiring, or give --chip or a lower --speed"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(64, 4);
        probe.trouble = rows[i].trouble;
        probe.trouble_at = probe.answers;
        probe.trouble_count = UINT32_MAX / 2;
        cr_expect_eq(read_pieces(), rows[i].status, "%s", rows[i].text);
        cr_expect_str_eq(source_error_line(dap_source_of(source)), rows[i].text);
        end();
    }
}
