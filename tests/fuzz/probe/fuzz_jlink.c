/* SPDX-License-Identifier: MIT */
/*
 * A J-Link and its target, which may answer anything. Each command must be listed, and each read must end. DRW is never
 * written. Bytes that no fault has changed must be those of the target. For each answer a byte of the input selects a
 * fault; after the end of the input there are no faults.
 */
#include <string.h>

#include "fuzz.h"
#include "jlink_front.h"
#include "kinds.h"
#include "probe/dap/dap_source.h"
#include "probe/jlink/jlink_link.h"
#include "probe/jlink/jlink_pipe.h"

#define OUT          0x02
#define IN           0x81
#define START        0x20000000u
#define MEMORY_BYTES 8192u
#define SENT_MAX     20000u
#define WRITE_DRW    0x0D

enum { PASS, LOSE, HALT, CUT, REPLACE, CHANGE, AGAIN, ACKNOWLEDGE, VANISH, TROUBLES };

static struct usb_probe probe; /* static and never cleared, because it is large */
static struct jlink_front front;
static struct {
    const uint8_t *at;
    size_t left;
    unsigned sent, writes;
    bool halted, again, changed, gone;
    uint8_t last[DAP_ANSWER_BYTES_MAX];
    size_t last_bytes;
} fake;

/* ---- the target ---- */

static uint8_t byte_at(uint32_t address)
{
    return (uint8_t)(address ^ address >> 7);
}

static enum swd_ack read_memory(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes)
{
    (void)self, (void)width;
    if (address - START >= MEMORY_BYTES || length > MEMORY_BYTES - (address - START))
        return SWD_FAULT;
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_at(address + (uint32_t)i);
    return SWD_OK;
}

static enum swd_ack write_memory(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes)
{
    (void)self, (void)address, (void)width, (void)length, (void)bytes;
    fake.writes++;
    return SWD_OK;
}

static void connect_line(void *self)
{
    (void)self;
}

static void drive_reset(void *self, bool high)
{
    (void)self, (void)high;
    fake.writes++;
}

/* ---- the bulk endpoints ---- */

static unsigned take(void)
{
    if (fake.left == 0)
        return 0;
    fake.left--;
    return *fake.at++;
}

static bool is_listed(uint8_t command)
{
    const struct jlink_permission *row;

    for (size_t i = 0; (row = jlink_permission(i)) != NULL; i++)
        if (!row->is_transfer && row->number == command)
            return true;
    return false;
}

static enum dap_result send(void *self, const uint8_t *bytes, size_t length)
{
    (void)self;
    REQUIRE(is_listed(bytes[0]));
    REQUIRE(length <= DAP_SEND_BYTES_MAX);
    REQUIRE(fake.sent++ < SENT_MAX);
    if (fake.gone)
        return DAP_GONE;
    return usb_probe_out(&probe, OUT, bytes, length) == USB_DONE ? DAP_OK : DAP_STALLED;
}

static enum dap_result listen(void *self)
{
    (void)self;
    return fake.gone ? DAP_GONE : DAP_OK;
}

static size_t any_bytes(uint8_t *bytes)
{
    size_t length = (take() | take() << 8) % (DAP_ANSWER_BYTES_MAX + 1);

    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)take();
    return length;
}

static enum dap_result change(uint8_t *bytes, size_t *length, unsigned what)
{
    switch (what) {
    case LOSE:
        fake.again = take() & 1;
        return DAP_TIMEOUT;
    case HALT:
        fake.halted = true;
        return DAP_STALLED;
    case CUT:
        *length = *length * (take() & 0xFF) / 256;
        return DAP_OK;
    case REPLACE:
        fake.changed = true;
        *length = any_bytes(bytes);
        return DAP_OK;
    case CHANGE:
        fake.changed = true;
        bytes[(take() | take() << 8) % *length] ^= (uint8_t)take();
        return DAP_OK;
    case AGAIN:
        fake.again = true;
        return DAP_OK;
    case ACKNOWLEDGE: /* the next requests get a wrong acknowledgement */
        front.target.trouble = (enum swd_ack[]){SWD_WAIT, SWD_FAULT, SWD_SILENT, SWD_PARITY}[take() & 3];
        front.target.trouble_at = front.target.requests_so_far + take();
        front.target.trouble_count = take();
        return DAP_OK;
    case VANISH:
        fake.gone = true;
        return DAP_GONE;
    default:
        return DAP_OK;
    }
}

