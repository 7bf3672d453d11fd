/* SPDX-License-Identifier: MIT */
/*
 * The texts of statuses, and the version as text. CMakeLists.txt sets the version, and version.h gets it through
 * version.h.in.
 */
#include "txtap/status.h"

#include <stddef.h>

#include "txtap/version.h"

const char *txtap_status_text(enum txtap_status status)
{
    static const struct {
        enum txtap_status status;
        const char *text;
    } texts[] = {
        {TXTAP_OK, "success"},
        {TXTAP_AGAIN, "nothing to do yet"},
        {TXTAP_END, "end of data"},
        {TXTAP_ERROR_USAGE, "argument outside its range"},
        {TXTAP_ERROR_SPACE, "not enough memory was set aside for what was found"},
        {TXTAP_ERROR_SIGNATURE, "no trace buffer header: its 16 fixed bytes are not there"},
        {TXTAP_ERROR_REGISTRY, "trace buffer header describes an impossible object registry"},
        {TXTAP_ERROR_RING, "trace buffer header describes an impossible event ring"},
        {TXTAP_ERROR_POINTER, "current pointer of the trace buffer is not at an entry of its ring"},
        {TXTAP_ERROR_OVERLAP, "header, object registry and event ring do not follow each other"},
        {TXTAP_ERROR_TRUNCATED, "fewer bytes than the trace buffer header describes"},
        {TXTAP_ERROR_MOVED, "trace buffer changed its layout while it was read"},
        {TXTAP_ERROR_ALIGNMENT, "trace buffer does not start at a multiple of 4"},
        {TXTAP_ERROR_WIDE, "trace buffer of 64-bit words"},
        {TXTAP_ERROR_SYSTEM, "system call failed"},
        {TXTAP_ERROR_FORMAT, "file is not of the expected kind"},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].status == status)
            return texts[i].text;
    return "unknown status";
}

const char *txtap_version(void)
{
    return TXTAP_VERSION;
}
