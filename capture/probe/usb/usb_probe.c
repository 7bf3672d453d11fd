/* SPDX-License-Identifier: MIT */
/* What to do when a probe cannot be opened, or when there is no probe. Only turns facts into text. */
#include "probe/usb/usb_probe.h"

#include <stdio.h>
#include <string.h>

#define MODE_GROUP_READ_WRITE 0060u

/* The group may open it, and is one that users can join. */
static bool has_group(const struct usb_owner *owner)
{
    return (owner->mode & MODE_GROUP_READ_WRITE) == MODE_GROUP_READ_WRITE && strcmp(owner->group, "root") != 0 &&
           strcmp(owner->group, "0") != 0;
}

const char *usb_probe_access_step(const struct usb_probe *probe, const struct usb_system *system,
                                  char step[static USB_STEP_BYTES], char rule[static USB_RULE_BYTES])
{
    rule[0] = '\0';
    if (has_group(&probe->owner))
        snprintf(step, USB_STEP_BYTES, "join the group: sudo adduser $USER %s; then log in again", probe->owner.group);
    else if (!system->udev)
        snprintf(step, USB_STEP_BYTES,
                 "udev does not run here, so no rule helps: if this is a container, start it with access to the node");
    else if (!(probe->identity.quirks & USB_QUIRK_RULE)) {
        snprintf(step, USB_STEP_BYTES,
                 "write this rule to /etc/udev/rules.d/60-probe.rules and plug the probe in again");
        snprintf(rule, USB_RULE_BYTES, "ATTRS{idVendor}==\"%04x\", ATTRS{idProduct}==\"%04x\", TAG+=\"uaccess\"",
                 probe->identity.vendor, probe->identity.product);
    } else if (!system->rules)
        snprintf(step, USB_STEP_BYTES,
                 "install OpenOCD's udev rule, 60-openocd.rules (Debian: sudo apt install openocd), and plug the probe "
                 "in again");
    else
        snprintf(step, USB_STEP_BYTES,
                 "OpenOCD's udev rule is installed: plug the probe in again so that it takes effect");
    return step;
}

const char *usb_list_notice(const struct usb_list *list, char notice[static USB_NOTICE_BYTES])
{
    const char *plural = list->devices == 1 ? "" : "s";

    notice[0] = '\0';
    if (list->count > 0)
        return notice;
    if (!list->system.node_folder && list->devices == 0)
        snprintf(notice, USB_NOTICE_BYTES,
                 "there is no /dev/bus/usb: this machine has no USB, or the container was not given it (docker run "
                 "--device /dev/bus/usb)");
    else if (list->devices == 0)
        snprintf(notice, USB_NOTICE_BYTES,
                 "%s plugged into USB: plug in the probe, or try another cable: some only charge",
                 list->hubs > 0 ? "only hubs are" : "nothing is");
    else
        snprintf(notice, USB_NOTICE_BYTES,
                 "no debug probe among the %zu device%s on USB, which lsusb lists: if one of them is a probe, start "
                 "OpenOCD for it yourself",
                 list->devices, plural);
    return notice;
}
