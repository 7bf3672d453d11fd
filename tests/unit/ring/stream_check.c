/* SPDX-License-Identifier: MIT */
#include "ring/stream_check.h"

#include <stddef.h>

bool stream_violated_if(struct stream_check *check, bool condition, const char *violation)
{
    if (condition && check->violation == NULL)
        check->violation = violation;
    return condition;
}

void stream_doubt(struct stream_check *check)
{
    check->unsure = true;
    check->lap = 1;
    check->based = false;
}

void stream_take_gap(struct stream_check *check, uint64_t seq, uint64_t lost, bool exact, uint32_t lap)
{
    stream_violated_if(check, check->reported && seq != check->next_seq, "a gap is not at its place");
    if (!exact) {
        check->lap = check->unsure && check->lap != lap ? 1 : lap;
        check->unsure = true;
        check->based = false;
        check->inexact_gaps++;
    }
    check->reported = true;
    check->next_seq = seq + lost;
    check->next += lost;
    check->lost += lost;
}

bool stream_fits(const struct stream_check *check, uint64_t number)
{
    return number >= check->next && (number - check->next) % check->lap == 0;
}

void stream_take_event(struct stream_check *check, uint64_t seq, uint64_t number)
{
    stream_violated_if(check, check->reported && seq != check->next_seq, "a sequence number is not the next");
    if (check->anything && check->unsure)
        stream_violated_if(check, !stream_fits(check, number),
                           "an \"at least\" gap claims more than was lost, or another number modulo its lap");
    else if (check->anything)
        stream_violated_if(check, number < check->next, "an event came twice or out of order");
    stream_violated_if(check, check->based && number - seq != check->base,
                       "event and sequence number disagree: a silent loss, or a wrong exact gap");
    check->base = number - seq;
    check->based = check->anything = check->reported = true;
    check->unsure = false;
    check->next = number + 1;
    check->next_seq = seq + 1;
    check->delivered++;
}
