/* SPDX-License-Identifier: MIT */
/*
 * txtap-vboard: one loop that waits for debuggers, for QEMU and for signals. It ends every process that it starts.
 */
#include "board.h"
#include "control.h"
#include "fault_run.h"
#include "options.h"
#include "server.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_SIGNALS,
    WAIT_QEMU,
    WAIT_SERVER,
    WAIT_CONTROL = WAIT_SERVER + 1 + SERVER_USERS_MAX,
    WAITS = WAIT_CONTROL + LINE_PORT_WAITS
};

/* The data of the loop. */
struct vboard {
    struct board *board;
    struct server server;
    struct faults faults;
    struct control control;
    int signals;
};

enum verdict { GO_ON, ENDED_AS_ASKED, FAILED };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Returns a descriptor from which the loop receives signals as events, so that a signal never interrupts a transfer. */
static int catch_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Opens standard files that are closed. Otherwise a socket could get the number of a standard file, and text for the
 * user would go to a debugger. */
static bool fill_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) != fd)
            return false;
    return true;
}

/* Writes the port's number to a temporary file, and renames it. So the file contains the number as soon as it exists.
 */
static bool write_port(const char *path, uint16_t port)
{
    char temporary[4096];
    if (!path)
        return true;
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = fopen(temporary, "we");
    if (file) {
        bool failed = fprintf(file, "%u\n", port) < 0;
        failed |= fclose(file) != 0;
        if (!failed && rename(temporary, path) == 0)
            return true;
    }
    return fail("cannot write the port file %s: %s; give a path in a writable folder", path, strerror(errno));
}

static bool announce(const struct options *options, uint16_t port, uint16_t control_port)
{
    printf("vboard: st-link on 127.0.0.1:%u\n", port);
    if (options->control)
        printf("vboard: control on 127.0.0.1:%u\n", control_port);
    fflush(stdout);
    return write_port(options->control_port_file, control_port) && write_port(options->port_file, port);
}

static enum verdict report_qemu_end(struct machine *machine)
{
    if (!machine_reap(machine))
        return GO_ON;
    int status = machine->exit_status;
    if (WIFSIGNALED(status))
        fail("QEMU ended with signal %d (%s); the firmware may have locked up: see QEMU's message above",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fail("QEMU ended with status %d; start the board again", WEXITSTATUS(status));
    return FAILED;
}

static enum verdict handle_signal(struct board *board, int signals)
{
    struct signalfd_siginfo arrived;
    if (read(signals, &arrived, sizeof arrived) != (ssize_t)sizeof arrived)
        return GO_ON;
    switch (arrived.ssi_signo) {
    case SIGUSR1:
        board_save_audit(board);
        return GO_ON;
    case SIGCHLD:
        return report_qemu_end(&board->machine);
    default:
        return ENDED_AS_ASKED;
    }
}

/* Returns the shorter of two timeouts of poll(); -1 means never. */
static int sooner(int one_ms, int other_ms)
{
    if (one_ms < 0 || other_ms < 0)
        return one_ms < 0 ? other_ms : one_ms;
    return one_ms < other_ms ? one_ms : other_ms;
}

static enum verdict turn(struct vboard *program, int timeout_ms)
{
    struct pollfd waiting[WAITS];
    struct board *board = program->board;
    enum verdict verdict = GO_ON;
    waiting[WAIT_SIGNALS] = (struct pollfd){program->signals, POLLIN, 0};
    /* After the end of QEMU's socket, only SIGCHLD can still arrive. */
    waiting[WAIT_QEMU] = (struct pollfd){board->machine.qmp.ended ? -1 : board->machine.qmp.fd, POLLIN, 0};
    server_prepare(&program->server, &waiting[WAIT_SERVER]);
    line_port_prepare(&program->control.lines, &waiting[WAIT_CONTROL]);
    if (poll(waiting, WAITS, sooner(timeout_ms, faults_timeout_ms(&program->faults))) < 0)
        return GO_ON;
    if (waiting[WAIT_QEMU].revents)
        qmp_take_events(&board->machine.qmp);
    core_notice_resets(&board->core);
    if (waiting[WAIT_SIGNALS].revents)
        verdict = handle_signal(board, program->signals);
    if (verdict != GO_ON)
        return verdict;
    server_serve(&program->server, &waiting[WAIT_SERVER]);
    faults_tick(&program->faults);
    if (!board->ended)
        control_serve(&program->control, &waiting[WAIT_CONTROL]);
    return board->ended ? FAILED : GO_ON;
}

static enum verdict run(struct vboard *program, double end_s)
{
    enum verdict verdict = GO_ON;
    while (verdict == GO_ON) {
        int timeout_ms = -1;
        if (end_s > 0) {
            double left_ms = (end_s - now_s()) * 1000;
            if (left_ms <= 0)
                return ENDED_AS_ASKED;
            timeout_ms = left_ms < 1e6 ? (int)left_ms + 1 : 1000000;
        }
        verdict = turn(program, timeout_ms);
    }
    return verdict;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct board board;
    static struct vboard program;
    enum verdict verdict = FAILED;

    if (!fill_standard_files())
        return !fail("a standard file is closed, and /dev/null cannot be opened in its place");
    options_parse(&options, argc, argv);
    prctl(PR_SET_TIMERSLACK, 1UL); /* emulated probes wait for microseconds */
    int signals = catch_signals();
    if (signals < 0)
        return !fail("cannot catch signals: %s", strerror(errno));
    if (!board_open(&board, &options))
        goto close_signals;
    program.board = &board;
    program.signals = signals;
    if (!server_open(&program.server, &board, options.port))
        goto close_board;
    faults_init(&program.faults, &board, &program.server);
    if (!control_open(&program.control, &program.faults, options.control, options.control_port))
        goto close_server;
    note(options.verbosity > 0, "%s runs %s, QEMU's process is %d", options.machine, options.elf,
         (int)board.machine.pid);
    if (announce(&options, program.server.port, program.control.lines.port))
        verdict = run(&program, options.seconds > 0 ? now_s() + options.seconds : 0);
    line_port_close(&program.control.lines);
close_server:
    server_close(&program.server);
close_board:
    if (!board_close(&board))
        verdict = FAILED;
    faults_free(&program.faults); /* the faults' paths are freed only now, because the audit names them */
close_signals:
    close(signals);
    return verdict == ENDED_AS_ASKED ? EXIT_SUCCESS : EXIT_FAILURE;
}
