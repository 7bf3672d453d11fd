/* SPDX-License-Identifier: MIT */
/* A J-Link as a memory source: the data that the source returns, and what it sends on the wire. */
#include "probe/jlink/jlink_link.h"

#include <criterion/criterion.h>
#include <string.h>

#include "probe/dap/dap_fixture.h"
#include "probe/dap/dap_permitted.h"
#include "probe/jlink/jlink_pipe.h"

static struct jlink_front *const front = &fixture.probe.jlink;

static enum txtap_status open_jlink(const struct dap_settings *settings, struct dap_pipe bulk)
{
    struct dap_pipe pipe;

    cr_assert_eq(jlink_pipe_open(&pipe, bulk, &fixture.error), TXTAP_OK);
    return dap_source_open(&fixture.source, pipe, settings, DAP_FIXTURE_TIMEOUT, &fixture.error);
}

static void begin(void)
{
    cr_assert_eq(open_jlink(&fixture_settings, dap_probe_init_jlink(&fixture.probe, NULL)), TXTAP_OK, "%s",
                 error_line(&fixture.error));
}

static const struct dap_link *the_link(void)
{
    return dap_source_adi(fixture.source)->link;
}

Test(jlink_source, reads_pieces)
{
    begin();
    cr_expect_str_eq(the_link()->firmware, "J-Link V9");
    cr_expect_eq(the_link()->flight.now, DAP_IN_FLIGHT_MAX);
    for (unsigned i = 0; i < 20; i++)
        fixture_reads("whole");
    cr_expect_eq(fixture.probe.target.writes, 0);
    cr_expect_eq(fixture.probe.target.resets, 0);
    fixture_end();
    cr_expect_not(front->registered);
    cr_expect_eq(front->target.port.control & 1, 0, "overrun detection is off again");
}

Test(jlink_source, reads_each_length_at_each_place_in_a_segment)
{
    uint8_t bytes[600];

    begin();
    for (uint32_t at = 0x300; at < 0x500; at += 4)
        for (uint32_t length = 4; length <= sizeof bytes; length += at % 32 == 0 ? 4 : 52) {
            struct txtap_read read = {START + at, length, bytes};

            cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, &read, 1),
                         TXTAP_OK);
            cr_assert_arr_eq(bytes, fixture.probe.target.memory + at, length);
        }
    fixture_end();
}

/* A probe with less memory does less in one exchange. */
Test(jlink_source, the_probes_memory_limits_an_exchange)
{
    static const uint32_t sizes[] = {100, 132, 133, 200, 256, 1000, 2048, 4096, 4100, 8192, 100000, UINT32_MAX};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);

        front->memory = sizes[i];
        front->room = sizes[i] < 132 ? 132 : sizes[i];
        cr_assert_eq(open_jlink(&fixture_settings, bulk), TXTAP_OK, "%u: %s", sizes[i], error_line(&fixture.error));
        fixture_reads("small");
        fixture_end();
    }
}

/* The probe answers "no memory" although it has reported more. */
Test(jlink_source, a_probe_with_less_memory_than_it_says_is_found_out)
{
    for (uint32_t room = 132; room < 4200; room += 37) {
        struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);

        front->room = room;
        cr_assert_eq(open_jlink(&fixture_settings, bulk), TXTAP_OK, "%u: %s", room, error_line(&fixture.error));
        fixture_reads("less");
        fixture_end();
    }
}

Test(jlink_source, a_poll_takes_few_exchanges)
{
    uint8_t bytes[1524];
    struct txtap_read reads[] = {{START, 20, bytes}, {START + 64, 4, bytes}, {START + 128, 1500, bytes}};
    unsigned before;

    begin();
    before = fixture.probe.commands;
    cr_assert_eq(dap_source_of(fixture.source).ops->read(dap_source_of(fixture.source).self, reads, 3), TXTAP_OK);
    cr_expect_eq(fixture.probe.commands - before, 2, "%u exchanges", fixture.probe.commands - before);
    fixture_end();
}

