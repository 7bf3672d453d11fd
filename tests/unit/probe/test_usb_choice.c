/* SPDX-License-Identifier: MIT */
#include "probe/usb_choice.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/program_status.h"
#include "probe/usb_table.h"

static struct usb_probe probes[4];
static struct usb_list list = {.probes = probes};
static struct error error;

static struct usb_probe *plug(const char *name, const char *serial, enum usb_use use)
{
    struct usb_probe *probe = &probes[list.count++];
    struct usb_identity *identity = &probe->identity;

    *probe = (struct usb_probe){.state = USB_READY, .identity = {.is_probe = true, .use = use, .name = name}};
    identity->interface = "interface/cmsis-dap.cfg";
    identity->transport = "swd";
    snprintf(identity->serial, sizeof identity->serial, "%s", serial);
    snprintf(probe->node, sizeof probe->node, "/dev/bus/usb/001/00%zu", list.count);
    return probe;
}

static const struct usb_probe *chosen(const char *wanted)
{
    const struct usb_probe *probe = NULL;

    cr_assert_eq(usb_choose(&list, wanted, &probe, &error), TXTAP_OK, "%s", error.what);
    return probe;
}

static void refused(const char *wanted, enum txtap_status status, const char *words)
{
    const struct usb_probe *probe = NULL;
    char text[ERROR_TEXT_BYTES];

    cr_expect_eq(usb_choose(&list, wanted, &probe, &error), status, "%s", error.what);
    cr_expect_not_null(strstr(error_text(&error, text), words), "'%s' instead of '%s'", text, words);
}

Test(usb_choice, the_only_one_needs_no_name)
{
    const struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);

    cr_assert_eq(chosen(NULL), link);
    (void)plug("FT2232H", "", USB_PERHAPS);
    (void)plug("STLINK-V3PWR", "003A", USB_TOO_NEW);
    cr_assert_eq(chosen(NULL), link, "what txtap cannot use is no choice");
}

Test(usb_choice, of_several_one_is_named)
{
    const struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);
    const struct usb_probe *dap = plug("DAPLink", "0240", USB_OPENOCD);

    cr_assert_eq(chosen("066dff34"), link);
    cr_assert_eq(chosen("st-link"), link);
    cr_assert_eq(chosen("dapl"), dap);
    refused(NULL, TXTAP_ERROR_USAGE,
            "2 probes on USB: ST-Link/V2-1 066DFF34, DAPLink 0240: choose one: --probe=SERIAL");
    refused("link", TXTAP_ERROR_USAGE, "2 probes on USB");
    refused("066D", ERROR_NOT_FOUND, "has the serial or the name '066D'");
}

Test(usb_choice, nothing_to_choose_is_said)
{
    refused(NULL, ERROR_NOT_FOUND, "USB");
    (void)plug("FT2232H", "", USB_PERHAPS);
    refused(NULL, ERROR_NOT_FOUND, "no probe on USB that OpenOCD 0.12 can use");
    refused("FT2232H", ERROR_UNSAFE, "OpenOCD 0.12 has no configuration for FT2232H");
}

Test(usb_choice, one_that_cannot_be_opened_says_why)
{
    struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);

    link->state = USB_BUSY;
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 is in use by another program");
    link->holder.pid = 4711;
    strcpy(link->holder.name, "openocd");
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 is in use by openocd (process 4711): end that program");
    link->state = USB_DENIED;
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 may not be opened (/dev/bus/usb/001/001): ");
    link->state = USB_NO_NODE;
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 cannot be opened");
}

/* All of the command line in one text, a line each. */
static const char *command_line(const struct usb_probe *probe, const char *chip, unsigned khz)
{
    static struct openocd_arguments arguments;
    static char text[2 * OPENOCD_ARGUMENT_BYTES];
    size_t used = 0;

    cr_assert(usb_choice_arguments(&arguments, "openocd", probe, chip, khz));
    for (size_t i = 0; i < arguments.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", arguments.argv[i]);
    cr_assert_lt(used, sizeof text);
    return text;
}

static void in_order(const char *text, const char *const *parts)
{
    const char *at = text;

    for (; *parts != NULL; parts++) {
        at = strstr(at, *parts);
        cr_assert_not_null(at, "no '%s' in its place in %s", *parts, text);
        at += strlen(*parts);
    }
}

Test(usb_choice, the_command_line_is_the_probe_then_the_target)
{
    struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);

    link->identity.interface = "interface/stlink.cfg";
    link->identity.transport = "hla_swd";
    link->identity.more = "more of it";
    in_order(command_line(link, NULL, 1800),
             (const char *const[]){"tcl_port 0", "-f\ninterface/stlink.cfg\n", "-c\nmore of it\n",
                                   "adapter serial 066DFF34\n", "transport select hla_swd",
                                   "set TXTAP_ADAPTER_KHZ 1800\n", "target create txtap.cpu", "\ninit\n", "poll off",
                                   NULL});
    in_order(command_line(link, "stm32f4x", 1800),
             (const char *const[]){"adapter serial", "transport", "-f\ntarget/stm32f4x.cfg\n", "adapter speed 1800\n",
                                   "\ninit\n", NULL});
    cr_assert_null(strstr(command_line(link, NULL, 0), "set TXTAP_ADAPTER_KHZ 1800"));
    link->identity.serial_is_cut = true;
    cr_assert_null(strstr(command_line(link, NULL, 0), "adapter serial"));
}

/* A device may call itself anything; OpenOCD would run what stands in brackets. */
Test(usb_choice, a_serial_is_a_word_and_no_command)
{
    in_order(command_line(plug("DAPLink", "[exec rm]; $x \"{\\", USB_OPENOCD), NULL, 0),
             (const char *const[]){"adapter serial \\[exec\\ rm\\]\\;\\ \\$x\\ \\\"\\{\\\\\n", NULL});
    in_order(command_line(plug("DAPLink", "a\nb\033[2J", USB_OPENOCD), NULL, 0),
             (const char *const[]){"adapter serial ab\\[2J\n", NULL});
}

/* The longest there are fit. */
Test(usb_choice, every_known_probe_has_a_command_line)
{
    char serial[USB_STRING_TEXT_BYTES];

    memset(serial, '[', sizeof serial);
    serial[sizeof serial - 1] = '\0';
    for (size_t i = 0; usb_table_row(i) != NULL; i++) {
        const struct usb_row *row = usb_table_row(i);
        struct usb_probe *probe = &probes[0];

        if (row->use != USB_OPENOCD)
            continue;
        list.count = 0;
        (void)plug(row->name, serial, row->use);
        probe->identity.interface = row->interface;
        probe->identity.transport = row->transport;
        probe->identity.more = row->more;
        cr_assert_not_null(strstr(command_line(probe, NULL, 1), row->interface));
    }
}
