/* SPDX-License-Identifier: MIT */
#include "probe/usb/usb_probe.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"
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

    cr_assert_eq(usb_choose(&list, "", wanted, &probe, &error), TXTAP_OK, "%s", error.what);
    return probe;
}

static void refused(const char *wanted, enum txtap_status status, const char *words)
{
    const struct usb_probe *probe = NULL;
    char text[ERROR_TEXT_BYTES];

    cr_expect_eq(usb_choose(&list, "", wanted, &probe, &error), status, "%s", error.what);
    cr_expect_not_null(strstr(error_text(&error, text), words), "'%s' instead of '%s'", text, words);
}

Test(usb_choice, the_only_probe_needs_no_name)
{
    const struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);

    cr_assert_eq(chosen(NULL), link);
    (void)plug("FT2232H", "", USB_PERHAPS);
    (void)plug("STLINK-V3PWR", "003A", USB_TOO_NEW);
    cr_assert_eq(chosen(NULL), link, "a probe that txtap cannot use does not count");
}

Test(usb_choice, one_of_several_probes_must_be_named)
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

Test(usb_choice, an_empty_choice_is_an_error)
{
    refused(NULL, ERROR_NOT_FOUND, "USB");
    (void)plug("FT2232H", "", USB_PERHAPS);
    refused(NULL, ERROR_NOT_FOUND, "no probe on USB that OpenOCD 0.12 can use");
    refused("FT2232H", ERROR_UNSAFE, "OpenOCD 0.12 has no configuration for FT2232H");
}

Test(usb_choice, a_probe_that_cannot_be_opened_has_a_reason)
{
    struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);

    link->state = USB_BUSY;
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 is in use by another program");
    link->holder.pid = 4711;
    strcpy(link->holder.name, "openocd");
    refused(NULL, ERROR_TARGET, "in use by openocd (process 4711): read through it, with its Tcl port: --tcl PORT");
    strcpy(link->holder.name, "JLinkGDBServerC");
    refused(NULL, ERROR_TARGET, "JLinkGDBServerC (process 4711): read through it, with its GDB port: --gdb PORT");
    strcpy(link->holder.name, "st-util");
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 is in use by st-util (process 4711): end that program");
    strcpy(link->holder.name, "STM32CubeProg");
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 is in use by STM32CubeProg (process 4711): end that program");
    strcpy(link->holder.name, "stlink-server");
    refused(NULL, ERROR_TARGET, "in use by stlink-server (process 4711): read through it: --stlink-server");
    link->identity.quirks = USB_QUIRK_DAPDIRECT;
    strcpy(link->holder.name, "STM32CubeProg");
    refused(NULL, ERROR_TARGET, "(process 4711): end that program, or let it share the ST-Link: --stlink-server");
    link->state = USB_DENIED;
    refused(NULL, ERROR_TARGET, "you may not open ST-Link/V2-1 (/dev/bus/usb/001/001): ");
    link->state = USB_NO_NODE;
    refused(NULL, ERROR_TARGET, "ST-Link/V2-1 cannot be opened");
}

static struct usb_probe *plug_at(const char *port, const char *serial)
{
    struct usb_probe *probe = plug("DAPLink", serial, USB_OPENOCD);

    snprintf(probe->port, sizeof probe->port, "%s", port);
    return probe;
}

