/* SPDX-License-Identifier: MIT */
/* The texts of statuses. No default in the switch: a status without a text is a compiler warning. */
#include "txtap/status.h"

const char *txtap_status_text(enum txtap_status status)
{
    switch (status) {
    case TXTAP_OK:
        return "success";
    case TXTAP_AGAIN:
        return "nothing to do yet";
    case TXTAP_END:
        return "end of data";
    case TXTAP_ERROR_USAGE:
        return "argument outside its range";
    case TXTAP_ERROR_SPACE:
        return "not enough memory was set aside for what was found";
    case TXTAP_ERROR_SIGNATURE:
        return "no trace buffer header: its 16 fixed bytes are not there";
    case TXTAP_ERROR_REGISTRY:
        return "trace buffer header describes an impossible object registry";
    case TXTAP_ERROR_RING:
        return "trace buffer header describes an impossible event ring";
    case TXTAP_ERROR_POINTER:
        return "current pointer of the trace buffer is not at an entry of its ring";
    case TXTAP_ERROR_OVERLAP:
        return "header, object registry and event ring do not follow each other";
    case TXTAP_ERROR_TRUNCATED:
        return "fewer bytes than the trace buffer header describes";
    case TXTAP_ERROR_MOVED:
        return "trace buffer changed its layout while it was read";
    case TXTAP_ERROR_ALIGNMENT:
        return "trace buffer does not start at a multiple of 4";
    case TXTAP_ERROR_WIDE:
        return "trace buffer of 64-bit words";
    case TXTAP_ERROR_SYSTEM:
        return "system call failed";
    case TXTAP_ERROR_FORMAT:
        return "file is not of the expected kind";
    case TXTAP_ERROR_CALLER_FIRST:
    case TXTAP_ERROR_CALLER_LAST:
        break;
    }
    return "unknown status";
}
