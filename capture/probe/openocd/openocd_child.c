/* SPDX-License-Identifier: MIT */
/* Runs OpenOCD as a child process, and waits for the line in its log that contains its port or the reason of its
 * failure. */
#include "probe/openocd/openocd_child.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"

/* ---- the log ---- */

#define BANNER    "Open On-Chip Debugger "
#define LISTENING "Listening on port "
#define FOR_TCL   " for tcl connections"

/* Texts in log lines that are the same in OpenOCD 0.11, 0.12 and its development branch. The first row that fits any
 * line is the cause, because the lines of later rows are often consequences. */
static const struct {
    const char *words;
    enum txtap_status status;
    const char *cause, *step;
} known[] = {
    {"LIBUSB_ERROR_ACCESS", ERROR_UNREACHABLE, "you may not open the probe",
     "install OpenOCD's udev rules (60-openocd.rules), plug the probe in again"},
    {"Access denied", ERROR_UNREACHABLE, "you may not open the probe",
     "install OpenOCD's udev rules (60-openocd.rules), plug the probe in again"},
    {"Resource busy", ERROR_UNREACHABLE, "another program has the probe open",
     "end that program: another OpenOCD, an IDE"},
    {"LIBUSB_ERROR_BUSY", ERROR_UNREACHABLE, "another program has the probe open",
     "end that program: another OpenOCD, an IDE"},
    {"the selected device is already used", ERROR_UNREACHABLE, "another program has the probe open",
     "end that program: another OpenOCD, an IDE"},
    {"LIBUSB_ERROR_NO_DEVICE", ERROR_UNREACHABLE, "the probe was unplugged", "plug it in"},
    {"arget voltage too low", ERROR_TARGET, "the target has no power",
     "power the board, connect its supply voltage to the probe"},
    {"target voltage may be too low", ERROR_TARGET, "the target has no power",
     "power the board, connect its supply voltage to the probe"},
    {"unable to connect to the target", ERROR_TARGET, "no target answers",
     "check power and wiring, or try --speed 400, -c 'adapter speed 400'"},
    {"Error connecting DP", ERROR_TARGET, "no target answers",
     "check power and wiring, or try --speed 400, -c 'adapter speed 400'; an RP2040 needs --chip rp2040"},
    {"multidrop", ERROR_TARGET, "no target answers", "check power and wiring, and the configuration's core"},
    {"Unknown param: -", ERROR_PROTOCOL, "this OpenOCD is too old for the chip",
     "OpenOCD 0.12: --openocd-program PATH"},
    {"Could not find MEM-AP", ERROR_TARGET, "the target has no such access port",
     "use OpenOCD's configuration of the chip: -f target/CHIP.cfg"},
    {"expected 1 of ", ERROR_PROTOCOL, "the chip is not that of the configuration",
     "use OpenOCD's configuration of the chip: -f target/CHIP.cfg"},
    {"oesn't support '", ERROR_PROTOCOL, "the probe does not have that transport",
     "'transport select swd', for an ST-Link 'transport select hla_swd'"},
    {"does not support DAP direct", ERROR_PROTOCOL, "the ST-Link's firmware is too old for this transport",
     "'transport select hla_swd', or update its firmware"},
    {"mode (transport) not supported", ERROR_PROTOCOL, "the probe does not have that transport",
     "'transport select swd', for an ST-Link 'transport select hla_swd'"},
    {"transport was not selected", ERROR_PROTOCOL, "no transport and no target are configured",
     "give -f target/CHIP.cfg after -f interface/PROBE.cfg"},
    {"does not support any transports", ERROR_PROTOCOL, "no probe is configured",
     "give -f interface/PROBE.cfg before -f target/CHIP.cfg"},
    {"adapter driver is not configured", ERROR_PROTOCOL, "no probe is configured",
     "give -f interface/PROBE.cfg before -f target/CHIP.cfg"},
    {"debug interface was not found", ERROR_PROTOCOL, "this OpenOCD was built without a driver for the probe",
     "use one that has it: --openocd-program PATH"},
    {"Can't find ", ERROR_PROTOCOL, "a file of the configuration is missing",
     "OpenOCD's own are in its folders interface, target and board"},
    {"couldn't open ", ERROR_PROTOCOL, "a file of the configuration is missing",
     "OpenOCD's own are in its folders interface, target and board"},
    {"invalid command name", ERROR_PROTOCOL, "the configuration has a command that OpenOCD does not know",
     "correct it, or use another OpenOCD: --openocd-program PATH"},
    {"unrecognized option", ERROR_PROTOCOL, "OpenOCD does not know an option", "openocd --help lists them"},
    {"open failed", ERROR_UNREACHABLE, "no such probe is plugged in, or you may not open it",
     "check its cable; several: -c 'adapter serial SERIAL'"},
    {"unable to find a matching CMSIS-DAP device", ERROR_UNREACHABLE, "no CMSIS-DAP probe is plugged in",
     "check its cable, and whether you may open it"},
    {"No J-Link device found", ERROR_UNREACHABLE, "no J-Link is plugged in",
     "check its cable, and whether you may open it"},
    {"no ST-LINK detected", ERROR_UNREACHABLE, "no ST-Link is plugged in",
     "check its cable, and whether you may open it"},
    {"o device found", ERROR_UNREACHABLE, "no such probe is plugged in",
     "check its cable, and whether you may open it"},
    {"stlink server, errno", ERROR_UNREACHABLE, "the ST-Link server does not run", "start it"},
};

