/* SPDX-License-Identifier: MIT */
/* The texts of the program's statuses. No default in the switch: a status without a text is a compiler warning. */
#include "base/program_status.h"

const char *status_text(enum txtap_status status)
{
    switch (program_status(status)) {
    case PROGRAM_NONE:
        break;
    case PROGRAM_NOT_FOUND:
        return "no trace buffer found";
    case PROGRAM_AMBIGUOUS:
        return "several trace buffers found";
    case PROGRAM_SYMBOL:
        return "ELF file has no such symbol";
    case PROGRAM_UNSETTLED:
        return "target writes events faster than they can be copied";
    case PROGRAM_UNREACHABLE:
        return "nobody listens there";
    case PROGRAM_PROTOCOL:
        return "the other side does not speak the expected protocol";
    case PROGRAM_TIMEOUT:
        return "no answer in time";
    case PROGRAM_CLOSED:
        return "the other side closed the connection";
    case PROGRAM_TARGET:
        return "the server does not reach its target";
    case PROGRAM_FAULT:
        return "target memory cannot be read at that address";
    case PROGRAM_UNSAFE:
        return "reading through this server would disturb the target";
    case PROGRAM_INTERRUPTED:
        return "interrupted";
    case PROGRAM_EXISTS:
        return "file exists already";
    }
    return txtap_status_text(status);
}
