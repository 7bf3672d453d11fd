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

#define DEVICE     "/devices/usb1/1-%u"
#define INTERFACE  DEVICE "/1-%u:1.0"
#define HID        INTERFACE "/0003:0000:0000.0001" /* Linux puts the real ids and a number here; no program uses them */
#define HIDRAW     HID "/hidraw/hidraw%u"
#define NODE_BYTES 32

/* Prints the path of the device's node, or of its hidraw node. */
static void print_node(const struct testbed *testbed, bool is_hidraw, char path[static NODE_BYTES])
{
    snprintf(path, NODE_BYTES, is_hidraw ? "/dev/hidraw%u" : "/dev/bus/usb/001/%03u", testbed->device);
}

static bool set_mode(const char *path, mode_t mode)
{
    return chmod(path, mode) == 0 || fail("cannot change the permissions of %s: %s", path, strerror(errno));
}

/* Opens the testbed, and opens umockdev's folder to all users. Programs of other users need access, because they create
 * the socket that receives udev's events in this folder. */
bool testbed_bus_open(struct testbed_bus *bus)
{
    *bus = (struct testbed_bus){.umockdev = umockdev_testbed_new(), .device = FIRST_DEVICE - 1};
    g_autofree char *root = umockdev_testbed_get_root_dir(bus->umockdev);
    g_autofree char *wire = g_strconcat(root, "/ioctl/_default", NULL);
    return set_mode(root, 01777) && set_mode(wire, 0666);
}

void testbed_bus_close(struct testbed_bus *bus)
{
    g_clear_object(&bus->umockdev);
}

void testbed_init(struct testbed *testbed, struct testbed_bus *bus, unsigned port)
{
    *testbed = (struct testbed){.bus = bus, .port = port};
}

/* Takes the next number of the bus that no device has. */
static unsigned next_device(struct testbed_bus *bus)
{
    do
        bus->device = bus->device < TESTBED_DEVICES_MAX ? bus->device + 1 : FIRST_DEVICE;
    while (bus->is_used[bus->device]);
    bus->is_used[bus->device] = true;
    return bus->device;
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

static void add_descriptors(GString *text, const struct usb_identity *identity)
{
    uint8_t bytes[USB_DESCRIPTORS_BYTES];
    size_t length = usb_descriptors(identity, bytes);
    g_string_append(text, "H: descriptors=");
    for (size_t i = 0; i < length; i++)
        g_string_append_printf(text, "%02X", bytes[i]);
    g_string_append(text, "\n");
}

/* Returns a description of the device in the form of umockdev's own records. A HID device gets its descriptors later:
 * see add_hid(). */
static GString *describe(const struct testbed *testbed, const struct usb_identity *identity)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "P: " DEVICE "\n", testbed->port);
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
    if (!identity->is_hid)
        add_descriptors(text, identity);
    return text;
}

/* Returns descriptions of the interface, the HID device and the hidraw node. */
static GString *describe_hid(const struct testbed *testbed, const struct usb_identity *identity)
{
    unsigned vendor = identity->vendor, product = identity->product;
    unsigned port = testbed->port;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "P: " INTERFACE "\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n", port, port);
    g_string_append_printf(text, "A: bInterfaceNumber=00\\n\nA: interface=%s\\n\n\n", identity->interface_name);
    g_string_append_printf(text, "P: " HID "\nE: SUBSYSTEM=hid\nE: HID_ID=0003:%08X:%08X\nE: HID_NAME=%s %s\n", port,
                           port, vendor, product, identity->manufacturer, identity->name);
    g_string_append_printf(text, "E: HID_UNIQ=%s\n\n", identity->serial);
    g_string_append_printf(text, "P: " HIDRAW "\nN: hidraw%u\nE: DEVNAME=/dev/hidraw%u\nE: SUBSYSTEM=hidraw\n", port,
                           port, testbed->device, testbed->device, testbed->device);
    return text;
}

/*
 * Makes a pipe as the device node. Real device nodes provide memory for transfers by mmap(), which cannot be emulated:
 * mmap() of a regular file would give the file's content, which no transfer uses. A pipe refuses mmap(), so libusb
 * works without this memory.
 */
static bool make_pipe(const struct testbed *testbed, const char *node)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->bus->umockdev);
    g_autofree char *path = g_strconcat(root, node, NULL);
    return (unlink(path) == 0 && mkfifo(path, 0666) == 0) || fail("cannot make %s: %s", path, strerror(errno));
}

