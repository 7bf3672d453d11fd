/* SPDX-License-Identifier: MIT */
/*
 * txtap-usbprobe: emulated probes, each between a virtual board and programs that run under umockdev. The main thread
 * plugs and unplugs the probes, and serves the control port. A thread of umockdev carries the transfers.
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

enum { WAIT_SIGNALS, WAIT_CONTROL, WAIT_PROBES = WAIT_CONTROL + LINE_PORT_WAITS, WAITS = WAIT_PROBES + 2 * BOARDS_MAX };

/* A probe, shared by the two threads. */
struct usbprobe {
    const struct options *options;
    struct usb_identity identity; /* of options, until the control port sets another serial number */
    uint16_t board_port;
    struct board_link link;
    struct board_access access;
    struct stlink_front stlink;
    struct cmsis_dap dap;
    struct jlink_front jlink;
    struct usb_probe probe;
    struct usbfs usbfs;
    struct hidraw hidraw;
    struct testbed testbed;
    char serial[SERIAL_BYTES]; /* set by the control port; "": not set */
    int wake_fd;
};

/* The probes, their bus, and the control port. */
struct stand {
    struct options options;
    struct testbed_bus bus;
    struct usbprobe probes[BOARDS_MAX];
    struct line_port control;
    int signals;
};

static bool connect_board(struct usbprobe *program)
{
    uint16_t product = 0;
    const struct usb_identity *identity = &program->identity;
    if (!board_link_open(&program->link, program->board_port, &product))
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
    if (program->identity.is_jlink)
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
    program->identity.serial = program->serial;
    program->identity.raw_serial = NULL;
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

/* Returns the probe that the line names with "2 " at its start, or the first probe. Returns the command in *line. */
static struct usbprobe *named_probe(struct stand *stand, char **line)
{
    unsigned number = (unsigned)(**line - '1');

    if (number >= stand->options.boards || (*line)[1] != ' ')
        return &stand->probes[0];
    *line += 2;
    return &stand->probes[number];
}

static bool obey(void *self, char *line, char answer[static LINE_PORT_ANSWER_BYTES])
{
    struct usbprobe *program = named_probe(self, &line);
    const char *wrong =
        "want plug, 'plug SERIAL', unplug, busy, free, deny, allow, state, commands (of a CMSIS-DAP or J-Link) "
        "or 'fault KIND[@AFTER][:COUNT]'; before it the number of the probe, as in '2 unplug'";
    notice(program); /* handles events that occurred before the command */
    if (strcmp(line, "state") == 0) {
        print_state(program, answer);
        return true;
    }
    if (strcmp(line, "commands") == 0 && !kind_is_stlink(&program->identity)) {
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

static void turn(struct stand *stand)
{
    struct pollfd waiting[WAITS];
    size_t boards = stand->options.boards;
    uint64_t count;
    waiting[WAIT_SIGNALS] = (struct pollfd){stand->signals, POLLIN, 0};
    line_port_prepare(&stand->control, &waiting[WAIT_CONTROL]);
    for (size_t i = 0; i < boards; i++) {
        waiting[WAIT_PROBES + 2 * i] = (struct pollfd){stand->probes[i].wake_fd, POLLIN, 0};
        waiting[WAIT_PROBES + 2 * i + 1] = (struct pollfd){stand->probes[i].link.fd, POLLRDHUP, 0};
    }
    if (poll(waiting, WAIT_PROBES + 2 * boards, -1) < 0)
        return;
    for (size_t i = 0; i < boards; i++) {
        struct usbprobe *program = &stand->probes[i];
        if (waiting[WAIT_PROBES + 2 * i + 1].revents) {
            g_mutex_lock(&program->usbfs.lock);
            program->link.lost = true;
            g_mutex_unlock(&program->usbfs.lock);
        }
        if (waiting[WAIT_PROBES + 2 * i].revents)
            (void)!read(program->wake_fd, &count, sizeof count);
        notice(program);
    }
    line_port_serve(&stand->control, &waiting[WAIT_CONTROL], obey, stand);
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

static bool announce(const struct stand *stand)
{
    const struct options *options = &stand->options;
    printf("usbprobe: %s, control on 127.0.0.1:%u\n", options->identity.kind, stand->control.port);
    fflush(stdout);
    return (!options->environment_file || testbed_write_environment(&stand->bus, options->environment_file)) &&
           write_port(options->control_port_file, stand->control.port);
}

static bool make_probe(struct stand *stand, size_t index)
{
    struct usbprobe *program = &stand->probes[index];
    const struct options *options = &stand->options;
    const struct usb_identity *identity = &program->identity;
    *program = (struct usbprobe){.options = options,
                                 .identity = options->identity,
                                 .board_port = options->board_ports[index],
                                 .link.fd = -1,
                                 .wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (program->wake_fd < 0)
        return fail("cannot wait for events: %s", strerror(errno));
    program->access = board_link_access(&program->link);
    struct debug_target target = board_memory_target(&program->access);
    target.access_port = options->access_port;
    target.select = options->target_select;
    target.dpidr = options->dpidr;
    struct probe_model model = kind_is_stlink(identity) ? stlink_front_init(&program->stlink, &program->access)
                               : identity->is_jlink     ? jlink_front_init(&program->jlink, identity, &target)
                                                        : cmsis_dap_init(&program->dap, identity, &target,
                                                                         identity->packet_bytes, options->packets_max);
    program->stlink.access_port = (uint8_t)options->access_port;
    usb_probe_init(&program->probe, identity, &model);
    usbfs_init(&program->usbfs, &program->probe, program->wake_fd, &program->link.lost);
    hidraw_init(&program->hidraw, &program->usbfs);
    testbed_init(&program->testbed, &stand->bus, (unsigned)index + 1);
    return true;
}

/* Makes the probes, and plugs them in. */
static bool make_probes(struct stand *stand)
{
    for (size_t i = 0; i < stand->options.boards; i++)
        if (!make_probe(stand, i) || (!stand->options.unplugged && !plug(&stand->probes[i])))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    static struct stand stand;
    bool good = false;

    options_parse(&stand.options, argc, argv);
    stand.signals = catch_signals();
    if (stand.signals < 0)
        return !fail("cannot wait for signals: %s", strerror(errno));
    if (!control_open(&stand.control, stand.options.control_port))
        return EXIT_FAILURE;
    if (testbed_bus_open(&stand.bus) && make_probes(&stand) && announce(&stand)) {
        good = true;
        while (!ended(stand.signals))
            turn(&stand);
    }
    for (size_t i = 0; i < stand.options.boards; i++)
        if (stand.probes[i].testbed.plugged)
            unplug(&stand.probes[i]);
    testbed_bus_close(&stand.bus);
    line_port_close(&stand.control);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
