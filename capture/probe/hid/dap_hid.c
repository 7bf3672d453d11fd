/* SPDX-License-Identifier: MIT */
/* Reads and writes reports. Linux queues the answers, so several commands may be under way without a thread. */
#include "probe/hid/dap_hid.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hidraw.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/runtime.h"
#include "probe/hid/hid_reports.h"

#define NODE          "/dev/hidraw"
#define EVENT_WAIT_US 100000
#define STALE_MAX     1000 /* Linux queues 64 reports: more mean that the device never stops sending */

struct dap_hid {
    int fd;
    struct hid_reports reports;
    uint8_t out[1 + HID_REPORT_BYTES_MAX]; /* the number of the report, which is 0, and the report */
};

/* ---- reports ---- */

static enum dap_result result_of_error(int error)
{
    switch (error) {
    case ENODEV:
    case ENXIO:
    case ESHUTDOWN:
    case EIO: /* Linux's answer to a read after the device was unplugged */
        return DAP_GONE;
    case ETIMEDOUT:
    case EAGAIN:
        return DAP_TIMEOUT;
    case EPIPE:
        return DAP_STALLED;
    default:
        return DAP_BROKEN;
    }
}

/* Linux returns when the probe has taken the report, or after 5 s. */
static enum dap_result hid_send(void *self, const uint8_t *bytes, size_t length)
{
    struct dap_hid *hid = self;
    size_t whole = 1 + hid->reports.out_bytes;
    ssize_t sent;

    if (length > hid->reports.out_bytes)
        return DAP_BROKEN;
    memset(hid->out, 0, whole);
    memcpy(hid->out + 1, bytes, length);
    do
        sent = write(hid->fd, hid->out, whole);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return result_of_error(errno);
    return (size_t)sent == whole ? DAP_OK : DAP_BROKEN;
}

/* Linux queues all reports, also those for which nobody waits. */
static enum dap_result hid_listen(void *self)
{
    (void)self;
    return DAP_OK;
}

/* ---- waiting ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Waits for a report, for at most `us` microseconds, and reads it. DAP_TIMEOUT: no report. */
static enum dap_result read_report(const struct dap_hid *hid, uint8_t *bytes, size_t *length, uint64_t us)
{
    struct pollfd waiting = {.fd = hid->fd, .events = POLLIN};
    struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    ssize_t got;

    if (ppoll(&waiting, 1, &time, NULL) <= 0)
        return DAP_TIMEOUT;
    got = read(hid->fd, bytes, DAP_ANSWER_BYTES_MAX);
    if (got < 0)
        return errno == EINTR ? DAP_TIMEOUT : result_of_error(errno);
    *length = (size_t)got;
    return got > 0 ? DAP_OK : DAP_GONE;
}

static enum dap_result hid_receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                                   unsigned timeout_ms)
{
    const struct dap_hid *hid = self;
    uint64_t end = now_us() + UINT64_C(1000) * timeout_ms, left = UINT64_C(1000) * timeout_ms;
    enum dap_result result = DAP_TIMEOUT;
    bool last = false; /* a last look, because the process may not have run for a while */

    while (result == DAP_TIMEOUT && !last) {
        uint64_t grace = timeout_ms > DAP_BRIEF_MS ? stop_grace_left_us() : UINT64_MAX, now;

        if (grace == 0)
            return DAP_INTERRUPTED;
        last = left == 0;
        result = read_report(hid, bytes, length, least(left, least(grace, EVENT_WAIT_US)));
        now = now_us();
        left = now < end ? end - now : 0;
    }
    return result;
}

/* Drops the reports that Linux has queued. */
static enum dap_result hid_reset(void *self)
{
    const struct dap_hid *hid = self;
    uint8_t bytes[DAP_ANSWER_BYTES_MAX];
    enum dap_result result = DAP_OK;
    size_t length;

    for (unsigned i = 0; i < STALE_MAX && result == DAP_OK; i++)
        result = read_report(hid, bytes, &length, 0);
    if (result == DAP_TIMEOUT)
        return DAP_OK;
    return result == DAP_GONE ? DAP_GONE : DAP_BROKEN;
}

static uint64_t hid_now_us(void *self)
{
    (void)self;
    return now_us();
}

static void hid_close(void *self)
{
    struct dap_hid *hid = self;

    if (hid->fd >= 0)
        close(hid->fd);
    free(hid);
}

/* ---- opening ---- */

static enum txtap_status cannot(int code, const char *name, struct error *error)
{
    switch (code) {
    case EWOULDBLOCK:
        return failure(error, ERROR_TARGET, "%.60s is in use by another program\nend that program", name);
    case EACCES:
    case EPERM:
        return failure(error, ERROR_TARGET, "you may not open %.60s\nsee 'txtap probes'", name);
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EIO:
        return failure(error, ERROR_CLOSED, "%.60s was unplugged\nplug it in again", name);
    default:
        return failure(error, TXTAP_ERROR_SYSTEM, "%.60s cannot be opened: %s\nread through OpenOCD instead: --openocd",
                       name, strerror(code));
    }
}

/* Reads the sizes of the reports. Returns an errno, or 0. A descriptor with other reports gives the sizes 0. */
static int read_sizes(struct dap_hid *hid)
{
    struct hidraw_report_descriptor descriptor = {0};
    int size = 0;

    if (ioctl(hid->fd, HIDIOCGRDESCSIZE, &size) < 0)
        return errno;
    if (size < 0 || size > HID_MAX_DESCRIPTOR_SIZE)
        size = 0;
    descriptor.size = (uint32_t)size;
    if (ioctl(hid->fd, HIDIOCGRDESC, &descriptor) < 0)
        return errno;
    if (!hid_reports_parse(&hid->reports, descriptor.value, (size_t)size))
        hid->reports = (struct hid_reports){0};
    return 0;
}

/* Opens the node, and locks it against other programs that lock it. Returns an errno, or 0. */
static int open_node(struct dap_hid *hid, const struct dap_hid_settings *settings)
{
    struct hidraw_devinfo info;

    hid->fd = open(settings->node, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (hid->fd < 0 || flock(hid->fd, LOCK_EX | LOCK_NB) < 0 || ioctl(hid->fd, HIDIOCGRAWINFO, &info) < 0)
        return errno;
    if ((uint16_t)info.vendor != settings->vendor || (uint16_t)info.product != settings->product)
        return ENODEV;
    return read_sizes(hid);
}

enum txtap_status dap_hid_open(struct dap_pipe *pipe, const struct dap_hid_settings *settings, struct error *error)
{
    static const struct dap_pipe_ops ops = {hid_send, hid_listen, hid_receive, hid_reset, hid_now_us, hid_close};
    struct dap_hid *hid;
    int code;

    if (strncmp(settings->node, NODE, strlen(NODE)) != 0)
        return failure(error, ERROR_TARGET, "%.60s has no " NODE "N\nload Linux's module usbhid: sudo modprobe usbhid",
                       settings->name);
    hid = calloc(1, sizeof *hid);
    if (hid == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    code = open_node(hid, settings);
    if (code == 0 && hid->reports.in_bytes > 0) {
        size_t in = hid->reports.in_bytes, out = hid->reports.out_bytes;

        *pipe = (struct dap_pipe){.ops = &ops, .self = hid, .packet_bytes = in < out ? in : out, .is_padded = true};
        return TXTAP_OK;
    }
    hid_close(hid);
    if (code != 0)
        return cannot(code, settings->name, error);
    return failure(error, ERROR_PROTOCOL,
                   "%.60s has other HID reports than a CMSIS-DAP probe\nread through OpenOCD instead: --openocd",
                   settings->name);
}
