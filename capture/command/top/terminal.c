/* SPDX-License-Identifier: MIT */
/*
 * Modes and signals of a terminal. The signal handlers call only functions that are safe in a handler: tcsetattr(),
 * write(), raise(). Ctrl-C still sends a signal in screen mode, so it ends txtap also while txtap waits for a server.
 */
#include "command/top/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ROWS_DEFAULT    24
#define COLUMNS_DEFAULT 80
#define ENTER           "\033[?1049h\033[?25l\033[2J"
#define LEAVE           "\033[?2026l\033[0m\033[?25h\033[?1049l"

static int terminal = -1; /* descriptor of the terminal while it is in screen mode; -1: not open */
static volatile sig_atomic_t entered, blank, ending;
static struct termios before, during;

static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGQUIT};
static const int end[] = {SIGINT, SIGTERM, SIGHUP};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sigaction fatal_before[COUNT(fatal)], end_before[COUNT(end)], stop_before, continue_before, resize_before;

/* ---- the two states of the terminal ---- */

static void put(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(terminal, bytes, length);

        if (written < 0 && errno != EINTR)
            return;
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

/* Enters the full-screen mode. If txtap is in the background, SIGTTOU stops txtap here until the shell continues txtap
 * in the foreground. */
static void enter(void)
{
    sigset_t background, masked;

    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    sigprocmask(SIG_UNBLOCK, &background, &masked);
    tcsetattr(terminal, TCSANOW, &during);
    sigprocmask(SIG_SETMASK, &masked, NULL);
    put(ENTER, sizeof ENTER - 1);
    entered = blank = 1;
}

static void leave(void)
{
    if (!entered)
        return;
    entered = 0;
    put(LEAVE, sizeof LEAVE - 1);
    tcsetattr(terminal, TCSANOW, &before);
}

/* ---- signals ---- */

static void on_fatal(int number)
{
    leave();
    signal(number, SIG_DFL);
    raise(number);
}

/* Handles signals that end txtap. The first signal asks txtap to end, through the handler that was set before. The
 * second signal ends txtap at once. */
static void on_end(int number)
{
    int saved = errno;

    for (size_t i = 0; i < COUNT(end); i++) {
        const struct sigaction *old = &end_before[i];

        if (end[i] != number)
            continue;
        if (old->sa_handler == SIG_IGN)
            return;
        if (ending || old->sa_handler == SIG_DFL) {
            on_fatal(number);
            return;
        }
        ending = number != SIGHUP;
        old->sa_handler(number);
    }
    errno = saved;
}

static void on_resize(int number)
{
    (void)number;
    blank = 1;
}

/* Handles Ctrl-Z. Raises the signal again with its default action, so that the kernel decides: a shell sees txtap stop,
 * and without a shell txtap is not stopped. */
static void on_stop(int number)
{
    const struct sigaction none = {.sa_handler = SIG_DFL};
    struct sigaction own;
    sigset_t only, masked;
    int saved = errno;

    leave();
    sigaction(number, &none, &own);
    raise(number);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, &masked); /* txtap stops in this call until it is continued */
    sigprocmask(SIG_SETMASK, &masked, NULL);
    sigaction(number, &own, NULL);
    enter();
    errno = saved;
}

/* Enters screen mode again. After a SIGSTOP, the shell has changed the terminal's mode. */
static void on_continue(int number)
{
    int saved = errno;

    (void)number;
    if (entered)
        enter();
    errno = saved;
}

/* Sets the handler of a signal. While a handler runs, all signals are blocked, so that no other handler interrupts it.
 * This includes SIGTTOU, because leave() must work in the background. */
static void take(int number, void (*handler)(int), int flags, struct sigaction *old)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

    sigfillset(&action.sa_mask);
    sigaction(number, &action, old);
}

static void take_signals(void)
{
    for (size_t i = 0; i < COUNT(fatal); i++)
        take(fatal[i], on_fatal, 0, &fatal_before[i]);
    for (size_t i = 0; i < COUNT(end); i++) /* without SA_RESTART, so that waiting calls end: see runtime.h */
        take(end[i], on_end, 0, &end_before[i]);
    take(SIGTSTP, on_stop, SA_RESTART, &stop_before);
    take(SIGCONT, on_continue, SA_RESTART, &continue_before);
    take(SIGWINCH, on_resize, SA_RESTART, &resize_before);
    if (stop_before.sa_handler == SIG_IGN) /* the parent process has told txtap to ignore Ctrl-Z */
        sigaction(SIGTSTP, &stop_before, NULL);
}

