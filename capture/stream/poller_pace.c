/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: how long it waits between two exchanges, by how full the ring is and how fast it fills. Knows no
 * event and no item.
 */
#include "stream/poller_parts.h"

#define INTERVAL_BUSY_US 20000 /* the longest pause while events flow */
#define INTERVAL_IDLE_US 40000
#define BURST_US         60 /* per event of a burst that ends a silence: the ring must last until the next poll */

/*
 * While events flow, polls when a quarter of the ring has filled, but at least every INTERVAL_BUSY_US. Without events,
 * polls less and less often, as far as the ring's size allows. Polls at once if much is waiting, or if something
 * appeared in an idle ring.
 */
void pace_adapt(struct poller *poller, size_t delivered, uint64_t now)
{
    const struct reader_state state = poller_state(poller);
    uint64_t lap_us = state.capacity * BURST_US;
    uint64_t idle_us = lap_us < INTERVAL_IDLE_US ? lap_us : INTERVAL_IDLE_US;
    double seconds = (double)(now - poller->last_step_us + 1) / 1e6;
    double weight = seconds < 0.2 ? seconds / 0.2 : 1.0;

    poller->last_step_us = now;
    poller->event_rate += weight * ((double)delivered / seconds - poller->event_rate);
    poller->stats.unread = state.unread;
    if (state.unread > poller->stats.unread_max)
        poller->stats.unread_max = state.unread;
    poller->poll_now =
        state.unread > state.capacity / 8 || (state.idle && state.unread > 0) || state.poll_now || names_hurry(poller);
    if (!state.idle || state.unread > 0) {
        double quarter_us = (double)state.capacity / 4.0 / (poller->event_rate + 1.0) * 1e6;

        poller->interval_us = quarter_us < INTERVAL_BUSY_US ? (uint64_t)quarter_us : INTERVAL_BUSY_US;
    } else {
        poller->interval_us += poller->interval_us / 2;
    }
    if (poller->interval_us > idle_us)
        poller->interval_us = idle_us;
    if (poller->interval_us < PACE_INTERVAL_MIN_US)
        poller->interval_us = PACE_INTERVAL_MIN_US;
}

uint64_t poller_delay_us(const struct poller *poller)
{
    return poller->poll_now ? 0 : poller->interval_us;
}
