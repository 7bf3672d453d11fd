/* SPDX-License-Identifier: MIT */
/* The meaning of Zephyr's CTF records. A record's name in the metadata decides its meaning. */
#ifndef TXTAP_DECODER_ZEPHYR_CTF_NAMES_H
#define TXTAP_DECODER_ZEPHYR_CTF_NAMES_H

#include "txtap/inner/zephyr.h"

/* Records from OUT to NAMED refer to a thread and contain its name. */
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
    LOCKED, /* if the call returned 0, it locked a mutex; otherwise the record counts as RETURN */
    UNLOCK
};

/* Finds the meaning, the reason, the class and the action of each record in ctf->layout, and whether interrupts have an
 * end. */
void ctf_names_find(struct txtap_zephyr_ctf *ctf);

#endif
