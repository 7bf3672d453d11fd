/* SPDX-License-Identifier: MIT */
/* Writes the data that is known about a probe, as text and as JSON. */
#include "command/probes_show.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text_maker.h"
#include "txtap/inner/escape.h"

#define COLUMNS     80
#define VALUE_BYTES 2048 /* enough for an escaped string of a device and a few words */

/* Text that is appended to memory of fixed size. */
struct text {
    char *at;
    size_t left;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...)
{
    va_list values;
    int written;

    va_start(values, format);
    written = vsnprintf(text->at, text->left, format, values);
    va_end(values);
    if (written < 0 || (size_t)written >= text->left)
        return;
    text->at += written;
    text->left -= (size_t)written;
}

/* ---- text ---- */

static void row(struct text *text, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void row(struct text *text, const char *key, const char *format, ...)
{
    char value[VALUE_BYTES], rows[2 * VALUE_BYTES];
    va_list values;

    va_start(values, format);
    vsnprintf(value, sizeof value, format, values);
    va_end(values);
    text_row_within(rows, sizeof rows, COLUMNS, key, value);
    add(text, "%s", rows);
}

struct escaped {
    char text[TXTAP_ESCAPED_BYTES(USB_STRING_TEXT_BYTES)];
};

static const char *escape(struct escaped *escaped, const char *text)
{
    return txtap_escape_terminal(escaped->text, sizeof escaped->text, text);
}

/* Writes the place of a probe: its path, or its number on the bus. Returns `place`. */
static const char *place_of(const struct usb_probe *probe, char place[static USB_PATH_BYTES])
{
    if (*usb_probe_path(probe, place) == '\0')
        snprintf(place, USB_PATH_BYTES, "bus %u, device %u", probe->bus, probe->address);
    return place;
}

/* Writes the serial number, and the places of other probes with the same serial number. */
static void put_serial(struct text *text, const struct usb_probe *probe, const struct usb_list *list)
{
    const struct usb_identity *identity = &probe->identity;
    char place[USB_PATH_BYTES], others[VALUE_BYTES / 2] = "";
    struct text more = {others, sizeof others};
    struct escaped serial;

    for (size_t i = 0; i < list->count; i++)
        if (usb_same_serial(probe, &list->probes[i]))
            add(&more, "%s%s", others[0] == '\0' ? "; the same as of the probe at " : ", ",
                place_of(&list->probes[i], place));
    row(text, "serial", "%s%s%s", escape(&serial, identity->serial),
        identity->serial_is_cut ? "..., whose end cannot be read" : "", others);
}

static void put_names(struct text *text, const struct usb_probe *probe, const struct usb_list *list, const char *key)
{
    const struct usb_identity *identity = &probe->identity;
    bool is_dap = identity->dap != USB_DAP_NONE;
    struct escaped name, product;
    char place[USB_PATH_BYTES];

    row(text, key, "%s%s%s%s", escape(&name, usb_device_name(identity)), is_dap ? " (" : "",
        is_dap ? identity->generation : "", is_dap ? ")" : "");
    if (identity->serial[0] != '\0')
        put_serial(text, probe, list);
    row(text, "usb", "%04x:%04x%s%s%s at %s%s%s", identity->vendor, identity->product,
        identity->product_text[0] != '\0' ? " \"" : "", escape(&product, identity->product_text),
        identity->product_text[0] != '\0' ? "\"" : "", place_of(probe, place),
        probe->speed[0] != '\0' ? ", speed: " : "", probe->speed);
    if (identity->firmware[0] != '\0')
        row(text, "firmware", "%s", identity->firmware);
}

static void put_busy(struct text *text, const struct usb_probe *probe)
{
    struct escaped name;

    if (probe->holder.pid != 0)
        row(text, "state", "in use by %s (process %ld)", escape(&name, probe->holder.name), (long)probe->holder.pid);
    else
        row(text, "state", "in use by a process that /proc does not show: another user's, or one in a container");
}

static void put_denied(struct text *text, const struct usb_probe *probe, const struct usb_system *system)
{
    char step[USB_STEP_BYTES], rule[USB_RULE_BYTES];

    row(text, "state", "no access: %s belongs to %s, group %s, mode %04o", probe->node, probe->owner.user,
        probe->owner.group, probe->owner.mode);
    row(text, "next step", "%s", usb_probe_access_step(probe, system, step, rule));
    if (rule[0] != '\0')
        row(text, "rule", "%s", rule);
}

static void put_state(struct text *text, const struct usb_probe *probe, const struct usb_system *system)
{
    switch (probe->state) {
    case USB_READY:
        row(text, "state", "ready");
        break;
    case USB_BUSY:
        put_busy(text, probe);
        break;
    case USB_DENIED:
        put_denied(text, probe, system);
        break;
    case USB_NO_NODE:
        row(text, "state", "no access: %s does not exist here, as in a container without access to it", probe->node);
        break;
    case USB_BROKEN:
        row(text, "state", "%s cannot be opened: plug the probe in again", probe->node);
        break;
    }
}

static void put_use(struct text *text, const struct usb_identity *identity)
{
    const char *more = identity->more != NULL ? identity->more : "";

    switch (identity->use) {
    case USB_OPENOCD:
        row(text, "use", "%sthrough OpenOCD: %s, transport %s%s%s%s",
            usb_is_direct(identity) ? "directly, or with --openocd " : "", identity->interface, identity->transport,
            *more != '\0' ? ", -c \"" : "", more, *more != '\0' ? "\"" : "");
        break;
    case USB_CHOOSE:
        row(text, "use", "through OpenOCD, but its ids do not tell with which file: %s", more);
        break;
    case USB_PERHAPS:
        row(text, "use", "perhaps a probe: many other devices have this chip, too; %s", more);
        break;
    case USB_TOO_NEW:
        row(text, "use", "not possible: too new for OpenOCD 0.12; its development branch has it");
        break;
    case USB_UNKNOWN:
        row(text, "use", "not possible: OpenOCD does not know this model");
        break;
    case USB_UNUSABLE:
        row(text, "use", "not possible: %s", more);
        break;
    }
}

/* Returns true if a shell passes the serial number on unchanged. */
static bool is_plain(const char *serial)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.:";

    return serial[0] != '\0' && serial[strspn(serial, plain)] == '\0';
}