static enum dap_result receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                               unsigned timeout_ms)
{
    (void)self, (void)timeout_ms;
    if (fake.gone)
        return DAP_GONE;
    if (fake.halted)
        return DAP_STALLED;
    if (fake.again) {
        fake.again = false;
        memcpy(bytes, fake.last, fake.last_bytes);
        *length = fake.last_bytes;
        return DAP_OK;
    }
    if (usb_probe_in(&probe, IN, bytes, DAP_ANSWER_BYTES_MAX, length) != USB_DONE || *length == 0)
        return DAP_TIMEOUT;
    memcpy(fake.last, bytes, *length);
    fake.last_bytes = *length;
    return change(bytes, length, take() % TROUBLES);
}

static enum dap_result reset(void *self)
{
    (void)self;
    fake.halted = false;
    return fake.gone ? DAP_GONE : DAP_OK;
}

static uint64_t now_us(void *self)
{
    (void)self;
    return fake.sent; /* in microseconds */
}

static void close_pipe(void *self)
{
    (void)self;
}

/* ---- reads ---- */

/* Reads a place that often crosses the end of a KiB. All bytes must be the target's if no fault has changed bytes. */
static void read_from(struct txtap_source source)
{
    static uint8_t bytes[4 * 512], word[4];
    unsigned at = take(), words = take() | (take() & 1) << 8;
    uint32_t address = START + 4 * (at << 3 & 0x3FF) + 4 * (at & 7);
    struct txtap_read reads[] = {{START + 8, 4, word}, {address, 4 * words, bytes}, {START + 12, 0, word}};
    enum txtap_status status = source.ops->read(source.self, reads, 3);

    REQUIRE(status == TXTAP_OK || source.ops->error_text(source.self)[0] != '\0');
    for (uint32_t i = 0; i < 4 * words && status == TXTAP_OK && !fake.changed; i++)
        REQUIRE(bytes[i] == byte_at(address + i));
}

static void run(unsigned flags)
{
    static const struct dap_pipe_ops ops = {send, listen, receive, reset, now_us, close_pipe};
    struct debug_target target = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset, .wraps = 1024};
    struct dap_settings settings = {.name = "probe", .serial = "", .node = ""};
    struct dap_source *source;
    struct dap_pipe pipe;
    struct probe_model model;
    struct error error;

    target.select = flags & 1 ? 0x11002927 : 0;
    settings.target.target_select = target.select;
    settings.target.has_access_port = flags & 2;
    model = jlink_front_init(&front, kind_find("jlink"), &target);
    front.memory = flags & 4 ? 600 : 8192;
    front.room = flags & 8 ? 400 : 8192;
    usb_probe_init(&probe, kind_find("jlink"), &model);
    REQUIRE(jlink_pipe_open(&pipe, (struct dap_pipe){&ops, &fake, 64, false}, &error) == TXTAP_OK);
    if (dap_source_open(&source, pipe, &settings, 100, &error) != TXTAP_OK)
        return;
    for (unsigned i = 0; i < 3 && (i == 0 || fake.left > 0); i++)
        read_from(dap_source_of(source));
    dap_source_of(source).ops->close(dap_source_of(source).self);
}

/* The first byte selects the kind of target and probe. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    memset(&fake, 0, sizeof fake);
    fake.at = bytes;
    fake.left = length;
    run(take());
    REQUIRE(fake.writes == 0);
    REQUIRE(fake.changed || front.target.requests[WRITE_DRW] == 0);
    return 0;
}