static void give_signals_back(void)
{
    for (size_t i = 0; i < COUNT(fatal); i++)
        sigaction(fatal[i], &fatal_before[i], NULL);
    for (size_t i = 0; i < COUNT(end); i++) {
        if (ending && end_before[i].sa_handler != SIG_IGN)
            end_before[i].sa_handler = SIG_DFL; /* the first signal has come, so the next signal must kill txtap */
        sigaction(end[i], &end_before[i], NULL);
    }
    sigaction(SIGTSTP, &stop_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
    sigaction(SIGWINCH, &resize_before, NULL);
}

/* ---- opening and closing ---- */

enum txtap_status terminal_open(struct error *error)
{
    const char *type = getenv("TERM");
    static bool registered;

    if (!isatty(STDOUT_FILENO))
        return failure(error, TXTAP_ERROR_USAGE, "standard output is not a terminal\nuse -b to print rows");
    if (type == NULL || *type == '\0' || strcmp(type, "dumb") == 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "txtap cannot draw on a terminal of type '%.40s'\nset TERM, or use -b to print rows",
                       type ? type : "");
    terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || tcgetattr(terminal, &before) != 0) {
        failure(error, TXTAP_ERROR_SYSTEM, "the terminal cannot be used: %s\nuse -b to print rows", strerror(errno));
        if (terminal >= 0)
            close(terminal);
        terminal = -1;
        return TXTAP_ERROR_SYSTEM;
    }
    during = before;
    during.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    during.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    during.c_cc[VMIN] = 0;
    during.c_cc[VTIME] = 0;
    take_signals();
    if (!registered)
        atexit(terminal_close);
    registered = true;
    enter();
    return TXTAP_OK;
}

void terminal_close(void)
{
    if (terminal < 0)
        return;
    leave();
    give_signals_back();
    close(terminal);
    terminal = -1;
}

/* ---- the screen and the keys ---- */

bool terminal_has_colours(void)
{
    const char *no_color = getenv("NO_COLOR");

    return no_color == NULL || *no_color == '\0';
}

bool terminal_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
    bool utf8 = locale != NULL && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale != NULL)
        freelocale(locale);
    return utf8;
}

void terminal_size(size_t *rows, size_t *columns, size_t rows_max, size_t columns_max)
{
    struct winsize size = {0};

    (void)ioctl(terminal, TIOCGWINSZ, &size);
    *rows = size.ws_row > 0 ? size.ws_row : ROWS_DEFAULT;
    *columns = size.ws_col > 0 ? size.ws_col : COLUMNS_DEFAULT;
    *rows = *rows < rows_max ? *rows : rows_max;
    *columns = *columns < columns_max ? *columns : columns_max;
}

bool terminal_is_blank(void)
{
    bool was = blank;

    blank = 0;
    return was;
}

static short polled(short events)
{
    struct pollfd poll_fd = {.fd = terminal, .events = events};

    return poll(&poll_fd, 1, 0) > 0 ? poll_fd.revents : 0;
}

bool terminal_is_ready(void)
{
    return (polled(POLLOUT) & POLLOUT) != 0;
}

size_t terminal_write(const char *bytes, size_t length)
{
    size_t left = length;

    while (left > 0) {
        ssize_t written = write(terminal, bytes, left);

        if (written < 0 && errno != EINTR)
            break;
        bytes += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return length - left;
}

/* Reads the rest of an escape sequence, such as "[A" for an arrow key. Ignores unknown sequences. */
static enum terminal_key sequence(void)
{
    char bytes[8];
    ssize_t got = read(terminal, bytes, 2);

    if (got <= 0)
        return TERMINAL_ESCAPE;
    if (got < 2 || (bytes[0] != '[' && bytes[0] != 'O'))
        return TERMINAL_NONE;
    switch (bytes[1]) {
    case 'A':
        return TERMINAL_UP;
    case 'B':
        return TERMINAL_DOWN;
    case '5':
    case '6':
        (void)!read(terminal, bytes + 2, 1); /* the final '~' */
        return bytes[1] == '5' ? TERMINAL_PAGE_UP : TERMINAL_PAGE_DOWN;
    default:
        return TERMINAL_NONE;
    }
}

enum terminal_key terminal_key(void)
{
    short events = polled(POLLIN);
    unsigned char byte;

    if (events & (POLLHUP | POLLERR))
        return TERMINAL_GONE;
    if (!(events & POLLIN) || read(terminal, &byte, 1) != 1)
        return TERMINAL_NONE;
    return byte == TERMINAL_ESCAPE ? sequence() : (enum terminal_key)byte;
}