#define KNOWN (sizeof known / sizeof *known)

enum rank { RANK_NONE, RANK_LINE, RANK_ERROR, RANK_KNOWN };

static void keep(struct openocd_log *log, enum rank rank, unsigned row)
{
    log->rank = rank;
    log->known = row;
    snprintf(log->cause, sizeof log->cause, "%s", log->line);
}

static bool is_warning(const char *line)
{
    return strncmp(line, "Warn :", strlen("Warn :")) == 0;
}

/* Chooses the most useful line. The first error is more useful than later errors that it causes. If there is no error,
 * the last line counts. A warning counts only if it is a known line. */
static void judge(struct openocd_log *log)
{
    unsigned last = log->rank == RANK_KNOWN ? log->known : (unsigned)KNOWN;

    for (unsigned row = 0; row < last; row++) {
        if (strstr(log->line, known[row].words) != NULL) {
            keep(log, RANK_KNOWN, row);
            return;
        }
    }
    if (is_warning(log->line))
        return;
    if (strstr(log->line, "Error: ") != NULL && log->rank < RANK_ERROR)
        keep(log, RANK_ERROR, 0);
    else if (log->rank < RANK_ERROR)
        keep(log, RANK_LINE, 0);
}

static bool is_comment(const char *line)
{
    static const char *const comments[] = {BANNER, "Licensed under", "For bug reports", "\thttp", "Info :", "Debug:"};

    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++)
        if (strncmp(line, comments[i], strlen(comments[i])) == 0)
            return true;
    return line[strspn(line, " \t\r")] == '\0';
}

static void note_port(struct openocd_log *log)
{
    const char *at = strstr(log->line, LISTENING);
    char *end;
    unsigned long port;

    if (at == NULL || log->port != 0)
        return;
    port = strtoul(at + strlen(LISTENING), &end, 10);
    if (strncmp(end, FOR_TCL, strlen(FOR_TCL)) == 0 && port > 0 && port < 65536)
        log->port = (unsigned)port;
}

static void note_version(struct openocd_log *log)
{
    const char *at = log->line + strlen(BANNER);

    if (strncmp(log->line, BANNER, strlen(BANNER)) == 0 && log->version[0] == '\0')
        printable(log->version, sizeof log->version, at, strcspn(at, " \r"));
}

static void end_line(struct openocd_log *log)
{
    log->line[log->length] = '\0';
    log->length = 0;
    note_version(log);
    note_port(log);
    if (!is_comment(log->line))
        judge(log);
}

