/* SPDX-License-Identifier: MIT */
/*
 * txtap start|stop|filter|status in Zephyr's shell.
 */
#include "txtap_control.h"

#include <zephyr/kernel.h>
#include <zephyr/shell/shell.h>

static int cmd_start(const struct shell *shell, size_t argc, char **argv)
{
    ARG_UNUSED(argc);
    ARG_UNUSED(argv);
    int result = txtap_start();
    if (result)
        shell_error(shell, "already running: 'txtap stop' first");
    return result;
}

static int cmd_stop(const struct shell *shell, size_t argc, char **argv)
{
    ARG_UNUSED(argc);
    ARG_UNUSED(argv);
    int result = txtap_stop();
    if (result)
        shell_error(shell, "not running");
    return result;
}

static void classes_print(const struct shell *shell, uint32_t classes)
{
    shell_fprintf(shell, SHELL_NORMAL, "classes 0x%08x:", classes);
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = txtap_class_name(bit);
        if (name && (classes >> bit & 1))
            shell_fprintf(shell, SHELL_NORMAL, " %s", name);
    }
    shell_fprintf(shell, SHELL_NORMAL, "\n");
}

/* Without arguments, shows the classes. With arguments, records only the named classes. */
static int cmd_filter(const struct shell *shell, size_t argc, char **argv)
{
    struct txtap_status status;
    uint32_t wanted = 0;
    for (size_t i = 1; i < argc; i++) {
        uint32_t classes;
        if (txtap_class(argv[i], &classes)) {
            shell_error(shell, "no class '%s': see 'txtap classes', or all, none", argv[i]);
            return -EINVAL;
        }
        wanted |= classes;
    }
    if (argc > 1)
        txtap_filter(wanted);
    txtap_status_get(&status);
    classes_print(shell, status.classes);
    return 0;
}

static int cmd_classes(const struct shell *shell, size_t argc, char **argv)
{
    ARG_UNUSED(argc);
    ARG_UNUSED(argv);
    classes_print(shell, UINT32_MAX);
    return 0;
}

static int cmd_status(const struct shell *shell, size_t argc, char **argv)
{
    struct txtap_status status;
    ARG_UNUSED(argc);
    ARG_UNUSED(argv);
    txtap_status_get(&status);
    shell_print(shell, "%s, buffer 0x%08x, %u bytes", status.running ? "running" : "stopped", status.address,
                status.bytes);
    shell_print(shell, "ring %u events, next %u, wrapped %u times; %u of %u objects", status.ring_entries,
                status.ring_index, status.laps, status.objects, status.objects_max);
    if (status.clock_hz)
        shell_print(shell, "clock %u Hz", status.clock_hz);
    classes_print(shell, status.classes);
    return 0;
}

SHELL_STATIC_SUBCMD_SET_CREATE(txtap_commands,
                               SHELL_CMD_ARG(start, NULL, "Start again, with an empty ring", cmd_start, 1, 0),
                               SHELL_CMD_ARG(stop, NULL, "Stop; the ring can still be read", cmd_stop, 1, 0),
                               SHELL_CMD_ARG(filter, NULL, "[CLASS...|all|none] Record these classes only", cmd_filter,
                                             1, 12),
                               SHELL_CMD_ARG(classes, NULL, "List the classes", cmd_classes, 1, 0),
                               SHELL_CMD_ARG(status, NULL, "Show the state", cmd_status, 1, 0), SHELL_SUBCMD_SET_END);
SHELL_CMD_REGISTER(txtap, &txtap_commands, "Trace recorder", NULL);
