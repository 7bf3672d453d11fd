/* SPDX-License-Identifier: MIT */
#include "target/recorder_target.h"

#include <criterion/criterion.h>
#include <string.h>

_Alignas(4) uint8_t ram[RAM_BYTES + 4];
uint8_t things[THINGS];
volatile uint32_t tick;

int log_steps[LOG_MAX];
int log_count;
void (*on_step)(int step);

static void step(int what)
{
    if (log_count < LOG_MAX) {
        log_steps[log_count++] = what;
    }
    if (on_step != NULL) {
        on_step(what);
    }
}

void txtap_trace_port_barrier(void)
{
    step(LOG_BARRIER);
}

void txtap_trace_port_stored(const volatile void *place)
{
    const volatile uint8_t *at = place, *writer = (const volatile uint8_t *)&txtap_trace_writer;
    if (at >= writer && at < writer + offsetof(struct txtap_trace_writer, classes)) {
        step(LOG_WRITER + (int)(at - writer));
        return;
    }
    if (at < ram || at >= ram + RAM_BYTES) /* no cr_assert: counting it takes longer than the store */
        cr_assert_fail("a store outside the buffer");
    step((int)(at - ram));
}

uint32_t txtap_trace_port_address(const void *pointer)
{
    const uint8_t *at = pointer;
    if (at >= ram && at <= ram + RAM_BYTES) {
        return RAM_BASE + (uint32_t)(at - ram);
    }
    if (at >= things && at < things + sizeof things) {
        return THINGS_BASE + (uint32_t)(at - things);
    }
    return (uint32_t)(uintptr_t)pointer;
}

uint32_t thing(unsigned i)
{
    return THINGS_BASE + i;
}

uint16_t load16(uint32_t offset)
{
    uint16_t value;
    memcpy(&value, ram + offset, sizeof value);
    return value;
}

uint32_t load32(uint32_t offset)
{
    uint32_t value;
    memcpy(&value, ram + offset, sizeof value);
    return value;
}

uint32_t object_at(uint32_t slot)
{
    return TXTB_HEADER_BYTES + slot * OBJECT_BYTES;
}

uint32_t entry_at(uint32_t objects, uint32_t index)
{
    return object_at(objects) + index * TXTB_ENTRY_BYTES;
}

uint32_t buffer_bytes(uint32_t objects, uint32_t entries)
{
    return entry_at(objects, entries);
}

void enable(uint32_t objects, uint32_t entries)
{
    memset(ram, GARBAGE, sizeof ram);
    txtap_trace_clock_select(&tick);
    cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(objects, entries), objects), TXTAP_TRACE_OK);
    log_count = 0;
}

void run_thread(unsigned i, uint32_t priority)
{
    txtap_trace_system_state = 0;
    txtap_trace_thread = &things[i];
    txtap_trace_thread_priority = priority << 16 | priority;
}

uint32_t user_event(uint32_t id)
{
    return txtap_trace_user_event_insert(id, 0, 0, 0, 0);
}

uint32_t add(unsigned i, const char *name)
{
    return txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, &things[i], name, 0, 0);
}
