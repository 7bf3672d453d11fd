/* SPDX-License-Identifier: MIT */
/* A pipe to an emulated CMSIS-DAP probe. */
#include "dap_probe.h"

#include <string.h>

#include "kinds.h"

enum { TRANSFER = 0x05, TRANSFER_BLOCK = 0x06 };

/* ---- commands ---- */

static void note_command(struct dap_probe *probe, const uint8_t *bytes, size_t length)
{
    size_t at = 3;

    if (probe->is_jlink)
        return;
    probe->seen[bytes[0]]++;
    if (bytes[0] == TRANSFER_BLOCK)
        probe->requests[bytes[4] & 0xF]++;
    if (bytes[0] != TRANSFER)
        return;
    for (unsigned left = bytes[2]; left > 0 && at < length; left--) {
        probe->requests[bytes[at] & 0xF]++;
        at += bytes[at] & 2 ? 1 : 5;
    }
}

static bool is_gone(const struct dap_probe *probe)
{
    return probe->trouble == UNPLUGGED && probe->answers >= probe->trouble_at && probe->trouble_count > 0;
}

static enum dap_result take_place(struct dap_probe *probe)
{
    probe->places++;
    if (probe->places > probe->under_way_max)
        probe->under_way_max = probe->places;
    return is_gone(probe) ? DAP_GONE : DAP_OK;
}

static bool keep_waiting(struct dap_probe *probe, const uint8_t *bytes, size_t length)
{
    if (probe->waiting == DAP_IN_FLIGHT_MAX)
        return false;
    memcpy(probe->commands_waiting[probe->waiting].bytes, bytes, length);
    probe->commands_waiting[probe->waiting++].length = length;
    return true;
}

/* Sends the first waiting command to the probe. The probe must have room for one more answer. */
static void send_waiting(struct dap_probe *probe)
{
    if (probe->waiting == 0)
        return;
    (void)usb_probe_out(&probe->probe, probe->probe.identity->out_endpoint, probe->commands_waiting[0].bytes,
                        probe->commands_waiting[0].length);
    probe->waiting--;
    memmove(probe->commands_waiting, probe->commands_waiting + 1, probe->waiting * sizeof *probe->commands_waiting);
}

static enum dap_result send(void *self, const uint8_t *bytes, size_t length)
{
    struct dap_probe *probe = self;

    if (is_gone(probe))
        return DAP_GONE;
    probe->commands++;
    note_command(probe, bytes, length);
    switch (probe->waiting > 0 ? USB_WAITS
                               : usb_probe_out(&probe->probe, probe->probe.identity->out_endpoint, bytes, length)) {
    case USB_DONE:
        return take_place(probe);
    case USB_WAITS:
        return keep_waiting(probe, bytes, length) ? take_place(probe) : DAP_BROKEN;
    default:
        return DAP_STALLED;
    }
}

static enum dap_result listen(void *self)
{
    return take_place(self);
}

/* ---- answers ---- */

static size_t fetch(struct dap_probe *probe, uint8_t *bytes, size_t room)
{
    size_t length = 0;

    (void)usb_probe_in(&probe->probe, probe->probe.identity->in_endpoint, bytes, room, &length);
    send_waiting(probe);
    return length;
}

static size_t refuse(const struct dap_probe *probe, uint8_t *bytes, size_t length, uint8_t status)
{
    size_t head = bytes[0] == TRANSFER_BLOCK ? 4 : 3;

    if (bytes[0] != TRANSFER && bytes[0] != TRANSFER_BLOCK)
        return length;
    memset(bytes + 1, 0, head - 2);
    bytes[head - 1] = status;
    return probe->probe.identity->is_hid ? length : head;
}

static enum dap_result make_trouble(struct dap_probe *probe, uint8_t *bytes, size_t *length)
{
    switch (probe->trouble) {
    case LATE:
        probe->again = true;
        return DAP_TIMEOUT;
    case LOST:
        return DAP_TIMEOUT;
    case HALTED_IN:
        probe->halted = true;
        return DAP_STALLED;
    case CUT:
        *length /= 2;
        return DAP_OK;
    case INVERTED:
        bytes[0] = (uint8_t)~bytes[0];
        return DAP_OK;
    case TWICE:
        probe->again = true;
        return DAP_OK;
    case MERGED:
        *length += fetch(probe, bytes + *length, DAP_ANSWER_BYTES_MAX - *length);
        return DAP_OK;
    case SWD_WAITS:
        *length = refuse(probe, bytes, *length, SWD_WAIT);
        return DAP_OK;
    case SWD_PARITY_ERROR:
        *length = refuse(probe, bytes, *length, SWD_PARITY);
        return DAP_OK;
    case SWD_FAULTS:
        *length = refuse(probe, bytes, *length, SWD_FAULT);
        return DAP_OK;
    case SWD_NOBODY:
        *length = refuse(probe, bytes, *length, SWD_SILENT);
        return DAP_OK;
    case UNPLUGGED:
        return DAP_GONE;
    default:
        return DAP_BROKEN;
    }
}

