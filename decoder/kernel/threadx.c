/* SPDX-License-Identifier: MIT */
/*
 * ThreadX. Each list of created objects has a variable for its first object and a variable for its length, and is
 * circular in both directions. Source: common/inc/tx_api.h (structs), tx_thread.h, tx_queue.h, ... (variables and
 * identifiers), common/src/tx_timer_info_get.c (time to an expiration), tx_thread_initialize.c (options).
 */
#include "kernel/inside.h"

#define COUNT(array)     (sizeof(array) / sizeof(array)[0])
#define INITIALIZE_BEGIN UINT32_C(0xF0F0F0F0) /* TX_INITIALIZE_IN_PROGRESS; the next number: almost done */
#define STATE_SLEEP      4
#define STATE_QUEUE      5 /* the first state in which a thread waits for an object */
#define STATE_IO_DRIVER  10
#define STATE_FILE       11
#define STATE_MUTEX      13

enum word {
    WORD_TIMER_CURRENT, /* address of the head of the timer list that expires at the next tick */
    WORD_TIMER_START,   /* address of the first head */
    WORD_TIMER_END,     /* address after the last head */
    WORD_OPTIONS,
    WORD_SYSTEM_STATE,
};

#define LIST(type, name)                                                                                               \
    {"_tx_" name "_created_ptr", NULL, NULL, KERNEL_LIST_HEAD, type, 0},                                               \
    {                                                                                                                  \
        "_tx_" name "_created_count", NULL, NULL, KERNEL_LIST_COUNT, type, 0                                           \
    }
#define WORD(name, number)                                                                                             \
    {                                                                                                                  \
        name, NULL, NULL, KERNEL_WORD, 0, number                                                                       \
    }

static const struct txtap_kernel_symbol symbols[] = {
    LIST(TXTAP_OBJECT_THREAD, "thread"),
    LIST(TXTAP_OBJECT_TIMER, "timer"),
    LIST(TXTAP_OBJECT_QUEUE, "queue"),
    LIST(TXTAP_OBJECT_SEMAPHORE, "semaphore"),
    LIST(TXTAP_OBJECT_MUTEX, "mutex"),
    LIST(TXTAP_OBJECT_EVENT_FLAGS, "event_flags"),
    LIST(TXTAP_OBJECT_BLOCK_POOL, "block_pool"),
    LIST(TXTAP_OBJECT_BYTE_POOL, "byte_pool"),
    {"_tx_thread_current_ptr", NULL, NULL, KERNEL_CURRENT, 0, 0},
    WORD("_tx_timer_current_ptr", WORD_TIMER_CURRENT),
    WORD("_tx_timer_list_start", WORD_TIMER_START),
    WORD("_tx_timer_list_end", WORD_TIMER_END),
    WORD("_tx_build_options", WORD_OPTIONS),
    WORD("_tx_thread_system_state", WORD_SYSTEM_STATE),
};

#define NEEDED  (KERNEL_REQUIRED | KERNEL_IDENTITY)
#define FIXED   KERNEL_IDENTITY
#define CHANGES 0u

/* Rows of a class. The first two words of all objects but threads are the identifier and the name. */
#define THREAD(value, flags, usual, member)                                                                            \
    {                                                                                                                  \
        TXTAP_OBJECT_THREAD, value, flags, usual, "TX_THREAD_STRUCT", "tx_thread_" member                              \
    }
#define OBJECT(type, structure, prefix, next)                                                                          \
    {type, KERNEL_ID, NEEDED, 0, structure, prefix "id"}, {type, KERNEL_NAME, NEEDED, 4, structure, prefix "name"},    \
        {type, KERNEL_NEXT, KERNEL_REQUIRED, next, structure, prefix "created_next"},                                  \
    {                                                                                                                  \
        type, KERNEL_PREVIOUS, KERNEL_REQUIRED, (next) + 4, structure, prefix "created_previous"                       \
    }

