/* SPDX-License-Identifier: MIT */
/*
 * txtap-vboard: one loop that waits for debuggers, for QEMU and for signals. Everything it starts it ends.
 */
#include "board.h"
#include "options.h"
#include "server.h"
#include "talk.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_SIGNALS, WAIT_QEMU, WAIT_SERVER, WAITS = WAIT_SERVER + 1 + SERVER_USERS_MAX };

enum verdict { GO_ON, ENDED_AS_ASKED, FAILED };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Signals come as events to the loop, so that none can cut a transfer in half. */
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

static bool announce(const struct options *options, uint16_t port)
{
    char temporary[4096];
    printf("vboard: st-link on 127.0.0.1:%u\n", port);
    fflush(stdout);
    if (!options->port_file)
        return true;
    /* Renamed into place: whoever waits for the file finds the number in it. */
    snprintf(temporary, sizeof temporary, "%s.tmp", options->port_file);
    FILE *file = fopen(temporary, "we");
    if (file) {
        bool failed = fprintf(file, "%u\n", port) < 0;
        failed |= fclose(file) != 0;
        if (!failed && rename(temporary, options->port_file) == 0)
            return true;
    }
    return fail("cannot write the port file %s: %s; give a path in a writable folder", options->port_file,
                strerror(errno));
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

static enum verdict run(struct board *board, struct server *server, int signals, double end_s)
{
    struct pollfd waiting[WAITS];
    enum verdict verdict = GO_ON;
    while (verdict == GO_ON) {
        int timeout_ms = -1;
        if (end_s > 0) {
            double left_ms = (end_s - now_s()) * 1000;
            if (left_ms <= 0)
                return ENDED_AS_ASKED;
            timeout_ms = left_ms < 1e6 ? (int)left_ms + 1 : 1000000;
        }
        waiting[WAIT_SIGNALS] = (struct pollfd){signals, POLLIN, 0};
        /* Once QEMU's socket is at its end only SIGCHLD is still to come. */
        waiting[WAIT_QEMU] = (struct pollfd){board->machine.qmp.ended ? -1 : board->machine.qmp.fd, POLLIN, 0};
        server_prepare(server, &waiting[WAIT_SERVER]);
        if (poll(waiting, WAITS, timeout_ms) <= 0)
            continue;
        if (waiting[WAIT_QEMU].revents)
            qmp_take_events(&board->machine.qmp);
        core_notice_resets(&board->core);
        if (waiting[WAIT_SIGNALS].revents)
            verdict = handle_signal(board, signals);
        if (verdict == GO_ON)
            server_serve(server, &waiting[WAIT_SERVER]);
    }
    return verdict;
}

int main(int argc, char **argv)
{
    struct options options;
    struct board board;
    static struct server server;
    enum verdict verdict = FAILED;

    options_parse(&options, argc, argv);
    prctl(PR_SET_TIMERSLACK, 1UL); /* imitated probes wait for microseconds */
    int signals = catch_signals();
    if (signals < 0)
        return !fail("cannot catch signals: %s", strerror(errno));
    if (!board_open(&board, &options))
        goto close_signals;
    if (!server_open(&server, &board, options.port))
        goto close_board;
    note(options.verbosity > 0, "%s runs %s, QEMU's process is %d", options.machine, options.elf,
         (int)board.machine.pid);
    if (announce(&options, server.port))
        verdict = run(&board, &server, signals, options.seconds > 0 ? now_s() + options.seconds : 0);
    server_close(&server);
close_board:
    if (!board_close(&board))
        verdict = FAILED;
close_signals:
    close(signals);
    return verdict == ENDED_AS_ASKED ? EXIT_SUCCESS : EXIT_FAILURE;
}