/* Returns the value of --probe that chooses the probe; "" if the probe needs no value, or if no value chooses it. */
static const char *choice_of(const struct usb_probe *probe, const struct usb_list *list,
                             char path[static USB_PATH_BYTES])
{
    const char *serial = probe->identity.serial;
    bool is_shared = false;

    for (size_t i = 0; i < list->count; i++)
        is_shared |= usb_same_serial(probe, &list->probes[i]);
    if (is_plain(serial) && !is_shared)
        return serial;
    return list->count > 1 ? usb_probe_path(probe, path) : "";
}

/* Shows a command line to copy. */
static void put_command(struct text *text, const struct usb_probe *probe, const struct usb_list *list)
{
    const struct usb_identity *identity = &probe->identity;
    char path[USB_PATH_BYTES];
    const char *choice = choice_of(probe, list, path);

    if (identity->use == USB_CHOOSE)
        row(text, "command", "txtap tail --openocd \"-f interface/FILE.cfg -f target/CHIP.cfg\" firmware.elf");
    else if (identity->use == USB_OPENOCD && probe->state == USB_READY)
        row(text, "command", "txtap tail --probe%s%s firmware.elf", *choice != '\0' ? "=" : "", choice);
}

const char *probes_show_text(const struct usb_probe *probe, const struct usb_list *list, enum probes_event event,
                             char text[static PROBES_SHOW_BYTES])
{
    static const char *const keys[] = {
        [PROBES_PRESENT] = "probe",
        [PROBES_ADDED] = "plugged in",
        [PROBES_CHANGED] = "changed",
        [PROBES_REMOVED] = "unplugged",
    };
    struct text out = {text, PROBES_SHOW_BYTES};

    text[0] = '\0';
    put_names(&out, probe, list, keys[event]);
    if (event != PROBES_REMOVED) {
        put_state(&out, probe, &list->system);
        put_use(&out, &probe->identity);
        put_command(&out, probe, list);
    }
    return text;
}

/* ---- JSON ---- */

/* Writes a JSON member: the key, and the value as a string, or null if the value is NULL. Writes no comma before the
 * member. */
static void member(struct text *text, const char *key, const char *value)
{
    char quoted[TXTAP_ESCAPED_JSON_BYTES(USB_STRING_TEXT_BYTES)] = "null";

    if (value != NULL && value[0] != '\0')
        txtap_escape_json(quoted, sizeof quoted, value);
    add(text, ",\"%s\":%s", key, quoted);
}

