/* SPDX-License-Identifier: MIT */
/*
 * Computes demo_events_written from the ring itself: from the number of laps and the position in the lap, under the
 * recorder's lock. So the count includes events that the recorder adds by itself.
 */
#include "trace.h"

#include "demo.h"
#include "port.h"
#include "txtap/txtb.h"
#include "waveform.h"

volatile uint32_t demo_ledger_next;
volatile uint32_t demo_events_written;

static const volatile uint32_t *trace_header;
static uint32_t trace_slots;
static uint32_t trace_laps;

/* Only demo.elf has the waveform, because it takes time at each event. */
void waveform_update(uint32_t count) __attribute__((weak));

static void count_lap(void *header)
{
    (void)header;
    trace_laps++;
}

static void count_events(void)
{
    if (trace_slots == 0) {
        return;
    }
    uint32_t offset_bytes = trace_header[TXTB_HEADER_CURRENT / 4] - trace_header[TXTB_HEADER_RING_START / 4];
    demo_events_written = trace_laps * trace_slots + offset_bytes / TXTB_ENTRY_BYTES;
    if (waveform_update != NULL) {
        waveform_update(demo_events_written);
    }
}

uint32_t trace_enable(uint32_t *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    uint32_t primask = port_lock();
    uint32_t status = txtap_trace_enable(buffer, buffer_bytes, registry_entries);
    if (status == TXTAP_TRACE_OK) {
        trace_header = buffer;
        trace_laps = 0;
        trace_slots =
            (trace_header[TXTB_HEADER_RING_END / 4] - trace_header[TXTB_HEADER_RING_START / 4]) / TXTB_ENTRY_BYTES;
        status = txtap_trace_buffer_full_notify(count_lap);
        count_events();
    }
    port_unlock(primask);
    return status;
}

uint32_t trace_move(uint32_t *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    uint32_t primask = port_lock();
    (void)txtap_trace_disable();
    uint32_t status = trace_enable(buffer, buffer_bytes, registry_entries);
    port_unlock(primask);
    return status;
}

struct trace_mark trace_event_marked(enum trace_id id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4,
                                     uint32_t class_bit)
{
    struct trace_mark mark = {0, 0};
    uint32_t primask = port_lock();
    mark.entry = txtap_trace_event_insert((uint32_t)id, info1, info2, info3, info4, class_bit);
    if (mark.entry) {
        mark.stamp = mark.entry->stamp;
    }
    count_events();
    port_unlock(primask);
    return mark;
}

void trace_event(enum trace_id id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4, uint32_t class_bit)
{
    (void)trace_event_marked(id, info1, info2, info3, info4, class_bit);
}

void trace_patch(struct trace_mark mark, unsigned field, uint32_t value)
{
    txtap_trace_event_patch(mark.entry, mark.stamp, field - 1u, value);
}

void trace_isr_enter(uint32_t isr_number)
{
    uint32_t primask = port_lock();
    txtap_trace_isr_enter_insert(isr_number);
    count_events();
    port_unlock(primask);
}

void trace_isr_exit(uint32_t isr_number)
{
    uint32_t primask = port_lock();
    txtap_trace_isr_exit_insert(isr_number);
    count_events();
    port_unlock(primask);
}

void trace_ledger(void)
{
    uint32_t primask = port_lock();
    uint32_t n = demo_ledger_next;
    struct trace_mark mark =
        trace_event_marked(TRACE_LEDGER, n, ~n, 3u * n, TRACE_LEDGER_MAGIC, TXTAP_TRACE_CLASS_USER);
    if (mark.entry) {
        demo_ledger_next = n + 1u;
    }
    port_unlock(primask);
}
