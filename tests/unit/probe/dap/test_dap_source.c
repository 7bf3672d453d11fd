/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe as a memory source: the data that the source returns, and the commands that it sends. */
#include "probe/dap/dap_source.h"

#include <criterion/criterion.h>
#include <string.h>

#include "dap_fixture.h"
#include "probe/dap/dap_permitted.h"

/* ---- reading ---- */

Test(dap_source, reads_pieces_with_packets_of_any_size)
{
    static const size_t sizes[] = {64, 68, 100, 128, 256, 508, 512};

    for (fixture_version = 1; fixture_version <= 2; fixture_version++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (unsigned packets = 1; packets <= 5; packets++) {
                fixture_begin(sizes[i], packets);
                fixture_reads("whole");
                cr_assert_eq(fixture.probe.under_way_max, packets < DAP_IN_FLIGHT_MAX ? packets : DAP_IN_FLIGHT_MAX);
                cr_assert_eq(fixture.probe.target.writes, 0);
                cr_assert_eq(fixture.probe.target.resets, 0);
                fixture_end();
            }
}

Test(dap_source, reads_each_length_at_each_place_in_a_segment)
{
    uint8_t bytes[600];

    fixture_begin(64, 4);
    for (uint32_t at = 0x300; at < 0x500; at += 4)
        for (uint32_t length = 4; length <= sizeof bytes; length += at % 32 == 0 ? 4 : 52) {
            struct txtap_read read = {START + at, length, bytes};

            cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, &read, 1),
                         TXTAP_OK);
            cr_assert_arr_eq(bytes, fixture.probe.target.memory + at, length);
        }
    fixture_end();
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

        fixture_begin(polls[i].packet_bytes, 4);
        before = fixture.probe.commands;
        cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, reads, 3), TXTAP_OK);
        cr_expect_eq(fixture.probe.commands - before, polls[i].commands, "%u commands",
                     fixture.probe.commands - before);
        fixture_end();
    }
}

Test(dap_source, a_place_without_memory_is_a_fault_and_the_next_read_works)
{
    uint8_t bytes[8];
    struct txtap_read reads[] = {{START, 4, bytes}, {0x10000000, 8, bytes}};

    fixture_begin(64, 4);
    cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, reads, 2), ERROR_FAULT);
    cr_assert_str_eq(source_error_line(dap_source_of(fixture.source)),
                     "8 bytes at 0x10000000 cannot be read: bus fault: is there memory?");
    fixture_reads("after a fault");
    fixture_end();
}

Test(dap_source, an_address_that_does_not_increment_is_noticed)
{
    struct txtap_read kib = {START + 0x400, 1024, fixture.got};

    fixture_begin(64, 4);
    fixture.probe.dap.port.csw = 0x42;
    fixture_reads("without increments");
    fixture.probe.dap.port.csw = 0x42;
    cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, &kib, 1), TXTAP_OK);
    cr_assert_arr_eq(fixture.got, fixture.probe.target.memory + 0x400, 1024);
    fixture_end();
}

/* ---- commands ---- */

Test(dap_source, sends_nothing_that_the_table_does_not_list)
{
    const struct dap_permission *row;

    fixture_begin(64, 4);
    fixture_reads("whole");
    fixture_end();
    for (size_t i = 0; (row = dap_permission(i)) != NULL; i++) {
        if (row->is_register) {
            cr_expect_gt(fixture.probe.requests[row->number], row->number == 0x04 ? 0u : 0u, "%s is listed, and unused",
                         row->name);
            fixture.probe.requests[row->number] = 0;
        } else {
            cr_expect(fixture.probe.seen[row->number] > 0 || row->number == 0x1D, "%s is listed, and unused",
                      row->name);
            fixture.probe.seen[row->number] = 0;
        }
    }
    for (unsigned i = 0; i < 256; i++)
        cr_expect_eq(fixture.probe.seen[i], 0, "command 0x%02x is not listed", i);
    for (unsigned i = 0; i < 16; i++)
        cr_expect_eq(fixture.probe.requests[i], 0, "request 0x%x is not listed", i);
}
