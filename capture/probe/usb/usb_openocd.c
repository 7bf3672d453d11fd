/* SPDX-License-Identifier: MIT */
/* Makes OpenOCD's command line: the probe, its transport, then the generic configuration or the chip's own. */
#include "probe/usb/usb_openocd.h"

#include <stdio.h>
#include <string.h>

#include "base/failure.h"
#include "probe/openocd/openocd.h"
#include "probe/chip.h"

static const char HLA[] = "hla_"; /* transports through the probe's own firmware, which reach only access port 0 */

/* ---- the core ---- */

static bool is_hla(const struct usb_identity *probe)
{
    return strncmp(probe->transport, HLA, strlen(HLA)) == 0;
}

static bool is_behind_port_0(const struct chip_core *core)
{
    return core->access_port[0] == '\0' || strcmp(core->access_port, "0") == 0;
}

/* ---- choosing the adapter and the transport ---- */

struct way {
    const char *interface, *transport;
};

/* Returns true if OpenOCD's adapter for this probe supports JTAG. */
static bool has_jtag(const struct usb_identity *probe)
{
    static const char *const both[] = {"interface/cmsis-dap.cfg", "interface/jlink.cfg", "interface/xds110.cfg"};

    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (strcmp(probe->interface, both[i]) == 0)
            return true;
    return strcmp(probe->transport, "jtag") == 0;
}

/* Returns NULL, or the reason why this probe cannot reach the core. */
static const char *find_way(const struct usb_identity *probe, const struct chip *chip, const struct chip_core *core,
                            struct way *way)
{
    *way = (struct way){probe->interface, probe->transport};
    if (chip == NULL)
        return NULL;
    if (chip->reach == CHIP_JTAG) {
        way->transport = "jtag";
        return has_jtag(probe) ? NULL : "the chip has JTAG only";
    }
    if (chip->reach == CHIP_MULTIDROP && strcmp(probe->transport, "swd") != 0)
        return "the chip has several debug ports on one SWD bus (multidrop)";
    if (chip->reach == CHIP_NO_STLINK && is_hla(probe))
        return "the chip's access ports have long addresses (ADIv6)";
    if (is_behind_port_0(core) || !is_hla(probe))
        return NULL;
    *way = (struct way){"interface/stlink-dap.cfg", "dapdirect_swd"};
    return probe->quirks & USB_QUIRK_DAPDIRECT ? NULL : "the core is not behind access port 0";
}

/* ---- the port ---- */

/* Returns true if OpenOCD's driver for this interface obeys "adapter usb location". Source: OpenOCD 0.12.0,
 * libusb_helper.c for ST-Links, jlink.c and mpsse.c. The driver for CMSIS-DAP ignores the location. */
static bool obeys_location(const char *interface)
{
    static const char *const names[] = {"interface/stlink", "interface/jlink.cfg", "interface/ftdi/"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(interface, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* ---- the command line ---- */

static void add_probe(struct openocd_arguments *arguments, const struct usb_identity *probe, const struct way *way,
                      const char *port)
{
    char serial[OPENOCD_QUOTED_BYTES(USB_STRING_TEXT_BYTES)];

    openocd_arguments_add(arguments, "-f", "%s", way->interface);
    if (probe->more != NULL)
        openocd_arguments_add(arguments, "-c", "%s", probe->more);
    openocd_arguments_add(arguments, "-c", "%s", openocd_versions);
    if (probe->serial[0] != '\0' && !probe->serial_is_cut)
        openocd_arguments_add(arguments, "-c", "txtap_serial %s",
                              openocd_arguments_quote(serial, sizeof serial, probe->serial));
    if (port != NULL)
        openocd_arguments_add(arguments, "-c", "adapter usb location %s", port);
    openocd_arguments_add(arguments, "-c", "txtap_transport %s", way->transport);
}

static void add_generic(struct openocd_arguments *arguments, const struct chip_core *core, unsigned khz)
{
    if (khz > 0)
        openocd_arguments_add(arguments, "-c", "set TXTAP_ADAPTER_KHZ %u", khz);
    if (core != NULL)
        openocd_arguments_add(arguments, "-c", "set TXTAP_TARGET %s; set TXTAP_AP {%s}; set TXTAP_DAP {%s}",
                              core->target, core->access_port, core->dap);
    openocd_arguments_add(arguments, "-c", "%s", openocd_configuration);
}

static void add_file(struct openocd_arguments *arguments, const char *chip, unsigned khz)
{
    openocd_arguments_add(arguments, "-f", "target/%s.cfg", chip);
    if (khz > 0)
        openocd_arguments_add(arguments, "-c", "adapter speed %u", khz);
}

enum txtap_status usb_openocd_arguments(struct openocd_arguments *arguments, const char *program,
                                        const struct usb_identity *probe, const struct usb_target *target,
                                        struct error *error)
{
    const struct chip *chip = target->chip != NULL ? chip_find(target->chip) : NULL;
    const struct chip_core *core = NULL;
    const char *problem;
    struct way way;

    if (chip_core_find(target->chip, target->name, &core, error) != TXTAP_OK)
        return error->status;
    problem = find_way(probe, chip, core, &way);
    if (problem != NULL)
        return failure(error, ERROR_UNSAFE,
                       "%.60s cannot reach the core of %.40s: %s\nuse a probe with CMSIS-DAP, or "
                       "your own configuration: --openocd ARGS",
                       usb_device_name(probe), target->chip, problem);
    if (target->port != NULL && (target->port[0] == '\0' || !obeys_location(way.interface)))
        return failure(error, ERROR_UNSAFE,
                       "OpenOCD could take another probe instead of %.60s: their serial numbers do not differ\n"
                       "unplug the other probe, or use --probe without --openocd",
                       usb_device_name(probe));
    openocd_arguments_begin(arguments, program);
    /* OpenOCD searches the current folder first, and a file there may come from others and start programs. */
    openocd_arguments_add(arguments, "-c", "cd /");
    add_probe(arguments, probe, &way, target->port);
    if (target->chip == NULL || (chip != NULL && chip->reach != CHIP_JTAG))
        add_generic(arguments, core, target->khz);
    else
        add_file(arguments, target->chip, target->khz);
    if (!openocd_arguments_end(arguments))
        return failure(error, TXTAP_ERROR_SPACE, "the command line for OpenOCD is too long");
    return TXTAP_OK;
}
