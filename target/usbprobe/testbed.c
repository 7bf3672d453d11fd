/* SPDX-License-Identifier: MIT */
/* Files of an emulated device. */
#include "testbed.h"
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_DEVICE 2 /* the root hub is 1 */
#define DEVICES_MAX  127

static void print_node(const struct testbed *testbed, char path[static 32])
{
    snprintf(path, 32, "/dev/bus/usb/001/%03u", testbed->device);
}

static bool set_mode(const char *path, mode_t mode)
{
    return chmod(path, mode) == 0 || fail("cannot change the permissions of %s: %s", path, strerror(errno));
}

/* Opens the testbed, and opens umockdev's folder to all users. Programs of other users need access, because they create
 * the socket that receives udev's events in this folder. */
bool testbed_open(struct testbed *testbed)
{
    *testbed = (struct testbed){.umockdev = umockdev_testbed_new(), .device = FIRST_DEVICE - 1};
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->umockdev);
    g_autofree char *wire = g_strconcat(root, "/ioctl/_default", NULL);
    return set_mode(root, 01777) && set_mode(wire, 0666);
}

void testbed_close(struct testbed *testbed)
{
    g_clear_object(&testbed->umockdev);
}

/* Adds the serial number as Linux shows it: UTF-8, up to the first zero. */
static void add_serial(GString *text, const struct usb_identity *identity)
{
    if (!*identity->serial && !identity->raw_serial)
        return;
    g_string_append(text, "A: serial=");
    if (!identity->raw_serial)
        g_string_append(text, identity->serial);
    for (size_t i = 0; identity->raw_serial && i < USB_RAW_SERIAL_BYTES && identity->raw_serial[i]; i++) {
        unsigned byte = identity->raw_serial[i];
        if (byte >= 0x80)
            g_string_append_printf(text, "\\%03o", 0xC0 | byte >> 6);
        g_string_append_printf(text, "\\%03o", byte >= 0x80 ? 0x80 | (byte & 0x3F) : byte);
    }
    g_string_append(text, "\\n\n");
}

/* Returns a description of the device in the form of umockdev's own records. */
static GString *describe(const struct testbed *testbed, const struct usb_identity *identity)
{
    uint8_t descriptors[USB_DESCRIPTORS_BYTES];
    size_t length = usb_descriptors(identity, descriptors);
    GString *text = g_string_new("P: /devices/usb1/1-1\n");
    g_string_append_printf(text, "N: bus/usb/001/%03u\n", testbed->device);
    g_string_append_printf(text, "E: DEVNAME=/dev/bus/usb/001/%03u\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n",
                           testbed->device);
    g_string_append_printf(text, "E: BUSNUM=001\nE: DEVNUM=%03u\nE: MAJOR=189\nE: MINOR=%u\n", testbed->device,
                           testbed->device - 1);
    g_string_append_printf(text, "E: PRODUCT=%x/%x/100\n", identity->vendor, identity->product);
    g_string_append_printf(text, "A: busnum=1\\n\nA: devnum=%u\\n\nA: dev=189:%u\nA: bConfigurationValue=1\\n\n",
                           testbed->device, testbed->device - 1);
    g_string_append_printf(text, "A: speed=%s\\n\nA: idVendor=%04x\\n\nA: idProduct=%04x\\n\n",
                           identity->high_speed ? "480" : "12", identity->vendor, identity->product);
    g_string_append_printf(text, "A: manufacturer=%s\\n\nA: product=%s\\n\n", identity->manufacturer, identity->name);
    add_serial(text, identity);
    g_string_append(text, "H: descriptors=");
    for (size_t i = 0; i < length; i++)
        g_string_append_printf(text, "%02X", descriptors[i]);
    g_string_append(text, "\n");
    return text;
}

/*
 * Makes a pipe as the device node. Real device nodes provide memory for transfers by mmap(), which cannot be emulated:
 * mmap() of a regular file would give the file's content, which no transfer uses. A pipe refuses mmap(), so libusb
 * works without this memory.
 */
static bool make_pipe(const struct testbed *testbed)
{
    char node[32];
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->umockdev);
    print_node(testbed, node);
    g_autofree char *path = g_strconcat(root, node, NULL);
    return (unlink(path) == 0 && mkfifo(path, 0666) == 0) || fail("cannot make %s: %s", path, strerror(errno));
}

static bool set_node_mode(const struct testbed *testbed)
{
    char node[32];
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->umockdev);
    print_node(testbed, node);
    g_autofree char *path = g_strconcat(root, node, NULL), *wire = g_strconcat(root, "/ioctl/", node, NULL);
    mode_t mode = testbed->denied ? 0 : 0666;
    return set_mode(path, mode) && set_mode(wire, 0666);
}

bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler)
{
    char node[32];
    g_autoptr(GError) error = NULL;
    testbed->device = testbed->device < DEVICES_MAX ? testbed->device + 1 : FIRST_DEVICE;
    print_node(testbed, node);
    GString *text = describe(testbed, identity);
    /* Attaches the ioctls first, because a program may open the device as soon as the device appears. */
    testbed->plugged = umockdev_testbed_attach_ioctl(testbed->umockdev, node, handler, &error) &&
                       umockdev_testbed_add_from_string(testbed->umockdev, text->str, &error);
    g_string_free(text, TRUE);
    if (!testbed->plugged)
        return fail("umockdev refuses the device: %s", error ? error->message : "no reason given");
    return make_pipe(testbed) && set_node_mode(testbed);
}

void testbed_unplug(struct testbed *testbed)
{
    char node[32];
    print_node(testbed, node);
    umockdev_testbed_remove_device(testbed->umockdev, "/sys/devices/usb1/1-1");
    umockdev_testbed_detach_ioctl(testbed->umockdev, node, NULL);
    testbed->plugged = false;
}

bool testbed_permit(struct testbed *testbed, bool permitted)
{
    testbed->denied = !permitted;
    return !testbed->plugged || set_node_mode(testbed);
}

bool testbed_write_environment(const struct testbed *testbed, const char *path)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->umockdev);
    g_autofree char *text = g_strdup_printf("export UMOCKDEV_DIR=%s\nexport LD_PRELOAD=%s\n", root, USBPROBE_PRELOAD);
    g_autoptr(GError) error = NULL;
    return g_file_set_contents(path, text, -1, &error) || fail("cannot write %s: %s", path, error->message);
}
