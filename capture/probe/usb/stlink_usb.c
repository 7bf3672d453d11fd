/* SPDX-License-Identifier: MIT */
/* Bulk transfers with libusb. The transfer for an answer is submitted before its command, so that a fast probe need not
 * wait. */
#include "probe/usb/stlink_usb.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/usb/usb_claim.h"

#define INTERFACE     0
#define IN_ENDPOINT   0x81
#define OUT_ENDPOINT  0x01
#define OUT_OF_V2     0x02 /* the older ST-Link/V2 has another endpoint. Source: probe-rs, stlink/usb_interface.rs */
#define PRODUCT_V2    0x3748
#define ANSWER_MS_MAX 1000    /* a probe answers in milliseconds; after this time txtap gets in step again */
#define CANCEL_US     5000000 /* the kernel normally returns a cancelled transfer much earlier */
#define EVENT_WAIT_US 100000
#define DRAIN_MS      20
#define DRAINS_MAX    8

struct stlink_usb {
    struct usb_claim claim;
    struct libusb_transfer *out, *in;
    bool out_runs, in_runs;
    bool out_halted, in_halted, stuck; /* stuck: a transfer did not return, so the kernel still uses its memory */
    uint8_t out_endpoint;
    uint8_t out_bytes[STLINK_DATA_BYTES_MAX], in_bytes[STLINK_ANSWER_BYTES_MAX];
};

/* ---- transfers ---- */

static void on_done(struct libusb_transfer *transfer)
{
    *(bool *)transfer->user_data = false;
}

static enum stlink_result result_of_error(int error)
{
    switch (error) {
    case LIBUSB_SUCCESS:
        return STLINK_OK;
    case LIBUSB_ERROR_NO_DEVICE:
        return STLINK_GONE;
    case LIBUSB_ERROR_PIPE:
        return STLINK_STALLED;
    default:
        return STLINK_BROKEN;
    }
}

static enum stlink_result submit(struct libusb_transfer *transfer, bool *runs)
{
    enum stlink_result result = result_of_error(libusb_submit_transfer(transfer));

    *runs = result == STLINK_OK;
    return result;
}

static enum stlink_result submit_out(struct stlink_usb *usb, const uint8_t *bytes, size_t length)
{
    memcpy(usb->out_bytes, bytes, length);
    libusb_fill_bulk_transfer(usb->out, usb->claim.handle, usb->out_endpoint, usb->out_bytes, (int)length, on_done,
                              &usb->out_runs, 0);
    return submit(usb->out, &usb->out_runs);
}

static enum stlink_result submit_in(struct stlink_usb *usb, size_t length)
{
    libusb_fill_bulk_transfer(usb->in, usb->claim.handle, IN_ENDPOINT, usb->in_bytes, (int)length, on_done,
                              &usb->in_runs, 0);
    return submit(usb->in, &usb->in_runs);
}

static enum stlink_result result_of(const struct libusb_transfer *transfer, bool *halted)
{
    switch (transfer->status) {
    case LIBUSB_TRANSFER_COMPLETED:
        return STLINK_OK;
    case LIBUSB_TRANSFER_STALL:
        *halted = true;
        return STLINK_STALLED;
    case LIBUSB_TRANSFER_NO_DEVICE:
        return STLINK_GONE;
    case LIBUSB_TRANSFER_OVERFLOW:
        return STLINK_CONFUSED;
    default:
        return STLINK_BROKEN;
    }
}

/* Waits for the transfers under way. If the transfer of a command fails, its answer never arrives. */
static enum stlink_result await(struct stlink_usb *usb, bool has_in, unsigned timeout_ms)
{
    uint64_t end = now_us() + UINT64_C(1000) * timeout_ms, left = UINT64_MAX;
    enum stlink_result result = STLINK_OK;

    while (usb->out_runs || usb->in_runs) {
        uint64_t grace = timeout_ms > STLINK_BRIEF_MS ? stop_grace_left_us() : UINT64_MAX, now = now_us(), wait;

        if (!usb->out_runs && result_of(usb->out, &usb->out_halted) != STLINK_OK)
            break;
        if (grace == 0 || left == 0)
            return grace == 0 ? STLINK_INTERRUPTED : STLINK_TIMEOUT;
        left = now < end ? end - now : 0; /* 0: one last look, because the process may not have run for a while */
        wait = left < grace ? left : grace;
        usb_claim_wait(&usb->claim, wait < EVENT_WAIT_US ? wait : EVENT_WAIT_US);
    }
    result = result_of(usb->out, &usb->out_halted);
    return result == STLINK_OK && has_in ? result_of(usb->in, &usb->in_halted) : result;
}

