/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_kernel_layout.c: variables and structs of a kernel with two lists. */
struct TX_TIMER_INTERNAL_STRUCT {
    unsigned tx_timer_internal_remaining_ticks;
    void *tx_timer_internal_list_head;
};
struct TX_THREAD_STRUCT {
    unsigned option[5]; /* moves the other members */
    unsigned tx_thread_id;
    const char *tx_thread_name;
    struct TX_THREAD_STRUCT *tx_thread_created_next, *tx_thread_created_previous;
    struct TX_TIMER_INTERNAL_STRUCT tx_thread_timer;
    unsigned char tx_thread_state;
};
struct TX_QUEUE_STRUCT {
    unsigned tx_queue_id;
    const char *tx_queue_name;
    struct TX_QUEUE_STRUCT *tx_queue_created_next, *tx_queue_created_previous;
};

#ifndef OTHER_KERNEL
struct TX_THREAD_STRUCT *_tx_thread_created_ptr;
unsigned _tx_thread_created_count;
#endif
struct TX_QUEUE_STRUCT *_tx_queue_created_ptr;
unsigned _tx_queue_created_count;
struct TX_THREAD_STRUCT *_tx_thread_current_ptr[CORES];
