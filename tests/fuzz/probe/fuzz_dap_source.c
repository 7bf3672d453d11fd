/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe and its target, which may answer anything. Each command must be permitted, and each read must end.
 * Bytes that no fault has changed must be those of the target. For each answer a byte of the input selects a fault;
 * after the end of the input there are no faults. The probe is of version 2, or of version 1, which pads its answers.
 */
#include <string.h>

#include "cmsis_dap.h"
#include "fuzz.h"
#include "kinds.h"
#include "probe/dap/dap_permitted.h"
#include "probe/dap/dap_source.h"

#define OUT          0x04
#define IN           0x85
#define START        0x20000000u
#define MEMORY_BYTES 8192u
#define SENT_MAX     10000u

enum { PASS, LOSE, HALT, CUT, INVERT, REPLACE, CHANGE, AGAIN, STATUS, VANISH, TROUBLES };

static struct usb_probe probe; /* static and never cleared, because it is large */
static struct {
    const uint8_t *at;
    size_t left;
    unsigned sent, writes;
    bool halted, again, changed, gone;
    size_t report_bytes; /* 0: answers are not padded */
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
    case STATUS: /* the target reports a fault: no word is valid */
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
    if (fake.report_bytes > *length) { /* the end of the report is left from the last answer */
        memcpy(bytes + *length, fake.last + *length, fake.report_bytes - *length);
        *length = fake.report_bytes;
    }
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

/* ---- a read ---- */

/* Checks that all bytes are the target's, if the read succeeded and no fault changed bytes. */
static void check_bytes(enum txtap_status status, uint32_t address, const uint8_t *bytes, uint32_t length)
{
    if (status == TXTAP_OK && !fake.changed)
        for (uint32_t i = 0; i < length; i++)
            REQUIRE(bytes[i] == byte_at(address + i));
}

struct place {
    uint32_t address, length;
};

/* Returns a place in the target's memory. It often crosses the end of a KiB. */
static struct place take_place(void)
{
    unsigned at = take(), words = take();

    return (struct place){START + 4 * (at << 3 & 0x6FF) + 4 * (at & 7), 4 * (words & 127)};
}

/* ---- from a snapshot of an open probe ---- */

/* An open probe's state. Runs begin with a copy of it, because opening the probe in each run would take too long. */
static struct snapshot {
    struct cmsis_dap dap;
    struct dap_link link;
    struct adi adi;
} snapshots[8], current;

static size_t packet_bytes_of(unsigned which)
{
    return which & 1 ? 100 : 64;
}

static void begin(const struct debug_target *target, size_t packet_bytes, unsigned packets)
{
    struct probe_model model = cmsis_dap_init(&current.dap, kind_find("cmsis-dap"), target, packet_bytes, packets);

    usb_probe_init(&probe, kind_find("cmsis-dap"), &model);
}

/* Makes a snapshot: with one pending command, with several, or with one and shortly before a self-test. From 4 on the
 * probe pads its answers. */
static void make_snapshot(unsigned which, const struct debug_target *target, struct dap_pipe pipe)
{
    const struct adi_target wanted = {.has_access_port = false};

    begin(target, packet_bytes_of(which), which % 4 == 0 ? 1 : 4);
    adi_init(&current.adi, &current.link, &wanted);
    REQUIRE(dap_link_open(&current.link, pipe, 1000, 100) == DAP_OK);
    REQUIRE(adi_connect(&current.adi) == DAP_OK);
    if (which % 4 == 3) {
        dap_flight_fall_back(&current.link.flight);
        current.link.flight.good = current.link.flight.pause - 10;
    }
    snapshots[which] = current;
}

static void use_snapshot(unsigned which, const struct debug_target *target, struct dap_pipe pipe)
{
    const uint8_t *at = fake.at;
    size_t left = fake.left, report_bytes = fake.report_bytes;

    if (snapshots[which].link.pipe.ops == NULL) {
        fake.left = 0;
        make_snapshot(which, target, pipe);
        memset(&fake, 0, sizeof fake);
        fake.at = at;
        fake.left = left;
        fake.report_bytes = report_bytes;
    }
    current = snapshots[which];
    probe.first = probe.count = 0;
    probe.held = probe.in_halted = probe.out_halted = false;
}

static void read_on(void)
{
    static uint8_t bytes[4 * 127], word[4];
    struct place place = take_place();
    struct txtap_read reads[] = {{START + 8, 4, word}, {place.address, place.length, bytes}, {START + 12, 0, word}};
    size_t failed = 0;
    enum dap_result result = adi_read(&current.adi, reads, 3, &failed);

    REQUIRE(failed < 3);
    check_bytes(result == DAP_OK ? TXTAP_OK : ERROR_TARGET, place.address, bytes, place.length);
}

static void run_from_snapshot(unsigned flags, struct dap_pipe pipe)
{
    struct debug_target target = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset, .wraps = 1024};

    use_snapshot(flags & 7, &target, pipe);
    read_on();
    if (fake.left > 0)
        read_on();
    if (flags & 8)
        adi_disconnect(&current.adi);
}

/* ---- without a snapshot ---- */

static void read_from(struct txtap_source source)
{
    struct place place = take_place();
    uint8_t *bytes = malloc(place.length + 1), word[4];
    struct txtap_read reads[] = {{START + 8, 4, word}, {place.address, place.length, bytes}, {START + 12, 0, word}};
    enum txtap_status status;

    REQUIRE(bytes != NULL);
    status = source.ops->read(source.self, reads, 3);
    check_bytes(status, place.address, bytes, place.length);
    REQUIRE(status == TXTAP_OK || source.ops->error_text(source.self)[0] != '\0');
    free(bytes);
}

static void run_from_the_beginning(unsigned flags, struct dap_pipe pipe)
{
    struct debug_target target = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset, .wraps = 1024};
    struct dap_settings settings = {.name = "probe", .serial = "", .node = ""};
    struct dap_source *source;
    struct error error;

    target.select = flags & 1 ? 0x11002927 : 0;
    settings.target.target_select = target.select;
    target.access_port = flags >> 1 & 3;
    settings.target.has_access_port = flags & 8;
    settings.target.access_port = flags >> 4 & 1;
    begin(&target, packet_bytes_of(flags >> 6), 1 + (flags >> 6 & 3));
    if (dap_source_open(&source, pipe, &settings, 100, &error) != TXTAP_OK)
        return;
    read_from(dap_source_of(source));
    if (fake.left > 0)
        read_from(dap_source_of(source));
    (void)dap_source_core(source);
    (void)dap_source_no_cycles(source);
    dap_source_of(source).ops->close(dap_source_of(source).self);
}

/* Runs one input. If bit 7 of the first byte is set, the run opens the probe instead of using a snapshot. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct dap_pipe_ops ops = {send, listen, receive, reset, now_us, close_pipe};
    struct dap_pipe pipe = {.ops = &ops, .self = &fake};
    unsigned flags;

    memset(&fake, 0, sizeof fake);
    fake.at = bytes;
    fake.left = length;
    flags = take();
    pipe.packet_bytes = packet_bytes_of(flags & 0x80 ? flags >> 6 : flags);
    pipe.is_padded = flags & 0x80 ? flags & 0x20 : flags & 4;
    fake.report_bytes = pipe.is_padded ? pipe.packet_bytes : 0;
    if (flags & 0x80)
        run_from_the_beginning(flags, pipe);
    else
        run_from_snapshot(flags, pipe);
    REQUIRE(fake.writes == 0);
    return 0;
}
