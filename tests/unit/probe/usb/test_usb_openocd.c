/* SPDX-License-Identifier: MIT */
/*
 * The command line of the OpenOCD that txtap starts, for each known probe and each chip. It is checked as text, and by
 * a real OpenOCD. TXTAP_OPENOCD=PATH: another OpenOCD.
 */
#include "probe/usb/usb_openocd.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/failure.h"
#include "probe/chip.h"
#include "probe/usb/usb_table.h"

#define ST_LINK   0x0483, 0x374b
#define OLD_LINK  0x0483, 0x3744 /* has no dapdirect */
#define CMSIS_DAP 0x2e8a, 0x000c
#define J_LINK    0x1366, 0x0101
#define OLIMEX    0x15ba, 0x002a /* only JTAG */
#define NU_LINK   0x0416, 0x511b

static struct usb_identity probe;
static struct openocd_arguments arguments;
static struct error error;
static const char *port; /* of struct usb_target */

static void take_row(const struct usb_row *row)
{
    cr_assert_not_null(row);
    probe = (struct usb_identity){.name = row->name,
                                  .interface = row->interface,
                                  .transport = row->transport,
                                  .more = row->more,
                                  .quirks = row->quirks};
}

static void plug(uint16_t vendor, uint16_t product)
{
    take_row(usb_table_find(vendor, product));
    strcpy(probe.serial, "066DFF34");
}

static enum txtap_status try(const char *chip, const char *name, unsigned khz)
{
    return usb_openocd_arguments(&arguments, "openocd", &probe, &(struct usb_target){chip, name, khz, port}, &error);
}

