/* SPDX-License-Identifier: MIT */
/* A probe as text and as JSON, with each state and each use, and with hostile strings. */
#include "command/probes_show.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char text[PROBES_SHOW_BYTES];
static struct usb_facts facts;
static struct usb_probe probe;
static struct usb_list here = {
    .probes = &probe, .count = 1, .system = {.udev = true, .rules = true, .node_folder = true}};

static void plug_in(unsigned vendor, unsigned product, const char *name, const char *serial)
{
    memset(&facts, 0, sizeof facts);
    memset(&probe, 0, sizeof probe);
    facts.descriptors.vendor = (uint16_t)vendor;
    facts.descriptors.product = (uint16_t)product;
    usb_string_from_sysfs(&facts.product, name, strlen(name));
    usb_string_from_sysfs(&facts.serial, serial, strlen(serial));
    usb_device_identify(&facts, &probe.identity);
    probe.bus = 1;
    probe.address = 5;
    snprintf(probe.port, sizeof probe.port, "1-2");
    probe.speed = "high";
    snprintf(probe.node, sizeof probe.node, "/dev/bus/usb/001/005");
}

static const char *as_text(enum probes_event event)
{
    return probes_show_text(&probe, &here, event, text);
}

Test(probes_show, a_probe_that_is_ready)
{
    plug_in(0x0483, 0x374B, "STM32 STLink", "066DFF343339415043184719");
    cr_assert_str_eq(as_text(PROBES_PRESENT),
                     "probe      ST-Link/V2-1\n"
                     "serial     066DFF343339415043184719\n"
                     "usb        0483:374b \"STM32 STLink\" at usb:1-2, speed: high\n"
                     "state      ready\n"
                     "use        directly, or with --openocd through OpenOCD: interface/stlink.cfg,\n"
                     "           transport hla_swd\n"
                     "command    txtap tail --probe=066DFF343339415043184719 firmware.elf\n");
    cr_assert_str_eq(as_text(PROBES_REMOVED), "unplugged  ST-Link/V2-1\n"
                                              "serial     066DFF343339415043184719\n"
                                              "usb        0483:374b \"STM32 STLink\" at usb:1-2, speed: high\n");
    probe.port[0] = '\0';
    cr_assert(strstr(as_text(PROBES_PRESENT), "at bus 1, device 5, speed") != NULL);
}

Test(probes_show, a_probe_that_may_not_be_opened)
{
    plug_in(0x0483, 0x3757, "STLINK-V3PWR", "");
    probe.state = USB_DENIED;
    probe.owner.mode = 0664;
    strcpy(probe.owner.user, "root");
    strcpy(probe.owner.group, "root");
    cr_assert_str_eq(as_text(PROBES_CHANGED),
                     "changed    STLINK-V3PWR\n"
                     "usb        0483:3757 \"STLINK-V3PWR\" at usb:1-2, speed: high\n"
                     "state      no access: /dev/bus/usb/001/005 belongs to root, group root, mode\n"
                     "           0664\n"
                     "next step  write this rule to /etc/udev/rules.d/60-probe.rules and plug the\n"
                     "           probe in again\n"
                     "rule       ATTRS{idVendor}==\"0483\", ATTRS{idProduct}==\"3757\", TAG+=\"uaccess\"\n"
                     "use        not possible: too new for OpenOCD 0.12; its development branch has it\n");
}

Test(probes_show, a_probe_that_txtap_drives_itself)
{
    const char *use = "use        directly, or with --openocd through OpenOCD: interface/cmsis-dap.cfg,\n";

    plug_in(0x2E8A, 0x000C, "Debug Probe (CMSIS-DAP)", "1");
    probe.identity.interface = "interface/cmsis-dap.cfg";
    probe.identity.transport = "swd";
    probe.identity.dap = USB_DAP_BULK;
    probe.identity.dap_out = 0x04;
    cr_assert(strstr(as_text(PROBES_PRESENT), use) == NULL, "without an endpoint");
    probe.identity.dap_in = 0x85;
    cr_assert(strstr(as_text(PROBES_PRESENT), use) != NULL);
    cr_assert(strstr(probes_show_json(&probe, &here, text), "\"direct\":true") != NULL);
    probe.identity.dap = USB_DAP_HID;
    cr_assert(strstr(as_text(PROBES_PRESENT), use) != NULL, "version 1: %s", as_text(PROBES_PRESENT));
}

Test(probes_show, a_command_to_copy_that_is_safe_in_a_shell)
{
    plug_in(0x0483, 0x374B, "STM32 STLink", "");
    cr_assert(strstr(as_text(PROBES_PRESENT), "\ncommand    txtap tail --probe firmware.elf\n") != NULL, "%s", text);
    plug_in(0x1366, 0x0101, "J-Link", "1;rm $HOME");
    cr_assert(strstr(as_text(PROBES_PRESENT), "\ncommand    txtap tail --probe firmware.elf\n") != NULL, "%s", text);
    probe.state = USB_BUSY;
    cr_assert(strstr(as_text(PROBES_PRESENT), "\ncommand") == NULL, "%s", text);
}

