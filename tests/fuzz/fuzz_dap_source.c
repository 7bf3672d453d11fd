/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe, and a target behind it, that answer anything: what is sent is permitted, it ends, and bytes that
 * nobody changed are those of the target. Each answer takes a byte of the input, which says what happens to it; where
 * the input ends, nothing does.
 */
#include <string.h>

#include "cmsis_dap.h"
#include "fuzz.h"
#include "kinds.h"
#include "probe/dap_permitted.h"
#include "probe/dap_source.h"

#define OUT          0x04
#define IN           0x85
#define START        0x20000000u
#define MEMORY_BYTES 8192u
#define SENT_MAX     100000u

enum { PASS, LOSE, HALT, CUT, INVERT, REPLACE, CHANGE, AGAIN, STATUS, VANISH, TROUBLES };

static struct cmsis_dap dap;
static struct usb_probe probe; /* large: not set to 0 each time */
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

/* ---- the pipe ---- */

static unsigned take(void)
{
    if (fake.left == 0)
        return 0;
    fake.left--;
    return *fake.at++;
}

static enum dap_result send(void *self, const uint8_t *bytes, size_t length)
{
    (void)self;
    REQUIRE(dap_is_permitted(bytes, length));
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
    size_t length = take() | (take() & 3u) << 8;

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
    case INVERT:
        bytes[0] = (uint8_t)~bytes[0];
        return DAP_OK;
    case REPLACE:
        fake.changed = true;
        *length = any_bytes(bytes);
        return DAP_OK;
    case CHANGE:
        fake.changed = true;
        bytes[take() % *length] ^= (uint8_t)take();
        return DAP_OK;
    case AGAIN:
        fake.again = true;
        return DAP_OK;
    case STATUS: /* of the target: no word is valid */
        if (bytes[0] == 5 || bytes[0] == 6) {
            bytes[bytes[0] - 3] = (uint8_t)(take() & 0xFE);
            bytes[1] = 0;
        }
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
    return fake.sent; /* microseconds */
}

static void close_pipe(void *self)
{
    (void)self;
}

/* ---- a run ---- */

static void check_read(struct txtap_source source, uint32_t address, uint32_t length)
{
    uint8_t *bytes = malloc(length + 4), word[4];
    struct txtap_read reads[] = {{START + 8, 4, word}, {address, length, bytes}, {START + 12, 0, word}};

    REQUIRE(bytes != NULL);
    if (source.ops->read(source.self, reads, 3) == TXTAP_OK && !fake.changed)
        for (uint32_t i = 0; i < length; i++)
            REQUIRE(bytes[i] == byte_at(address + i));
    else
        REQUIRE(fake.changed || source.ops->error_text(source.self)[0] != '\0');
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct dap_pipe_ops ops = {send, listen, receive, reset, now_us, close_pipe};
    struct debug_target target = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset};
    struct dap_settings settings = {.name = "probe", .serial = "", .node = ""};
    struct dap_source *source;
    struct probe_model model;
    struct error error;
    unsigned flags;

    memset(&fake, 0, sizeof fake);
    fake.at = bytes;
    fake.left = length;
    flags = take();
    target.select = flags & 1 ? 0x11002927 : 0;
    settings.target.target_select = target.select;
    target.access_port = flags >> 1 & 3;
    settings.target.has_access_port = flags & 8;
    settings.target.access_port = flags >> 4 & 3;
    target.wraps = 1024;
    model = cmsis_dap_init(&dap, kind_find("cmsis-dap"), &target, flags & 64 ? 512 : 64, 1 + (flags >> 6 & 3));
    usb_probe_init(&probe, kind_find("cmsis-dap"), &model);
    if (dap_source_open(&source, (struct dap_pipe){&ops, &fake, flags & 64 ? 512 : 64}, &settings, 100, &error) ==
        TXTAP_OK) {
        check_read(dap_source_of(source), START + 4 * take(), 4 * take());
        check_read(dap_source_of(source), START + 16 * take(), 16 * take());
        (void)dap_source_core(source);
        (void)dap_source_no_cycles(source);
        dap_source_of(source).ops->close(dap_source_of(source).self);
    }
    REQUIRE(fake.writes == 0);
    return 0;
}
