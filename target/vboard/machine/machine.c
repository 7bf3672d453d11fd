/* SPDX-License-Identifier: MIT */
/* QEMU as a child process. */
#include "machine.h"
#include "bits.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RESET_LIMIT_MS  60000
#define END_LIMIT_MS    2000
#define DEVICE_READ_MAX 512 /* units in one monitor command */

/* The 16-bit instructions WFI (0xBF30) and WFE (0xBF20), byte by byte. */
#define WAIT_OPCODE 0xBF
#define WFI_OPERAND 0x30
#define WFE_OPERAND 0x20

#define EXCEPTION_RETURN 0xF0000000u /* first value of the program counter that is not an address */
#define PC_ATTEMPTS      100
#define PC_PAUSE_NS      100000

static void run_qemu(const struct options *options, int firmware_fd, int qmp_fd, int gdb_fd, pid_t parent)
{
    char kernel[64], qmp[64], gdb[64];
    snprintf(kernel, sizeof kernel, "/proc/self/fd/%d", firmware_fd);
    snprintf(qmp, sizeof qmp, "socket,id=qmp,fd=%d", qmp_fd);
    snprintf(gdb, sizeof gdb, "socket,id=gdb,fd=%d", gdb_fd);
    const char *fixed[] = {options->qemu, "-machine", options->machine, "-kernel",
                           kernel,        "-S",       "-display",       "none",
                           "-serial",     "null",     "-monitor",       "none",
                           "-chardev",    qmp,        "-mon",           "chardev=qmp,mode=control",
                           "-chardev",    gdb};
    size_t count = sizeof fixed / sizeof *fixed;
    char *arguments[sizeof fixed / sizeof *fixed + QEMU_ARGS_MAX + 1];
    memcpy(arguments, fixed, sizeof fixed);
    for (size_t i = 0; i < options->qemu_args_count; i++)
        arguments[count++] = (char *)(uintptr_t)options->qemu_args[i];
    arguments[count] = NULL;

    /* QEMU must end when the board ends for any reason. Checks the parent afterwards, because it may have ended before
     * prctl() took effect. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    /* A process group of its own: Ctrl-C is for the board, which then ends QEMU cleanly. */
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    fcntl(qmp_fd, F_SETFD, 0);
    fcntl(gdb_fd, F_SETFD, 0);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(options->qemu, arguments);
}

/* Starts QEMU as a child. A pipe, which exec closes, reports a failed exec. */
static bool spawn(struct machine *machine, const struct options *options, int firmware_fd, int qmp_fd, int gdb_fd)
{
    int trouble[2];
    if (pipe2(trouble, O_CLOEXEC) != 0)
        return fail("cannot start QEMU: %s", strerror(errno));
    pid_t parent = getpid();
    machine->pid = fork();
    if (machine->pid == 0) {
        run_qemu(options, firmware_fd, qmp_fd, gdb_fd, parent);
        int cause = errno;
        if (write(trouble[1], &cause, sizeof cause) < 0)
            _exit(126);
        _exit(127);
    }
    int cause = machine->pid < 0 ? errno : 0;
    close(trouble[1]);
    bool failed = machine->pid < 0 || read(trouble[0], &cause, sizeof cause) > 0;
    close(trouble[0]);
    if (!failed)
        return true;
    if (machine->pid > 0)
        waitpid(machine->pid, NULL, 0);
    machine->pid = 0;
    return fail("cannot start '%s': %s; install qemu-system-arm or give --qemu PATH", options->qemu, strerror(cause));
}

bool machine_start(struct machine *machine, const struct options *options, int firmware_fd)
{
    int qmp[2], gdb[2];
    *machine = (struct machine){.stopped = true};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, qmp) != 0)
        return fail("cannot make a monitor socket: %s", strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gdb) != 0) {
        close(qmp[0]);
        close(qmp[1]);
        return fail("cannot make a stub socket: %s", strerror(errno));
    }
    bool started = spawn(machine, options, firmware_fd, qmp[1], gdb[1]);
    close(qmp[1]);
    close(gdb[1]);
    machine->gdb.fd = gdb[0];
    if (!started) {
        close(qmp[0]);
        close(gdb[0]);
        return false;
    }
    if (qmp_open(&machine->qmp, qmp[0]))
        return true;
    fail("'%s' did not come up with machine '%s' (see its message above); check --machine, --qemu-arg and the ELF",
         options->qemu, options->machine);
    machine_end(machine);
    return false;
}

