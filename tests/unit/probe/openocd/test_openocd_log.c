/* SPDX-License-Identifier: MIT */
/* Logs that OpenOCD 0.12.0 has printed, and first lines of other versions, from their sources. */
#include "probe/openocd/openocd_child.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/failure.h"

#define BANNER                                                                                                         \
    "Open On-Chip Debugger 0.12.0\nLicensed under GNU GPL v2\nFor bug reports, read\n"                                 \
    "\thttp://openocd.org/doc/doxygen/bugs.html\n"

static struct openocd_log read_log(const char *text)
{
    struct openocd_log log = {.length = 0};

    openocd_log_take(&log, text, strlen(text));
    return log;
}

/* Reads the text byte by byte. */
static struct openocd_log read_slowly(const char *text)
{
    struct openocd_log log = {.length = 0};

    for (; *text != '\0'; text++)
        openocd_log_take(&log, text, 1);
    return log;
}

Test(openocd_log, has_the_version)
{
    static const struct {
        const char *line, *version;
    } cases[] = {
        {BANNER, "0.12.0"},
        {"Open On-Chip Debugger 0.11.0\n", "0.11.0"},
        {"Open On-Chip Debugger 0.11.0-rc2\r\n", "0.11.0-rc2"},
        {"Open On-Chip Debugger 0.12.0+dev-01234-gabbbc2e05 (2026-08-22-07:57)\n", "0.12.0+dev-01234-gabbbc2e05"},
        {"xPack Open On-Chip Debugger\n", ""},
        {"Open On-Chip Debugger 0.12", ""}, /* the line has no end yet */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(read_log(cases[i].line).version, cases[i].version, "%s", cases[i].line);
}

Test(openocd_log, has_the_port_of_the_tcl_server_only)
{
    const char *text = BANNER "Info : Listening on port 33333 for gdb connections\n"
                              "Info : Listening on port 36223 for tcl connections\n"
                              "Info : Listening on port 4444 for telnet connections\n";

    cr_assert_eq(read_log(text).port, 36223u);
    cr_assert_eq(read_slowly(text).port, 36223u);
    cr_assert_eq(read_log("Info : Listening on port 36223 for tcl connections").port, 0u);
    cr_assert_eq(read_log("Info : Listening on port 99999999999999999999 for tcl connections\n").port, 0u);
    cr_assert_eq(read_log("Info : Listening on port 65536 for tcl connections\n").port, 0u);
    cr_assert_eq(read_log("Info : Listening on port -1 for tcl connections\n").port, 0u);
    cr_assert_eq(read_log("Info : Listening on port  for tcl connections\n").port, 0u);
}

static void because(const char *lines, enum txtap_status status, const char *words)
{
    struct openocd_log log = {.length = 0};
    struct error error;

    openocd_log_take(&log, BANNER, strlen(BANNER));
    openocd_log_take(&log, lines, strlen(lines));
    openocd_log_end(&log);
    cr_expect_eq(openocd_log_failure(&log, "openocd", &error), status, "%s", lines);
    cr_expect_not_null(strstr(error.what, words), "'%s' instead of '%s'", error.what, words);
    cr_expect_null(strchr(error.what, '\n'));
    cr_expect_neq(error.hint[0], '\0', "%s", lines);
}

Test(openocd_log, says_why_it_ended)
{
    because("Info : clock speed 2000 kHz\nError: open failed\n\n", ERROR_UNREACHABLE, "no such probe is plugged in");
    because("Error: unable to find a matching CMSIS-DAP device\n", ERROR_UNREACHABLE, "no CMSIS-DAP probe");
    because("Error: No J-Link device found\n", ERROR_UNREACHABLE, "no J-Link");
    because("Error: libusb_open() failed with LIBUSB_ERROR_ACCESS\nError: open failed\n", ERROR_UNREACHABLE,
            "you may not open the probe ('Error: libusb_open() failed with LIBUSB_ERROR_ACCESS')");
    because("Error: open failed\nError: libusb_claim_interface() failed with LIBUSB_ERROR_BUSY\n", ERROR_UNREACHABLE,
            "another program has the probe open");
    because("Warn : could not claim interface: Resource busy\nError: unable to open CMSIS-DAP device 0xd28:0x204\n"
            "Error: unable to find a matching CMSIS-DAP device\n",
            ERROR_UNREACHABLE, "another program has the probe open");
    because("Error: could not open device 0x0d28:0x0204: Access denied (insufficient permissions)\n"
            "Error: unable to find a matching CMSIS-DAP device\n",
            ERROR_UNREACHABLE, "you may not open the probe");
    because("Error: the selected device is already used\n", ERROR_UNREACHABLE, "another program");
    because("Error: cannot connect to stlink server, errno: Connection refused\n", ERROR_UNREACHABLE,
            "the ST-Link server does not run");
    because("Info : Target voltage: 0.012345\nError: target voltage may be too low for reliable debugging\n"
            "Error: init mode failed (unable to connect to the target)\n",
            ERROR_TARGET, "the target has no power");
    because("Error: init mode failed (unable to connect to the target)\n", ERROR_TARGET, "no target answers");
    because("Error: Error connecting DP: cannot read IDR\n", ERROR_TARGET, "no target answers");
    because("common.cfg:43: Error: Unknown param: -dp-id, try one of: -chain-position, or -ignore-syspwrupack\n",
            ERROR_PROTOCOL, "too old for the chip");
    because("Warn : UNEXPECTED idcode: 0x2ba01477\nError: expected 1 of 1: 0x1ba01477\n", ERROR_PROTOCOL,
            "not that of the configuration");
    because("Error: Debug adapter doesn't support 'swd' transport\n", ERROR_PROTOCOL,
            "the probe does not have that transport");
    because("Error: session transport was not selected. Use 'transport select <transport>'\n"
            "Error: Transports available:\nError: hla_swd\nError: hla_jtag\n\n",
            ERROR_PROTOCOL, "no transport and no target");
    because("Error: Debug adapter does not support any transports? Check config file order.\n"
            "Error: unable to select a session transport. Can't continue.\nshutdown command invoked\n",
            ERROR_PROTOCOL, "no probe is configured");
    because("embedded:startup.tcl:28: Error: Can't find interface/nosuch.cfg\nin procedure 'script' \n"
            "at file \"embedded:startup.tcl\", line 28\n",
            ERROR_PROTOCOL, "a file of the configuration is missing");
    because("invalid command name \"foo\"", ERROR_PROTOCOL, "a command that OpenOCD does not know");
    because("openocd: unrecognized option '--nosuch'\n", ERROR_PROTOCOL, "OpenOCD does not know an option");
}

Test(openocd_log, an_unknown_error_is_quoted_and_the_first_one_counts)
{
    because("Warn : careful\nError: first\nError: second\nshutdown command invoked\n", ERROR_PROTOCOL,
            "could not start: 'Error: first'");
    because("hla_swd\nshutdown command invoked\n", ERROR_PROTOCOL, "could not start: 'shutdown command invoked'");
    because("Info : this and that\nWarn : careful\n", ERROR_PROTOCOL, "ended without a message");
    because("Error: \033[2J\x80\n", ERROR_PROTOCOL, "'Error: .[2J.'");
}

Test(openocd_log, another_program_is_not_mistaken_for_openocd)
{
    struct openocd_log log = read_log("Usage: cat FILE\n");
    struct error error;

    cr_assert_eq(openocd_log_failure(&log, "cat", &error), ERROR_PROTOCOL);
    cr_assert_not_null(strstr(error.what, "cat ended, and its output ('Usage: cat FILE') is not OpenOCD's"));
}

Test(openocd_log, a_line_without_an_end_is_cut_off)
{
    static char text[100000];
    struct openocd_log log = {.length = 0};

    memset(text, 'x', sizeof text);
    openocd_log_take(&log, text, sizeof text);
    openocd_log_take(&log, "\nOpen On-Chip Debugger 0.12.0\n", 30);
    cr_assert_str_eq(log.version, "0.12.0");
    memset(text, 0, sizeof text);
    openocd_log_take(&log, text, sizeof text);
    openocd_log_end(&log);
    cr_assert_eq(log.length, 0u);
}
