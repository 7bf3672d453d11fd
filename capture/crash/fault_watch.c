/* SPDX-License-Identifier: MIT */
/*
 * A fault handler usually runs until a watchdog resets the core, so reading ten times a second finds it. The status
 * bits stay set until the firmware clears them or the core is reset, so they also show a fault whose handler has
 * returned. Bits that are set at the first read are from before, so they are no news.
 */
#include "crash/fault_watch.h"

#include <string.h>

#include "probe/source_base.h"

#define FAILURES_MAX 3u

/* Only a part of the block of registers is read, so that the watch gets its reads also with a slow probe. */
#define ICSR_END     8u    /* CPUID, ICSR */
#define CFSR         0x28u /* CFSR, HFSR, DFSR, MMFAR, BFAR */
#define STATUS_BYTES 20u
#define READ_BYTES   (ICSR_END + STATUS_BYTES + 4)
#define READS_MAX    3u

static size_t plan(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us)
{
    struct fault_watch *watch = self;
    size_t count = 0;

    if (watch->off || now_us < watch->next_us)
        return 0;
    watch->next_us = now_us + FAULT_WATCH_US;
    if (room < READS_MAX || bytes < READ_BYTES)
        return 0;
    reads[count++] = (struct txtap_read){TXTAP_FAULT_REGISTERS_AT, ICSR_END, watch->bytes};
    if (!watch->known || !txtap_fault_is_small(&watch->before))
        reads[count++] = (struct txtap_read){TXTAP_FAULT_REGISTERS_AT + CFSR, STATUS_BYTES, watch->bytes + CFSR};
    if (watch->cause != NULL)
        reads[count++] = (struct txtap_read){watch->cause->address, sizeof watch->cause_bytes, watch->cause_bytes};
    return count;
}

static void report(struct fault_watch *watch, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    watch->faults++;
    sample_queue_add(queue, &(struct taken_sample){
                                .mark = TXTAP_MARK_FAULT, .from_us = begin_us, .to_us = end_us, .text = watch->text});
}

static void judge_fault(struct fault_watch *watch, const struct txtap_fault_registers *now, struct sample_queue *queue,
                        uint64_t begin_us, uint64_t end_us)
{
    unsigned handler = txtap_fault_active(now);
    bool is_news = handler != 0 ? watch->handler == 0 : watch->known && txtap_fault_is_new(&watch->before, now);

    /* the bits of a fault whose handler has just returned were already reported */
    if (handler == 0 && watch->handler != 0)
        is_news = false;
    /* the core faulted between the two reads of the last look: the bits were reported, the handler is new */
    if (handler != 0 && watch->bits_alone && !txtap_fault_is_new(&watch->before, now))
        is_news = false;
    watch->bits_alone = is_news && handler == 0;
    if (is_news) {
        (void)txtap_fault_text(now, watch->text);
        report(watch, queue, begin_us, end_us);
    }
    watch->handler = handler;
    watch->before = *now;
    watch->known = true;
}

static void judge_cause(struct fault_watch *watch, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    uint32_t now = memory_word(watch->cause_bytes, TXTAP_LITTLE);
    char text[RESET_CAUSE_TEXT_BYTES];

    if (watch->cause_known && reset_cause_text(watch->cause, watch->cause_before, now, text) > 0) {
        strcpy(watch->text, text);
        report(watch, queue, begin_us, end_us);
    }
    watch->cause_before = now;
    watch->cause_known = true;
}

static void commit(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct fault_watch *watch = self;
    const struct txtap_fault_registers now = txtap_fault_registers(watch->bytes);

    watch->failures = 0;
    watch->off = !txtap_fault_is_cortex_m(&now);
    if (watch->off)
        return;
    judge_fault(watch, &now, queue, begin_us, end_us);
    if (watch->cause != NULL)
        judge_cause(watch, queue, begin_us, end_us);
}

/* A core that sleeps deeply, or another guest, may be the reason. So the watch ends only after several failures. */
static void failed(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct fault_watch *watch = self;

    (void)queue;
    (void)begin_us;
    (void)end_us;
    watch->off = ++watch->failures >= FAILURES_MAX;
}

static uint64_t due_us(const void *self)
{
    const struct fault_watch *watch = self;

    return watch->off ? UINT64_MAX : watch->next_us;
}

/* Another chip may be there. */
static void restart(void *self, uint64_t now_us)
{
    struct fault_watch *watch = self;

    watch->off = false;
    watch->failures = 0;
    watch->next_us = now_us;
}

struct guest fault_watch_begin(struct fault_watch *watch, const char *chip)
{
    static const struct guest_ops ops = {plan, commit, failed, due_us, restart};

    *watch = (struct fault_watch){.cause = reset_cause_find(chip)};
    return (struct guest){&ops, watch};
}