#define TIMER_TYPE       TXTAP_OBJECT_TIMER, "TX_TIMER_STRUCT", "tx_timer_"
#define QUEUE_TYPE       TXTAP_OBJECT_QUEUE, "TX_QUEUE_STRUCT", "tx_queue_"
#define SEMAPHORE_TYPE   TXTAP_OBJECT_SEMAPHORE, "TX_SEMAPHORE_STRUCT", "tx_semaphore_"
#define MUTEX_TYPE       TXTAP_OBJECT_MUTEX, "TX_MUTEX_STRUCT", "tx_mutex_"
#define EVENT_FLAGS_TYPE TXTAP_OBJECT_EVENT_FLAGS, "TX_EVENT_FLAGS_GROUP_STRUCT", "tx_event_flags_group_"
#define BLOCK_POOL_TYPE  TXTAP_OBJECT_BLOCK_POOL, "TX_BLOCK_POOL_STRUCT", "tx_block_pool_"
#define BYTE_POOL_TYPE   TXTAP_OBJECT_BYTE_POOL, "TX_BYTE_POOL_STRUCT", "tx_byte_pool_"

/* Lets a macro such as QUEUE_TYPE stand for several parameters. */
#define HEAD(...) OBJECT(__VA_ARGS__)
#define ROW(...)  ROW_OF(__VA_ARGS__)
#define ROW_OF(type, structure, prefix, value, flags, usual, member)                                                   \
    {                                                                                                                  \
        type, value, flags, usual, structure, prefix member                                                            \
    }

static const struct txtap_kernel_member members[] = {
    THREAD(KERNEL_ID, NEEDED, 0, "id"),
    THREAD(KERNEL_RUNS, CHANGES, 4, "run_count"),
    THREAD(KERNEL_STACK_POINTER, CHANGES, 8, "stack_ptr"),
    THREAD(KERNEL_STACK_START, FIXED, 12, "stack_start"),
    THREAD(KERNEL_STACK_SIZE, FIXED, 20, "stack_size"),
    THREAD(KERNEL_SLICE, CHANGES, 28, "new_time_slice"),
    THREAD(KERNEL_NAME, NEEDED, 40, "name"),
    THREAD(KERNEL_PRIORITY, CHANGES, 44, "priority"),
    THREAD(KERNEL_STATE, CHANGES, 48, "state"),
    THREAD(KERNEL_THRESHOLD, CHANGES, 60, "preempt_threshold"),
    THREAD(KERNEL_ENTRY, FIXED, 68, "entry"),
    THREAD(KERNEL_TIMER_TICKS, CHANGES, 76, "timer.tx_timer_internal_remaining_ticks"),
    THREAD(KERNEL_TIMER_LIST, CHANGES, 100, "timer.tx_timer_internal_list_head"),
    THREAD(KERNEL_WAITS_FOR, CHANGES, 108, "suspend_control_block"),
    THREAD(KERNEL_NEXT, KERNEL_REQUIRED, 136, "created_next"),
    THREAD(KERNEL_PREVIOUS, KERNEL_REQUIRED, 140, "created_previous"),
    THREAD(KERNEL_OWN_PRIORITY, CHANGES, 148, "user_priority"),
    THREAD(KERNEL_STACK_FILL, FIXED, KERNEL_NOWHERE, "stack_fill_value"),

    HEAD(TIMER_TYPE, 36),
    ROW(TIMER_TYPE, KERNEL_TIMER_TICKS, CHANGES, 8, "internal.tx_timer_internal_remaining_ticks"),
    ROW(TIMER_TYPE, KERNEL_PERIOD, CHANGES, 12, "internal.tx_timer_internal_re_initialize_ticks"),
    ROW(TIMER_TYPE, KERNEL_FUNCTION, FIXED, 16, "internal.tx_timer_internal_timeout_function"),
    ROW(TIMER_TYPE, KERNEL_TIMER_LIST, CHANGES, 32, "internal.tx_timer_internal_list_head"),

    HEAD(QUEUE_TYPE, 48),
    ROW(QUEUE_TYPE, KERNEL_MESSAGE_WORDS, FIXED, 8, "message_size"),
    ROW(QUEUE_TYPE, KERNEL_CAPACITY, FIXED, 12, "capacity"),
    ROW(QUEUE_TYPE, KERNEL_MESSAGES, CHANGES, 16, "enqueued"),
    ROW(QUEUE_TYPE, KERNEL_WAITERS, CHANGES, 44, "suspended_count"),

    HEAD(SEMAPHORE_TYPE, 20),
    ROW(SEMAPHORE_TYPE, KERNEL_COUNT, CHANGES, 8, "count"),
    ROW(SEMAPHORE_TYPE, KERNEL_WAITERS, CHANGES, 16, "suspended_count"),

    HEAD(MUTEX_TYPE, 32),
    ROW(MUTEX_TYPE, KERNEL_HOLDS, CHANGES, 8, "ownership_count"),
    ROW(MUTEX_TYPE, KERNEL_OWNER, CHANGES, 12, "owner"),
    ROW(MUTEX_TYPE, KERNEL_INHERITS, FIXED, 16, "inherit"),
    ROW(MUTEX_TYPE, KERNEL_WAITERS, CHANGES, 28, "suspended_count"),

    HEAD(EVENT_FLAGS_TYPE, 24),
    ROW(EVENT_FLAGS_TYPE, KERNEL_FLAGS, CHANGES, 8, "current"),
    ROW(EVENT_FLAGS_TYPE, KERNEL_WAITERS, CHANGES, 20, "suspended_count"),

    HEAD(BLOCK_POOL_TYPE, 40),
    ROW(BLOCK_POOL_TYPE, KERNEL_BLOCKS_FREE, CHANGES, 8, "available"),
    ROW(BLOCK_POOL_TYPE, KERNEL_BLOCKS, FIXED, 12, "total"),
    ROW(BLOCK_POOL_TYPE, KERNEL_BLOCK_BYTES, FIXED, 28, "block_size"),
    ROW(BLOCK_POOL_TYPE, KERNEL_WAITERS, CHANGES, 36, "suspended_count"),

    HEAD(BYTE_POOL_TYPE, 44),
    ROW(BYTE_POOL_TYPE, KERNEL_BYTES_FREE, CHANGES, 8, "available"),
    ROW(BYTE_POOL_TYPE, KERNEL_FRAGMENTS, CHANGES, 12, "fragments"),
    ROW(BYTE_POOL_TYPE, KERNEL_BYTES, FIXED, 28, "size"),
    ROW(BYTE_POOL_TYPE, KERNEL_WAITERS, CHANGES, 40, "suspended_count"),
};

