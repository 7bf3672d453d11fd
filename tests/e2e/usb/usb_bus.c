/* SPDX-License-Identifier: MIT */
/*
 * An emulated USB bus: makes the folder of a umockdev testbed, and plugs devices in and out by commands on standard
 * input. Programs with libumockdev-preload and UMOCKDEV_DIR see it as their /sys/bus/usb and /dev/bus/usb.
 *
 *   plug NAME [quietly]     unplug NAME [quietly]     quietly: udev does not report it
 *   claim NAME DRIVER       release NAME of the device's first interface
 *   crowd COUNT             plugs in COUNT probes whose strings are hostile
 *
 * The program prints the folder first, and then "ok" after each command.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <umockdev.h>

#include "usb_devices.h"

/* ---- plugging ---- */

static char *device_path(const struct device *device)
{
    return g_strdup_printf("/sys/devices/%s", device->port);
}

static char *node_of(const struct device *device)
{
    return g_strdup_printf("/dev/bus/usb/001/%03u", device->address);
}

static void set_number(UMockdevTestbed *bed, const char *path, const char *name, unsigned number)
{
    char text[16];

    snprintf(text, sizeof text, "%u\n", number);
    umockdev_testbed_set_attribute(bed, path, name, text);
}

static void set_string(UMockdevTestbed *bed, const char *path, const char *name, const char *text)
{
    char *line;

    if (text == NULL)
        return;
    line = g_strconcat(text, "\n", NULL);
    umockdev_testbed_set_attribute(bed, path, name, line);
    g_free(line);
}

static char *add(UMockdevTestbed *bed, const char *text, const char *path)
{
    GError *error = NULL;

    if (!umockdev_testbed_add_from_string(bed, text, &error)) {
        fprintf(stderr, "usb_bus: %s: %s\n", path, error->message);
        exit(1);
    }
    return g_strdup_printf("/sys%s", path);
}

static void plug_hidraw(UMockdevTestbed *bed, const struct device *device)
{
    char *path = g_strdup_printf("/devices/%s/%s:1.0/0003:%04X:%04X.0001/hidraw/%s", device->port, device->port,
                                 device->vendor, device->product, device->hidraw);
    char *text = g_strdup_printf("P: %s\nN: %s\nE: DEVNAME=/dev/%s\nE: SUBSYSTEM=hidraw\n", path, device->hidraw,
                                 device->hidraw);

    g_free(add(bed, text, path));
    g_free(text);
    g_free(path);
}

static void plug_interfaces(UMockdevTestbed *bed, const struct device *device)
{
    struct interface interfaces[INTERFACES_MAX];
    size_t count = device_interfaces(device, interfaces);

    for (size_t i = 0; i < count; i++) {
        char *path = g_strdup_printf("/devices/%s/%s:1.%zu", device->port, device->port, i);
        char *text = g_strdup_printf("P: %s\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n", path);
        char *in_sys = add(bed, text, path);

        if (interfaces[i].text[0] != '\0')
            set_string(bed, in_sys, "interface", interfaces[i].text);
        g_free(in_sys);
        g_free(text);
        g_free(path);
    }
}

static void plug(UMockdevTestbed *bed, const struct device *device, bool quietly)
{
    uint8_t bytes[DESCRIPTORS_BYTES_MAX];
    size_t length = device_descriptors(device, bytes);
    char *path = g_strdup_printf("/devices/%s", device->port), *node = node_of(device);
    char *text = g_strdup_printf("P: %s\nN: %s\nE: DEVNAME=%s\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nE: "
                                 "BUSNUM=001\nE: DEVNUM=%03u\n",
                                 path, node + strlen("/dev/"), node, device->address);
    char *in_sys = add(bed, text, path);

    set_number(bed, in_sys, "busnum", 1);
    set_number(bed, in_sys, "devnum", device->address);
    set_number(bed, in_sys, "bConfigurationValue", 1);
    umockdev_testbed_set_attribute(bed, in_sys, "speed", "480\n");
    umockdev_testbed_set_attribute_hex(bed, in_sys, "idVendor", device->vendor);
    umockdev_testbed_set_attribute_hex(bed, in_sys, "idProduct", device->product);
    set_string(bed, in_sys, "manufacturer", device->manufacturer);
    set_string(bed, in_sys, "product", device->product_text);
    set_string(bed, in_sys, "serial", device->serial);
    plug_interfaces(bed, device);
    if (device->hidraw != NULL)
        plug_hidraw(bed, device);
    /*
     * The descriptors are written last: libusb ignores a device without descriptors, so no program sees a half
     * plugged-in device.
     */
    umockdev_testbed_set_attribute_binary(bed, in_sys, "descriptors", bytes, (gint)length);
    if (!quietly)
        umockdev_testbed_uevent(bed, in_sys, "add");
    g_free(in_sys);
    g_free(text);
    g_free(node);
    g_free(path);
}

/*
 * Reports a removal. umockdev reads the device from sysfs to report it: for that moment a folder exists that is in no
 * list of devices.
 */
