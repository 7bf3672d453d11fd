/* SPDX-License-Identifier: MIT */
/*
 * The trace buffer of a Zephyr system. The trace starts at boot or by a call. Objects that already exist are then added
 * to the registry.
 */
#define DISABLE_SYSCALL_TRACING

#include "txtap_control.h"
#include "txtap_clock.h"
#include "txtap_zephyr.h"
#include "txtap_zephyr_port.h"

#include <errno.h>
#include <string.h>

#if __has_include(<zephyr/version.h>)
#include <zephyr/version.h>
#else /* Zephyr before 3.7 */
#include <version.h>
#endif
#if __has_include(<zephyr/init.h>)
#include <zephyr/init.h>
#else /* Zephyr before 3.1 */
#include <init.h>
#endif

#define REGISTRY_ENTRY_BYTES (16 + CONFIG_TXTAP_NAME_BYTES)
BUILD_ASSERT(CONFIG_TXTAP_BUFFER_BYTES >= 48 + CONFIG_TXTAP_REGISTRY_OBJECTS * REGISTRY_ENTRY_BYTES + 8 * 32,
             "TXTAP_BUFFER_BYTES leaves no room for events: raise it, or lower TXTAP_REGISTRY_OBJECTS");

static uint32_t buffer[CONFIG_TXTAP_BUFFER_BYTES / sizeof(uint32_t)];
static uint32_t classes_wanted = CONFIG_TXTAP_CLASSES;
static uint32_t clock_hz; /* rate of the time stamps; 0: unknown */

/* Names of classes, by bit number. */
static const char *const class_names[32] = {
    "internal", "block", "byte",    "flags",   "interrupt", "mutex",   "queue", "semaphore", "thread",      "time",
    "timer",    "work",  "condvar", "k_queue", "fifo",      "lifo",    "stack", "mailbox",   "pipe",        "polling",
    "pm",       "net",   "socket",  "gpio",    "rtio",      "syscall", "idle",  "init",      [31] = "user",
};

#ifdef CONFIG_CORTEX_M_SYSTICK
static uint32_t systick_value(void)
{
    return *(const volatile uint32_t *)UINT32_C(0xE000E018);
}
#else
static uint32_t systick_value(void)
{
    return 1; /* the kernel's time comes from another counter */
}
#endif

/*
 * Returns the kernel's time; called in the recorder's lock. The system clock's driver starts shortly before the kernel.
 * Before the driver starts, the clock's registers may not even respond. While SysTick is 0, this function does not read
 * the kernel's clock, because up to Zephyr 3.1 such a read may put the kernel's time ahead.
 */
uint32_t txtap_zephyr_clock(void)
{
    static uint32_t latest;
    uint32_t before, now;
    if (txtap_trace_system_state != 0)
        return latest;
    before = systick_value();
    if (before == 0)
        return latest;
    now = k_cycle_get_32();
    if (txtap_clock_is_steady(before, systick_value()))
        latest = txtap_clock_step(latest, now);
    return latest;
}

/*
 * Chooses the clock. The cycle counter and the kernel's clock have the same rate if both count the core's clock, as
 * SysTick does.
 */
static void clock_choose(void)
{
    clock_hz = (uint32_t)sys_clock_hw_cycles_per_sec();
#ifndef CONFIG_TXTAP_CLOCK_KERNEL
    const volatile uint32_t *fallback = (const volatile uint32_t *)CONFIG_TXTAP_CLOCK_REGISTER;
    const volatile uint32_t *clock = txtap_trace_clock_select(fallback);
    if (clock != &_tx_trace_simulated_time && (clock == fallback || !IS_ENABLED(CONFIG_CORTEX_M_SYSTICK)))
        clock_hz = 0;
#endif
}

const char *txtap_class_name(unsigned bit)
{
    return bit < ARRAY_SIZE(class_names) ? class_names[bit] : NULL;
}

int txtap_class(const char *name, uint32_t *classes)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "none") == 0) {
        *classes = name[0] == 'a' ? TXTAP_TRACE_CLASS_ALL : 0;
        return 0;
    }
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *known = txtap_class_name(bit);
        if (known && strcmp(name, known) == 0) {
            *classes = UINT32_C(1) << bit;
            return 0;
        }
    }
    return -EINVAL;
}

