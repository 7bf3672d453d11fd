/* SPDX-License-Identifier: MIT */
/* Shows a probe as rows of text and as a JSON object. Pure. Escapes all strings from the device. */
#ifndef TXTAP_CAPTURE_COMMAND_PROBES_SHOW_H
#define TXTAP_CAPTURE_COMMAND_PROBES_SHOW_H

#include "probe/usb/usb_probe.h"

#define PROBES_SHOW_BYTES                                                                                              \
    24576 /* enough for both forms of any probe, also if all probes on a bus have its serial number */

/* The reason for showing a probe. */
enum probes_event { PROBES_PRESENT, PROBES_ADDED, PROBES_CHANGED, PROBES_REMOVED };

/* `list` has the probe and the probes that are plugged in beside it, whose serial numbers may be the same. */

/* Writes rows of at most 80 columns, unless a single word is longer. For PROBES_REMOVED, writes only the rows that
 * identify the probe. Returns the text. */
const char *probes_show_text(const struct usb_probe *probe, const struct usb_list *list, enum probes_event event,
                             char text[static PROBES_SHOW_BYTES]);

/* Writes one line, without the line end. Returns the text. */
const char *probes_show_json(const struct usb_probe *probe, const struct usb_list *list,
                             char text[static PROBES_SHOW_BYTES]);

/* Returns "present", "added", "changed" or "removed". */
const char *probes_event_name(enum probes_event event);

#endif
