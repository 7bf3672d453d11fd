/* SPDX-License-Identifier: MIT */
/*
 * Calls each function that an application may call, in a build without the recorder, as C and as C++. The file must
 * compile without a warning, and the object must not refer to any of these functions.
 */
#include "txtap_control.h"
#include "txtap_trace.h"
#include "txtap_zephyr.h"

static void full(void *header)
{
    (void)header;
}

static void trace_objects(void *buffer)
{
    (void)txtap_trace_clock_select(NULL);
    (void)txtap_trace_enable(buffer, 1024, 4);
    (void)txtap_trace_thread_register(buffer, "thread", 3, 0, 0);
    (void)txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, buffer, "queue", 0, 0);
    (void)txtap_trace_object_unregister(buffer);
    (void)txtap_trace_buffer_full_notify(full);
    (void)txtap_trace_event_filter(TXTAP_TRACE_CLASS_ALL);
    (void)txtap_trace_event_unfilter(TXTAP_TRACE_CLASS_ALL);
    (void)txtap_zephyr_start(buffer, 1024, 4);
    txtap_zephyr_kernel_started();
    txtap_zephyr_thread_add(buffer);
    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_SEM, buffer);
    txtap_zephyr_object_name(TXTAP_ZEPHYR_KIND_SEM, buffer, "name");
}

static void trace_events(void)
{
    txtap_trace_isr_enter_insert(1);
    txtap_trace_event_patch(txtap_trace_event_insert(4096, 1, 2, 3, 4, TXTAP_TRACE_CLASS_USER), 0, 3, 5);
    txtap_trace_isr_exit_insert(1);
}

/* Returns 0 if each call reports that nothing is recorded. */
int recorder_off(void *buffer)
{
    struct txtap_status status;
    uint32_t classes = 0;

    trace_objects(buffer);
    trace_events();
    txtap_filter(TXTAP_TRACE_CLASS_ALL);
    txtap_status_get(&status);
    return txtap_trace_user_event_insert(4096, 1, 2, 3, 4) != TXTAP_TRACE_FEATURE_NOT_ENABLED ||
           txtap_trace_disable() != TXTAP_TRACE_FEATURE_NOT_ENABLED || txtap_start() != -ENOTSUP ||
           txtap_stop() != -ENOTSUP || txtap_class("all", &classes) != -EINVAL || txtap_class_name(7) != NULL ||
           status.running || status.objects != 0;
}

int main(void)
{
    char buffer[1024];

    return recorder_off(buffer);
}
