/* SPDX-License-Identifier: MIT */
/* The registry of Zephyr's objects: their types, names and parameters. */
#define DISABLE_SYSCALL_TRACING

#include "txtap_zephyr_internal.h"

/* Kinds of objects. Index: upper byte of the kind's event numbers, minus 0x80. A kind without a name has no objects. */
static const struct kind {
    const char *name;
    uint8_t type; /* ThreadX's type of object, 0 = ThreadX has no such objects */
} kinds[] = {
    [0x00] = {"thread", TXTAP_TRACE_OBJECT_THREAD},
    [0x02] = {"k_work", 0},
    [0x03] = {"k_work_q", 0},
    [0x04] = {"k_work_delayable", 0},
    [0x07] = {"k_sem", TXTAP_TRACE_OBJECT_SEMAPHORE},
    [0x08] = {"k_mutex", TXTAP_TRACE_OBJECT_MUTEX},
    [0x09] = {"k_condvar", 0},
    [0x0a] = {"k_queue", 0},
    [0x0b] = {"k_fifo", 0},
    [0x0c] = {"k_lifo", 0},
    [0x0d] = {"k_stack", 0},
    [0x0e] = {"k_msgq", TXTAP_TRACE_OBJECT_QUEUE},
    [0x0f] = {"k_mbox", 0},
    [0x10] = {"k_pipe", 0},
    [0x11] = {"k_heap", TXTAP_TRACE_OBJECT_BYTE_POOL},
    [0x13] = {"k_mem_slab", TXTAP_TRACE_OBJECT_BLOCK_POOL},
    [0x14] = {"k_timer", TXTAP_TRACE_OBJECT_TIMER},
    [0x15] = {"k_event", TXTAP_TRACE_OBJECT_EVENT_FLAGS},
    [0x22] = {"event", 0},
};

enum { NAME_BYTES = 32 };

/* Makes a name such as "k_sem 0x20001234". */
static const char *name_make(char name[NAME_BYTES], const char *kind, uint32_t address)
{
    uint32_t length = 0;
    for (; kind[length] != '\0' && length < NAME_BYTES - 12; length++) {
        name[length] = kind[length];
    }
    name[length++] = ' ';
    name[length++] = '0';
    name[length++] = 'x';
    for (int shift = 28; shift >= 0; shift -= 4) {
        name[length++] = "0123456789abcdef"[(address >> shift) & 0xFu];
    }
    name[length] = '\0';
    return name;
}

void zephyr_object_remove(const void *object)
{
    if (txtap_zephyr_port_user_mode()) {
        return;
    }
    (void)txtap_trace_object_unregister(object);
}

static void parameters_of(enum txtap_zephyr_kind kind, const void *object, uint32_t parameters[2])
{
    parameters[0] = 0;
    parameters[1] = 0;
    switch (kind) {
    case TXTAP_ZEPHYR_KIND_SEM:
        parameters[0] = txtap_zephyr_port_sem_count(object);
        break;
    case TXTAP_ZEPHYR_KIND_MUTEX:
        parameters[0] = 1; /* all of Zephyr's mutexes inherit priorities */
        break;
    case TXTAP_ZEPHYR_KIND_MSGQ:
        parameters[0] = txtap_zephyr_port_msgq_messages_max(object) * txtap_zephyr_port_msgq_message_bytes(object);
        parameters[1] = (txtap_zephyr_port_msgq_message_bytes(object) + 3) / 4;
        break;
    case TXTAP_ZEPHYR_KIND_HEAP:
        parameters[0] = txtap_zephyr_port_heap_bytes(object);
        break;
    case TXTAP_ZEPHYR_KIND_MEM_SLAB:
        parameters[0] = txtap_zephyr_port_slab_blocks(object) * txtap_zephyr_port_slab_block_bytes(object);
        parameters[1] = txtap_zephyr_port_slab_block_bytes(object);
        break;
    default:
        break;
    }
}