static const char *state_name(enum usb_state state)
{
    static const char *const names[] = {
        [USB_READY] = "ready",     [USB_BUSY] = "busy",     [USB_DENIED] = "no_access",
        [USB_NO_NODE] = "no_node", [USB_BROKEN] = "broken",
    };

    return names[state];
}

static const char *use_name(enum usb_use use)
{
    static const char *const names[] = {
        [USB_OPENOCD] = "openocd", [USB_CHOOSE] = "choose",   [USB_PERHAPS] = "perhaps",
        [USB_TOO_NEW] = "too_new", [USB_UNKNOWN] = "unknown", [USB_UNUSABLE] = "unusable",
    };

    return names[use];
}

const char *probes_event_name(enum probes_event event)
{
    static const char *const names[] = {
        [PROBES_PRESENT] = "present",
        [PROBES_ADDED] = "added",
        [PROBES_CHANGED] = "changed",
        [PROBES_REMOVED] = "removed",
    };

    return names[event];
}

static void add_identity(struct text *text, const struct usb_identity *identity)
{
    member(text, "generation", identity->generation);
    member(text, "manufacturer", identity->manufacturer_text);
    member(text, "product", identity->product_text);
    member(text, "serial", identity->serial);
    add(text, ",\"serial_is_raw\":%s,\"serial_is_cut\":%s", identity->serial_is_raw ? "true" : "false",
        identity->serial_is_cut ? "true" : "false");
    member(text, "firmware", identity->firmware);
    add(text, ",\"vendor_id\":\"%04x\",\"product_id\":\"%04x\",\"release\":\"%04x\"", identity->vendor,
        identity->product, identity->release);
}

/* Writes the paths of other probes with the same serial number. A probe whose port is not known has null. */
static void add_same_serial(struct text *text, const struct usb_probe *probe, const struct usb_list *list)
{
    char path[USB_PATH_BYTES];
    bool any = false;

    add(text, ",\"same_serial\":[");
    for (size_t i = 0; i < list->count; i++) {
        if (!usb_same_serial(probe, &list->probes[i]))
            continue;
        usb_probe_path(&list->probes[i], path);
        add(text, *path != '\0' ? "%s\"%s\"" : "%snull", any ? "," : "", path);
        any = true;
    }
    add(text, "]");
}

static void add_state(struct text *text, const struct usb_probe *probe, const struct usb_system *system)
{
    char step[USB_STEP_BYTES] = "", rule[USB_RULE_BYTES] = "";

    member(text, "state", state_name(probe->state));
    if (probe->state == USB_BUSY && probe->holder.pid != 0) {
        add(text, ",\"holder\":{\"pid\":%ld", (long)probe->holder.pid);
        member(text, "name", probe->holder.name);
        add(text, "}");
    } else {
        add(text, ",\"holder\":null");
    }
    if (probe->state == USB_DENIED) {
        usb_probe_access_step(probe, system, step, rule);
        add(text, ",\"owner\":{\"mode\":\"%04o\"", probe->owner.mode);
        member(text, "user", probe->owner.user);
        member(text, "group", probe->owner.group);
        add(text, "}");
    } else {
        add(text, ",\"owner\":null");
    }
    member(text, "next_step", step);
    member(text, "rule", rule);
}

const char *probes_show_json(const struct usb_probe *probe, const struct usb_list *list,
                             char text[static PROBES_SHOW_BYTES])
{
    const struct usb_identity *identity = &probe->identity;
    struct text out = {text, PROBES_SHOW_BYTES};
    char path[USB_PATH_BYTES];

    text[0] = '\0';
    add(&out, "{\"bus\":%u,\"address\":%u", probe->bus, probe->address);
    member(&out, "port", probe->port);
    member(&out, "path", usb_probe_path(probe, path));
    member(&out, "speed", probe->speed);
    member(&out, "node", probe->node);
    member(&out, "name", usb_device_name(identity));
    add_identity(&out, identity);
    add_same_serial(&out, probe, list);
    add_state(&out, probe, &list->system);
    member(&out, "use", use_name(identity->use));
    add(&out, ",\"direct\":%s", usb_is_direct(identity) ? "true" : "false");
    member(&out, "interface", identity->interface);
    member(&out, "transport", identity->transport);
    member(&out, "command", identity->use == USB_OPENOCD ? identity->more : NULL);
    member(&out, "advice", identity->use == USB_OPENOCD ? NULL : identity->more);
    add(&out, "}");
    return text;
}
