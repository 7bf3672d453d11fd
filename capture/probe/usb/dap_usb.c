/* SPDX-License-Identifier: MIT */
/* Bulk transfers with libusb. For each command under way, a second transfer waits for its answer. */
#include "probe/usb/dap_usb.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/usb/usb_claim.h"

#define CANCEL_US     5000000 /* the kernel normally returns a cancelled transfer much earlier */
#define EVENT_WAIT_US 100000

/* A command and its answer. */
struct slot {
    struct libusb_transfer *out, *in;
    bool out_runs, in_runs;
    uint8_t out_bytes[DAP_SEND_BYTES_MAX], in_bytes[DAP_ANSWER_BYTES_MAX];
};

struct dap_usb {
    struct usb_claim claim;
    uint8_t out_endpoint, in_endpoint;
    unsigned oldest, count;            /* slots under way */
    bool out_halted, in_halted, stuck; /* stuck: a transfer did not return, so the kernel still uses its memory */
    struct slot slots[DAP_IN_FLIGHT_MAX];
};

/* ---- transfers ---- */

static void on_done(struct libusb_transfer *transfer)
{
    *(bool *)transfer->user_data = false;
}

static enum dap_result result_of_error(int error)
{
    switch (error) {
    case LIBUSB_SUCCESS:
        return DAP_OK;
    case LIBUSB_ERROR_NO_DEVICE:
        return DAP_GONE;
    case LIBUSB_ERROR_PIPE:
        return DAP_STALLED;
    default:
        return DAP_BROKEN;
    }
}

static enum dap_result submit(struct libusb_transfer *transfer, bool *runs)
{
    enum dap_result result = result_of_error(libusb_submit_transfer(transfer));

    *runs = result == DAP_OK;
    return result;
}

static struct slot *new_slot(struct dap_usb *usb)
{
    return &usb->slots[(usb->oldest + usb->count++) % DAP_IN_FLIGHT_MAX];
}

static enum dap_result listen(struct dap_usb *usb, struct slot *slot)
{
    libusb_fill_bulk_transfer(slot->in, usb->claim.handle, usb->in_endpoint, slot->in_bytes, sizeof slot->in_bytes,
                              on_done, &slot->in_runs, 0);
    return submit(slot->in, &slot->in_runs);
}

/* Submits the transfer for the answer first, so that a fast probe need not wait. */
static enum dap_result usb_send(void *self, const uint8_t *bytes, size_t length)
{
    struct dap_usb *usb = self;
    struct slot *slot = new_slot(usb);
    enum dap_result result = listen(usb, slot);

    if (result != DAP_OK)
        return result;
    memcpy(slot->out_bytes, bytes, length);
    libusb_fill_bulk_transfer(slot->out, usb->claim.handle, usb->out_endpoint, slot->out_bytes, (int)length, on_done,
                              &slot->out_runs, 0);
    return submit(slot->out, &slot->out_runs);
}

static enum dap_result usb_listen(void *self)
{
    struct dap_usb *usb = self;
    struct slot *slot = new_slot(usb);

    slot->out->status = LIBUSB_TRANSFER_COMPLETED;
    return listen(usb, slot);
}

/* ---- waiting ---- */

static bool runs(const struct slot *slot)
{
    return slot->out_runs || slot->in_runs;
}

/* Returns the result of a transfer. If a transfer fails, its partner gets no answer, so there is no need to wait for
 * both. */
static enum dap_result result_of(struct dap_usb *usb, const struct slot *slot)
{
    const struct libusb_transfer *const both[] = {slot->out, slot->in};
    const bool running[] = {slot->out_runs, slot->in_runs};

    for (size_t i = 0; i < 2; i++) {
        if (running[i] || both[i]->status == LIBUSB_TRANSFER_COMPLETED)
            continue;
        if (both[i]->status == LIBUSB_TRANSFER_NO_DEVICE)
            return DAP_GONE;
        if (both[i]->status == LIBUSB_TRANSFER_OVERFLOW)
            return DAP_CONFUSED;
        if (both[i]->status != LIBUSB_TRANSFER_STALL)
            return DAP_BROKEN;
        usb->out_halted = usb->out_halted || i == 0;
        usb->in_halted = usb->in_halted || i == 1;
        return DAP_STALLED;
    }
    return DAP_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static enum dap_result usb_receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                                   unsigned timeout_ms)
{
    struct dap_usb *usb = self;
    struct slot *slot = &usb->slots[usb->oldest];
    uint64_t end = now_us() + UINT64_C(1000) * timeout_ms, left = UINT64_MAX;
    enum dap_result result;

    while ((result = result_of(usb, slot)) == DAP_OK && runs(slot)) {
        uint64_t grace = timeout_ms > DAP_BRIEF_MS ? stop_grace_left_us() : UINT64_MAX, now = now_us();

        if (grace == 0 || left == 0)
            return grace == 0 ? DAP_INTERRUPTED : DAP_TIMEOUT;
        left = now < end ? end - now : 0; /* 0: one last look, because the process may not have run for a while */
        usb_claim_wait(&usb->claim, least(left, least(grace, EVENT_WAIT_US)));
    }
    if (result != DAP_OK)
        return result;
    *length = (size_t)slot->in->actual_length;
    memcpy(bytes, slot->in_bytes, *length);
    usb->oldest = (usb->oldest + 1) % DAP_IN_FLIGHT_MAX;
    usb->count--;
    return DAP_OK;
}