static bool set_node_mode(const struct testbed *testbed, bool is_hidraw)
{
    char node[NODE_BYTES];
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->bus->umockdev);
    print_node(testbed, is_hidraw, node);
    g_autofree char *path = g_strconcat(root, node, NULL), *wire = g_strconcat(root, "/ioctl/", node, NULL);
    mode_t mode = testbed->denied ? 0 : 0666;
    return set_mode(path, mode) && set_mode(wire, 0666);
}

/* Adds a device with its node. Attaches the handler first, because a program may open the node as soon as it appears.
 */
static bool add(struct testbed *testbed, const char *node, GString *text, UMockdevIoctlBase *handler)
{
    g_autoptr(GError) error = NULL;
    bool added = umockdev_testbed_attach_ioctl(testbed->bus->umockdev, node, handler, &error) &&
                 umockdev_testbed_add_from_string(testbed->bus->umockdev, text->str, &error);
    g_string_free(text, TRUE);
    return added ? make_pipe(testbed, node)
                 : fail("umockdev refuses the device: %s", error ? error->message : "no reason given");
}

/* Adds the hidraw node, and then the descriptors. libusb ignores a device without descriptors, so no program sees the
 * device without its hidraw node. */
static bool add_hid(struct testbed *testbed, const struct usb_identity *identity, struct hidraw *hidraw)
{
    char node[NODE_BYTES];
    uint8_t bytes[USB_DESCRIPTORS_BYTES];
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->bus->umockdev);
    print_node(testbed, true, node);
    g_autofree char *path = g_strconcat(root, node, NULL);
    if (!add(testbed, node, describe_hid(testbed, identity), hidraw_plug(hidraw, path)) ||
        !set_node_mode(testbed, true))
        return false;
    g_autofree char *device = g_strdup_printf("/sys" DEVICE, testbed->port);
    umockdev_testbed_set_attribute_binary(testbed->bus->umockdev, device, "descriptors", bytes,
                                          (gint)usb_descriptors(identity, bytes));
    return true;
}

bool testbed_plug(struct testbed *testbed, const struct usb_identity *identity, UMockdevIoctlBase *handler,
                  struct hidraw *hidraw)
{
    char node[NODE_BYTES];
    testbed->device = next_device(testbed->bus);
    testbed->is_hid = identity->is_hid;
    print_node(testbed, false, node);
    testbed->plugged = add(testbed, node, describe(testbed, identity), handler) && set_node_mode(testbed, false);
    return testbed->plugged && (!testbed->is_hid || add_hid(testbed, identity, hidraw));
}

/* Removes what add_hid() has added, in the opposite order. */
static void remove_hid(const struct testbed *testbed)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed->bus->umockdev);
    unsigned port = testbed->port;
    g_autofree char *descriptors = g_strdup_printf("%s/sys" DEVICE "/descriptors", root, port);
    g_autofree char *hidraw = g_strdup_printf("/sys" HIDRAW, port, port, testbed->device);
    g_autofree char *hid = g_strdup_printf("/sys" HID, port, port);
    g_autofree char *interface = g_strdup_printf("/sys" INTERFACE, port, port);
    unlink(descriptors);
    umockdev_testbed_remove_device(testbed->bus->umockdev, hidraw);
    umockdev_testbed_remove_device(testbed->bus->umockdev, hid);
    umockdev_testbed_remove_device(testbed->bus->umockdev, interface);
}

void testbed_unplug(struct testbed *testbed)
{
    char node[NODE_BYTES];
    if (testbed->is_hid)
        remove_hid(testbed);
    g_autofree char *device = g_strdup_printf("/sys" DEVICE, testbed->port);
    umockdev_testbed_remove_device(testbed->bus->umockdev, device);
    for (int is_hidraw = 0; is_hidraw <= testbed->is_hid; is_hidraw++) {
        print_node(testbed, is_hidraw, node);
        umockdev_testbed_detach_ioctl(testbed->bus->umockdev, node, NULL);
    }
    testbed->bus->is_used[testbed->device] = false;
    testbed->plugged = false;
}

bool testbed_permit(struct testbed *testbed, bool permitted)
{
    testbed->denied = !permitted;
    return !testbed->plugged || (set_node_mode(testbed, false) && (!testbed->is_hid || set_node_mode(testbed, true)));
}

bool testbed_write_environment(const struct testbed_bus *bus, const char *path)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(bus->umockdev);
    g_autofree char *text = g_strdup_printf("export UMOCKDEV_DIR=%s\nexport LD_PRELOAD=%s\n", root, USBPROBE_PRELOAD);
    g_autoptr(GError) error = NULL;
    return g_file_set_contents(path, text, -1, &error) || fail("cannot write %s: %s", path, error->message);
}