/* Without overrun detection, an answer WAIT or FAULT inside a batch would put host and target out of step. */
Test(jlink_source, without_overrun_detection_each_transfer_has_its_exchange)
{
    struct dap_pipe bulk = dap_probe_init_jlink(&fixture.probe, NULL);
    uint64_t exchanges, requests;

    front->target.no_detection = true;
    cr_assert_eq(open_jlink(&fixture_settings, bulk), TXTAP_OK, "%s", error_line(&fixture.error));
    exchanges = front->commands[0xCF];
    requests = front->target.requests_so_far;
    fixture_reads("one by one");
    cr_expect_eq(front->commands[0xCF] - exchanges, front->target.requests_so_far - requests);
    fixture.probe.target.waits = 1;
    (void)fixture_read();
    fixture_reads("after WAIT");
    fixture_end();
}

static bool is_listed(bool is_transfer, unsigned number)
{
    const struct jlink_permission *row;
    const struct dap_permission *dap;

    for (size_t i = 0; (row = jlink_permission(i)) != NULL; i++)
        if (row->is_transfer == is_transfer && row->number == number)
            return true;
    for (size_t i = 0; is_transfer && (dap = dap_permission(i)) != NULL; i++)
        if (dap->is_register && dap->number == number)
            return true;
    return false;
}

Test(jlink_source, only_listed_commands_and_transfers_are_sent)
{
    begin();
    fixture_reads("whole");
    fixture_end();
    for (unsigned i = 0; i < 256; i++)
        cr_expect(front->commands[i] == 0 || is_listed(false, i), "command %02x", i);
    for (unsigned i = 0; i < 16; i++)
        cr_expect(front->target.requests[i] == 0 || is_listed(true, i), "request %02x", i);
    for (size_t i = 0; jlink_permission(i) != NULL; i++)
        cr_expect(jlink_permission(i)->is_transfer || front->commands[jlink_permission(i)->number] > 0, "%s is unused",
                  jlink_permission(i)->name);
}

Test(jlink_source, one_of_several_targets_on_the_wire_is_selected)
{
    const struct debug_target target = {.select = 0x11002927};
    struct dap_settings settings = fixture_settings;

    settings.target.target_select = 0x11002927;
    cr_assert_eq(open_jlink(&settings, dap_probe_init_jlink(&fixture.probe, &target)), TXTAP_OK, "%s",
                 error_line(&fixture.error));
    fixture_reads("selected");
    fixture_end();
    settings.target.target_select = 0x01002927;
    cr_assert_eq(open_jlink(&settings, dap_probe_init_jlink(&fixture.probe, &target)), ERROR_TARGET);
    cr_expect(fixture.probe.closed);
}

Test(jlink_source, another_access_port_is_found)
{
    const struct debug_target target = {.access_port = 3};

    cr_assert_eq(open_jlink(&fixture_settings, dap_probe_init_jlink(&fixture.probe, &target)), TXTAP_OK);
    cr_expect_eq(dap_source_adi(fixture.source)->access_port, 3);
    cr_expect_eq(front->target.port.writes_elsewhere, 0);
    fixture_reads("port 3");
    fixture_end();
}

Test(jlink_source, a_bus_fault_is_reported_for_its_piece)
{
    uint8_t bytes[8];
    struct txtap_read reads[] = {{START, 4, bytes}, {0x40000000, 4, bytes + 4}};
    struct txtap_source source;

    begin();
    source = dap_source_of(fixture.source);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(source.ops->read(source.self, reads, 2), ERROR_FAULT);
        cr_expect_str_eq(source_error_line(source),
                         "4 bytes at 0x40000000 cannot be read: bus fault: is there memory?");
        fixture_reads("after a bus fault");
    }
    fixture_end();
}

Test(jlink_source, a_target_without_power_or_of_adiv6_is_an_error)
{
    const struct debug_target without = {.no_power = true}, newer = {.dpidr = 0x4c013477};

    cr_expect_eq(open_jlink(&fixture_settings, dap_probe_init_jlink(&fixture.probe, &without)), ERROR_TARGET);
    cr_expect_str_eq(error_line(&fixture.error),
                     "the target's debug port has no power: check power and wiring, or try OpenOCD: --openocd");
    cr_expect_eq(open_jlink(&fixture_settings, dap_probe_init_jlink(&fixture.probe, &newer)), ERROR_TARGET);
    cr_expect_eq(front->target.requests[8], 0, "SELECT is not written");
}
