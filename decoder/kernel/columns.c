/* SPDX-License-Identifier: MIT */
/* The columns in which the objects of each class are shown, for all kernels. */
#include "txtap/inner/kernel.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct txtap_kernel_column thread_columns[] = {
    {KERNEL_PRIORITY, KERNEL_INTEGER, "priority", "PRIO", 0},
    {KERNEL_OWN_PRIORITY, KERNEL_NUMBER, "own_priority", NULL, 0},
    {KERNEL_THRESHOLD, KERNEL_NUMBER, "threshold", "THRESHOLD", 5},
    {KERNEL_STATE, KERNEL_STATE_NAME, "state", "STATE", 0},
    {KERNEL_WAITS_FOR, KERNEL_OBJECT, "waits_for", "WAITS FOR", 0},
    {KERNEL_TIMEOUT, KERNEL_TICKS, "timeout_ticks", "TIMEOUT", 3},
    {KERNEL_RUNS, KERNEL_NUMBER, "runs", "RUNS", 4},
    {KERNEL_SLICE, KERNEL_TICKS, "time_slice_ticks", "SLICE", 6},
    {KERNEL_STACK_SIZE, KERNEL_SIZE, "stack_size", "STACK", 0},
    {KERNEL_STACK_USED, KERNEL_SIZE, "stack_used", "USED", 2},
    {KERNEL_STACK_PEAK, KERNEL_SIZE, "stack_used_max", "MAX", 0},
    {KERNEL_STACK_FREE, KERNEL_SIZE, "stack_free_min", "FREE", 7},
    {KERNEL_STACK_START, KERNEL_ADDRESS, "stack_start", NULL, 0},
    {KERNEL_ENTRY, KERNEL_CODE, "entry", "ENTRY", 8},
};

static const struct txtap_kernel_column timer_columns[] = {
    {KERNEL_EXPIRES, KERNEL_TICKS, "expires_in_ticks", "EXPIRES IN", 0},
    {KERNEL_PERIOD, KERNEL_TICKS, "period_ticks", "PERIOD", 0},
    {KERNEL_FUNCTION, KERNEL_CODE, "function", "FUNCTION", 0},
};

static const struct txtap_kernel_column queue_columns[] = {
    {KERNEL_MESSAGES, KERNEL_NUMBER, "messages", "MESSAGES", 0},
    {KERNEL_CAPACITY, KERNEL_NUMBER, "capacity", "CAPACITY", 0},
    {KERNEL_MESSAGE_WORDS, KERNEL_NUMBER, "message_words", "WORDS", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct txtap_kernel_column semaphore_columns[] = {
    {KERNEL_COUNT, KERNEL_NUMBER, "count", "COUNT", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct txtap_kernel_column mutex_columns[] = {
    {KERNEL_OWNER, KERNEL_OBJECT, "owner", "OWNER", 0},
    {KERNEL_HOLDS, KERNEL_NUMBER, "holds", "HOLDS", 0},
    {KERNEL_INHERITS, KERNEL_YES_NO, "inherits", "INHERITS", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct txtap_kernel_column event_flags_columns[] = {
    {KERNEL_FLAGS, KERNEL_BITS, "flags", "FLAGS", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct txtap_kernel_column block_pool_columns[] = {
    {KERNEL_BLOCKS_FREE, KERNEL_NUMBER, "blocks_free", "FREE", 0},
    {KERNEL_BLOCKS, KERNEL_NUMBER, "blocks", "BLOCKS", 0},
    {KERNEL_BLOCK_BYTES, KERNEL_SIZE, "block_size", "BLOCK SIZE", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct txtap_kernel_column byte_pool_columns[] = {
    {KERNEL_BYTES_FREE, KERNEL_SIZE, "bytes_free", "FREE", 0},
    {KERNEL_BYTES, KERNEL_SIZE, "size", "SIZE", 0},
    {KERNEL_FRAGMENTS, KERNEL_NUMBER, "fragments", "FRAGMENTS", 0},
    {KERNEL_WAITERS, KERNEL_NUMBER, "waiters", "WAITERS", 0},
};

static const struct {
    const struct txtap_kernel_column *columns;
    size_t count;
} classes[TXTAP_KERNEL_CLASSES] = {
    [TXTAP_OBJECT_THREAD] = {thread_columns, COUNT(thread_columns)},
    [TXTAP_OBJECT_TIMER] = {timer_columns, COUNT(timer_columns)},
    [TXTAP_OBJECT_QUEUE] = {queue_columns, COUNT(queue_columns)},
    [TXTAP_OBJECT_SEMAPHORE] = {semaphore_columns, COUNT(semaphore_columns)},
    [TXTAP_OBJECT_MUTEX] = {mutex_columns, COUNT(mutex_columns)},
    [TXTAP_OBJECT_EVENT_FLAGS] = {event_flags_columns, COUNT(event_flags_columns)},
    [TXTAP_OBJECT_BLOCK_POOL] = {block_pool_columns, COUNT(block_pool_columns)},
    [TXTAP_OBJECT_BYTE_POOL] = {byte_pool_columns, COUNT(byte_pool_columns)},
};

const struct txtap_kernel_column *txtap_kernel_columns(uint8_t type, size_t *count)
{
    *count = type < TXTAP_KERNEL_CLASSES ? classes[type].count : 0;
    return type < TXTAP_KERNEL_CLASSES ? classes[type].columns : NULL;
}
