/* SPDX-License-Identifier: MIT */
/* Connects to a debug port, reads words of memory, and recovers. */
#include "probe/dap/adi.h"

#include "probe/dap/dap_plan.h"

#define POWER_POLLS  100
#define POWER_ACK    (DAP_POWER << 1)
#define ACCESS_PORTS 256
#define IDR_CLASS    0x0001E000u
#define IDR_MEM_AP   0x00010000u
#define IDR_TYPE     0x0000000Fu
#define CSW_CHECKED  0x37u /* the bits for address increment and access size */
#define CSW_ENABLED  0x40u
#define INSTANCE     0xF0000000u /* bits of TARGETSEL and of DLPIDR */
#define PROTOCOL_2   1u          /* DLPIDR.PROTVSN: SWD with multidrop */
#define ADIV5_LAST   2u          /* DPIDR.VERSION of the newest ADIv5 debug port */

static enum dap_result stop_at(struct adi *adi, enum adi_obstacle obstacle)
{
    adi->obstacle = obstacle;
    return DAP_FAULT;
}

/* ---- the debug port ---- */

/* Runs a command whose answer is a status of the probe, and ignores this status. */
static enum dap_result adi_run(struct adi *adi, const struct dap_packet *packet)
{
    bool done;

    return dap_link_do(adi->link, packet, &done);
}

/* Clears the errors. hangs: see dap_make_abort(). */
static enum dap_result adi_clear_errors(struct adi *adi, bool hangs)
{
    struct dap_packet packet;

    dap_make_abort(&packet, hangs);
    return adi_run(adi, &packet);
}

/* Reads the register once in even packets and twice in odd packets, so that a repeated answer does not fit the next
 * packet. */
static void add_read(struct adi *adi, struct dap_packet *packet, enum dap_register what)
{
    dap_add_read(packet, what, 1 + adi->packets++ % 2);
}

/* Gets the last word that the packet reads. The packet may also have other requests before this read. */
static enum dap_result get_word(struct adi *adi, const struct dap_packet *packet, uint32_t *word)
{
    const uint8_t *words;
    enum dap_result result = dap_link_transfer(adi->link, packet, &words);

    if (result == DAP_OK)
        *word = dap_word(words + 4 * (packet->words - 1));
    return result;
}

static enum dap_result read_dpidr(struct adi *adi)
{
    struct dap_packet packet;

    dap_make_transfer(&packet);
    add_read(adi, &packet, DAP_DPIDR);
    return get_word(adi, &packet, &adi->dpidr);
}

static enum dap_result send_sequence(struct adi *adi, enum dap_sequence which)
{
    struct dap_packet packet;

    dap_make_sequence(&packet, which);
    return adi_run(adi, &packet);
}

/* Selects the target. TARGETSEL must be the first write after a line reset. */
static enum dap_result select_target(struct adi *adi)
{
    struct dap_packet packet;
    enum dap_result result = send_sequence(adi, DAP_LINE_RESET);

    dap_make_target_select(&packet, adi->target.target_select);
    return result == DAP_OK ? adi_run(adi, &packet) : result;
}

static enum dap_result wake_by(struct adi *adi, enum dap_sequence which)
{
    enum dap_result result = send_sequence(adi, which);

    if (result == DAP_OK && adi->target.target_select != 0)
        result = select_target(adi);
    return result == DAP_OK ? read_dpidr(adi) : result;
}

/* Checks that the selected instance answers, and not another instance or a debug port without TARGETSEL. Bank 3 of such
 * a debug port may be CTRL/STAT. */
static enum dap_result check_instance(struct adi *adi)
{
    struct dap_packet packet;
    uint32_t link = 0;
    enum dap_result result;

    dap_make_transfer(&packet);
    dap_add_select_link(&packet);
    add_read(adi, &packet, DAP_CTRL_STAT);
    dap_add_select(&packet, 0, DAP_BANK_CONTROL);
    result = get_word(adi, &packet, &link);
    if (result == DAP_OK && link != ((adi->target.target_select & INSTANCE) | PROTOCOL_2))
        result = stop_at(adi, ADI_OTHER_PORT);
    return result;
}

/* Refuses ADIv6 (ARM IHI 0074). There, bits 31 to 4 of SELECT are an address, which may not belong to an access port.
 */
static enum dap_result check_version(struct adi *adi)
{
    return adi_port_version(adi->dpidr) > ADIV5_LAST ? stop_at(adi, ADI_NEWER_PORT) : DAP_OK;
}

/* Wakes a debug port that is in JTAG mode or dormant. If several ports share the wire, each is dormant until it is
 * selected. */
static enum dap_result wake(struct adi *adi)
{
    bool several = adi->target.target_select != 0;
    enum dap_result result;

    adi->reached = adi->found = adi->ready = false; /* another debug port may answer now */
    result = wake_by(adi, several ? DAP_DORMANT_TO_SWD : DAP_JTAG_TO_SWD);
    if (result == DAP_SILENT || result == DAP_PARITY)
        result = wake_by(adi, several ? DAP_JTAG_TO_SWD : DAP_DORMANT_TO_SWD);
    if (result == DAP_OK)
        result = check_version(adi);
    if (result == DAP_OK)
        result = adi_clear_errors(adi, false);
    if (result == DAP_OK && several)
        result = check_instance(adi);
    adi->reached = result == DAP_OK;
    return result;
}

/* ---- power ---- */

static enum dap_result read_power(struct adi *adi, bool request, uint32_t *status)
{
    struct dap_packet packet;

