/* SPDX-License-Identifier: MIT */
/* How long to wait before a recorder is started again. */
#ifndef TXTAP_CAPTURE_LAB_RESTART_H
#define TXTAP_CAPTURE_LAB_RESTART_H

#include <stdint.h>

#define RESTART_FIRST_US UINT64_C(1000000)  /* the first pause; each further pause is twice as long */
#define RESTART_MOST_US  UINT64_C(30000000) /* the longest pause */
#define RESTART_WELL_US  UINT64_C(60000000) /* after a run of this time, the pauses begin again with the first */

/* Returns the pause after a run of ran_us. pause_us: the pause before that run; 0: it was the first run. */
static inline uint64_t restart_pause_us(uint64_t pause_us, uint64_t ran_us)
{
    if (pause_us == 0 || ran_us >= RESTART_WELL_US)
        return RESTART_FIRST_US;
    return 2 * pause_us < RESTART_MOST_US ? 2 * pause_us : RESTART_MOST_US;
}

#endif
