/* SPDX-License-Identifier: MIT */
/* The one table of status texts. No default in the switch: a status without a text is a compiler warning. */
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
    case TXTAP_ERROR_NOT_FOUND:
        return "no trace buffer found";
    case TXTAP_ERROR_AMBIGUOUS:
        return "several trace buffers found";
    case TXTAP_ERROR_UNSETTLED:
        return "target writes events faster than they can be copied";
    case TXTAP_ERROR_ALIGNMENT:
        return "trace buffer does not start at a multiple of 4";
    case TXTAP_ERROR_WIDE:
        return "trace buffer of 64-bit words";
    case TXTAP_ERROR_UNREACHABLE:
        return "nobody listens there";
    case TXTAP_ERROR_PROTOCOL:
        return "the other side does not speak the expected protocol";
    case TXTAP_ERROR_TIMEOUT:
        return "no answer in time";
    case TXTAP_ERROR_CLOSED:
        return "the other side closed the connection";
    case TXTAP_ERROR_TARGET:
        return "the server does not reach its target";
    case TXTAP_ERROR_FAULT:
        return "target memory cannot be read at that address";
    case TXTAP_ERROR_SYSTEM:
        return "system call failed";
    case TXTAP_ERROR_INTERRUPTED:
        return "interrupted";
    case TXTAP_ERROR_UNSAFE:
        return "reading through this server would disturb the target";
    case TXTAP_ERROR_FORMAT:
        return "file is not of the expected kind";
    case TXTAP_ERROR_SYMBOL:
        return "ELF file has no such symbol";
    case TXTAP_ERROR_EXISTS:
        return "file exists already";
    }
    return "unknown status";
}
