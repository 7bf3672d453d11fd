/* SPDX-License-Identifier: MIT */
/*
 * txtap-usbprobe: an emulated probe between a virtual board and programs that run under umockdev. The main thread
 * plugs, unplugs and obeys the control port; a thread of umockdev's carries the transfers.
 */
#include "board_link.h"
#include "board_memory.h"
#include "cmsis_dap.h"
#include "control.h"
#include "kinds.h"
#include "options.h"
#include "say.h"
#include "stlink_front.h"
#include "testbed.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define SERIAL_BYTES 64

enum { WAIT_SIGNALS, WAIT_PROBE, WAIT_BOARD, WAIT_CONTROL, WAITS = WAIT_CONTROL + LINE_PORT_WAITS };

/* What the two threads serve. */
struct hall {
    struct options options;
    struct board_link link;
    struct board_access access;
    struct stlink_front stlink;
    struct cmsis_dap dap;
    struct usb_probe probe;
    struct usbfs usbfs;
    struct testbed testbed;
    struct line_port control;
    char serial[SERIAL_BYTES]; /* that the control port gave it; "": it did not */
    int signals, wake_fd;
};

static bool connect_board(struct hall *hall)
{
    uint16_t product = 0;
    const struct usb_identity *identity = &hall->options.identity;
    if (!board_link_open(&hall->link, hall->options.board_port, &product))
        return false;
    if (!kind_is_stlink(identity) || product == identity->product)
        return true;
    board_link_close(&hall->link);
    return fail(
        "the board's ST-Link is product %04x, not %04x: txtap-vboard needs --probe stlink-v3 for an STLINK-V3, and "
        "another --probe for a V2-1",
        product, identity->product);
}

static bool plug(struct hall *hall)
{
    if (!connect_board(hall))
        return false;
    usb_probe_reset(&hall->probe);
    return testbed_plug(&hall->testbed, hall->probe.identity, usbfs_plug(&hall->usbfs));
}

static void unplug(struct hall *hall)
{
    usbfs_unplug(&hall->usbfs);
    testbed_unplug(&hall->testbed);
    board_link_close(&hall->link);
}

/* A fault has unplugged the probe, or the board has ended. */
static void notice(struct hall *hall)
{
    g_mutex_lock(&hall->usbfs.lock);
    bool lost = hall->link.lost, again = hall->probe.plug == PROBE_REPLUGGED;
    bool gone = lost || hall->probe.plug != PROBE_PLUGGED;
    g_mutex_unlock(&hall->usbfs.lock);
    if (!gone || !hall->testbed.plugged)
        return;
    if (lost)
        fail("the board has gone; the probe is unplugged: 'plug' on the control port connects again");
    unplug(hall);
    if (again)
        plug(hall);
}

static void print_state(struct hall *hall, char answer[static LINE_PORT_ANSWER_BYTES])
{
    bool claimed = usbfs_is_claimed(&hall->usbfs);
    g_mutex_lock(&hall->usbfs.lock);
    size_t used = (size_t)snprintf(
        answer, LINE_PORT_ANSWER_BYTES, "ok plugged %d claimed %d device %u opened %" PRIu64 " transfers %" PRIu64,
        hall->testbed.plugged, claimed, hall->testbed.device, hall->usbfs.opened, hall->usbfs.transfers);
    for (unsigned kind = 0; kind < USB_FAULT_KINDS; kind++)
        used += (size_t)snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, " %s %" PRIu64, usb_fault_name(kind),
                                 hall->probe.faults.kinds[kind].hits);
    g_mutex_unlock(&hall->usbfs.lock);
    snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, "\n");
}

/* Returns what is wrong with the command, or NULL. */
static const char *set_plugged(struct hall *hall, bool plugged)
{
    if (hall->testbed.plugged == plugged)
        return plugged ? "it is plugged in" : "it is unplugged";
    if (!plugged)
        unplug(hall);
    else if (!plug(hall))
        return "it cannot be plugged in: see its log";
    return NULL;
}

/* Another probe of the kind in its place. */
static const char *plug_other(struct hall *hall, const char *serial)
{
    if (hall->testbed.plugged)
        return set_plugged(hall, true);
    if (serial[strspn(serial, "0123456789ABCDEFabcdef")] != '\0' || strlen(serial) >= SERIAL_BYTES)
        return "a serial number has hexadecimal digits, fewer than 64";
    snprintf(hall->serial, sizeof hall->serial, "%s", serial);
    hall->options.identity.serial = hall->serial;
    hall->options.identity.raw_serial = NULL;
    return set_plugged(hall, true);
}

static const char *set_busy(struct hall *hall, bool busy)
{
    g_mutex_lock(&hall->usbfs.lock);
    hall->usbfs.busy = busy;
    g_mutex_unlock(&hall->usbfs.lock);
    return NULL;
}