Test(probes_show, a_serial_number_of_several_probes)
{
    struct usb_probe all[4];
    struct usb_list list = {.probes = all, .count = 4, .system = here.system};

    plug_in(0x2E8A, 0x000C, "Debug Probe (CMSIS-DAP)", "e661");
    all[0] = all[1] = all[2] = all[3] = probe;
    strcpy(all[0].port, "1-1.2");
    strcpy(all[1].identity.serial, "E661");
    strcpy(all[2].identity.serial, "");
    all[3].port[0] = '\0';
    probes_show_text(&all[0], &list, PROBES_PRESENT, text);
    cr_expect(strstr(text, "serial     e661; the same as of the probe at usb:1-2, bus 1, device 5\n") != NULL, "%s",
              text);
    cr_expect(strstr(text, "\ncommand    txtap tail --probe=usb:1-1.2 firmware.elf\n") != NULL, "%s", text);
    probes_show_json(&all[0], &list, text);
    cr_expect(strstr(text, "\"path\":\"usb:1-1.2\"") != NULL, "%s", text);
    cr_expect(strstr(text, "\"same_serial\":[\"usb:1-2\",null],") != NULL, "%s", text);
    probes_show_text(&all[2], &list, PROBES_PRESENT, text);
    cr_expect(strstr(text, "serial ") == NULL, "%s", text);
    cr_expect(strstr(text, "--probe=usb:1-2 firmware") != NULL, "without a serial number: %s", text);
    probes_show_text(&all[3], &list, PROBES_PRESENT, text);
    cr_expect(strstr(text, "--probe firmware") != NULL, "without a port: %s", text);
    strcpy(all[0].identity.serial, "e662");
    probes_show_text(&all[0], &list, PROBES_PRESENT, text);
    cr_expect(strstr(text, "serial     e662\n") != NULL && strstr(text, "--probe=e662 ") != NULL, "%s", text);
}

Test(probes_show, a_probe_that_is_in_use)
{
    plug_in(0x0483, 0x3748, "", "W\xc3\xbfr");
    probe.state = USB_BUSY;
    cr_assert(strstr(as_text(PROBES_ADDED), "in use by a process that /proc does not show") != NULL);
    cr_assert(strstr(text, "serial     57FF72..., whose end cannot be read\n") != NULL, "%s", text);
    probe.holder = (struct usb_holder){.pid = 4711, .name = "open\x1b[2Jocd"};
    cr_assert(strstr(as_text(PROBES_ADDED), "in use by open\\x1b[2Jocd (process 4711)\n") != NULL, "%s", text);
}

Test(probes_show, as_json)
{
    plug_in(0x0483, 0x374B, "STM32 STLink", "066DFF343339415043184719");
    probe.state = USB_BUSY;
    probe.holder = (struct usb_holder){.pid = 4711, .name = "openocd"};
    cr_assert_str_eq(
        probes_show_json(&probe, &here, text),
        "{\"bus\":1,\"address\":5,\"port\":\"1-2\",\"path\":\"usb:1-2\",\"speed\":\"high\",\"node\":\"/dev/bus/usb/001/"
        "005\","
        "\"name\":\"ST-Link/V2-1\",\"generation\":\"ST-Link V2-1\",\"manufacturer\":null,\"product\":\"STM32 STLink\","
        "\"serial\":\"066DFF343339415043184719\",\"serial_is_raw\":false,\"serial_is_cut\":false,\"firmware\":null,"
        "\"vendor_id\":\"0483\",\"product_id\":\"374b\",\"release\":\"0000\",\"same_serial\":[],\"state\":\"busy\","
        "\"holder\":{\"pid\":4711,\"name\":\"openocd\"},\"owner\":null,\"next_step\":null,\"rule\":null,"
        "\"use\":\"openocd\",\"direct\":true,\"interface\":\"interface/"
        "stlink.cfg\",\"transport\":\"hla_swd\",\"command\":null,"
        "\"advice\":null}");
}

/* The strings have maximum length, and their bytes need the most room when they are escaped. */
Test(probes_show, the_longest_strings_fit)
{
    char worst[USB_STRING_UNITS_MAX + 1];

    for (int byte = 1; byte < 256; byte++) {
        memset(worst, byte, USB_STRING_UNITS_MAX);
        worst[USB_STRING_UNITS_MAX] = '\0';
        plug_in(0x1234, 0x5678, worst, worst);
        probe.identity.is_probe = true;
        probe.identity.generation = "CMSIS-DAP v2";
        probe.identity.interface = probe.identity.transport = "";
        memcpy(probe.identity.manufacturer_text, probe.identity.product_text, USB_STRING_TEXT_BYTES);
        probe.state = USB_DENIED;
        probes_show_json(&probe, &here, text);
        cr_assert_eq(text[strlen(text) - 1], '}', "%d", byte);
        cr_assert(strstr(text, "\"advice\":null}") != NULL, "%d", byte);
        as_text(PROBES_PRESENT);
        cr_assert(strstr(text, "\nuse        ") != NULL, "%d: %s", byte, text);
        for (const char *at = text; *at != '\0'; at++)
            cr_assert((unsigned char)*at >= ' ' || *at == '\n', "%d", byte);
    }
}