_Static_assert(COUNT(symbols) <= KERNEL_SYMBOLS_MAX && COUNT(members) <= KERNEL_MEMBERS_MAX, "the layout has room");

static const char *const states[] = {
    "ready",      "completed", "terminated", "suspended", "sleep",  "queue", "semaphore",       "event flags",
    "block pool", "byte pool", "I/O driver", "file",      "TCP/IP", "mutex", "priority change", NULL,
};

/* tx_thread_initialize.c: _tx_build_options */
static const struct txtap_kernel_option options[] = {
    {7, "TX_EXECUTION_PROFILE_ENABLE"},
    {8, "TX_ENABLE_EVENT_TRACE"},
    {9, "TX_TIMER_ENABLE_PERFORMANCE_INFO"},
    {10, "TX_THREAD_ENABLE_PERFORMANCE_INFO"},
    {11, "TX_SEMAPHORE_ENABLE_PERFORMANCE_INFO"},
    {12, "TX_QUEUE_ENABLE_PERFORMANCE_INFO"},
    {13, "TX_MUTEX_ENABLE_PERFORMANCE_INFO"},
    {14, "TX_EVENT_FLAGS_ENABLE_PERFORMANCE_INFO"},
    {15, "TX_BYTE_POOL_ENABLE_PERFORMANCE_INFO"},
    {16, "TX_BLOCK_POOL_ENABLE_PERFORMANCE_INFO"},
    {17, "TX_DISABLE_NOTIFY_CALLBACKS"},
    {18, "TX_DISABLE_REDUNDANT_CLEARING"},
    {19, "TX_DISABLE_PREEMPTION_THRESHOLD"},
    {20, "TX_ENABLE_STACK_CHECKING"},
    {21, "TX_DISABLE_STACK_FILLING"},
    {22, "TX_REACTIVATE_INLINE"},
    {23, "TX_TIMER_PROCESS_IN_ISR"},
    {30, "TX_INLINE_THREAD_RESUME_SUSPEND"},
    {31, "TX_NOT_INTERRUPTABLE"},
};