static const char *arm_fault(struct hall *hall, const char *text)
{
    static char why[USB_FAULT_WHY_BYTES];
    g_mutex_lock(&hall->usbfs.lock);
    bool armed = usb_fault_arm(&hall->probe.faults, text, why);
    g_mutex_unlock(&hall->usbfs.lock);
    return armed ? NULL : why;
}

static bool obey(void *self, char *line, char answer[static LINE_PORT_ANSWER_BYTES])
{
    struct hall *hall = self;
    const char *wrong =
        "want plug, 'plug SERIAL', unplug, busy, free, deny, allow, state or 'fault KIND[@AFTER][:COUNT]'";
    notice(hall); /* whatever happened before the command */
    if (strcmp(line, "state") == 0) {
        print_state(hall, answer);
        return true;
    }
    if (strcmp(line, "plug") == 0 || strcmp(line, "unplug") == 0)
        wrong = set_plugged(hall, *line == 'p');
    else if (strncmp(line, "plug ", 5) == 0)
        wrong = plug_other(hall, line + 5);
    else if (strcmp(line, "busy") == 0 || strcmp(line, "free") == 0)
        wrong = set_busy(hall, *line == 'b');
    else if (strcmp(line, "deny") == 0 || strcmp(line, "allow") == 0)
        wrong = testbed_permit(&hall->testbed, *line == 'a') ? NULL : "its permissions cannot be changed: see its log";
    else if (strncmp(line, "fault ", 6) == 0)
        wrong = arm_fault(hall, line + 6);
    snprintf(answer, LINE_PORT_ANSWER_BYTES, wrong ? "error: %s\n" : "ok\n", wrong);
    return true;
}

static void turn(struct hall *hall)
{
    struct pollfd waiting[WAITS];
    uint64_t count;
    waiting[WAIT_SIGNALS] = (struct pollfd){hall->signals, POLLIN, 0};
    waiting[WAIT_PROBE] = (struct pollfd){hall->wake_fd, POLLIN, 0};
    waiting[WAIT_BOARD] = (struct pollfd){hall->link.fd, POLLRDHUP, 0};
    line_port_prepare(&hall->control, &waiting[WAIT_CONTROL]);
    if (poll(waiting, WAITS, -1) < 0)
        return;
    if (waiting[WAIT_BOARD].revents) {
        g_mutex_lock(&hall->usbfs.lock);
        hall->link.lost = true;
        g_mutex_unlock(&hall->usbfs.lock);
    }
    if (waiting[WAIT_PROBE].revents)
        (void)!read(hall->wake_fd, &count, sizeof count);
    notice(hall);
    line_port_serve(&hall->control, &waiting[WAIT_CONTROL], obey, hall);
}

/* SIGINT and the like end the program; threads started later do not see them either. */
static int catch_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool ended(int signals)
{
    struct signalfd_siginfo arrived;
    return read(signals, &arrived, sizeof arrived) == (ssize_t)sizeof arrived;
}

static bool write_port(const char *path, uint16_t port)
{
    g_autofree char *text = g_strdup_printf("%u\n", port);
    g_autoptr(GError) error = NULL;
    return !path || g_file_set_contents(path, text, -1, &error) || fail("cannot write %s: %s", path, error->message);
}

static bool announce(const struct hall *hall)
{
    const struct options *options = &hall->options;
    printf("usbprobe: %s, control on 127.0.0.1:%u\n", options->identity.kind, hall->control.port);
    fflush(stdout);
    return (!options->environment_file || testbed_write_environment(&hall->testbed, options->environment_file)) &&
           write_port(options->control_port_file, hall->control.port);
}

static void make_probe(struct hall *hall)
{
    const struct usb_identity *identity = &hall->options.identity;
    struct debug_target target = board_memory_target(&hall->access);
    target.access_port = hall->options.access_port;
    target.select = hall->options.target_select;
    struct probe_model model =
        kind_is_stlink(identity)
            ? stlink_front_init(&hall->stlink, &hall->access)
            : cmsis_dap_init(&hall->dap, identity, &target, identity->packet_bytes, hall->options.packets_max);
    usb_probe_init(&hall->probe, identity, &model);
    usbfs_init(&hall->usbfs, &hall->probe, hall->wake_fd, &hall->link.lost);
}

int main(int argc, char **argv)
{
    static struct hall hall = {.link.fd = -1};
    bool good = false;

    options_parse(&hall.options, argc, argv);
    hall.signals = catch_signals();
    hall.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hall.signals < 0 || hall.wake_fd < 0)
        return !fail("cannot wait for signals: %s", strerror(errno));
    hall.access = board_link_access(&hall.link);
    make_probe(&hall);
    if (!control_open(&hall.control, hall.options.control_port))
        return EXIT_FAILURE;
    if (testbed_open(&hall.testbed) && (hall.options.unplugged || plug(&hall)) && announce(&hall)) {
        good = true;
        while (!ended(hall.signals))
            turn(&hall);
    }
    if (hall.testbed.plugged)
        unplug(&hall);
    testbed_close(&hall.testbed);
    line_port_close(&hall.control);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
