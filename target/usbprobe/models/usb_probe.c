/* SPDX-License-Identifier: MIT */
/* Bulk transfers of a probe. */
#include "usb_probe.h"

#include <string.h>

void usb_probe_init(struct usb_probe *probe, const struct usb_identity *identity, const struct probe_model *model)
{
    probe->identity = identity;
    probe->model = *model;
    probe->faults = (struct usb_faults){0};
    usb_probe_reset(probe);
}

void usb_probe_reset(struct usb_probe *probe)
{
    probe->plug = PROBE_PLUGGED;
    probe->out_halted = probe->in_halted = false;
    probe->first = probe->count = 0;
    probe->held = false;
    probe->model.reset(probe->model.self);
}

/*
 * Applies the armed faults: they may halt the endpoint, unplug the probe, or change the answer. False: the answer is
 * lost.
 */
static bool survives_faults(struct usb_probe *probe, struct usb_answer *answer)
{
    struct usb_faults *faults = &probe->faults;
    bool kept = true;
    if (usb_fault_hits(faults, USB_FAULT_UNPLUG))
        probe->plug = PROBE_UNPLUGGED;
    else if (usb_fault_hits(faults, USB_FAULT_REPLUG))
        probe->plug = PROBE_REPLUGGED;
    if (usb_fault_hits(faults, USB_FAULT_STALL)) {
        probe->in_halted = true;
        kept = false;
    }
    if (usb_fault_hits(faults, USB_FAULT_TIMEOUT))
        kept = false;
    if (answer->length && usb_fault_hits(faults, USB_FAULT_SHORT)) {
        answer->length /= 2;
        answer->unended = false;
    }
    if (answer->length && answer->status_first && usb_fault_hits(faults, USB_FAULT_WRONG))
        answer->bytes[0] = (uint8_t)~answer->bytes[0];
    return kept;
}

static struct usb_answer *answer_at(struct usb_probe *probe, unsigned index)
{
    return &probe->answers[(probe->first + index) % USB_ANSWERS_MAX];
}

/* Queues the answer. A fault may queue the answer twice, or hold it back to send it together with the next answer. */
static void keep(struct usb_probe *probe, const struct usb_answer *answer)
{
    struct usb_answer *held = probe->held && probe->count ? answer_at(probe, probe->count - 1) : NULL;
    probe->held = false;
    if (held && held->length + answer->length <= sizeof held->bytes) {
        memcpy(held->bytes + held->length, answer->bytes, answer->length);
        held->length += answer->length;
        return;
    }
    probe->count++;
    if (probe->count < USB_ANSWERS_MAX && usb_fault_hits(&probe->faults, USB_FAULT_TWICE)) {
        *answer_at(probe, probe->count) = *answer;
        probe->count++;
    } else {
        probe->held = usb_fault_hits(&probe->faults, USB_FAULT_MERGE);
    }
}

enum usb_result usb_probe_out(struct usb_probe *probe, uint8_t endpoint, const uint8_t *bytes, size_t length)
{
    if (probe->plug != PROBE_PLUGGED)
        return USB_GONE;
    if (endpoint != probe->identity->out_endpoint || probe->out_halted)
        return USB_STALLED;
    if (length == 0)
        return USB_DONE;
    if (probe->model.answers_max == 1)
        probe->count = 0;
    if (probe->count >= probe->model.answers_max)
        return USB_WAITS;
    struct usb_answer *answer = answer_at(probe, probe->count);
    answer->given = answer->status_first = answer->unended = false;
    answer->length = answer->fetched = 0;
    enum usb_result result = probe->model.take(probe->model.self, bytes, length, answer);
    if (result == USB_STALLED)
        probe->out_halted = true;
    else if (answer->given && survives_faults(probe, answer))
        keep(probe, answer);
    return result;
}

enum usb_result usb_probe_in(struct usb_probe *probe, uint8_t endpoint, uint8_t *bytes, size_t room, size_t *length)
{
    const struct usb_identity *identity = probe->identity;
    *length = 0;
    if (probe->plug != PROBE_PLUGGED)
        return USB_GONE;
    if (identity->trace_endpoint && endpoint == identity->trace_endpoint)
        return USB_WAITS;
    if (endpoint != identity->in_endpoint || probe->in_halted)
        return USB_STALLED;
    if (probe->count <= probe->held)
        return USB_WAITS;
    struct usb_answer *answer = &probe->answers[probe->first];
    size_t left = answer->length - answer->fetched;
    bool whole = left <= room;
    if (answer->unended && left < room)
        return USB_WAITS;
    /* A packet is never split: packets that do not fit are lost, and the host gets an overflow. */
    size_t part = whole ? left : room - room % identity->packet_bytes;
    memcpy(bytes, answer->bytes + answer->fetched, part);
    answer->fetched += part;
    if (whole || part < room) {
        probe->first = (probe->first + 1) % USB_ANSWERS_MAX;
        probe->count--;
    }
    if (!whole && part < room)
        return USB_OVERFLOW;
    *length = part;
    return USB_DONE;
}

bool usb_probe_clear_halt(struct usb_probe *probe, uint8_t endpoint)
{
    const struct usb_identity *identity = probe->identity;
    if (endpoint == identity->out_endpoint)
        probe->out_halted = false;
    else if (endpoint == identity->in_endpoint)
        probe->in_halted = false;
    return endpoint == identity->out_endpoint || endpoint == identity->in_endpoint ||
           (identity->trace_endpoint && endpoint == identity->trace_endpoint);
}