static enum stlink_result usb_run(void *self, const struct stlink_command *command, uint8_t *answer,
                                  unsigned timeout_ms)
{
    struct stlink_usb *usb = self;
    unsigned most_ms = timeout_ms < ANSWER_MS_MAX ? timeout_ms : ANSWER_MS_MAX;
    bool has_in = command->answer_bytes > 0;
    enum stlink_result result = has_in ? submit_in(usb, command->answer_bytes) : STLINK_OK;

    if (result == STLINK_OK)
        result = submit_out(usb, command->bytes, sizeof command->bytes);
    if (result == STLINK_OK)
        result = await(usb, has_in, most_ms);
    if (result == STLINK_OK && command->data_bytes > 0) {
        result = submit_out(usb, command->data, command->data_bytes);
        if (result == STLINK_OK)
            result = await(usb, false, most_ms);
    }
    if (result != STLINK_OK || !has_in)
        return result;
    if ((size_t)usb->in->actual_length != command->answer_bytes)
        return STLINK_CONFUSED;
    memcpy(answer, usb->in_bytes, command->answer_bytes);
    return STLINK_OK;
}

/* ---- giving up ---- */

static void cancel_all(struct stlink_usb *usb)
{
    uint64_t end = now_us() + CANCEL_US;

    if (usb->out_runs)
        (void)libusb_cancel_transfer(usb->out);
    if (usb->in_runs)
        (void)libusb_cancel_transfer(usb->in);
    while ((usb->out_runs || usb->in_runs) && now_us() < end)
        usb_claim_wait(&usb->claim, EVENT_WAIT_US);
    usb->stuck = usb->out_runs || usb->in_runs;
}

static enum stlink_result clear_halt(struct stlink_usb *usb, uint8_t endpoint, bool *halted)
{
    enum stlink_result result = *halted ? result_of_error(libusb_clear_halt(usb->claim.handle, endpoint)) : STLINK_OK;

    *halted = false;
    return result == STLINK_STALLED ? STLINK_BROKEN : result;
}

/* Takes answers that nobody waits for any more. */
static enum stlink_result drain(struct stlink_usb *usb)
{
    int length, result = LIBUSB_SUCCESS;

    for (unsigned i = 0; i < DRAINS_MAX && (result == LIBUSB_SUCCESS || result == LIBUSB_ERROR_OVERFLOW); i++)
        result = libusb_bulk_transfer(usb->claim.handle, IN_ENDPOINT, usb->in_bytes, sizeof usb->in_bytes, &length,
                                      DRAIN_MS);
    usb->in_halted = result == LIBUSB_ERROR_PIPE;
    return result == LIBUSB_ERROR_NO_DEVICE ? STLINK_GONE : STLINK_OK;
}

static enum stlink_result usb_reset(void *self)
{
    struct stlink_usb *usb = self;
    enum stlink_result result;

    cancel_all(usb);
    if (usb->stuck)
        return STLINK_BROKEN;
    result = clear_halt(usb, usb->out_endpoint, &usb->out_halted);
    if (result == STLINK_OK)
        result = clear_halt(usb, IN_ENDPOINT, &usb->in_halted);
    if (result == STLINK_OK)
        result = drain(usb);
    return result == STLINK_OK ? clear_halt(usb, IN_ENDPOINT, &usb->in_halted) : result;
}

static void usb_pause(void *self, uint64_t us)
{
    (void)self;
    pause_us(us);
}

static void usb_close(void *self)
{
    struct stlink_usb *usb = self;

    cancel_all(usb);
    if (usb->stuck)
        return; /* leaves the memory to the kernel forever */
    libusb_free_transfer(usb->out);
    libusb_free_transfer(usb->in);
    usb_claim_close(&usb->claim);
    free(usb);
}

/* ---- opening ---- */

enum txtap_status stlink_usb_open(struct stlink_pipe *pipe, const struct usb_probe *probe, struct error *error)
{
    static const struct stlink_pipe_ops ops = {usb_run, usb_reset, NULL, usb_pause, usb_close};
    struct stlink_usb *usb = calloc(1, sizeof *usb);
    enum txtap_status status;

    if (usb == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    *pipe = (struct stlink_pipe){&ops, usb};
    usb->claim.interface = -1;
    usb->out_endpoint = probe->identity.product == PRODUCT_V2 ? OUT_OF_V2 : OUT_ENDPOINT;
    usb->out = libusb_alloc_transfer(0);
    usb->in = libusb_alloc_transfer(0);
    if (usb->out != NULL && usb->in != NULL)
        status = usb_claim_open(&usb->claim, probe, INTERFACE, error);
    else
        status = failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    if (status != TXTAP_OK)
        usb_close(usb);
    return status;
}