static bool is_started(const struct txtap_kernel *kernel)
{
    uint32_t state;

    return !txtap_kernel_word(kernel, WORD_SYSTEM_STATE, &state) || state < INITIALIZE_BEGIN ||
           state > INITIALIZE_BEGIN + 1;
}

/*
 * Returns the ticks until a timer expires. The heads of the timer lists are an array; the kernel goes to the next head
 * at each tick. A timer with more ticks than there are heads goes around several times. False: the timer is not active,
 * or is about to expire.
 */
static bool ticks_left(const struct txtap_kernel *kernel, const struct txtap_kernel_object *object, uint32_t *ticks)
{
    uint32_t head = object->values[KERNEL_TIMER_LIST], remaining = object->values[KERNEL_TIMER_TICKS];
    uint32_t current, start, end, heads, distance;

    if (!txtap_kernel_word(kernel, WORD_TIMER_CURRENT, &current) ||
        !txtap_kernel_word(kernel, WORD_TIMER_START, &start) || !txtap_kernel_word(kernel, WORD_TIMER_END, &end) ||
        start >= end || head < start || head >= end || current < start || current >= end)
        return false;
    heads = (end - start) / 4;
    distance = (head >= current ? head - current : head - start + (end - current)) / 4 + 1;
    *ticks = remaining > heads ? remaining - heads + distance : distance;
    return true;
}

static void set(struct txtap_kernel_object *object, enum txtap_kernel_value value, bool known, uint32_t number)
{
    object->known &= ~(UINT64_C(1) << value);
    if (known)
        object->known |= UINT64_C(1) << value;
    object->values[value] = number;
}

static void conclude(const struct txtap_kernel *kernel, struct txtap_kernel_object *object)
{
    uint32_t state = object->values[KERNEL_STATE], ticks = 0;
    bool expires = ticks_left(kernel, object, &ticks);

    if (object->type == TXTAP_OBJECT_TIMER)
        set(object, KERNEL_EXPIRES, expires, ticks);
    if (object->type != TXTAP_OBJECT_THREAD)
        return;
    if (state < STATE_QUEUE || state > STATE_MUTEX || state == STATE_IO_DRIVER || state == STATE_FILE)
        set(object, KERNEL_WAITS_FOR, false, 0);
    set(object, KERNEL_TIMEOUT, expires && state >= STATE_SLEEP && state <= STATE_MUTEX, ticks);
}

const struct txtap_kernel_ops txtap_kernel_threadx = {
    .name = "ThreadX",
    .mark_symbol = "_tx_thread_created_ptr",
    .version_symbol = "_tx_version_id",
    .symbols = symbols,
    .symbol_count = COUNT(symbols),
    .members = members,
    .member_count = COUNT(members),
    .ids =
        {
            [TXTAP_OBJECT_THREAD] = 0x54485244,      /* THRD */
            [TXTAP_OBJECT_TIMER] = 0x4154494D,       /* ATIM */
            [TXTAP_OBJECT_QUEUE] = 0x51554555,       /* QUEU */
            [TXTAP_OBJECT_SEMAPHORE] = 0x53454D41,   /* SEMA */
            [TXTAP_OBJECT_MUTEX] = 0x4D555445,       /* MUTE */
            [TXTAP_OBJECT_EVENT_FLAGS] = 0x4456444E, /* DVDN */
            [TXTAP_OBJECT_BLOCK_POOL] = 0x424C4F43,  /* BLOC */
            [TXTAP_OBJECT_BYTE_POOL] = 0x42595445,   /* BYTE */
        },
    .fill = 0xEFEFEFEF,
    .fill_option = "without TX_DISABLE_STACK_FILLING",
    .states = states,
    .circular = true,
    .options_word = WORD_OPTIONS,
    .options = options,
    .option_count = COUNT(options),
    .is_started = is_started,
    .conclude = conclude,
};
