/* SPDX-License-Identifier: MIT */
/* Faults of the USB wire. */
#include "usb_fault.h"

#include <stdio.h>
#include <string.h>

#define NUMBER_MAX 1000000000u

static const char *const names[USB_FAULT_KINDS] = {"stall", "short", "timeout", "wrong",
                                                   "twice", "merge", "unplug",  "replug"};

const char *usb_fault_name(enum usb_fault_kind kind)
{
    return names[kind];
}

/* If *text begins with `mark`, parses the number after the mark, and moves *text past the number. */
static bool take_number(const char **text, char mark, uint32_t *value)
{
    const char *at = *text;
    uint32_t number = 0;
    if (*at != mark)
        return true;
    const char *digits = ++at;
    while (*at >= '0' && *at <= '9' && number <= NUMBER_MAX)
        number = number * 10 + (uint32_t)(*at++ - '0');
    *value = number;
    *text = at;
    return at > digits && number <= NUMBER_MAX;
}

bool usb_fault_arm(struct usb_faults *faults, const char *text, char why[static USB_FAULT_WHY_BYTES])
{
    size_t length = strcspn(text, "@:");
    uint32_t after = 0, count = 1;
    for (unsigned kind = 0; kind < USB_FAULT_KINDS; kind++) {
        if (strlen(names[kind]) != length || strncmp(names[kind], text, length) != 0)
            continue;
        const char *rest = text + length;
        if (!take_number(&rest, '@', &after) || !take_number(&rest, ':', &count) || *rest || count == 0) {
            snprintf(why, USB_FAULT_WHY_BYTES, "want %s[@AFTER][:COUNT], numbers up to %u", names[kind], NUMBER_MAX);
            return false;
        }
        faults->kinds[kind].after = after;
        faults->kinds[kind].count = count;
        return true;
    }
    snprintf(why, USB_FAULT_WHY_BYTES,
             "no such fault; there are stall, short, timeout, wrong, twice, merge, unplug and replug");
    return false;
}

bool usb_fault_hits(struct usb_faults *faults, enum usb_fault_kind kind)
{
    if (faults->kinds[kind].count == 0)
        return false;
    if (faults->kinds[kind].after > 0) {
        faults->kinds[kind].after--;
        return false;
    }
    faults->kinds[kind].count--;
    faults->kinds[kind].hits++;
    return true;
}
