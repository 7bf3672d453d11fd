/* SPDX-License-Identifier: MIT */
/* The kinds of probes, as they present themselves on USB. */
#ifndef USBPROBE_KINDS_H
#define USBPROBE_KINDS_H

#include "usb.h"

/* Finds a kind by name; NULL: no such kind. Its serial number is a default, which the user can replace. */
const struct usb_identity *kind_find(const char *name);

/* Returns true for an ST-Link: it passes commands on to the board, so the board must imitate the same product. */
bool kind_is_stlink(const struct usb_identity *identity);

#endif
