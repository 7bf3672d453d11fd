/* SPDX-License-Identifier: MIT */
/* How fast a probe reads. */
#include "ring/speed.h"

#include "base/runtime.h"

enum txtap_status speed_measure(struct session *session, const struct txtap_read *reads, size_t count,
                                double *bytes_per_second, struct error *error)
{
    uint64_t begin = session->now_us(), times = 0;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && (times == 0 || session->now_us() - begin < SPEED_US) && !stop_requested()) {
        status = session_exchange(session, reads, count, error);
        times++;
    }
    *bytes_per_second = (double)times * reads[0].length / ((double)(session->now_us() - begin + 1) / 1e6);
    return status;
}
