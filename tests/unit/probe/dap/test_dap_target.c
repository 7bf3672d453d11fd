/* SPDX-License-Identifier: MIT */
/* The target of a CMSIS-DAP probe: its debug port, power, access port, and the state of its core. */
#include "probe/dap/dap_source.h"

#include <criterion/criterion.h>
#include <string.h>

#include "dap_fixture.h"

/* ---- power ---- */

Test(dap_target, leaves_the_debug_port_as_it_was)
{
    fixture_begin(64, 4);
    fixture_reads("whole");
    cr_expect_eq(fixture.probe.dap.port.control, 0x50000000);
    fixture_end();
    cr_expect_eq(fixture.probe.dap.port.control, 0);
    cr_expect_eq(fixture.probe.seen[0x03], 1, "it disconnects once");
}

/* Another program has requested power: for the debug unit, for the system, or for both. */
Test(dap_target, power_that_another_program_requested_stays)
{
    static const uint32_t requests[] = {0x50000000, 0x10000000, 0x40000000};

    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct dap_pipe pipe = dap_probe_init(&fixture.probe, 64, 4, NULL);

        fixture.probe.dap.port.control = requests[i];
        cr_assert_eq(dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error),
                     TXTAP_OK);
        cr_expect_eq(fixture.probe.dap.port.control, 0x50000000);
        fixture_end();
        cr_expect_eq(fixture.probe.dap.port.control, requests[i]);
    }
}

Test(dap_target, power_that_never_came_is_no_longer_requested)
{
    struct debug_target target = {.no_power = true};

    cr_assert_eq(fixture_open(64, 4, &fixture_settings, &target), ERROR_TARGET);
    cr_expect_not_null(strstr(error_line(&fixture.error), "has no power"));
    cr_expect_eq(fixture.probe.dap.port.control, 0);
}

Test(dap_target, power_is_taken_back_after_it_connected_again)
{
    fixture_begin(64, 4);
    fixture.probe.trouble = SWD_NOBODY;
    fixture.probe.trouble_at = fixture.probe.answers;
    fixture.probe.trouble_count = 1;
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    fixture_reads("again");
    fixture_end();
    cr_expect_eq(fixture.probe.dap.port.control, 0);
}

Test(dap_target, a_debug_port_that_lost_power_is_woken_up_by_the_next_read)
{
    fixture_begin(64, 4);
    fixture.probe.dap.port.control = 0;
    fixture.probe.dap.port.csw = 0;
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    cr_expect_not_null(strstr(source_error_line(dap_source_of(fixture.source)), "no target answers"));
    fixture_reads("with power");
    fixture_end();
}

Test(dap_target, the_error_of_a_target_that_came_back_is_reported)
{
    struct debug_port *port = &fixture.probe.dap.port;

    fixture_begin(64, 4);
    port->target.no_power = true;
    port->control = 0;
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    cr_expect_str_eq(source_error_line(dap_source_of(fixture.source)),
                     "the target's debug port has no power: check power and wiring, or try OpenOCD: --openocd");
    port->target.no_power = false;
    fixture_reads("with power");
    fixture_end();
}

/* ---- the core ---- */

