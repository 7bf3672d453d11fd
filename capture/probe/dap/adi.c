/* SPDX-License-Identifier: MIT */
/* Connects, reads words of memory, and recovers. How the debug port is reached is in adi_wake.c. */
#include "probe/dap/adi_parts.h"
#include "probe/dap/dap_plan.h"

#define TRIES_MAX      4
#define RECOVERIES_MAX 2
#define FAULTS_MAX     2 /* a bus fault that comes again is not a disturbance */

/* ---- connecting ---- */

void adi_init(struct adi *adi, struct dap_link *link, const struct adi_target *target)
{
    *adi = (struct adi){
        .link = link, .target = *target, .chosen = target->has_access_port, .access_port = target->access_port};
}

static enum dap_result recover_once(struct adi *adi, enum dap_result failed)
{
    enum dap_result result = DAP_OK;

    if (failed == DAP_SILENT) {
        adi->reached = adi->awake = false;
        return DAP_SILENT;
    }
    if (dap_out_of_step(failed))
        result = dap_link_step(adi->link, failed == DAP_CONFUSED);
    if (result == DAP_OK)
        result = adi_clear_errors(adi, failed == DAP_WAIT);
    return result == DAP_OK && adi->awake ? adi_check_power(adi) : result;
}

/* DAP_SILENT, or worse: it is no use to try again at once. */
static enum dap_result recover(struct adi *adi, enum dap_result failed)
{
    adi->ready = false;
    for (unsigned i = 0; i < RECOVERIES_MAX; i++) {
        failed = recover_once(adi, failed);
        if (!dap_out_of_step(failed))
            break;
    }
    return failed;
}

static bool is_passing(enum dap_result result)
{
    return result == DAP_WAIT || result == DAP_FAULT || result == DAP_PARITY;
}

/* Which debug port answers may have been decided by a disturbance. */
static bool is_lasting(enum adi_obstacle obstacle)
{
    return obstacle != ADI_NONE && obstacle != ADI_OTHER_PORT;
}

enum dap_result adi_connect(struct adi *adi)
{
    enum dap_result result = DAP_TIMEOUT;

    for (unsigned i = 0; i < TRIES_MAX; i++) {
        result = adi_get_ready(adi);
        if (result == DAP_OK || is_lasting(adi->obstacle) || result >= DAP_GONE)
            return result;
        adi->awake = false;
        if (dap_out_of_step(result)) {
            enum dap_result recovered = recover(adi, result);

            if (recovered != DAP_OK && !is_passing(recovered))
                return recovered;
        }
    }
    return result;
}

/* ---- reading ---- */

static bool plan_next(void *self, struct dap_packet *packet)
{
    return dap_plan_next(self, packet);
}

static enum dap_result plan_take(void *self, const struct dap_packet *packet, const uint8_t *bytes, size_t length)
{
    return dap_plan_take(self, packet, bytes, length);
}

static enum dap_result read_once(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed)
{
    struct dap_plan plan;
    const struct dap_row row = {&plan, plan_next, plan_take};
    enum dap_result result = adi_get_ready(adi);

    if (result != DAP_OK)
        return adi->obstacle != ADI_NONE ? DAP_SILENT : result;
    dap_plan_init(&plan, reads, count, adi->link->packet_bytes, adi->turn++, adi->dpidr);
    result = dap_link_row(adi->link, &row);
    *failed = plan.taken.read < count ? plan.taken.read : count - 1;
    return result;
}

/* DAP_FAULT: one that came again. */
static enum dap_result try_to_read(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed)
{
    enum dap_result result = DAP_OK;
    unsigned faults = 0;

    *failed = 0;
    for (unsigned i = 0; i < TRIES_MAX && faults < FAULTS_MAX; i++) {
        enum dap_result recovered;

        result = read_once(adi, reads, count, failed);
        if (result == DAP_OK || result >= DAP_GONE)
            return result;
        faults += result == DAP_FAULT;
        recovered = recover(adi, result);
        if (recovered != DAP_OK && !is_passing(recovered))
            return recovered;
    }
    return result;
}

/* Which piece it is, for a packet has words of several: reads each alone. */
static enum dap_result find_fault(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed)
{
    for (size_t i = *failed; i < count; i++) {
        size_t unused;
        enum dap_result result = try_to_read(adi, &reads[i], 1, &unused);

        if (result != DAP_OK) {
            *failed = i;
            return result;
        }
    }
    return DAP_FAULT;
}

enum dap_result adi_read(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed)
{
    enum dap_result result = try_to_read(adi, reads, count, failed);

    return result == DAP_FAULT && count > 1 ? find_fault(adi, reads, count, failed) : result;
}

void adi_disconnect(struct adi *adi)
{
    struct dap_packet packet;

    if (adi->reached && adi->power_known && adi->power_before != DAP_POWER) { /* what txtap requested, it takes back */
        dap_make_transfer(&packet);
        dap_add_select(&packet, 0, DAP_BANK_CONTROL);
        dap_add_power(&packet, adi->power_before);
        if (dap_link_transfer(adi->link, &packet, NULL) >= DAP_GONE)
            return;
    }
    dap_make_disconnect(&packet);
    (void)adi_run(adi, &packet);
}