void openocd_log_take(struct openocd_log *log, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n')
            end_line(log);
        else if (bytes[i] != '\0' && log->length + 1 < sizeof log->line) /* cuts off the rest of a long line */
            log->line[log->length++] = bytes[i];
    }
}

void openocd_log_end(struct openocd_log *log)
{
    if (log->length > 0)
        end_line(log);
}

enum txtap_status openocd_log_failure(const struct openocd_log *log, const char *program, struct error *error)
{
    char quote[100];

    printable(quote, sizeof quote, log->cause, strlen(log->cause));
    if (log->version[0] == '\0')
        return failure(error, ERROR_PROTOCOL, "%.80s ended, and its output ('%.60s') is not OpenOCD's\n%s", program,
                       quote, "give OpenOCD's path: --openocd-program PATH");
    if (log->rank == RANK_KNOWN)
        return failure(error, known[log->known].status, "OpenOCD %.24s could not start: %s ('%s')\n%s", log->version,
                       known[log->known].cause, quote, known[log->known].step);
    if (log->rank == RANK_NONE)
        return failure(error, ERROR_PROTOCOL, "OpenOCD %.24s ended without a message\n%s", log->version,
                       "does its configuration end it?");
    return failure(error, ERROR_PROTOCOL, "OpenOCD %.24s could not start: '%s'\n%s", log->version, quote,
                   "run openocd with the same arguments to see all of it");
}

/* ---- the process ---- */

#define LOOK_US    2000
#define LOG_PIECES 16 /* limit of reads in a row, so that txtap looks at the clock even if the log is long */

/* Returns false if there may be more to read. */
static bool read_log(struct openocd_child *child)
{
    char bytes[4096];
    size_t got = 1;

    for (int i = 0; i < LOG_PIECES && got > 0; i++) {
        got = child_read(&child->process, bytes, sizeof bytes);
        openocd_log_take(&child->log, bytes, got);
    }
    child_trim(&child->process);
    return got == 0;
}

/* Waits for the port. OpenOCD opens its ports last, after its configuration, the probe and the first look at the
 * target. */
static enum txtap_status await_port(struct openocd_child *child, const char *program, unsigned timeout_ms,
                                    struct error *error)
{
    uint64_t begin = now_us();

    for (;;) {
        /* Checks this before it reads the log. If OpenOCD has ended, the log that it reads next is complete. */
        bool runs = child_runs(&child->process);
        bool all_read = read_log(child);

        if (child->log.port != 0 && runs)
            return TXTAP_OK;
        if (!runs && all_read) {
            openocd_log_end(&child->log);
            return openocd_log_failure(&child->log, program, error);
        }
        if (now_us() - begin > timeout_ms * UINT64_C(1000))
            return failure(error, ERROR_TIMEOUT, "%.120s did not open its Tcl port within %g s\nis it OpenOCD?",
                           program, timeout_ms / 1e3);
        if (all_read ? !sleep_us(LOOK_US) : stop_requested())
            return failure(error, ERROR_INTERRUPTED, "%.120s: interrupted while it started", program);
    }
}

enum txtap_status openocd_child_start(struct openocd_child *child, const struct openocd_arguments *arguments,
                                      unsigned timeout_ms, struct error *error)
{
    const char *program = arguments->argv[0];
    struct error cause;
    enum txtap_status status;

    memset(child, 0, sizeof *child);
    status = child_start(&child->process, arguments->argv, &cause);
    if (status != TXTAP_OK)
        return failure(error, status, "%.120s cannot be run: %.80s\ninstall OpenOCD, or give --openocd-program PATH",
                       program, cause.what);
    status = await_port(child, program, timeout_ms, error);
    if (status != TXTAP_OK)
        openocd_child_end(child);
    else
        snprintf(child->port, sizeof child->port, "%u", child->log.port);
    return status;
}

void openocd_child_end(struct openocd_child *child)
{
    child_end(&child->process);
}
