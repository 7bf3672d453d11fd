/* SPDX-License-Identifier: MIT */
/* Tells the user what to do when a probe cannot be opened, or when there is no probe. It only turns facts into text. */
#include "probe/usb/usb_probe.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "probe/servers.h"

/* ---- the path of a probe ---- */

static const char DIGITS[] = "0123456789";

/* Skips a number of at most 3 digits. NULL: no such number. */
static const char *skip_number(const char *text)
{
    size_t digits = strspn(text, DIGITS);

    return digits >= 1 && digits <= 3 ? text + digits : NULL;
}

bool usb_path_is_valid(const char *text)
{
    const char *at = text + strlen(USB_PATH_PREFIX);
    char before = '-';

    if (strncmp(text, USB_PATH_PREFIX, strlen(USB_PATH_PREFIX)) != 0 || strlen(at) >= USB_PORT_BYTES)
        return false;
    for (at = skip_number(at); at != NULL && *at == before; before = '.')
        at = skip_number(at + 1);
    return at != NULL && *at == '\0' && before == '.';
}

const char *usb_probe_path(const struct usb_probe *probe, char path[static USB_PATH_BYTES])
{
    snprintf(path, USB_PATH_BYTES, "%s%s", probe->port[0] != '\0' ? USB_PATH_PREFIX : "", probe->port);
    return path;
}

static bool is_at(const struct usb_probe *probe, const char *path)
{
    return strcmp(probe->port, path + strlen(USB_PATH_PREFIX)) == 0;
}

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

bool usb_same_serial(const struct usb_probe *one, const struct usb_probe *other)
{
    return one != other && one->identity.serial[0] != '\0' &&
           strcasecmp(one->identity.serial, other->identity.serial) == 0;
}

/* ---- choosing a probe ---- */

#define NAMES_BYTES 176 /* size of the list of probe names */

const char *usb_choice_key(const struct usb_probe *probe, const char *wanted, char key[static USB_KEY_BYTES])
{
    const struct usb_identity *identity = &probe->identity;

    if (wanted != NULL && usb_path_is_valid(wanted))
        snprintf(key, USB_KEY_BYTES, "%s", wanted);
    else
        snprintf(key, USB_KEY_BYTES, "%04x:%04x %s", identity->vendor, identity->product, identity->serial);
    return key;
}

static bool fits(const struct usb_probe *probe, const char *key, const char *wanted)
{
    const struct usb_identity *identity = &probe->identity;
    char own[USB_KEY_BYTES];

    if (key[0] != '\0') /* strings may be missing while the probe is being plugged in */
        return identity->use == USB_OPENOCD &&
               (usb_path_is_valid(key) ? is_at(probe, key) : strcmp(usb_choice_key(probe, NULL, own), key) == 0);
    if (wanted == NULL)
        return identity->is_probe && identity->use == USB_OPENOCD;
    if (usb_path_is_valid(wanted))
        return is_at(probe, wanted);
    return strcasecmp(identity->serial, wanted) == 0 || strcasestr(usb_device_name(identity), wanted) != NULL;
}

/* Reports whether no serial number can choose the probe. */
static bool needs_path(const struct usb_list *list, const struct usb_probe *probe)
{
    bool shared = probe->identity.serial[0] == '\0';

    for (size_t i = 0; i < list->count; i++)
        shared |= usb_same_serial(probe, &list->probes[i]);
    return shared && probe->port[0] != '\0';
}

/* Adds name, serial number and, if necessary, path, as far as they fit. */
static void add_name(char names[static NAMES_BYTES], const struct usb_list *list, const struct usb_probe *probe)
{
    size_t used = strlen(names);
    const char *serial = probe->identity.serial;
    char path[USB_PATH_BYTES] = "";

    if (needs_path(list, probe))
        usb_probe_path(probe, path);
    snprintf(names + used, NAMES_BYTES - used, "%s%.40s%s%.32s%s%s", used > 0 ? ", " : "",
             usb_device_name(&probe->identity), *serial != '\0' ? " " : "", serial, *path != '\0' ? " at " : "", path);
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
    if (usb_path_is_valid(wanted))
        return failure(error, ERROR_NOT_FOUND, "no probe is plugged in at %.40s\nsee 'txtap probes'", wanted);
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
    bool by_path = false;
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (!fits(&list->probes[i], key, wanted))
            continue;
        *chosen = &list->probes[i];
        add_name(names, list, *chosen);
        by_path |= needs_path(list, *chosen);
        count++;
    }
    if (count == 0)
        return none(list, key, wanted, error);
    if (count > 1)
        return failure(error, TXTAP_ERROR_USAGE, "%zu probes on USB: %s\nchoose one: --probe=%s", count, names,
                       by_path ? USB_PATH_PREFIX "PORT" : "SERIAL");
    if ((*chosen)->identity.use != USB_OPENOCD)
        return failure(error, ERROR_UNSAFE,
                       "OpenOCD 0.12 has no configuration for %.60s\nsee 'txtap probes', or give "
                       "your own: --openocd ARGS",
                       usb_device_name(&(*chosen)->identity));
    return (*chosen)->state == USB_READY ? TXTAP_OK : cannot_open(list, *chosen, error);
}

bool usb_needs_port(const struct usb_list *list, const struct usb_probe *probe)
{
    const struct usb_identity *identity = &probe->identity;
    bool has_serial = identity->serial[0] != '\0' && !identity->serial_is_cut;

    for (size_t i = 0; i < list->count; i++) {
        const struct usb_probe *other = &list->probes[i];

        if (other != probe && other->identity.interface != NULL && identity->interface != NULL &&
            strcmp(other->identity.interface, identity->interface) == 0 &&
            (!has_serial || usb_same_serial(probe, other)))
            return true;
    }
    return false;
}
