/* SPDX-License-Identifier: MIT */
/* Tells the user what to do when a probe cannot be opened, or when there is no probe. It only turns facts into text. */
#include "probe/usb/usb_probe.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "probe/servers.h"

/* ---- the list of probes ---- */

#define MODE_GROUP_READ_WRITE 0060u

/* Reports whether the group may open the node, and users can join the group. */
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

/* ---- choosing a probe ---- */

#define NAMES_BYTES 160 /* size of the list of probe names */

const char *usb_choice_key(const struct usb_probe *probe, char key[static USB_KEY_BYTES])
{
    const struct usb_identity *identity = &probe->identity;

    snprintf(key, USB_KEY_BYTES, "%04x:%04x %s", identity->vendor, identity->product, identity->serial);
    return key;
}

static bool fits(const struct usb_probe *probe, const char *key, const char *wanted)
{
    const struct usb_identity *identity = &probe->identity;
    char own[USB_KEY_BYTES];

    if (key[0] != '\0') /* strings may be missing while the probe is being plugged in */
        return identity->use == USB_OPENOCD && strcmp(usb_choice_key(probe, own), key) == 0;
    if (wanted == NULL)
        return identity->is_probe && identity->use == USB_OPENOCD;
    return strcasecmp(identity->serial, wanted) == 0 || strcasestr(usb_device_name(identity), wanted) != NULL;
}

/* Adds name and serial number, as far as they fit. */
static void add_name(char names[static NAMES_BYTES], const struct usb_probe *probe)
{
    size_t used = strlen(names);
    const char *serial = probe->identity.serial;

    snprintf(names + used, NAMES_BYTES - used, "%s%.40s%s%.32s", used > 0 ? ", " : "",
             usb_device_name(&probe->identity), *serial != '\0' ? " " : "", serial);
}

static enum txtap_status none(const struct usb_list *list, const char *key, const char *wanted, struct error *error)
{
    char notice[USB_NOTICE_BYTES];

    if (key[0] != '\0')
        return failure(error, ERROR_NOT_FOUND, "the probe %.100s is not plugged in\nplug it in again", key);
    if (list->count == 0)
        return failure(error, ERROR_NOT_FOUND, "no debug probe is plugged in\n%.150s", usb_list_notice(list, notice));
    if (wanted == NULL)
        return failure(error, ERROR_NOT_FOUND, "no probe on USB that OpenOCD 0.12 can use\nsee 'txtap probes'");
    return failure(error, ERROR_NOT_FOUND, "no probe on USB has the serial or the name '%.60s'\nsee 'txtap probes'",
                   wanted);
}

#define STLINK_SERVER "stlink-server"

static const char *end_hint(const struct usb_probe *probe)
{
    return usb_is_stlink(&probe->identity) ? "end that program, or let it share the ST-Link: --stlink-server"
                                           : "end that program";
}

/* Returns the next step if another program has the probe. Through some programs txtap can read. */
static const char *holder_hint(const struct usb_probe *probe)
{
    const struct usb_holder *holder = &probe->holder;
    const struct server *server = server_of_process(holder->name, "", 0);

    if (strncmp(holder->name, STLINK_SERVER, strlen(STLINK_SERVER)) == 0)
        return "read through it: --stlink-server";
    if (server == NULL || server->verdict == SERVER_HALTS || server->verdict == SERVER_OTHER)
        return end_hint(probe);
    return server->verdict == SERVER_ASKED ? "read through it, with its Tcl port: --tcl PORT, or end it"
                                           : "read through it, with its GDB port: --gdb PORT, or end it";
}

static enum txtap_status cannot_open(const struct usb_list *list, const struct usb_probe *probe, struct error *error)
{
    char step[USB_STEP_BYTES], rule[USB_RULE_BYTES];
    const char *name = usb_device_name(&probe->identity);

    if (probe->state == USB_BUSY && probe->holder.pid != 0)
        return failure(error, ERROR_TARGET, "%.60s is in use by %.60s (process %d)\n%s", name, probe->holder.name,
                       (int)probe->holder.pid, holder_hint(probe));
    if (probe->state == USB_BUSY)
        return failure(error, ERROR_TARGET, "%.60s is in use by another program\n%s", name, end_hint(probe));
    if (probe->state == USB_DENIED)
        return failure(error, ERROR_TARGET, "you may not open %.60s (%.60s)\n%.150s", name, probe->node,
                       usb_probe_access_step(probe, &list->system, step, rule));
    return failure(error, ERROR_TARGET, "%.60s cannot be opened\nsee 'txtap probes'", name);
}

enum txtap_status usb_choose(const struct usb_list *list, const char *key, const char *wanted,
                             const struct usb_probe **chosen, struct error *error)
{
    char names[NAMES_BYTES] = "";
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (!fits(&list->probes[i], key, wanted))
            continue;
        *chosen = &list->probes[i];
        add_name(names, *chosen);
        count++;
    }
    if (count == 0)
        return none(list, key, wanted, error);
    if (count > 1)
        return failure(error, TXTAP_ERROR_USAGE, "%zu probes on USB: %s\nchoose one: --probe=SERIAL", count, names);
    if ((*chosen)->identity.use != USB_OPENOCD)
        return failure(error, ERROR_UNSAFE,
                       "OpenOCD 0.12 has no configuration for %.60s\nsee 'txtap probes', or give "
                       "your own: --openocd ARGS",
                       usb_device_name(&(*chosen)->identity));
    return (*chosen)->state == USB_READY ? TXTAP_OK : cannot_open(list, *chosen, error);
}
