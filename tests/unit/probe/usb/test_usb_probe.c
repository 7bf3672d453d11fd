/* SPDX-License-Identifier: MIT */
/* The advice if a probe may not be opened, and the reasons for an empty list of probes. */
#include "probe/usb/usb_probe.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/usb/usb_bus.h"

static char step[USB_STEP_BYTES], rule[USB_RULE_BYTES], notice[USB_NOTICE_BYTES];
static struct usb_probe probe;
static struct usb_system here;

static void denied(unsigned quirks, const char *group, unsigned mode)
{
    memset(&probe, 0, sizeof probe);
    probe.identity.vendor = 0x0483;
    probe.identity.product = 0x3757;
    probe.identity.quirks = quirks;
    probe.owner.mode = mode;
    snprintf(probe.owner.group, sizeof probe.owner.group, "%s", group);
    usb_probe_access_step(&probe, &here, step, rule);
}

static bool says(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

Test(usb_probe, advises_to_join_a_group_with_permission)
{
    here = (struct usb_system){.udev = true, .rules = true};
    denied(USB_QUIRK_RULE, "plugdev", 0660);
    cr_assert(says(step, "sudo adduser $USER plugdev"), "%s", step);
    here.udev = false;
    denied(USB_QUIRK_RULE, "plugdev", 0660);
    cr_assert(says(step, "sudo adduser $USER plugdev"), "in a container, too");
}

Test(usb_probe, does_not_advise_to_join_the_group_root)
{
    here = (struct usb_system){.udev = true, .rules = true};
    denied(USB_QUIRK_RULE, "root", 0664);
    cr_assert(says(step, "plug the probe in again"), "%s", step);
    denied(USB_QUIRK_RULE, "plugdev", 0640);
    cr_assert(says(step, "plug the probe in again"), "a group that may only read does not help");
}

Test(usb_probe, advises_to_install_openocds_rule)
{
    here = (struct usb_system){.udev = true};
    denied(USB_QUIRK_RULE, "root", 0664);
    cr_assert(says(step, "60-openocd.rules") && says(step, "apt install openocd"), "%s", step);
    cr_assert_str_eq(rule, "");
}

Test(usb_probe, a_probe_missing_from_openocds_rules_needs_its_own_rule)
{
    here = (struct usb_system){.udev = true, .rules = true};
    denied(0, "root", 0664);
    cr_assert(says(step, "/etc/udev/rules.d/"), "%s", step);
    cr_assert_str_eq(rule, "ATTRS{idVendor}==\"0483\", ATTRS{idProduct}==\"3757\", TAG+=\"uaccess\"");
}

Test(usb_probe, without_udev_no_rule_helps)
{
    here = (struct usb_system){.rules = true};
    denied(0, "root", 0664);
    cr_assert(says(step, "udev does not run here"), "%s", step);
    cr_assert_str_eq(rule, "");
}

static const char *notice_of(size_t probes, size_t devices, size_t hubs, bool node_folder)
{
    const struct usb_list list = {
        .count = probes, .devices = devices, .hubs = hubs, .system = {.node_folder = node_folder}};

    usb_list_notice(&list, notice);
    cr_assert_null(strchr(notice, '\n'));
    return notice;
}

Test(usb_probe, an_empty_list_has_one_reason)
{
    cr_assert_str_eq(notice_of(1, 1, 1, true), "");
    cr_assert_str_eq(notice_of(1, 1, 1, false), "");
    cr_assert(says(notice_of(0, 0, 0, false), "there is no /dev/bus/usb"));
    cr_assert(says(notice_of(0, 0, 0, true), "nothing is plugged into USB:"));
    cr_assert(says(notice_of(0, 0, 2, true), "only hubs are plugged into USB:"));
    cr_assert(says(notice_of(0, 1, 2, true), "among the 1 device on USB"));
    cr_assert(says(notice_of(0, 5, 2, false), "among the 5 devices on USB"));
}

Test(usb_probe, without_hotplug_in_libusb_a_watch_only_waits)
{
    uint64_t begin = now_us();

    usb_watch_wait(NULL, 2000);
    cr_assert_geq(now_us() - begin, 2000);
}
