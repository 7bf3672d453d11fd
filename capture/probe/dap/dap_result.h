/* SPDX-License-Identifier: MIT */
/* How something that was asked of a CMSIS-DAP probe ended. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_RESULT_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_RESULT_H

enum dap_result {
    DAP_OK,
    /* the target's answers: the probe is in step */
    DAP_WAIT,   /* its access port stays busy */
    DAP_FAULT,  /* an access failed, and the debug port holds the error */
    DAP_SILENT, /* nobody answers, or the debug port lost its state */
    DAP_PARITY, /* disturbed on the wire */
    /* the probe's: what it has answered, and what it will answer, is not known */
    DAP_TIMEOUT,  /* no answer in time */
    DAP_STALLED,  /* it halted an endpoint */
    DAP_CONFUSED, /* the answer is not one to this command */
    /* the end */
    DAP_GONE,        /* it was unplugged */
    DAP_BROKEN,      /* the host cannot use it any more */
    DAP_REFUSED,     /* a command that dap_permitted.h does not list; it was not sent */
    DAP_INTERRUPTED, /* the user ended txtap */
};

/* The probe may still have answers to come. */
static inline int dap_out_of_step(enum dap_result result)
{
    return result >= DAP_TIMEOUT && result <= DAP_CONFUSED;
}

#endif