/* ---- giving up ---- */

static bool any_runs(const struct dap_usb *usb)
{
    for (size_t i = 0; i < DAP_IN_FLIGHT_MAX; i++)
        if (runs(&usb->slots[i]))
            return true;
    return false;
}

static void cancel_all(struct dap_usb *usb)
{
    uint64_t end = now_us() + CANCEL_US;

    for (size_t i = 0; i < DAP_IN_FLIGHT_MAX; i++) {
        struct slot *slot = &usb->slots[i];

        if (slot->out_runs)
            (void)libusb_cancel_transfer(slot->out);
        if (slot->in_runs)
            (void)libusb_cancel_transfer(slot->in);
    }
    while (any_runs(usb) && now_us() < end)
        usb_claim_wait(&usb->claim, EVENT_WAIT_US);
    usb->stuck = any_runs(usb);
    usb->oldest = usb->count = 0;
}

static enum dap_result clear_halt(struct dap_usb *usb, uint8_t endpoint, bool *halted)
{
    enum dap_result result = DAP_OK;

    if (*halted)
        result = result_of_error(libusb_clear_halt(usb->claim.handle, endpoint));
    *halted = false;
    return result == DAP_STALLED ? DAP_BROKEN : result;
}

static enum dap_result usb_reset(void *self)
{
    struct dap_usb *usb = self;
    enum dap_result result;

    cancel_all(usb);
    if (usb->stuck)
        return DAP_BROKEN;
    result = clear_halt(usb, usb->out_endpoint, &usb->out_halted);
    return result == DAP_OK ? clear_halt(usb, usb->in_endpoint, &usb->in_halted) : result;
}

static uint64_t usb_now_us(void *self)
{
    (void)self;
    return now_us();
}

static void usb_close(void *self)
{
    struct dap_usb *usb = self;

    cancel_all(usb);
    if (usb->stuck)
        return; /* leaves the memory to the kernel forever */
    for (size_t i = 0; i < DAP_IN_FLIGHT_MAX; i++) {
        libusb_free_transfer(usb->slots[i].out);
        libusb_free_transfer(usb->slots[i].in);
    }
    usb_claim_close(&usb->claim);
    free(usb);
}

/* ---- opening ---- */

static bool make_transfers(struct dap_usb *usb)
{
    for (size_t i = 0; i < DAP_IN_FLIGHT_MAX; i++) {
        usb->slots[i].out = libusb_alloc_transfer(0);
        usb->slots[i].in = libusb_alloc_transfer(0);
        if (usb->slots[i].out == NULL || usb->slots[i].in == NULL)
            return false;
    }
    return true;
}

/* Returns 0 if the packet size is not known. */
static size_t packet_bytes_of(const struct dap_usb *usb)
{
    int size = libusb_get_max_packet_size(libusb_get_device(usb->claim.handle), usb->in_endpoint);

    return size > 0 ? (size_t)size : 0;
}

enum txtap_status dap_usb_open(struct dap_pipe *pipe, const struct usb_probe *probe, struct error *error)
{
    static const struct dap_pipe_ops ops = {usb_send, usb_listen, usb_receive, usb_reset, usb_now_us, usb_close};
    const struct usb_identity *identity = &probe->identity;
    struct dap_usb *usb = calloc(1, sizeof *usb);
    enum txtap_status status;

    if (usb == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    *pipe = (struct dap_pipe){.ops = &ops, .self = usb};
    usb->out_endpoint = identity->dap_out;
    usb->in_endpoint = identity->dap_in;
    usb->claim.interface = -1;
    if (make_transfers(usb))
        status = usb_claim_open(&usb->claim, probe, identity->dap_number, error);
    else
        status = failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    if (status == TXTAP_OK)
        pipe->packet_bytes = packet_bytes_of(usb);
    else
        usb_close(usb);
    return status;
}
