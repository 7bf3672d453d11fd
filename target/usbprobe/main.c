/* SPDX-License-Identifier: MIT */
/*
 * txtap-usbprobe: an emulated probe between a virtual board and programs that run under umockdev. The main thread plugs
 * and unplugs the probe, and serves the control port. A thread of umockdev carries the transfers.
 */
#include "board_link.h"
#include "board_memory.h"
#include "cmsis_dap.h"
#include "control.h"
#include "hidraw.h"
#include "jlink_front.h"
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

/* Shared by the two threads. */
struct usbprobe {
    struct options options;
    struct board_link link;
    struct board_access access;
    struct stlink_front stlink;
    struct cmsis_dap dap;
    struct jlink_front jlink;
    struct usb_probe probe;
    struct usbfs usbfs;
    struct hidraw hidraw;
    struct testbed testbed;
    struct line_port control;
    char serial[SERIAL_BYTES]; /* set by the control port; "": not set */
    int signals, wake_fd;
};

static bool connect_board(struct usbprobe *program)
{
    uint16_t product = 0;
    const struct usb_identity *identity = &program->options.identity;
    if (!board_link_open(&program->link, program->options.board_port, &product))
        return false;
    if (!kind_is_stlink(identity) || product == identity->product)
        return true;
    board_link_close(&program->link);
    return fail(
        "the board's ST-Link is product %04x, not %04x: txtap-vboard needs --probe stlink-v3 for an STLINK-V3, and "
        "another --probe for a V2-1",
        product, identity->product);
}

static bool plug(struct usbprobe *program)
{
    if (!connect_board(program))
        return false;
    usb_probe_reset(&program->probe);
    return testbed_plug(&program->testbed, program->probe.identity, usbfs_plug(&program->usbfs), &program->hidraw);
}

static void unplug(struct usbprobe *program)
{
    usbfs_unplug(&program->usbfs);
    if (program->hidraw.node)
        hidraw_unplug(&program->hidraw);
    testbed_unplug(&program->testbed);
    board_link_close(&program->link);
}

/* Handles two events: a fault has unplugged the probe, or the board has ended. */
static void notice(struct usbprobe *program)
{
    g_mutex_lock(&program->usbfs.lock);
    bool lost = program->link.lost, again = program->probe.plug == PROBE_REPLUGGED;
    bool gone = lost || program->probe.plug != PROBE_PLUGGED;
    g_mutex_unlock(&program->usbfs.lock);
    if (!gone || !program->testbed.plugged)
        return;
    if (lost)
        fail("the board has gone; the probe is unplugged: 'plug' on the control port connects again");
    unplug(program);
    if (again)
        plug(program);
}

static void print_state(struct usbprobe *program, char answer[static LINE_PORT_ANSWER_BYTES])
{
    bool claimed = usbfs_is_claimed(&program->usbfs) || hidraw_is_open(&program->hidraw);
    g_mutex_lock(&program->usbfs.lock);
    size_t used = (size_t)snprintf(
        answer, LINE_PORT_ANSWER_BYTES, "ok plugged %d claimed %d device %u opened %" PRIu64 " transfers %" PRIu64,
        program->testbed.plugged, claimed, program->testbed.device, program->usbfs.opened, program->usbfs.transfers);
    for (unsigned kind = 0; kind < USB_FAULT_KINDS; kind++)
        used += (size_t)snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, " %s %" PRIu64, usb_fault_name(kind),
                                 program->probe.faults.kinds[kind].hits);
    g_mutex_unlock(&program->usbfs.lock);
    snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, "\n");
}

static void print_commands(struct usbprobe *program, char answer[static LINE_PORT_ANSWER_BYTES])
{
    char list[LINE_PORT_ANSWER_BYTES - 8];
    g_mutex_lock(&program->usbfs.lock);
    if (program->options.identity.is_jlink)
        jlink_front_list(&program->jlink, list, sizeof list);
    else
        cmsis_dap_list(&program->dap, list, sizeof list);
    g_mutex_unlock(&program->usbfs.lock);
    snprintf(answer, LINE_PORT_ANSWER_BYTES, "ok %s\n", list);
}

/* Plugs or unplugs the probe. Returns the error of the command, or NULL. */
static const char *set_plugged(struct usbprobe *program, bool plugged)
{
    if (program->testbed.plugged == plugged)
        return plugged ? "it is plugged in" : "it is unplugged";
    if (!plugged)
        unplug(program);
    else if (!plug(program))
        return "it cannot be plugged in: see its log";
    return NULL;
}

/* Plugs in another probe of the same kind. */
static const char *plug_other(struct usbprobe *program, const char *serial)
{
    if (program->testbed.plugged)
        return set_plugged(program, true);
    if (serial[strspn(serial, "0123456789ABCDEFabcdef")] != '\0' || strlen(serial) >= SERIAL_BYTES)
        return "a serial number has hexadecimal digits, fewer than 64";
    snprintf(program->serial, sizeof program->serial, "%s", serial);
    program->options.identity.serial = program->serial;
    program->options.identity.raw_serial = NULL;
    return set_plugged(program, true);
}

