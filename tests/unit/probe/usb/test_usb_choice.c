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

    usb_choice_key(plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD), key);
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

    usb_choice_key(dap, key);
    dap->identity.use = USB_UNKNOWN;
    cr_expect_eq(again(key, &probe), ERROR_NOT_FOUND, "this status does not end txtap tail");
}

Test(usb_choice, without_a_serial_the_only_probe_of_that_model_is_the_same)
{
    char key[USB_KEY_BYTES];
    const struct usb_probe *probe, *dap;

    usb_choice_key(plug("DAPLink", "", USB_OPENOCD), key);
    list.count = 0;
    plug("ST-Link/V2-1", "066DFF34", USB_OPENOCD)->identity.vendor = 0x0483;
    dap = plug("DAPLink", "", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), TXTAP_OK, "%s", error.what);
    cr_expect_eq(probe, dap);
    (void)plug("DAPLink", "", USB_OPENOCD);
    cr_expect_eq(again(key, &probe), TXTAP_ERROR_USAGE, "it cannot be known which of the two");
}
