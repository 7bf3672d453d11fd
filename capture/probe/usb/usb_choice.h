/* SPDX-License-Identifier: MIT */
/* Which of the probes on USB to use. Pure. */
#ifndef TXTAP_CAPTURE_PROBE_USB_USB_CHOICE_H
#define TXTAP_CAPTURE_PROBE_USB_USB_CHOICE_H

#include "base/failure.h"
#include "probe/usb/usb_probe.h"

#define USB_KEY_BYTES (USB_STRING_TEXT_BYTES + 16)

/* By which a probe is known again when it was unplugged: its ids, and its serial number if it has one. Returns key. */
const char *usb_choice_key(const struct usb_probe *probe, char key[static USB_KEY_BYTES]);

/*
 * key: only the probe that has it; "": any. wanted, if key is "": a serial number, or a part of a name, in capital or
 * small letters; NULL: the only probe that txtap can use. TXTAP_OK: *chosen is a probe of the list that may be opened.
 * Otherwise error is one line: ERROR_NOT_FOUND there is none, TXTAP_ERROR_USAGE there are several, ERROR_TARGET it
 * cannot be opened now, ERROR_UNSAFE it is not for txtap.
 */
enum txtap_status usb_choose(const struct usb_list *list, const char *key, const char *wanted,
                             const struct usb_probe **chosen, struct error *error);

#endif
