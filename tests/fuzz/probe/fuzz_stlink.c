/* SPDX-License-Identifier: MIT */
/*
 * An ST-Link and its target, which may answer anything. Each command must be permitted, each read must end, and beside
 * another program nothing may be entered, left or set. Bytes that no fault has changed must equal the target's bytes.
 * For each command a byte of the input selects a fault; after the end of the input there are no faults.
 */
#include <string.h>

#include "fuzz.h"
#include "probe/stlink/stlink_source.h"
#include "stlink_probe.h"

#define SENT_MAX 5000u

enum { PASS, LOSE, LOSE_LATE, STALL, CONFUSE, INVERT, REPLACE, CHANGE, STATUS, VANISH, FAULTS_MAX = 16 };

static struct stlink_probe probe; /* static, because it is large */
static struct stlink_pipe inner;
static struct {
    const uint8_t *at;
    size_t left;
    unsigned sent;
    bool changed, gone;
} fake;

static unsigned take(void)
{
    if (fake.left == 0)
        return 0;
    fake.left--;
    return *fake.at++;
}

/* ---- the pipe ---- */

/* The answers to these commands are data, and the answers to other debug commands begin with a status. */
static bool is_data(const struct stlink_command *command)
{
    return command->bytes[0] != 0xF2 || command->bytes[1] == 0x07 || command->bytes[1] == 0x52;
}

static enum stlink_result change(const struct stlink_command *command, uint8_t *answer, unsigned what)
{
    size_t length = command->answer_bytes;

    switch (what) {
    case LOSE:
        return STLINK_TIMEOUT;
    case STALL:
        return STLINK_STALLED;
    case CONFUSE:
        return STLINK_CONFUSED;
    case INVERT:
        if (length > 0 && !is_data(command))
            answer[0] = (uint8_t)~answer[0];
        return STLINK_OK;
    case REPLACE:
        fake.changed = fake.changed || length > 0;
        for (size_t i = 0; i < length; i++)
            answer[i] = (uint8_t)take();
        return STLINK_OK;
    case CHANGE:
        fake.changed = fake.changed || length > 0;
        if (length > 0)
            answer[(take() | take() << 8) % length] ^= (uint8_t)take();
        return STLINK_OK;
    case STATUS: /* the target reports any status */
        if (length > 0 && !is_data(command))
            answer[0] = (uint8_t)(take() & 0x7F);
        return STLINK_OK;
    case VANISH:
        fake.gone = true;
        return STLINK_GONE;
    default:
        return STLINK_OK;
    }
}

static enum stlink_result run(void *self, const struct stlink_command *command, uint8_t *answer, unsigned timeout_ms)
{
    enum stlink_result result;

    REQUIRE(stlink_is_permitted(command->bytes, command->data, command->data_bytes));
    REQUIRE(fake.sent++ < SENT_MAX);
    if (fake.gone)
        return STLINK_GONE;
    result = inner.ops->run(self, command, answer, timeout_ms);
    return result == STLINK_OK ? change(command, answer, take() % FAULTS_MAX) : result;
}

static enum stlink_result reset(void *self)
{
    return fake.gone ? STLINK_GONE : inner.ops->reset(self);
}

static enum stlink_result others(void *self, unsigned *count, unsigned timeout_ms)
{
    return fake.gone ? STLINK_GONE : inner.ops->others(self, count, timeout_ms);
}

static void pause_us(void *self, uint64_t us)
{
    inner.ops->pause_us(self, us);
}

static void close_pipe(void *self)
{
    inner.ops->close(self);
}

/* ---- reads ---- */

static void check(const struct txtap_read *read)
{
    for (uint32_t i = 0; i < read->length; i++) {
        uint32_t offset = read->address + i - STLINK_PROBE_START;

        REQUIRE(offset >= STLINK_PROBE_BYTES || read->buffer[i] == probe.memory[offset]);
    }
}

/* Reads three pieces that the input chooses. */
static void read_pieces(struct txtap_source source)
{
    struct txtap_read reads[3];
    enum txtap_status status;

    for (size_t i = 0; i < 3; i++) {
        unsigned what = take();
        uint32_t length = 4 * (what & 0x80 ? (take() | (take() & 7u) << 8) : what & 0x1F);

        reads[i] = (struct txtap_read){STLINK_PROBE_START + 4 * (take() | (take() & 0x1Fu) << 8), length,
                                       malloc(length > 0 ? length : 1)};
        REQUIRE(reads[i].buffer != NULL);
    }
    status = source.ops->read(source.self, reads, 3);
    for (size_t i = 0; i < 3; i++) {
        if (status == TXTAP_OK && !fake.changed)
            check(&reads[i]);
        free(reads[i].buffer);
    }
    REQUIRE(status == TXTAP_OK || source.ops->error_text(source.self)[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct stlink_pipe_ops alone = {run, reset, NULL, pause_us, close_pipe},
                                        served = {run, reset, others, pause_us, close_pipe};
    static const unsigned versions[4][2] = {{2, 26}, {2, 37}, {3, 10}, {3, 2}};
    struct stlink_settings settings = {.name = "probe", .serial = "", .node = "", .otherwise = "-"};
    struct stlink_probe_kind kind = {.major = 0};
    struct stlink_source *source;
    struct error error;
    unsigned flags;

    memset(&fake, 0, sizeof fake);
    fake.at = bytes;
    fake.left = length;
    flags = take();
    kind.major = versions[flags & 3][0];
    kind.jtag = versions[flags & 3][1];
    kind.served = flags & 4;
    kind.port = settings.port = flags & 8 ? 3 : 0;
    inner = stlink_probe_init(&probe, &kind);
    if (kind.served && flags & 16) {
        probe.others = 1;
        probe.mode = flags & 32 ? 2 : 1;
    }
    if (stlink_source_open(&source, (struct stlink_pipe){kind.served ? &served : &alone, &probe}, &settings, 100,
                           &error) == TXTAP_OK) {
        read_pieces(stlink_source_of(source));
        if (kind.served && flags & 64)
            probe.others = !probe.others;
        if (fake.left > 0)
            read_pieces(stlink_source_of(source));
        (void)stlink_source_core(source);
        (void)stlink_source_no_cycles(source);
        stlink_source_of(source).ops->close(source);
    } else {
        REQUIRE(error.what[0] != '\0');
    }
    REQUIRE(probe.closed && (probe.wrong == 0 || fake.changed)); /* a changed version or mode promises too much */
    return 0;
}