static bool hits(const struct dap_probe *probe)
{
    return probe->trouble != NO_TROUBLE && probe->answers >= probe->trouble_at &&
           probe->answers - probe->trouble_at < probe->trouble_count;
}

/* Returns the length of the next answer, or 0 if no answer arrives in time. */
static size_t await_answer(struct dap_probe *probe, uint8_t *bytes, unsigned timeout_ms)
{
    uint64_t end_us = probe->now_us + UINT64_C(1000) * timeout_ms;

    if (probe->due_us == 0)
        probe->due_us = probe->now_us + probe->answer_us;
    if (probe->probe.count == 0 || probe->due_us > end_us) {
        probe->now_us = end_us;
        return 0;
    }
    if (probe->due_us > probe->now_us)
        probe->now_us = probe->due_us;
    probe->due_us = 0;
    return fetch(probe, bytes, DAP_ANSWER_BYTES_MAX);
}

static enum dap_result receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                               unsigned timeout_ms)
{
    struct dap_probe *probe = self;
    enum dap_result result = DAP_OK;

    if (probe->halted)
        return DAP_STALLED;
    if (probe->again) {
        probe->again = false;
        *length = probe->last_bytes;
        memcpy(bytes, probe->last, *length);
    } else {
        bool hit = hits(probe);

        if (is_gone(probe))
            return DAP_GONE;
        *length = await_answer(probe, bytes, timeout_ms);
        if (*length == 0)
            return DAP_TIMEOUT;
        if (hit && probe->trouble == REPLACED) {
            *length = probe->last_bytes;
            memcpy(bytes, probe->last, *length);
        } else {
            probe->last_bytes = *length;
            memcpy(probe->last, bytes, *length);
        }
        if (hit && probe->trouble != REPLACED)
            result = make_trouble(probe, bytes, length);
        if (result == DAP_TIMEOUT)
            probe->now_us += UINT64_C(1000) * timeout_ms;
        probe->answers++;
    }
    probe->places -= result == DAP_OK;
    return result;
}

static enum dap_result reset(void *self)
{
    struct dap_probe *probe = self;

    probe->places = probe->waiting = 0;
    probe->halted = false;
    return is_gone(probe) ? DAP_GONE : DAP_OK;
}

static uint64_t now_us(void *self)
{
    return ((struct dap_probe *)self)->now_us;
}

static void close_pipe(void *self)
{
    struct dap_probe *probe = self;

    probe->closed = true;
}

static const struct dap_pipe_ops ops = {send, listen, receive, reset, now_us, close_pipe};

/* Clears the probe. Returns its target. */
static struct debug_target begin(struct dap_probe *probe, const struct debug_target *target)
{
    struct debug_target behind;

    memset(probe, 0, sizeof *probe);
    behind = fake_target(&probe->target);
    behind.wraps = 1024; /* the minimum that the architecture guarantees */
    if (target != NULL) {
        behind.access_port = target->access_port;
        behind.select = target->select;
        behind.dpidr = target->dpidr;
        behind.no_power = target->no_power;
    }
    return behind;
}

static struct dap_pipe init(struct dap_probe *probe, const char *kind, size_t packet_bytes, unsigned packets,
                            const struct debug_target *target)
{
    struct debug_target behind = begin(probe, target);
    struct probe_model model = cmsis_dap_init(&probe->dap, kind_find(kind), &behind, packet_bytes, packets);

    usb_probe_init(&probe->probe, kind_find(kind), &model);
    return (struct dap_pipe){
        .ops = &ops, .self = probe, .packet_bytes = packet_bytes, .is_padded = kind_find(kind)->is_hid};
}

struct dap_pipe dap_probe_init(struct dap_probe *probe, size_t packet_bytes, unsigned packets,
                               const struct debug_target *target)
{
    return init(probe, "cmsis-dap", packet_bytes, packets, target);
}

struct dap_pipe dap_probe_init_v1(struct dap_probe *probe, size_t packet_bytes, unsigned packets,
                                  const struct debug_target *target)
{
    return init(probe, "cmsis-dap-v1", packet_bytes, packets, target);
}

struct dap_pipe dap_probe_init_jlink(struct dap_probe *probe, const struct debug_target *target)
{
    struct debug_target behind = begin(probe, target);
    struct probe_model model = jlink_front_init(&probe->jlink, kind_find("jlink"), &behind);

    probe->is_jlink = true;
    usb_probe_init(&probe->probe, kind_find("jlink"), &model);
    return (struct dap_pipe){.ops = &ops, .self = probe, .packet_bytes = kind_find("jlink")->packet_bytes};
}
