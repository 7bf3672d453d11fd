/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor, whatever interrupts it. */
#include "base/write_bytes.h"

#include <errno.h>
#include <unistd.h>

#include "base/runtime.h"

size_t write_bytes(int fd, const void *bytes, size_t length)
{
    size_t done = 0;

    while (done < length) {
        ssize_t written = write(fd, (const char *)bytes + done, length - done);

        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR || stop_grace_left_us() == 0)
            break;
    }
    return done;
}