/* Returns the whole command line as a text with one argument per line. */
static const char *command_line(const char *chip, const char *name, unsigned khz)
{
    static char text[2 * OPENOCD_ARGUMENT_BYTES];
    size_t used = 0;

    cr_assert_eq(try(chip, name, khz), TXTAP_OK, "%s: %s", probe.name, error.what);
    for (size_t i = 0; i < arguments.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", arguments.argv[i]);
    cr_assert_lt(used, sizeof text);
    return text;
}

static void in_order(const char *text, const char *const *parts)
{
    const char *at = text;

    for (; *parts != NULL; parts++) {
        at = strstr(at, *parts);
        cr_assert_not_null(at, "no '%s' in its place in %s", *parts, text);
        at += strlen(*parts);
    }
}

#define IN_ORDER(text, ...) in_order(text, (const char *const[]){__VA_ARGS__, NULL})

static void refused(const char *chip, const char *name, enum txtap_status status, const char *words)
{
    char text[ERROR_TEXT_BYTES];

    cr_expect_eq(try(chip, name, 0), status, "%s", chip);
    cr_expect_not_null(strstr(error_text(&error, text), words), "'%s' instead of '%s'", text, words);
}

/* ---- text ---- */

Test(usb_openocd, the_command_line_is_the_probe_then_the_target)
{
    plug(ST_LINK);
    probe.more = "more of it";
    IN_ORDER(command_line(NULL, NULL, 1800), "tcl_port 0", "-f\ninterface/stlink.cfg\n", "-c\nmore of it\n",
             "\ntxtap_serial 066DFF34\n", "\ntxtap_transport hla_swd\n", "set TXTAP_ADAPTER_KHZ 1800\n",
             "target create $TXTAP_TARGET", "\ninit\n", "poll off");
    IN_ORDER(command_line("stm32f4x", NULL, 1800), "\ntxtap_serial", "\ntxtap_transport", "-f\ntarget/stm32f4x.cfg\n",
             "adapter speed 1800\n", "\ninit\n");
    cr_assert_null(strstr(command_line("stm32f4x", "stm32f4x.cpu", 0), "target create"));
    cr_assert_null(strstr(command_line(NULL, NULL, 0), "set TXTAP_ADAPTER_KHZ 1800"));
    probe.serial_is_cut = true;
    cr_assert_null(strstr(command_line(NULL, NULL, 0), "\ntxtap_serial"));
}

/* A device may have any text as its serial number. OpenOCD would execute text in brackets. */
Test(usb_openocd, a_serial_of_several_probes_needs_the_port)
{
    plug(ST_LINK);
    port = "1-4.2";
    IN_ORDER(command_line(NULL, NULL, 0), "\ntxtap_serial 066DFF34\n", "\nadapter usb location 1-4.2\n",
             "\ntxtap_transport");
    IN_ORDER(command_line("stm32h7s78", NULL, 0), "interface/stlink-dap.cfg\n", "\nadapter usb location 1-4.2\n");
    port = "";
    refused(NULL, NULL, ERROR_UNSAFE, "OpenOCD could take another probe instead of ST-Link/V2-1");
    port = "1-4.2";
    plug(J_LINK);
    IN_ORDER(command_line(NULL, NULL, 0), "\nadapter usb location 1-4.2\n");
    plug(CMSIS_DAP);
    refused(NULL, NULL, ERROR_UNSAFE, "unplug the other probe, or use --probe without --openocd");
    port = NULL;
    cr_assert_null(strstr(command_line(NULL, NULL, 0), "usb location"));
}

Test(usb_openocd, a_serial_is_a_word_and_not_a_command)
{
    plug(CMSIS_DAP);
    strcpy(probe.serial, "[exec rm]; $x \"{\\");
    IN_ORDER(command_line(NULL, NULL, 0), "\ntxtap_serial \\[exec\\ rm\\]\\;\\ \\$x\\ \\\"\\{\\\\\n");
    strcpy(probe.serial, "a\nb\033[2J");
    IN_ORDER(command_line(NULL, NULL, 0), "\ntxtap_serial ab\\[2J\n");
}

Test(usb_openocd, the_longest_command_line_fits)
{
    for (size_t i = 0; usb_table_row(i) != NULL; i++) {
        if (usb_table_row(i)->use != USB_OPENOCD)
            continue;
        take_row(usb_table_row(i));
        memset(probe.serial, '[', sizeof probe.serial - 1);
        IN_ORDER(command_line(NULL, NULL, 1), probe.interface, probe.transport);
    }
}

Test(usb_openocd, a_core_behind_another_access_port_is_found_there)
{
    plug(CMSIS_DAP);
    IN_ORDER(command_line("psoc6", NULL, 0), "interface/cmsis-dap.cfg\n", "\ntxtap_transport swd\n",
             "set TXTAP_TARGET psoc6.cpu.cm4; set TXTAP_AP {2}; set TXTAP_DAP {}\n", "target create");
    IN_ORDER(command_line("PSoC6", "psoc6.cpu.cm0", 0), "set TXTAP_TARGET psoc6.cpu.cm0; set TXTAP_AP {1}");
    IN_ORDER(command_line("rp2040", "rp2040.core1", 0),
             "set TXTAP_TARGET rp2040.core1; set TXTAP_AP {}; set TXTAP_DAP {-dp-id 0x01002927 -instance-id 1}\n");
    IN_ORDER(command_line("rp2350", NULL, 0), "set TXTAP_AP {0x2000}; set TXTAP_DAP {-adiv6}\n");
    refused("psoc6", "psoc6.cpu", TXTAP_ERROR_USAGE,
            "psoc6 has no core 'psoc6.cpu': give --target psoc6.cpu.cm4, or --target psoc6.cpu.cm0");
    refused("stm32n657", "x", TXTAP_ERROR_USAGE, "give --target stm32n6x.cpu");
}

Test(usb_openocd, an_stlink_reaches_other_access_ports_without_hla)
{
    plug(ST_LINK);
    IN_ORDER(command_line("stm32h7s78", NULL, 0), "interface/stlink-dap.cfg\n", "\ntxtap_transport dapdirect_swd\n",
             "set TXTAP_AP {1}");
    IN_ORDER(command_line("stm32h747", NULL, 0), "interface/stlink.cfg\n", "\ntxtap_transport hla_swd\n",
             "set TXTAP_AP {0}");
    IN_ORDER(command_line("stm32h755zi", "stm32h7x.cpu1", 0), "interface/stlink-dap.cfg\n", "set TXTAP_AP {3}");
    refused("rp2040", NULL, ERROR_UNSAFE,
            "ST-Link/V2-1 cannot reach the core of rp2040: the chip has several debug ports on one SWD bus");
    refused("rp2350", NULL, ERROR_UNSAFE, "long addresses");
    refused("ti_cc26x0", NULL, ERROR_UNSAFE, "JTAG only");
    plug(OLD_LINK);
    refused("psoc6", NULL, ERROR_UNSAFE, "not behind access port 0");
    plug(NU_LINK);
    refused("psoc6", NULL, ERROR_UNSAFE, "not behind access port 0");
    plug(OLIMEX);
    refused("rp2040", NULL, ERROR_UNSAFE, "multidrop");
    IN_ORDER(command_line("psoc6", NULL, 0), "\ntxtap_transport jtag\n", "set TXTAP_AP {2}");
}

Test(usb_openocd, a_chip_with_only_jtag_gets_jtag)
{
    plug(CMSIS_DAP);
    IN_ORDER(command_line("ti_cc26x0", "cc26x0.cpu", 0), "\ntxtap_transport jtag\n", "-f\ntarget/ti_cc26x0.cfg\n");
    IN_ORDER(command_line("ti/cc13x2", NULL, 0), "\ntxtap_transport jtag\n", "-f\ntarget/ti/cc13x2.cfg\n");
    plug(J_LINK);
    IN_ORDER(command_line("cc2538", NULL, 0), "\ntxtap_transport jtag\n");
}

/* Only these names select a row. Any other name selects OpenOCD's file of that name, such as stm32h7x for chips with a
 * single core. */
Test(usb_openocd, names_of_chips_select_configurations)
{
    static const char *const with_row[] = {"rp2040",     "RP2350",     "psoc6",    "stm32h7rsx", "stm32h7s3",
                                           "stm32n6x",   "stm32wba5x", "stm32wl5", "stm32h747",  "nrf53",
                                           "nrf5340_xx", "ti_cc13x2",  "ti/cc26x0"};
    static const char *const without[] = {"stm32h7x", "stm32h743",   "stm32wlx", "stm32wle5", "stm32wbx", "nrf52",
                                          "psoc4",    "ti_cc3220sf", "rp2",      "xrp2040",   ""};

    for (size_t i = 0; i < sizeof with_row / sizeof *with_row; i++)
        cr_expect_not_null(chip_find(with_row[i]), "%s", with_row[i]);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        cr_expect_null(chip_find(without[i]), "%s", without[i]);
    for (size_t i = 0; chip_row(i) != NULL; i++)
        cr_expect_eq(chip_row(i)->cores[0].target == NULL, chip_row(i)->reach == CHIP_JTAG);
}

/* ---- a real OpenOCD, up to the point where it would search for the probe ---- */

static const char *program(void)
{
    const char *given = getenv("TXTAP_OPENOCD");

    return given != NULL ? given : "openocd";
}

/* Runs a program and reads its whole log, because the relevant lines are at the end. Returns the exit status. */
static int run(char *const argv[], char *log, size_t size)
{
    int ends[2], status;
    ssize_t got;
    size_t used = 0;
    pid_t pid;

    cr_assert(pipe2(ends, O_CLOEXEC) == 0);
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    while ((got = read(ends[0], log + used, size - 1 - used)) > 0)
        used += (size_t)got;
    log[used] = '\0';
    close(ends[0]);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Returns true if this OpenOCD can be tested. By default this is only version 0.12, because other versions lack some
 * interface files; with TXTAP_OPENOCD it is any version.
 */
static bool can_be_asked(void)
{
    char log[4096];

    if (run((char *[]){(char *)program(), (char *)"--version", NULL}, log, sizeof log) != 0)
        return false;
    return getenv("TXTAP_OPENOCD") != NULL || strstr(log, "Open On-Chip Debugger 0.12.") != NULL;
}

/* Runs OpenOCD with the arguments until it would search for the probe. Returns its exit status and its log. */
static int ask(char *log, size_t size)
{
    char *argv[OPENOCD_ARGUMENTS_MAX + 1] = {(char *)program()};
    bool init = false;

    for (size_t i = 1; i < arguments.count; i++) {
        bool here = strcmp(arguments.argv[i], "init") == 0;

        argv[i] = (char *)(here ? "shutdown" : arguments.argv[i]);
        init |= here;
    }
    cr_assert(init, "OpenOCD starts to work at 'init'");
    return run(argv, log, size);
}

static void is_taken(const char *what)
{
    static char log[65536];

    cr_expect(ask(log, sizeof log) == 0 && strstr(log, "Error: ") == NULL, "%s for %s: %s", what, probe.name, log);
}

/* Returns true if no earlier row has the same configuration. */
static bool is_new(size_t index)
{
    const struct usb_row *row = usb_table_row(index);

    for (size_t i = 0; i < index; i++) {
        const struct usb_row *other = usb_table_row(i);

        if (other->use == USB_OPENOCD && strcmp(row->interface, other->interface) == 0 &&
            strcmp(row->transport, other->transport) == 0 && row->more == other->more)
            return false;
    }
    return true;
}

Test(usb_openocd, openocd_accepts_the_configuration_of_each_known_probe, .timeout = 1200)
{
    if (!can_be_asked())
        cr_skip("there is no OpenOCD 0.12");
    for (size_t i = 0; usb_table_row(i) != NULL; i++) {
        if (usb_table_row(i)->use != USB_OPENOCD || !is_new(i))
            continue;
        take_row(usb_table_row(i));
        cr_assert_eq(try(NULL, NULL, 0), TXTAP_OK);
        is_taken("the generic configuration");
    }
}

/* The folder of the user may be a tree of others. OpenOCD searches the current folder first. */
Test(usb_openocd, openocd_takes_no_file_of_the_current_folder)
{
    static char log[65536];
    char folder[] = "/tmp/test_usb_openocd.XXXXXX";
    FILE *file;

    if (!can_be_asked())
        cr_skip("there is no OpenOCD 0.12");
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mkdir("target", 0755), 0);
    file = fopen("target/stm32f4x.cfg", "w");
    cr_assert_not_null(file);
    fputs("echo {a file of others}\nshutdown\n", file);
    fclose(file);
    plug(ST_LINK);
    cr_expect_eq(try("stm32f4x", NULL, 1000), TXTAP_OK);
    ask(log, sizeof log);
    cr_expect_null(strstr(log, "a file of others"), "%s", log);
    unlink("target/stm32f4x.cfg");
    rmdir("target");
    cr_assert_eq(chdir("/"), 0);
    rmdir(folder);
}

/* Returns the name of OpenOCD's file, if it has one. */
static const char *name_of(const struct chip *chip)
{
    static const char *const names[] = {"rp2040",    "rp2350",    "psoc6",   "stm32h7rsx", "stm32n6x",  "stm32wba5x",
                                        "stm32h747", "stm32wl55", "nrf5340", "ti_cc13x2",  "ti_cc26x0", "cc2538"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (chip_find(names[i]) == chip)
            return names[i];
    cr_assert_fail("give a name that fits %s", chip->pattern);
    return NULL;
}

Test(usb_openocd, openocd_accepts_the_configuration_of_each_chip, .timeout = 1200)
{
    static const uint16_t links[][2] = {{CMSIS_DAP}, {ST_LINK}};

    if (!can_be_asked())
        cr_skip("there is no OpenOCD 0.12");
    for (size_t i = 0; chip_row(i) != NULL; i++) {
        const char *name = name_of(chip_row(i));

        for (size_t core = 0; core < CHIP_CORES_MAX; core++) {
            for (size_t link = 0; link < 2; link++) {
                plug(links[link][0], links[link][1]);
                if ((core == 0 || chip_row(i)->cores[core].target != NULL) &&
                    try(name, chip_row(i)->cores[core].target, 1000) == TXTAP_OK)
                    is_taken(name);
            }
        }
    }
}

/* ---- openocd-cfg ---- */

Test(usb_openocd, openocd_accepts_each_file_with_each_transport, .timeout = 1200)
{
    static const char *const files[][2] = {
        {"stlink", "hla_swd"}, {"stlink", "dapdirect_swd"}, {"cmsis-dap", "swd"},  {"cmsis-dap", "jtag"},
        {"jlink", "swd"},      {"jlink", "jtag"},           {"vboard", "hla_swd"}, {"vboard", "dapdirect_swd"}};
    static char log[65536];

    if (!can_be_asked())
        cr_skip("there is no OpenOCD 0.12");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[512], transport[64];

        snprintf(file, sizeof file, "%s/../../openocd-cfg/%s.cfg", TXTAP_TEST_DATA, files[i][0]);
        snprintf(transport, sizeof transport, "set TXTAP_TRANSPORT %s", files[i][1]);
        int status = run((char *[]){(char *)program(), (char *)"-c", transport, (char *)"-f", file, (char *)"-c",
                                    (char *)"txtap_serial 1", (char *)"-c", (char *)"shutdown", NULL},
                         log, sizeof log);

        cr_expect(status == 0 && strstr(log, "Error: ") == NULL, "%s.cfg, %s: %s", files[i][0], files[i][1], log);
    }
}
