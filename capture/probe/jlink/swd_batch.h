/* SPDX-License-Identifier: MIT */
/*
 * Does the transfers of several commands in as few exchanges as possible, as the firmware of a CMSIS-DAP does them:
 * reads of the access port are posted, so RDBUFF takes the last word; after WAIT the transfer is repeated.
 *
 * A batch relies on the overrun detection of the debug port (ORUNDETECT in CTRL/STAT). Without it, a debug port that
 * answers WAIT or FAULT has no data phase, and the rest of a batch would be out of step. So txtap sets it together with
 * the power requests. Until a read of CTRL/STAT has shown it, an exchange has only one transfer.
 */
#ifndef TXTAP_CAPTURE_PROBE_JLINK_SWD_BATCH_H
#define TXTAP_CAPTURE_PROBE_JLINK_SWD_BATCH_H

#include "probe/jlink/jlink_link.h"

#define SWD_STEPS_MAX 640 /* more than one command of DAP_PACKET_BYTES_MAX can need */

struct swd_step {
    struct swd_transfer transfer;
    uint8_t *into; /* place of the word in the answer to this transfer; NULL: no such word */
};

struct swd_batch {
    struct jlink *jlink;
    bool overrun;     /* overrun detection is known to be on */
    uint32_t select;  /* the last value of SELECT */
    uint32_t power;   /* the last power requests in CTRL/STAT */
    unsigned retries; /* how often a transfer is repeated after WAIT */
    uint8_t *posted;  /* place of the word that the access port has still to return; NULL: no such word */
    size_t count;
    struct swd_step steps[SWD_STEPS_MAX];
    struct swd_bits bits;
};

void swd_batch_init(struct swd_batch *batch, struct jlink *jlink);

/* Removes all transfers. */
void swd_batch_begin(struct swd_batch *batch);

/*
 * Adds the transfers of a DAP_Transfer or DAP_TransferBlock that dap_is_permitted() permits. words: place for the words
 * that it returns. Returns false, and adds nothing, if there is no room.
 */
bool swd_batch_add(struct swd_batch *batch, const uint8_t *bytes, size_t length, uint8_t *words);

/* Adds a write of ABORT. */
void swd_batch_add_abort(struct swd_batch *batch, uint32_t value);

/*
 * Does the transfers. *status is SWD_ACK_OK if all were done. Otherwise it is the acknowledgement of the first that was
 * not, as in the answer to DAP_Transfer; the words are then undefined.
 */
enum dap_result swd_batch_run(struct swd_batch *batch, unsigned *status, unsigned timeout_ms);

/* Clocks a sequence, after which overrun detection is not known to be on. */
enum dap_result swd_batch_sequence(struct swd_batch *batch, const uint8_t *bytes, size_t clocks, unsigned timeout_ms);
enum dap_result swd_batch_target_select(struct swd_batch *batch, uint32_t value, unsigned timeout_ms);

/* Turns overrun detection off again, if it is on. */
enum dap_result swd_batch_end_overrun(struct swd_batch *batch, unsigned timeout_ms);

#endif