void machine_end(struct machine *machine)
{
    static const char quit[] = "{\"execute\": \"quit\"}\n";
    struct timespec pause = {0, 5000000};
    /* Asks QEMU to quit, so that files opened by --qemu-arg are complete; its answer does not matter. */
    if (machine->pid > 0 && write(machine->qmp.fd, quit, sizeof quit - 1) > 0) {
        int waited_ms = 0;
        while (!machine_reap(machine) && waited_ms < END_LIMIT_MS) {
            nanosleep(&pause, NULL);
            waited_ms += 5;
        }
    }
    if (machine->pid > 0) {
        kill(machine->pid, SIGKILL);
        waitpid(machine->pid, &machine->exit_status, 0);
        machine->pid = 0;
    }
    qmp_close(&machine->qmp);
    close(machine->gdb.fd);
}

bool machine_reap(struct machine *machine)
{
    if (machine->pid > 0 && waitpid(machine->pid, &machine->exit_status, WNOHANG) != machine->pid)
        return false;
    machine->pid = 0;
    return true;
}

bool machine_stop(struct machine *machine)
{
    machine->registers_known = false;
    if (!machine->stopped && !qmp_execute(&machine->qmp, "{\"execute\": \"stop\"}"))
        return false;
    machine->stopped = true;
    return true;
}

bool machine_continue(struct machine *machine)
{
    machine->registers_known = false;
    if (machine->stopped && !qmp_execute(&machine->qmp, "{\"execute\": \"cont\"}"))
        return false;
    machine->stopped = false;
    return true;
}

bool machine_reset(struct machine *machine)
{
    machine->registers_known = false;
    unsigned before = machine->qmp.resets_seen;
    /* The command only requests the reset; the event confirms it. */
    return qmp_execute(&machine->qmp, "{\"execute\": \"system_reset\"}") &&
           qmp_wait_reset(&machine->qmp, before, RESET_LIMIT_MS);
}

static bool wake_stub(struct machine *machine)
{
    char text[256];
    if (machine->gdb.awake)
        return true;
    return qmp_monitor(&machine->qmp, text, sizeof text, "gdbserver chardev:gdb") && gdbstub_greet(&machine->gdb);
}

bool machine_step(struct machine *machine)
{
    machine->registers_known = false;
    return machine->stopped && wake_stub(machine) && gdbstub_step(&machine->gdb);
}

/* Parses "R00=2000000c R01=..." and "XPSR=01000000 ---- T priv-thread", "s00=...", "FPSCR: ..." */
static bool parse_registers(struct machine *machine, const char *text)
{
    uint32_t *registers = machine->registers;
    unsigned found = 0;
    for (const char *at = text; *at; at++) {
        bool starts_word = at == text || at[-1] == ' ' || at[-1] == '\n';
        unsigned number;
        uint32_t value;
        if (!starts_word)
            continue;
        if (sscanf(at, "R%2u=%8" SCNx32, &number, &value) == 2 && number <= REGISTER_PC)
            registers[number] = value, found++;
        else if (sscanf(at, "s%2u=%8" SCNx32, &number, &value) == 2 && number < 32)
            registers[REGISTER_S0 + number] = value;
        else if (sscanf(at, "XPSR=%8" SCNx32, &value) == 1)
            registers[REGISTER_XPSR] = value, found++;
        else if (sscanf(at, "FPSCR: %8" SCNx32, &value) == 1)
            registers[REGISTER_FPSCR] = value;
    }
    /* QEMU shows the stack pointer in use, but not which of the two it is. */
    registers[REGISTER_MSP] = registers[REGISTER_PSP] = registers[REGISTER_SP];
    machine->registers_known = found == REGISTER_XPSR + 1;
    return machine->registers_known;
}

bool machine_read_register(struct machine *machine, unsigned number, uint32_t *value)
{
    char text[8192];
    if (!machine->stopped || number >= REGISTERS_COUNT)
        return false;
    if (!machine->registers_known &&
        !(qmp_monitor(&machine->qmp, text, sizeof text, "info registers") && parse_registers(machine, text)))
        return false;
    *value = machine->registers[number];
    return true;
}

bool machine_write_register(struct machine *machine, unsigned number, uint32_t value)
{
    unsigned gdb_number = number;
    if (number == REGISTER_XPSR)
        gdb_number = 25;
    else if (number == REGISTER_MSP || number == REGISTER_PSP)
        gdb_number = REGISTER_SP;
    else if (number > REGISTER_PC)
        return false;
    machine->registers_known = false;
    return machine->stopped && wake_stub(machine) && gdbstub_write_register(&machine->gdb, gdb_number, value);
}

