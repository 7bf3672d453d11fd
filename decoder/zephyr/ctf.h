/* SPDX-License-Identifier: MIT */
/* Part of ctf: what a record means. */
#ifndef TXTAP_DECODER_ZEPHYR_CTF_H
#define TXTAP_DECODER_ZEPHYR_CTF_H

#include "model/event_ids.h"
#include "txtap/inner/zephyr.h"

/* OUT to NAMED are about a thread, and have its name. */
enum meaning {
    PLAIN,
    OUT,
    IN,
    READY,
    PENDING,
    SUSPENDED,
    ABORTED,
    NAMED,
    ISR_ENTER,
    ISR_EXIT,
    IDLE,
    CALL,
    BLOCKING,
    RETURN,
    LOCKED, /* a mutex, if the call returned 0; else RETURN */
    UNLOCK
};

/* The thread has that name. */
void ctf_learn_name(struct txtap_zephyr_ctf *ctf, uint32_t thread, const char *name);

/* Passes on what the record says. key: the first number in it. */
enum txtap_status ctf_take_record(struct txtap_zephyr_ctf *ctf, enum meaning meaning, enum reason reason, uint32_t key);

/* Nobody is known to run behind a thread that was switched out. */
enum txtap_status ctf_end_turn(struct txtap_zephyr_ctf *ctf);

#endif