static void thread_register(const struct k_thread *thread, void *unused)
{
    ARG_UNUSED(unused);
    txtap_zephyr_thread_add(thread);
}

/* Objects made by K_SEM_DEFINE and similar macros. No hook reports these objects. The lists of object tracking contain
 * them. */
#ifdef CONFIG_TRACING_OBJECT_TRACKING
#define EACH_OBJECT(type, object)                                                                                      \
    for (struct type *object = _track_list_##type; object != NULL; object = SYS_PORT_TRACK_NEXT(object))
#else
#define EACH_OBJECT(type, object) STRUCT_SECTION_FOREACH(type, object)
#endif

#define REGISTER_EACH(type, kind)                                                                                      \
    do {                                                                                                               \
        EACH_OBJECT(type, object)                                                                                      \
        {                                                                                                              \
            txtap_zephyr_object_add(kind, object);                                                                     \
        }                                                                                                              \
    } while (false)

static void objects_register(void)
{
#ifdef CONFIG_THREAD_MONITOR
    k_thread_foreach(thread_register, NULL);
#endif
    REGISTER_EACH(k_timer, TXTAP_ZEPHYR_KIND_TIMER);
    REGISTER_EACH(k_sem, TXTAP_ZEPHYR_KIND_SEM);
    REGISTER_EACH(k_mutex, TXTAP_ZEPHYR_KIND_MUTEX);
    REGISTER_EACH(k_msgq, TXTAP_ZEPHYR_KIND_MSGQ);
    REGISTER_EACH(k_mem_slab, TXTAP_ZEPHYR_KIND_MEM_SLAB);
    REGISTER_EACH(k_queue, TXTAP_ZEPHYR_KIND_QUEUE);
    REGISTER_EACH(k_stack, TXTAP_ZEPHYR_KIND_STACK);
    REGISTER_EACH(k_mbox, TXTAP_ZEPHYR_KIND_MBOX);
}

int txtap_start(void)
{
    clock_choose();
    if (txtap_zephyr_start(buffer, sizeof buffer, CONFIG_TXTAP_REGISTRY_OBJECTS) != TXTAP_TRACE_OK)
        return -EALREADY; /* the cause is an enabled trace: the assertion above ensures the buffer's size */
    txtap_trace_event_filter(~classes_wanted);
    objects_register();
    return 0;
}

int txtap_stop(void)
{
    return txtap_trace_disable() == TXTAP_TRACE_OK ? 0 : -EALREADY;
}

void txtap_filter(uint32_t classes)
{
    classes_wanted = classes;
    txtap_trace_event_filter(~classes);
    txtap_trace_event_unfilter(classes);
}

void txtap_status_get(struct txtap_status *status)
{
    const struct txtap_trace_header *header = _tx_trace_header_ptr;
    *status = (struct txtap_status){
        .running = _tx_trace_buffer_current_ptr != NULL,
        .classes = classes_wanted,
        .address = (uint32_t)(uintptr_t)buffer,
        .bytes = sizeof buffer,
        .objects_max = CONFIG_TXTAP_REGISTRY_OBJECTS,
        .clock_hz = clock_hz,
    };
    if (!header)
        return;
    status->objects = _tx_trace_total_registry_entries - _tx_trace_available_registry_entries;
    status->ring_entries = (header->ring_end - header->ring_start) / sizeof(struct txtap_trace_entry);
    status->ring_index = (header->current - header->ring_start) / sizeof(struct txtap_trace_entry);
    status->laps = header->laps;
}

/* Zephyr 3.4 removed the argument of start-up functions. */
#if KERNEL_VERSION_NUMBER >= ZEPHYR_VERSION(3, 4, 0)
#define START_ARGUMENT void
#else
#define START_ARGUMENT __unused const struct device *device
#endif

#ifdef CONFIG_TXTAP_START_AT_BOOT
static int boot_start(START_ARGUMENT)
{
    return txtap_start();
}

/* Runs after the start-up function of object tracking, which creates the lists of objects. */
SYS_INIT(boot_start, PRE_KERNEL_1, CONFIG_KERNEL_INIT_PRIORITY_DEFAULT);
#endif

/* Begins thread context. From now on, the main thread and the system clock run. */
static int kernel_started(START_ARGUMENT)
{
    txtap_zephyr_kernel_started();
    return 0;
}

SYS_INIT(kernel_started, POST_KERNEL, 0);