Test(dap_target, tells_a_core_that_runs_from_one_that_is_halted_or_held_in_reset)
{
    static const struct {
        uint32_t dhcsr[2];
        enum core_state core;
    } rows[] = {
        {{0x01000000, 0x01000000}, CORE_RUNS},     {{0x00030003, 0x00030003}, CORE_HALTED},
        {{0x02000000, 0x02000000}, CORE_IN_RESET}, {{0x03000000, 0x01000000}, CORE_RUNS},
        {{0x02030003, 0x00030003}, CORE_HALTED},   {{0x01080000, 0x01080000}, CORE_LOCKED_UP},
        {{0x000B0003, 0x000B0003}, CORE_HALTED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fake_target *target = &fixture.probe.target;

        fixture_begin(64, 4);
        cr_expect_eq(dap_source_core(fixture.source), CORE_UNKNOWN, "it cannot be read");
        target->has_dhcsr = true;
        memcpy(target->dhcsr, rows[i].dhcsr, sizeof target->dhcsr);
        cr_expect_eq(dap_source_core(fixture.source), rows[i].core, "row %zu", i);
        fixture_end();
    }
}

/* ---- the choice of the target ---- */

Test(dap_target, finds_the_access_port_of_the_core)
{
    struct debug_target target = {.access_port = 3};
    struct dap_settings settings = fixture_settings;

    cr_assert_eq(fixture_open(64, 4, &fixture_settings, &target), TXTAP_OK, "%s", error_line(&fixture.error));
    cr_expect_eq(dap_source_adi(fixture.source)->access_port, 3);
    fixture_reads("found");
    fixture_end();
    settings.target = (struct adi_target){.has_access_port = true, .access_port = 3};
    cr_assert_eq(fixture_open(64, 4, &settings, &target), TXTAP_OK, "%s", error_line(&fixture.error));
    fixture_reads("given");
    fixture_end();
    settings.target.access_port = 1;
    cr_assert_eq(fixture_open(64, 4, &settings, &target), ERROR_TARGET);
    cr_expect_str_eq(error_line(&fixture.error), "access port 1 of the target is not one for memory: is --chip right?");
    cr_expect(fixture.probe.closed);
}

/* Any other IDR belongs to a control port, whose registers are not those of an access port for memory. */
Test(dap_target, the_access_port_of_a_target_that_came_back_is_checked_again)
{
    static const uint32_t others[] = {0x02880000, 0x12880000};

    for (unsigned i = 0; i < 2; i++) {
        struct dap_settings settings = fixture_settings;
        struct debug_port *port = &fixture.probe.dap.port;
        unsigned writes;

        settings.target.has_access_port = i != 0;
        cr_assert_eq(fixture_open(64, 4, &settings, NULL), TXTAP_OK);
        port->target.idr = others[i];
        port->state = PORT_SILENT;
        cr_assert_eq(fixture_read(), ERROR_TARGET);
        writes = fixture.probe.requests[0x01] + fixture.probe.requests[0x05];
        cr_assert_eq(fixture_read(), ERROR_TARGET);
        cr_expect_str_eq(source_error_line(dap_source_of(fixture.source)),
                         i == 0 ? "access port 0 of the target is not one for memory: is it the same target?"
                                : "access port 0 of the target is not one for memory: is --chip right?");
        cr_expect_eq(fixture.probe.requests[0x01] + fixture.probe.requests[0x05], writes, "CSW or TAR was written");
        port->target.idr = 0;
        fixture_reads("the same target");
        fixture_end();
    }
}

Test(dap_target, selects_one_of_several_debug_ports)
{
    struct debug_target target = {.select = 0x11002927};
    struct dap_settings settings = fixture_settings;

    settings.target.target_select = 0x11002927;
    cr_assert_eq(fixture_open(64, 4, &settings, &target), TXTAP_OK, "%s", error_line(&fixture.error));
    fixture_reads("selected");
    fixture_end();
    settings.target.target_select = 0x01002927;
    cr_expect_eq(fixture_open(64, 4, &settings, &target), ERROR_TARGET);
    cr_expect_eq(fixture_open(64, 4, &fixture_settings, &target), ERROR_TARGET, "it answers only when it is selected");
    cr_expect_not_null(strstr(error_line(&fixture.error), "no target answers on SWD"));
}

/* The target ignores TARGETSEL, with or without a request for power, or has another instance number. */
Test(dap_target, a_debug_port_other_than_the_selected_one_is_refused)
{
    static const uint32_t selections[] = {0x01002927, 0x11002927, 0x51002927, 0xF1002927};
    struct dap_settings settings = fixture_settings;

    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
        for (uint32_t control = 0; control <= 0x50000000; control += 0x50000000) {
            struct dap_pipe pipe = dap_probe_init(&fixture.probe, 64, 4, NULL);

            fixture.probe.dap.port.control = control;
            settings.target.target_select = selections[i];
            cr_assert_eq(dap_source_open(&fixture.source, pipe, &settings, DAP_FIXTURE_TIMEOUT, &fixture.error),
                         ERROR_TARGET, "0x%08x", (unsigned)selections[i]);
            cr_expect_str_eq(error_line(&fixture.error),
                             "the wrong debug port answers on SWD (DPIDR 0x2ba01477): is --chip right?");
            cr_expect_eq(fixture.probe.dap.port.control, control);
        }
}

/* Checks that the source reports an error before it writes any register: this port's SELECT has another layout. */
static void is_refused(const struct dap_settings *settings, uint32_t dpidr, const char *text)
{
    struct debug_target target = {.select = settings->target.target_select, .dpidr = dpidr};

    cr_expect_eq(fixture_open(64, 4, settings, &target), ERROR_TARGET);
    cr_expect_str_eq(error_line(&fixture.error), text);
    cr_expect_gt(fixture.probe.requests[0x02], 0, "DPIDR is read");
    for (unsigned request = 0; request < 16; request++)
        cr_expect(request & 2 || fixture.probe.requests[request] == 0, "request 0x%x was sent", request);
    cr_expect_eq(fixture.probe.seen[0x08], 0, "ABORT is not written");
    cr_expect(fixture.probe.closed);
}

Test(dap_target, a_debug_port_of_adiv6_is_refused_before_select_is_written)
{
    struct dap_settings settings = fixture_settings;

    is_refused(&settings, 0x4C013477,
               "the target's debug port is ADIv6 (DPIDR 0x4c013477), and txtap itself drives ADIv5 only: read through "
               "OpenOCD, which has to know the chip: --chip NAME, or --openocd ARGS");
    is_refused(&settings, 0x0BE14477,
               "the target's debug port is newer than ADIv6 (DPIDR 0x0be14477), and txtap itself drives ADIv5 only: "
               "read through OpenOCD, which has to know the chip: --chip NAME, or --openocd ARGS");
    settings.target.has_access_port = true;
    settings.target.target_select = 0x01002927;
    is_refused(&settings, 0x0BE13477,
               "the target's debug port is ADIv6 (DPIDR 0x0be13477), and txtap itself drives ADIv5 only: read through "
               "OpenOCD, which has to know the chip: --chip NAME, or --openocd ARGS");
}

Test(dap_target, debug_ports_of_all_versions_of_adiv5_are_read)
{
    static const uint32_t ports[] = {0x2BA10477, 0x2BA01477, 0x6BA02477};

    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        struct debug_target target = {.dpidr = ports[i]};

        cr_assert_eq(fixture_open(64, 4, &fixture_settings, &target), TXTAP_OK, "%s", error_line(&fixture.error));
        cr_expect_eq(dap_source_adi(fixture.source)->dpidr, ports[i]);
        fixture_reads("of ADIv5");
        fixture_end();
    }
}

Test(dap_target, a_target_of_adiv6_in_place_of_one_that_was_read_gets_no_select)
{
    struct debug_port *port = &fixture.probe.dap.port;
    unsigned selects;

    fixture_begin(64, 4);
    port->target.dpidr = 0x4C013477;
    port->state = PORT_SILENT;
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    selects = fixture.probe.requests[0x08];
    cr_assert_eq(fixture_read(), ERROR_TARGET);
    cr_expect_not_null(strstr(source_error_line(dap_source_of(fixture.source)), "debug port is ADIv6"));
    fixture_end();
    cr_expect_eq(fixture.probe.requests[0x08], selects);
}