    dap_make_transfer(&packet);
    dap_add_select(&packet, 0, DAP_BANK_CONTROL);
    if (request)
        dap_add_power(&packet, DAP_POWER);
    add_read(adi, &packet, DAP_CTRL_STAT);
    return get_word(adi, &packet, status);
}

static enum dap_result power_up(struct adi *adi)
{
    uint32_t status = 0;
    enum dap_result result = read_power(adi, false, &status);

    if (result == DAP_OK && !adi->power_known) {
        adi->power_before = status & DAP_POWER;
        adi->power_known = true;
    }
    for (unsigned i = 0; i < POWER_POLLS && result == DAP_OK; i++) {
        result = read_power(adi, true, &status);
        if (result == DAP_OK && (status & POWER_ACK) == POWER_ACK)
            return DAP_OK;
    }
    if (result != DAP_OK)
        return result;
    return stop_at(adi, ADI_NO_POWER);
}

/* ---- the access port ---- */

static bool is_ahb(uint32_t idr)
{
    uint32_t type = idr & IDR_TYPE;

    return (idr & IDR_CLASS) == IDR_MEM_AP && (type == 1 || type == 5 || type == 8); /* AHB3, AHB5, AHB5 with HPROT */
}

/* Reads the register IDR of an access port. If the access port does not exist, the read may end with a fault. */
static enum dap_result read_idr(struct adi *adi, uint8_t access_port)
{
    struct dap_packet packet;
    enum dap_result result;

    dap_make_transfer(&packet);
    dap_add_select(&packet, access_port, DAP_BANK_IDENTITY);
    add_read(adi, &packet, DAP_DATA);
    result = get_word(adi, &packet, &adi->idr);
    if (result != DAP_FAULT)
        return result;
    adi->idr = 0;
    return adi_clear_errors(adi, false);
}

/* Finds an access port for memory. If an access port was already chosen, checks only this access port. */
static enum dap_result find_access_port(struct adi *adi)
{
    unsigned first = adi->chosen ? adi->access_port : 0;
    unsigned end = adi->chosen ? first + 1 : ACCESS_PORTS;

    for (unsigned port = first; port < end && !adi->found; port++) {
        enum dap_result result = read_idr(adi, (uint8_t)port);

        if (result != DAP_OK)
            return result;
        adi->access_port = (uint8_t)port;
        adi->found = adi->chosen ? (adi->idr & IDR_CLASS) == IDR_MEM_AP : is_ahb(adi->idr);
    }
    if (!adi->found)
        return stop_at(adi, ADI_NO_ACCESS_PORT);
    adi->chosen = true;
    return DAP_OK;
}

static enum dap_result prepare_access_port(struct adi *adi)
{
    struct dap_packet packet;
    uint32_t csw = 0;
    enum dap_result result;

    dap_make_transfer(&packet);
    dap_add_select(&packet, adi->access_port, DAP_BANK_CONTROL);
    dap_add_csw(&packet);
    add_read(adi, &packet, DAP_CSW_NOW);
    result = get_word(adi, &packet, &csw);
    if (result != DAP_OK)
        return result;
    adi->ready = ((csw ^ DAP_CSW) & CSW_CHECKED) == 0 && (csw & CSW_ENABLED) != 0;
    if (adi->ready)
        return DAP_OK;
    return stop_at(adi, ADI_CLOSED_ACCESS_PORT);
}

/* ---- getting ready, from any state ---- */

/* Wakes the debug port and prepares the access port. Skips steps that were already done. Then does the link's self-test
 * if it is due. Sets adi->obstacle. */
static enum dap_result adi_get_ready(struct adi *adi)
{
    enum dap_result result = DAP_OK;

    adi->obstacle = ADI_NONE;
    if (!adi->awake) {
        result = wake(adi);
        if (result == DAP_OK)
            result = power_up(adi);
        adi->awake = result == DAP_OK;
    }
    if (result == DAP_OK && !adi->found)
        result = find_access_port(adi);
    if (result == DAP_OK && !adi->ready)
        result = prepare_access_port(adi);
    return result == DAP_OK ? dap_link_self_test(adi->link) : result;
}

/* Checks that the power requests are still set. A reset of the debug port clears them; then it must be woken again. */
static enum dap_result adi_check_power(struct adi *adi)
{
    uint32_t status = 0;
    enum dap_result result = read_power(adi, false, &status);

    if (result == DAP_SILENT || (result == DAP_OK && (status & POWER_ACK) != POWER_ACK)) {
        adi->awake = false;
        return DAP_SILENT;
    }
    return result;
}

#define TRIES_MAX      4
#define RECOVERIES_MAX 2
#define FAULTS_MAX     2 /* a bus fault that repeats is not caused by a disturbance */

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

/* Returns DAP_SILENT or worse if it is useless to try again at once. */
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

/* Returns true if a retry does not help against the obstacle. False for ADI_OTHER_PORT, because after a disturbance the
 * wrong debug port may have answered. */
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

/* Reads the pieces, and tries again after a failure. Returns DAP_FAULT if a second try also had a fault. */
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

/* Finds the piece with the fault by reading each piece alone, because a packet has words of several pieces. */
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

    /* restores the power requests that were set before txtap connected */
    if (adi->reached && adi->power_known && adi->power_before != DAP_POWER) {
        dap_make_transfer(&packet);
        dap_add_select(&packet, 0, DAP_BANK_CONTROL);
        dap_add_power(&packet, adi->power_before);
        if (dap_link_transfer(adi->link, &packet, NULL) >= DAP_GONE)
            return;
    }
    dap_make_disconnect(&packet);
    (void)adi_run(adi, &packet);
}
