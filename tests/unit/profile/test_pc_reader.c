/* SPDX-License-Identifier: MIT */
/* Samples from a scripted core, whose thread or interrupt changes between two reads. */
#include <criterion/criterion.h>
#include <string.h>

#include "probe/source_base.h"
#include "profile/pc_guest.h"
#include "profile/pc_reader.h"
#include "txtap/inner/profile.h"

#define THREAD_VARIABLE 0x20000000u
#define READS_MAX       64u

/* A core: each read of a register takes the next value of its list; the last value stays. */
struct core {
    struct error error;
    uint32_t cpuid, demcr, pc[8], thread[8], active[8];
    size_t pc_at, thread_at, active_at;
    size_t reads;
};

static struct core core;

static uint32_t next(const uint32_t values[8], size_t *at)
{
    uint32_t value = values[*at];

    *at += *at < 7 && values[*at + 1] != 0xEEEEEEEE;
    return value;
}

static enum txtap_status read_core(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = 0;

        core.reads++;
        switch (reads[i].address) {
        case 0xE000ED00:
            value = core.cpuid;
            break;
        case 0xE000EDFC:
            value = core.demcr;
            break;
        case 0xE000101C:
            value = next(core.pc, &core.pc_at);
            break;
        case 0xE000ED04:
            value = next(core.active, &core.active_at);
            break;
        case THREAD_VARIABLE:
            value = next(core.thread, &core.thread_at);
            break;
        default:
            return failure(&core.error, ERROR_FAULT, "0x%08x cannot be read", reads[i].address);
        }
        for (int byte = 0; byte < 4; byte++)
            reads[i].buffer[byte] = (uint8_t)(value >> 8 * byte);
    }
    return TXTAP_OK;
}

static const struct txtap_source_ops ops = {.name = "core",
                                            .read_bytes_max = 1024,
                                            .reads_max = READS_MAX,
                                            .read = read_core,
                                            .error_text = source_error_text,
                                            .hint_text = source_hint_text};
static const struct txtap_source source = {&ops, &core};
static struct pc_reader reader;
static struct pc_sample samples[PC_SAMPLES_MAX];

/* Sets a list to one value. */
static void set(uint32_t values[8], uint32_t value)
{
    for (int i = 0; i < 8; i++)
        values[i] = 0xEEEEEEEE;
    values[0] = value;
}

static void start(void)
{
    core = (struct core){.cpuid = 0x410FC241, .demcr = 0x01000000};
    set(core.pc, 0x08000100);
    set(core.thread, 0x20000100);
    set(core.active, 0);
    reader = (struct pc_reader){.thread_address = THREAD_VARIABLE};
}

TestSuite(pc_reader, .init = start);

static size_t take(size_t wanted)
{
    struct txtap_read reads[READS_MAX];
    size_t count = pc_reader_plan(&reader, wanted, reads, READS_MAX, 1024);

    cr_assert_eq(read_core(&core, reads, count), TXTAP_OK);
    return pc_reader_take(&reader, samples);
}

Test(pc_reader, a_sample_has_its_thread)
{
    cr_assert_eq(take(3), 3);
    cr_assert_eq(core.reads, 3 * 3 + 2);
    for (int i = 0; i < 3; i++)
        cr_assert(samples[i].pc == 0x08000100 && samples[i].context == 0x20000100);
}

Test(pc_reader, a_thread_that_changes_is_unknown)
{
    core.thread[1] = 0x20000200;
    cr_assert_eq(take(2), 2);
    cr_assert_eq(samples[0].context, TXTAP_PROFILE_UNKNOWN);
    cr_assert_eq(samples[1].context, 0x20000200);
}

Test(pc_reader, an_interrupt_has_priority_over_its_thread)
{
    core.active[0] = 0x0040F00F; /* exception 15 is active; other bits are set, too */
    cr_assert_eq(take(1), 1);
    cr_assert_eq(samples[0].context, TXTAP_PROFILE_INTERRUPT(15));
    start();
    core.active[1] = 15;
    cr_assert_eq(take(1), 1);
    cr_assert_eq(samples[0].context, TXTAP_PROFILE_UNKNOWN);
}

Test(pc_reader, a_core_that_sleeps_is_asleep)
{
    core.pc[0] = 0xFFFFFFFF;
    cr_assert_eq(take(1), 1);
    cr_assert_eq(samples[0].context, TXTAP_PROFILE_ASLEEP);
}