void txtap_zephyr_object_name(enum txtap_zephyr_kind kind, const void *object, const char *name)
{
    uint32_t index = (uint32_t)kind - 0x80u;
    char made[NAME_BYTES];
    uint32_t parameters[2];

    if (txtap_zephyr_port_user_mode() || object == NULL || index >= sizeof(kinds) / sizeof(kinds[0]) ||
        kinds[index].name == NULL) {
        return;
    }
    if (name == NULL || name[0] == '\0') {
        name = name_make(made, kinds[index].name, zephyr_word(object));
    }
    parameters_of(kind, object, parameters);
    /*
     * An object that is registered twice would look like two objects, so first remove it. The search for a slot begins
     * at the slot that is removed here, so the object gets its old slot.
     */
    zephyr_object_remove(object);
    (void)txtap_trace_object_register(kinds[index].type != 0 ? kinds[index].type : TXTAP_ZEPHYR_TYPE(kind), object,
                                      name, parameters[0], parameters[1]);
}

void txtap_zephyr_object_add(enum txtap_zephyr_kind kind, const void *object)
{
    txtap_zephyr_object_name(kind, object, NULL);
}

void txtap_zephyr_thread_add(const void *thread)
{
    char made[NAME_BYTES];
    const char *name;

    if (txtap_zephyr_port_user_mode() || thread == NULL) {
        return;
    }
    name = txtap_zephyr_port_thread_name(thread);
    if (name == NULL || name[0] == '\0') {
        name = name_make(made, kinds[0].name, zephyr_word(thread));
    }
    zephyr_object_remove(thread);
    (void)txtap_trace_thread_register(thread, name,
                                      zephyr_priority(txtap_zephyr_port_thread_priority(thread)) |
                                          (txtap_zephyr_port_thread_is_idle(thread) ? TXTAP_TRACE_PRIORITY_IDLE : 0u),
                                      txtap_zephyr_port_thread_stack_start(thread),
                                      txtap_zephyr_port_thread_stack_bytes(thread));
}

/* ------------------------------------------------------------------------------------------- own events */

void txtap_zephyr_object_init(uint32_t id, const void *object, uint32_t word2, uint32_t word3, uint32_t result)
{
    if (result == 0) {
        txtap_zephyr_object_add((enum txtap_zephyr_kind)(id >> 8), object);
    }
    txtap_zephyr_event4(id, zephyr_word(object), word2, word3, result);
}

void txtap_zephyr_object_cleanup(uint32_t id, const void *object, uint32_t word2, uint32_t word3, uint32_t result)
{
    zephyr_object_remove(object);
    txtap_zephyr_event4(id, zephyr_word(object), word2, word3, result);
}

void txtap_zephyr_thread_name_set(uint32_t id, const void *thread, uint32_t word2, uint32_t word3, uint32_t result)
{
    if (result == 0) {
        txtap_zephyr_thread_add(thread);
    }
    txtap_zephyr_event4(id, zephyr_word(thread), word2, word3, result);
}

void txtap_zephyr_thread_info(uint32_t id, const void *thread, uint32_t word2, uint32_t word3, uint32_t result)
{
    txtap_zephyr_thread_add(thread);
    txtap_zephyr_event4(id, zephyr_word(thread), word2, word3, result);
}

/* ----------------------------------------------------------------------------------------- named events */

/* The last names, by address. They are kept because a search in the registry at each event would cost too much. */
static const char *volatile names[8];

void zephyr_names_forget(void)
{
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        names[i] = NULL;
    }
}

void txtap_zephyr_named_event(uint32_t id, const char *name, uint32_t arg0, uint32_t arg1, uint32_t word4)
{
    uint32_t address = zephyr_word(name);
    uint32_t slot = ((address >> 2) ^ (address >> 5)) % (sizeof(names) / sizeof(names[0]));

    if (txtap_zephyr_port_user_mode()) {
        return;
    }
    if (names[slot] != name) {
        names[slot] = name;
        txtap_zephyr_object_name(TXTAP_ZEPHYR_KIND_NAMED_EVENT, name, name);
    }
    txtap_zephyr_event4(id, address, arg0, arg1, word4);
}