Test(usb_choice, a_path_is_a_bus_and_ports)
{
    static const char *const good[] = {"usb:1-1", "usb:1-4.2", "usb:12-1.2.3.4.5.6.7", "usb:255-255"};
    static const char *const bad[] = {"",           "usb:",       "usb:1",
                                      "usb:1-",     "usb:-1",     "usb:1.2",
                                      "usb:1-1.",   "usb:1-1-2",  "usb:1-1.2 ",
                                      "usb: 1-1",   "usb:+1-1",   "USB:1-1",
                                      "usb:1-1.2x", "1-1",        "usb:1000-1",
                                      "usb:1-1..2", "usb:1-1000", "usb:1-1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1"};

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(usb_path_is_valid(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(usb_path_is_valid(bad[i]), "%s", bad[i]);
}

Test(usb_choice, a_path_chooses_between_probes_with_the_same_serial)
{
    const struct usb_probe *first = plug_at("1-1", "e661"), *second = plug_at("1-1.2", "E661");

    cr_assert_eq(chosen("usb:1-1"), first);
    cr_assert_eq(chosen("usb:1-1.2"), second);
    refused("e661", TXTAP_ERROR_USAGE,
            "2 probes on USB: DAPLink e661 at usb:1-1, DAPLink E661 at usb:1-1.2: choose one: --probe=usb:PORT");
    refused("usb:1-2", ERROR_NOT_FOUND, "no probe is plugged in at usb:1-2: see 'txtap probes'");
    (void)plug_at("1-3", "");
    refused(NULL, TXTAP_ERROR_USAGE, "DAPLink at usb:1-3: choose one: --probe=usb:PORT");
    probes[0].identity.use = USB_UNKNOWN;
    refused("usb:1-1", ERROR_UNSAFE, "no configuration for DAPLink");
}

Test(usb_choice, a_path_stays_the_choice_when_a_probe_is_replaced)
{
    char key[USB_KEY_BYTES];
    const struct usb_probe *probe;

    cr_assert_str_eq(usb_choice_key(plug_at("1-1", "e661"), "usb:1-1", key), "usb:1-1");
    list.count = 0;
    (void)plug_at("1-2", "e661");
    cr_expect_eq(usb_choose(&list, key, "usb:1-1", &probe, &error), ERROR_NOT_FOUND, "it is at another port");
    cr_expect_str_eq(error.what, "the probe usb:1-1 is not plugged in");
    struct usb_probe *other = plug_at("1-1", "0240");
    cr_expect_eq(usb_choose(&list, key, "usb:1-1", &probe, &error), TXTAP_OK, "%s", error.what);
    cr_expect_eq(probe, other);
    other->identity.use = USB_UNKNOWN;
    cr_expect_eq(usb_choose(&list, key, "usb:1-1", &probe, &error), ERROR_NOT_FOUND, "its strings are still missing");
}

Test(usb_choice, openocd_needs_the_port_if_the_serial_is_not_enough)
{
    struct usb_probe *first = plug_at("1-1", "e661"), *second = plug_at("1-2", "e662");

    cr_expect_not(usb_needs_port(&list, first));
    strcpy(second->identity.serial, "E661");
    cr_expect(usb_needs_port(&list, first) && usb_needs_port(&list, second));
    second->identity.interface = "interface/stlink.cfg";
    cr_expect_not(usb_needs_port(&list, first), "OpenOCD does not take an ST-Link for a CMSIS-DAP");
    second->identity.interface = NULL;
    cr_expect_not(usb_needs_port(&list, first));
    second->identity.interface = first->identity.interface;
    strcpy(first->identity.serial, "");
    cr_expect(usb_needs_port(&list, first), "without a serial number");
    cr_expect_not(usb_needs_port(&list, second));
    second->identity.serial_is_cut = true;
    cr_expect(usb_needs_port(&list, second), "OpenOCD cannot get the serial number");
}

/* Chooses a device that was unplugged and connected again. key: the device's key from its first connection. */
static enum txtap_status again(const char *key, const struct usb_probe **probe)
{
    *probe = NULL;
    return usb_choose(&list, key, NULL, probe, &error);
}

Test(usb_choice, a_probe_is_recognised_again_by_its_serial)
{
    char key[USB_KEY_BYTES];
    const struct usb_probe *probe;

    usb_choice_key(plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD), NULL, key);
    list.count = 0;
    cr_expect_eq(again(key, &probe), ERROR_NOT_FOUND);
    (void)plug("ST-Link/V2-1", "0670FF53", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), ERROR_NOT_FOUND, "the same model may be another probe");
    const struct usb_probe *link = plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), TXTAP_OK, "%s", error.what);
    cr_expect_eq(probe, link, "the other one does not matter");
    probes[1].identity.product = 0x3752;
    cr_expect_eq(again(key, &probe), ERROR_NOT_FOUND, "the serial alone does not make it the same");
}

Test(usb_choice, a_probe_whose_strings_are_still_missing_is_waited_for)
{
    char key[USB_KEY_BYTES];
    const struct usb_probe *probe;
    struct usb_probe *dap = plug("DAPLink", "", USB_OPENOCD);

    usb_choice_key(dap, NULL, key);
    dap->identity.use = USB_UNKNOWN;
    cr_expect_eq(again(key, &probe), ERROR_NOT_FOUND, "this status does not end txtap tail");
}

Test(usb_choice, without_a_serial_the_only_probe_of_that_model_is_the_same)
{
    char key[USB_KEY_BYTES];
    const struct usb_probe *probe, *dap;

    usb_choice_key(plug("DAPLink", "", USB_OPENOCD), NULL, key);
    list.count = 0;
    plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD)->identity.vendor = 0x0483;
    dap = plug("DAPLink", "", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), TXTAP_OK, "%s", error.what);
    cr_expect_eq(probe, dap);
    (void)plug("DAPLink", "", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), TXTAP_ERROR_USAGE, "it cannot be known which of the two");
}