Test(pc_reader, samples_that_are_off_are_invalid)
{
    core.pc[0] = 0;
    core.pc[1] = 0x08000100;
    cr_assert_eq(take(2), 1);
    cr_assert_eq(samples[0].pc, 0x08000100);
    cr_assert_eq(reader.invalid, 1);
}

Test(pc_reader, without_a_kernel_there_is_no_thread)
{
    reader.thread_address = 0;
    cr_assert_eq(take(2), 2);
    cr_assert_eq(core.reads, 2 * 2 + 1);
    cr_assert_eq(samples[1].context, TXTAP_PROFILE_NO_THREAD);
}

Test(pc_reader, plans_fit_into_the_room)
{
    struct txtap_read reads[READS_MAX];

    cr_assert_eq(pc_reader_plan(&reader, 16, reads, 4, 1024), 0);
    cr_assert_eq(pc_reader_plan(&reader, 16, reads, 5, 1024), 5);
    cr_assert_eq(pc_reader_plan(&reader, 16, reads, 10, 1024), 8);
    cr_assert_eq(pc_reader_plan(&reader, 16, reads, 64, 24), 5);
    cr_assert_eq(pc_reader_plan(&reader, 100, reads, 64, 1024), PC_READS_MAX);
    cr_assert_eq(pc_reader_plan(&reader, 0, reads, 64, 1024), 0);
}

static void refuses(const char *what, const char *hint)
{
    struct error error = {0};

    cr_assert_eq(pc_reader_check(source, &error), ERROR_NOT_SAMPLED);
    cr_assert_not_null(strstr(error.what, what), "%s", error.what);
    cr_assert_not_null(strstr(error.hint, hint), "%s", error.hint);
}

Test(pc_reader, checks_that_the_core_samples)
{
    struct error error = {0};

    cr_assert_eq(pc_reader_check(source, &error), TXTAP_OK);
    set(core.pc, 0);
    refuses("DWT_PCSR reads as 0", "the chip has no DWT");
    core.demcr = 0;
    refuses("DEMCR.TRCENA is not set", "connect through OpenOCD");
    core.cpuid = 0x410CC200;
    refuses("a Cortex-M0,", "Cortex-M3");
    core.cpuid = 0x410FD200;
    refuses("a Cortex-M23,", "M33");
}

/* ---- as a guest of a poller ---- */

Test(pc_reader, a_guest_takes_the_due_samples)
{
    static struct sample_queue queue;
    static struct pc_guest guest;
    const struct txtap_channel channel = {.kind = TXTAP_CHANNEL_PC, .form = TXTAP_FORM_ADDRESS, .name = "pc"};
    const struct guest of = pc_guest_of(&guest);
    struct txtap_read reads[READS_MAX];
    size_t count;

    pc_guest_init(&guest, NULL, &channel, 1000, 5000);
    guest.reader.thread_address = THREAD_VARIABLE;
    cr_assert_eq(of.ops->due_us(of.self), 5000);
    cr_assert_eq(of.ops->plan(of.self, reads, READS_MAX, 1024, 4999), 0);
    count = of.ops->plan(of.self, reads, READS_MAX, 1024, 7000);
    cr_assert_eq(count, 3 * 3 + 2, "after 2 ms three samples are due, not %zu reads", count);
    core.pc[0] = 0xFFFFFFFF;
    core.pc[1] = 0x08000100;
    cr_assert_eq(read_core(&core, reads, count), TXTAP_OK);
    of.ops->commit(of.self, &queue, 7000, 7100);
    cr_assert_eq(queue.count, 3);
    cr_assert(queue.waiting[0].state == TXTAP_SAMPLE_ASLEEP && queue.waiting[0].thread == 0);
    cr_assert(queue.waiting[1].state == TXTAP_SAMPLE_VALID && queue.waiting[1].bits == 0x08000100 &&
              queue.waiting[1].thread == 0x20000100);
    cr_assert(queue.waiting[1].from_us == 7000 && queue.waiting[1].to_us == 7100);
    cr_assert(of.ops->due_us(of.self) >= 7600 && of.ops->due_us(of.self) <= 8600);
    of.ops->failed(of.self, &queue, 9000, 9100);
    cr_assert(queue.count == 4 && queue.waiting[3].state == TXTAP_SAMPLE_UNREADABLE);
}
