/* SPDX-License-Identifier: MIT */
/*
 * A probe as seen from the USB wire: bulk transfers in and out, halted endpoints, answers that wait to be fetched, and
 * faults on demand. This module only moves bytes, and has no socket, clock or thread. It works with any carrier of the
 * transfers. The probe's model knows the meaning of the bytes.
 */
#ifndef USBPROBE_USB_PROBE_H
#define USBPROBE_USB_PROBE_H

#include "usb.h"
#include "usb_fault.h"

#define USB_ANSWER_BYTES_MAX 10236
#define USB_ANSWERS_MAX      16

/* A model's answer to a transfer. */
struct usb_answer {
    bool given;
    bool status_first; /* the first byte is a status or a command's number, not data */
    /* no short packet ends the answer, so a transfer with more room waits for more, as on some J-Links */
    bool unended;
    size_t length, fetched;
    uint8_t bytes[USB_ANSWER_BYTES_MAX];
};

/* A kind of probe: takes one OUT transfer, and may answer it. Returns USB_DONE, or USB_STALLED without an answer. */
struct probe_model {
    void *self;
    enum usb_result (*take)(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer);
    void (*reset)(void *self);
    unsigned answers_max; /* limit of waiting answers; 1: a new answer replaces an unread answer */
};

struct usb_probe {
    const struct usb_identity *identity;
    struct probe_model model;
    struct usb_faults faults;
    enum {
        PROBE_PLUGGED,
        PROBE_UNPLUGGED,
        PROBE_REPLUGGED
    } plug; /* unplugged or replugged by a fault, until usb_probe_reset() */
    bool out_halted, in_halted;
    unsigned first, count; /* waiting answers */
    bool held;             /* the last waiting answer is held back, to be sent together with the next answer */
    struct usb_answer answers[USB_ANSWERS_MAX];
};

/* Initializes a probe. `probe` is large, so do not put it on the stack. model.answers_max is 1 to USB_ANSWERS_MAX. */
void usb_probe_init(struct usb_probe *probe, const struct usb_identity *identity, const struct probe_model *model);

/* Restores the state after plugging in: no answer waits, no endpoint is halted. Armed faults stay. */
void usb_probe_reset(struct usb_probe *probe);

/* Makes one transfer to the probe. USB_WAITS: nothing was taken; fetch the probe's answers first. */
enum usb_result usb_probe_out(struct usb_probe *probe, uint8_t endpoint, const uint8_t *bytes, size_t length);

/* Makes one transfer from the probe, of at most `room` bytes; `length` is 0 unless USB_DONE is returned. */
enum usb_result usb_probe_in(struct usb_probe *probe, uint8_t endpoint, uint8_t *bytes, size_t room, size_t *length);

/* Carries out CLEAR_FEATURE(ENDPOINT_HALT). False: no such endpoint. */
bool usb_probe_clear_halt(struct usb_probe *probe, uint8_t endpoint);

#endif
