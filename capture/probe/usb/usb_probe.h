/* SPDX-License-Identifier: MIT */
/* A plugged-in debug probe: its model, its place, whether it can be opened, and which process uses it. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_PROBE_H
#define TXTAP_CAPTURE_PROBE_USB_USB_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/failure.h"
#include "probe/usb/usb_device.h"

#define USB_PORT_BYTES    32
#define USB_NODE_BYTES    64
#define USB_ACCOUNT_BYTES 33
#define USB_PROCESS_BYTES 65

enum usb_state {
    USB_READY,
    USB_BUSY,    /* a process has claimed it, or has its node open */
    USB_DENIED,  /* the user may not open its node: see owner */
    USB_NO_NODE, /* the probe has no node in /dev, for example in a container without access to it */
    USB_BROKEN,  /* it cannot be opened for another reason */
};

struct usb_owner {
    char user[USB_ACCOUNT_BYTES], group[USB_ACCOUNT_BYTES]; /* names, or numbers */
    unsigned mode;                                          /* permissions, 0 to 07777 */
};

struct usb_holder {
    pid_t pid;                    /* 0: not known */
    char name[USB_PROCESS_BYTES]; /* may have any bytes */
};

struct usb_probe {
    struct usb_identity identity;
    unsigned bus, address;
    char port[USB_PORT_BYTES]; /* "1-4.2": bus 1, port 4, port 2 of the hub at that port; "": not known */
    const char *speed;         /* "full", "high", ...; "": not known */
    char node[USB_NODE_BYTES]; /* the file that txtap and OpenOCD open: /dev/bus/usb/001/005, or /dev/hidraw3 */
    enum usb_state state;
    struct usb_owner owner;   /* valid only with USB_DENIED */
    struct usb_holder holder; /* valid only with USB_BUSY, if the holder can be found */
};

/* ---- the path of a probe ---- */

#define USB_PATH_PREFIX "usb:"
#define USB_PATH_BYTES  (sizeof USB_PATH_PREFIX + USB_PORT_BYTES)

/* Reports whether the text is the path of a port, such as "usb:1-4.2". Pure. */
bool usb_path_is_valid(const char *text);

/* Makes the path of the probe's port; "" if the port is not known. Pure. Returns `path`. */
const char *usb_probe_path(const struct usb_probe *probe, char path[static USB_PATH_BYTES]);

/* ---- access rights ---- */

struct usb_system {
    bool udev;        /* udev is running */
    bool rules;       /* OpenOCD's 60-openocd.rules is installed */
    bool node_folder; /* /dev/bus/usb exists */
};

#define USB_STEP_BYTES 256
#define USB_RULE_BYTES 128

/* Gives the next step for USB_DENIED. rule: a line for the user's own rules file if OpenOCD's rules lack the probe,
 * else "". Pure. Returns `step`. */
const char *usb_probe_access_step(const struct usb_probe *probe, const struct usb_system *system,
                                  char step[static USB_STEP_BYTES], char rule[static USB_RULE_BYTES]);

/* ---- the list of probes ---- */

struct usb_list {
    struct usb_probe *probes; /* sorted by bus and address */
    size_t count;
    size_t devices, hubs; /* numbers of devices and hubs on the bus; a probe counts as a device, a hub does not */
    struct usb_system system;
};

#define USB_NOTICE_BYTES 256

/* Explains in one line why no probe is shown; "" if a probe is shown. Pure. Returns notice. */
const char *usb_list_notice(const struct usb_list *list, char notice[static USB_NOTICE_BYTES]);

/* Reports whether two different probes have the same serial number. Letters may be capital or small. Pure. */
bool usb_same_serial(const struct usb_probe *one, const struct usb_probe *other);

/* ---- choosing a probe ---- */

/* Chooses among the probes on USB. Pure. */

#define USB_KEY_BYTES (USB_STRING_TEXT_BYTES + 16)

/* Makes the key that identifies a probe after it was unplugged: its ids, and its serial number, if any. If the user
 * wants the probe at a path, the key is this path, so that another probe may replace it. wanted may be NULL. Returns
 * `key`. */
const char *usb_choice_key(const struct usb_probe *probe, const char *wanted, char key[static USB_KEY_BYTES]);

/*
 * Chooses a probe. If `key` is not "", chooses only the probe with this key. If `key` is "", `wanted` is a serial
 * number or a part of a name, in capital or small letters, or a path; NULL: the only probe that txtap can use.
 * TXTAP_OK: *chosen is a probe of the list that may be opened. Otherwise error is one line. ERROR_NOT_FOUND: no such
 * probe. TXTAP_ERROR_USAGE: several such probes. ERROR_TARGET: it cannot be opened now. ERROR_UNSAFE: txtap cannot use
 * it.
 */
enum txtap_status usb_choose(const struct usb_list *list, const char *key, const char *wanted,
                             const struct usb_probe **chosen, struct error *error);

/* Reports whether OpenOCD needs the port to find this probe of the list, because another probe has the same interface
 * file, and the serial number does not tell which of them it is. Pure. */
bool usb_needs_port(const struct usb_list *list, const struct usb_probe *probe);

#endif