/* Sets core_thread from "* CPU #0: thread_id=4711". */
static bool find_core_thread(struct machine *machine)
{
    char text[256];
    const char *at;
    if (machine->core_thread == 0 && qmp_monitor(&machine->qmp, text, sizeof text, "info cpus") &&
        (at = strstr(text, "thread_id=")) != NULL)
        machine->core_thread = atoi(at + strlen("thread_id="));
    return machine->core_thread > 0;
}

/* The state of the thread that executes the firmware. */
struct core_thread {
    bool waits;             /* it sleeps, like the core, or waits for QEMU's lock */
    unsigned long switches; /* how often it has begun to wait */
};

static struct core_thread read_core_thread(struct machine *machine)
{
    char path[64], text[4096] = "";
    struct core_thread thread = {0};
    const char *at;
    if (!find_core_thread(machine))
        return thread;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)machine->pid, machine->core_thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return thread;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    thread.waits = strstr(text, "\nState:\tS") != NULL;
    if ((at = strstr(text, "\nvoluntary_ctxt_switches:\t")) != NULL)
        thread.switches = strtoul(strchr(at, '\t'), NULL, 10);
    return thread;
}

/* Returns true if the instruction before the address is WFI or WFE. */
static bool is_after_wait(struct machine *machine, uint32_t pc)
{
    uint8_t bytes[2];
    return machine_read_device(machine, pc - 2, 2, 1, bytes) && bytes[1] == WAIT_OPCODE &&
           (bytes[0] == WFI_OPERAND || bytes[0] == WFE_OPERAND);
}

static bool read_pc(struct machine *machine, uint32_t *pc)
{
    char text[8192];
    const char *at;
    return qmp_monitor(&machine->qmp, text, sizeof text, "info registers") && (at = strstr(text, "R15=")) &&
           sscanf(at, "R15=%8" SCNx32, pc) == 1;
}

/*
 * While QEMU's monitor answers, the core waits at its next access to a peripheral. A monitor that is asked all the time
 * would often show such an access, and would hardly let the core continue. So an answer counts only if the core did not
 * begin to wait meanwhile. Otherwise the board lets the core run, and asks again.
 */
bool machine_sample_pc(struct machine *machine, uint32_t *pc, bool *asleep)
{
    const struct timespec pause = {0, PC_PAUSE_NS};
    for (int attempt = 0; attempt < PC_ATTEMPTS; attempt++) {
        struct core_thread before = read_core_thread(machine);
        if (!read_pc(machine, pc))
            return false;
        struct core_thread after = read_core_thread(machine);
        *asleep = after.waits && is_after_wait(machine, *pc);
        if (*asleep)
            break;
        /* At the end of an exception, QEMU shows a special value for a moment. */
        if (!after.waits && before.switches == after.switches && *pc < EXCEPTION_RETURN)
            break;
        do
            nanosleep(&pause, NULL);
        while (attempt++ < PC_ATTEMPTS && read_core_thread(machine).waits);
    }
    return *pc < EXCEPTION_RETURN;
}

/* Parses lines of "40000024: 0x12378fd0 0x..." or "70000000: Cannot access memory": only values have the prefix 0x. */
static bool parse_dump(const char *text, unsigned width, uint32_t count, uint8_t *buffer)
{
    for (; count; count--) {
        text = strstr(text, "0x");
        if (!text)
            return false;
        char *end;
        unsigned long value = strtoul(text, &end, 16);
        for (unsigned i = 0; i < width; i++)
            *buffer++ = (uint8_t)(value >> 8 * i);
        text = end;
    }
    return true;
}

bool machine_read_device(struct machine *machine, uint32_t address, unsigned width, uint32_t count, uint8_t *buffer)
{
    static char text[DEVICE_READ_MAX * 32];
    char size = width == 1 ? 'b' : width == 2 ? 'h' : 'w';
    while (count) {
        uint32_t part = count < DEVICE_READ_MAX ? count : DEVICE_READ_MAX;
        if (!qmp_monitor(&machine->qmp, text, sizeof text, "x /%" PRIu32 "%cx 0x%" PRIx32, part, size, address) ||
            !parse_dump(text, width, part, buffer))
            return false;
        address += part * width, buffer += part * width, count -= part;
    }
    return true;
}

bool machine_write_device(struct machine *machine, uint32_t address, const uint8_t *buffer, uint32_t length)
{
    bool was_stopped = machine->stopped;
    bool done =
        machine_stop(machine) && wake_stub(machine) && gdbstub_write_memory(&machine->gdb, address, buffer, length);
    return (was_stopped || machine_continue(machine)) && done;
}