static const char *set_busy(struct usbprobe *program, bool busy)
{
    g_mutex_lock(&program->usbfs.lock);
    program->usbfs.busy = busy;
    g_mutex_unlock(&program->usbfs.lock);
    return NULL;
}

static const char *arm_fault(struct usbprobe *program, const char *text)
{
    static char why[USB_FAULT_WHY_BYTES];
    g_mutex_lock(&program->usbfs.lock);
    bool armed = usb_fault_arm(&program->probe.faults, text, why);
    g_mutex_unlock(&program->usbfs.lock);
    return armed ? NULL : why;
}

static bool obey(void *self, char *line, char answer[static LINE_PORT_ANSWER_BYTES])
{
    struct usbprobe *program = self;
    const char *wrong =
        "want plug, 'plug SERIAL', unplug, busy, free, deny, allow, state, commands (of a CMSIS-DAP or J-Link) "
        "or 'fault KIND[@AFTER][:COUNT]'";
    notice(program); /* handles events that occurred before the command */
    if (strcmp(line, "state") == 0) {
        print_state(program, answer);
        return true;
    }
    if (strcmp(line, "commands") == 0 && !kind_is_stlink(&program->options.identity)) {
        print_commands(program, answer);
        return true;
    }
    if (strcmp(line, "plug") == 0 || strcmp(line, "unplug") == 0)
        wrong = set_plugged(program, *line == 'p');
    else if (strncmp(line, "plug ", 5) == 0)
        wrong = plug_other(program, line + 5);
    else if (strcmp(line, "busy") == 0 || strcmp(line, "free") == 0)
        wrong = set_busy(program, *line == 'b');
    else if (strcmp(line, "deny") == 0 || strcmp(line, "allow") == 0)
        wrong =
            testbed_permit(&program->testbed, *line == 'a') ? NULL : "its permissions cannot be changed: see its log";
    else if (strncmp(line, "fault ", 6) == 0)
        wrong = arm_fault(program, line + 6);
    snprintf(answer, LINE_PORT_ANSWER_BYTES, wrong ? "error: %s\n" : "ok\n", wrong);
    return true;
}

static void turn(struct usbprobe *program)
{
    struct pollfd waiting[WAITS];
    uint64_t count;
    waiting[WAIT_SIGNALS] = (struct pollfd){program->signals, POLLIN, 0};
    waiting[WAIT_PROBE] = (struct pollfd){program->wake_fd, POLLIN, 0};
    waiting[WAIT_BOARD] = (struct pollfd){program->link.fd, POLLRDHUP, 0};
    line_port_prepare(&program->control, &waiting[WAIT_CONTROL]);
    if (poll(waiting, WAITS, -1) < 0)
        return;
    if (waiting[WAIT_BOARD].revents) {
        g_mutex_lock(&program->usbfs.lock);
        program->link.lost = true;
        g_mutex_unlock(&program->usbfs.lock);
    }
    if (waiting[WAIT_PROBE].revents)
        (void)!read(program->wake_fd, &count, sizeof count);
    notice(program);
    line_port_serve(&program->control, &waiting[WAIT_CONTROL], obey, program);
}

/* Blocks the signals that end the program, and returns a descriptor that is readable after such a signal. Threads that
 * start later also block them. */
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

static bool announce(const struct usbprobe *program)
{
    const struct options *options = &program->options;
    printf("usbprobe: %s, control on 127.0.0.1:%u\n", options->identity.kind, program->control.port);
    fflush(stdout);
    return (!options->environment_file || testbed_write_environment(&program->testbed, options->environment_file)) &&
           write_port(options->control_port_file, program->control.port);
}

static void make_probe(struct usbprobe *program)
{
    const struct usb_identity *identity = &program->options.identity;
    struct debug_target target = board_memory_target(&program->access);
    target.access_port = program->options.access_port;
    target.select = program->options.target_select;
    target.dpidr = program->options.dpidr;
    struct probe_model model =
        kind_is_stlink(identity) ? stlink_front_init(&program->stlink, &program->access)
        : identity->is_jlink
            ? jlink_front_init(&program->jlink, identity, &target)
            : cmsis_dap_init(&program->dap, identity, &target, identity->packet_bytes, program->options.packets_max);
    program->stlink.access_port = (uint8_t)program->options.access_port;
    usb_probe_init(&program->probe, identity, &model);
    usbfs_init(&program->usbfs, &program->probe, program->wake_fd, &program->link.lost);
    hidraw_init(&program->hidraw, &program->usbfs);
}

int main(int argc, char **argv)
{
    static struct usbprobe program = {.link.fd = -1};
    bool good = false;

    options_parse(&program.options, argc, argv);
    program.signals = catch_signals();
    program.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (program.signals < 0 || program.wake_fd < 0)
        return !fail("cannot wait for signals: %s", strerror(errno));
    program.access = board_link_access(&program.link);
    make_probe(&program);
    if (!control_open(&program.control, program.options.control_port))
        return EXIT_FAILURE;
    if (testbed_open(&program.testbed) && (program.options.unplugged || plug(&program)) && announce(&program)) {
        good = true;
        while (!ended(program.signals))
            turn(&program);
    }
    if (program.testbed.plugged)
        unplug(&program);
    testbed_close(&program.testbed);
    line_port_close(&program.control);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