static void report_removal(UMockdevTestbed *bed, const struct device *device, const char *root)
{
    char *path = device_path(device), *node = node_of(device);
    char *folder = g_strconcat(root, path, NULL);
    char *uevent = g_strconcat(folder, "/uevent", NULL), *subsystem = g_strconcat(folder, "/subsystem", NULL);
    char *text = g_strdup_printf("DEVNAME=%s\nDEVTYPE=usb_device\nSUBSYSTEM=usb\nBUSNUM=001\nDEVNUM=%03u\n", node,
                                 device->address);

    if (g_mkdir_with_parents(folder, 0755) != 0 || !g_file_set_contents(uevent, text, -1, NULL) ||
        symlink("../../bus/usb", subsystem) != 0)
        exit(1);
    umockdev_testbed_uevent(bed, path, "remove");
    unlink(uevent);
    unlink(subsystem);
    rmdir(folder);
    g_free(text);
    g_free(subsystem);
    g_free(uevent);
    g_free(folder);
    g_free(node);
    g_free(path);
}

/* Unplugs a device. As in Linux, the device is gone from sysfs when udev reports the removal. */
static void unplug(UMockdevTestbed *bed, const struct device *device, bool quietly)
{
    char *path = device_path(device), *node = node_of(device), *root = umockdev_testbed_get_root_dir(bed);
    char *file = g_strconcat(root, node, NULL), *descriptors = g_strconcat(root, path, "/descriptors", NULL);

    struct interface interfaces[INTERFACES_MAX];
    size_t count = device_interfaces(device, interfaces);

    (void)unlink(descriptors); /* removed first, because plugging writes them last */
    for (size_t i = 0; i < count; i++) {
        char *interface = g_strdup_printf("%s/%s:1.%zu", path, device->port, i);

        umockdev_testbed_remove_device(bed, interface);
        g_free(interface);
    }
    umockdev_testbed_remove_device(bed, path);
    (void)unlink(file);
    if (!quietly)
        report_removal(bed, device, root);
    g_free(descriptors);
    g_free(file);
    g_free(root);
    g_free(node);
    g_free(path);
}

/* Claims an interface: it then has usbfs as its driver. */
static void claim(UMockdevTestbed *bed, const struct device *device, const char *driver)
{
    char *path = g_strdup_printf("/sys/devices/%s/%s:1.0", device->port, device->port);
    char *target = g_strdup_printf("../../../../bus/usb/drivers/%s", driver);

    umockdev_testbed_set_attribute_link(bed, path, "driver", target);
    g_free(target);
    g_free(path);
}

static void release(UMockdevTestbed *bed, const struct device *device)
{
    char *root = umockdev_testbed_get_root_dir(bed);
    char *link = g_strdup_printf("%s/sys/devices/%s/%s:1.0/driver", root, device->port, device->port);

    unlink(link);
    g_free(link);
    g_free(root);
}

/* Plugs in probes whose strings have escapes, quotes, invalid UTF-8 and the maximum length. */
static void crowd(UMockdevTestbed *bed, unsigned count)
{
    static char serial[127 + 1], port[16];
    struct device device = {.vendor = 0x0483,
                            .product = 0x374b,
                            .manufacturer = "\x1b]0;owned\x07",
                            .product_text = "\"}],\\\x1b[31m\xff\xfe\xc2\x9b\r\n",
                            .serial = serial,
                            .interfaces = "FF oii \x1b[2J",
                            .port = port};

    for (unsigned i = 0; i < count; i++) {
        for (size_t at = 0; at < sizeof serial - 1; at++)
            serial[at] = (char)(1 + (at * 7 + i * 13) % 255);
        snprintf(port, sizeof port, "1-%u", i + 1);
        device.address = i + 2;
        plug(bed, &device, true);
    }
}

/* ---- commands ---- */

static const struct device *find(const char *name)
{
    const struct device *device = device_find(name);

    if (device == NULL) {
        fprintf(stderr, "usb_bus: no device %s\n", name);
        exit(1);
    }
    return device;
}

static void obey(UMockdevTestbed *bed, const char *verb, const char *name, const char *how)
{
    bool quietly = strcmp(how, "quietly") == 0;

    if (strcmp(verb, "plug") == 0)
        plug(bed, find(name), quietly);
    else if (strcmp(verb, "unplug") == 0)
        unplug(bed, find(name), quietly);
    else if (strcmp(verb, "claim") == 0)
        claim(bed, find(name), how);
    else if (strcmp(verb, "release") == 0)
        release(bed, find(name));
    else if (strcmp(verb, "crowd") == 0)
        crowd(bed, (unsigned)atoi(name));
    else
        exit(1); /* no such command */
    printf("ok\n");
    fflush(stdout);
}

int main(void)
{
    UMockdevTestbed *bed = umockdev_testbed_new();
    char *root = umockdev_testbed_get_root_dir(bed), line[128], verb[32], name[32], how[32];

    printf("%s\n", root);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        verb[0] = name[0] = how[0] = '\0';
        if (sscanf(line, "%31s %31s %31s", verb, name, how) > 0)
            obey(bed, verb, name, how);
    }
    g_free(root);
    g_object_unref(bed);
    return 0;
}
