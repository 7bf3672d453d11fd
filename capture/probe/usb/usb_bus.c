/* SPDX-License-Identifier: MIT */
/* Lists the devices on USB with libusb, and waits for changes. Also reads sysfs, /dev and /proc; the strings and
 * descriptors of a device are not trusted. usb_device.c recognises a device. */
#include "probe/usb/usb_bus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libusb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/runtime.h"
#include "probe/processes.h"

#define DEVICES            "/sys/bus/usb/devices"
#define PATH_BYTES         512
#define DESCRIPTOR_BYTES   8192 /* more than any probe has; further bytes are ignored */
#define SYSFS_STRING_BYTES 1024

/* ---- attributes in sysfs ---- */

static size_t read_file(const char *path, void *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t got = 0;

    if (fd < 0)
        return 0;
    while (used < size && (got = read(fd, (char *)bytes + used, size - used)) > 0)
        used += (size_t)got;
    close(fd);
    return used;
}

static void read_string(struct usb_string *string, const char *path)
{
    char text[SYSFS_STRING_BYTES];

    usb_string_from_sysfs(string, text, read_file(path, text, sizeof text));
}

static void read_attribute(struct usb_string *string, const char *port, const char *name)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, DEVICES "/%s/%s", port, name);
    read_string(string, path);
}

static bool number_is(const char *port, const char *name, unsigned number)
{
    char path[PATH_BYTES], text[16];
    size_t length;

    snprintf(path, sizeof path, DEVICES "/%s/%s", port, name);
    length = read_file(path, text, sizeof text - 1);
    text[length] = '\0';
    return length > 0 && strtoul(text, NULL, 10) == number;
}

/* Reports whether the device at `port` in sysfs has this bus and this address. */
static bool usb_sysfs_has(const char *port, unsigned bus, unsigned address)
{
    return number_is(port, "busnum", bus) && number_is(port, "devnum", address);
}

/* Makes a path in sysfs. `entry` is a file in the interface's folder, or "" for the folder. */
static const char *interface_path(char path[static PATH_BYTES], const char *port, const struct usb_interface *interface,
                                  const char *entry)
{
    snprintf(path, PATH_BYTES, DEVICES "/%s:%u.%u/%s", port, interface->configuration, interface->number, entry);
    return path;
}

/* Fills in the descriptors and strings that sysfs has for the device at a port, such as "1-4.2". If there is no
 * descriptors file, facts->descriptors do not change. */
static void usb_sysfs_read(const char *port, struct usb_facts *facts)
{
    uint8_t bytes[DESCRIPTOR_BYTES];
    char path[PATH_BYTES];

    snprintf(path, sizeof path, DEVICES "/%s/descriptors", port);
    (void)usb_descriptors_parse(&facts->descriptors, bytes, read_file(path, bytes, sizeof bytes));
    read_attribute(&facts->manufacturer, port, "manufacturer");
    read_attribute(&facts->product, port, "product");
    read_attribute(&facts->serial, port, "serial");
    for (size_t i = 0; i < facts->descriptors.interface_count; i++) {
        struct usb_string string;

        read_string(&string, interface_path(path, port, &facts->descriptors.interfaces[i], "interface"));
        facts->interface_is_dap[i] = usb_string_has(&string, USB_DAP_WORD);
    }
}

/* ---- which process uses it ---- */

/* Returns true if a process has claimed an interface of the device through usbfs. */
static bool usb_sysfs_is_claimed(const char *port, const struct usb_descriptors *descriptors)
{
    for (size_t i = 0; i < descriptors->interface_count; i++) {
        char path[PATH_BYTES], driver[PATH_BYTES];
        ssize_t length =
            readlink(interface_path(path, port, &descriptors->interfaces[i], "driver"), driver, sizeof driver - 1);
        const char *name;

        if (length < 0)
            continue;
        driver[length] = '\0';
        name = strrchr(driver, '/');
        if (strcmp(name != NULL ? name + 1 : driver, "usbfs") == 0)
            return true;
    }
    return false;
}

static bool is_same_node(const struct stat *one, const struct stat *other)
{
    if (one->st_dev == other->st_dev && one->st_ino == other->st_ino)
        return true;
    return S_ISCHR(one->st_mode) && S_ISCHR(other->st_mode) && one->st_rdev == other->st_rdev;
}

struct holder_search {
    struct usb_probe *probes;
    const struct stat *nodes; /* a node of mode 0 is skipped */
    size_t count;
};

static void name_process(struct usb_holder *holder, pid_t pid)
{
    process_read(pid, "comm", holder->name, sizeof holder->name);
    holder->name[strcspn(holder->name, "\n")] = '\0';
    holder->pid = pid;
}

/* Compares an open file of a process with the nodes. */
static bool check_file(void *self, pid_t pid, const char *path)
{
    const struct holder_search *search = self;
    struct stat file;

    if (stat(path, &file) != 0)
        return true;
    for (size_t i = 0; i < search->count; i++)
        if (search->nodes[i].st_mode != 0 && search->probes[i].holder.pid == 0 &&
            is_same_node(&file, &search->nodes[i]))
            name_process(&search->probes[i].holder, pid);
    return true;
}

/* Finds the process that uses a probe, for each of `count` probes that is busy or whose may_be_open[i] is set. A probe
 * with may_be_open[i] becomes busy if another process has its node open. Reads /proc once. */
static void usb_node_holders(struct usb_probe *probes, const bool *may_be_open, size_t count)
{
    struct stat *nodes = calloc(count + 1, sizeof *nodes);
    bool any = false;

    for (size_t i = 0; nodes != NULL && i < count; i++) {
        bool wanted = probes[i].state == USB_BUSY || (probes[i].state == USB_READY && may_be_open[i]);

        if (!wanted || stat(probes[i].node, &nodes[i]) != 0)
            nodes[i].st_mode = 0;
        any |= nodes[i].st_mode != 0;
    }
    if (any)
        processes_visit(check_file, &(struct holder_search){probes, nodes, count});
    for (size_t i = 0; i < count; i++)
        if (probes[i].holder.pid != 0)
            probes[i].state = USB_BUSY;
    free(nodes);
}

/* ---- nodes ---- */

/* Finds the /dev/hidrawN of an interface. False: the interface has no such node, and `node` is unchanged. */
static bool usb_sysfs_hidraw(const char *port, const struct usb_interface *interface, char node[static USB_NODE_BYTES])
{
    char path[PATH_BYTES];
    const struct dirent *entry;
    bool found = false;
    DIR *folder = opendir(interface_path(path, port, interface, ""));

    if (folder == NULL)
        return false;
    while (!found && (entry = readdir(folder)) != NULL) { /* 0003:0D28:0204.0001/hidraw/hidraw3 */
        char below[PATH_BYTES];
        const struct dirent *raw;
        DIR *inner;

        if (strchr(entry->d_name, ':') == NULL ||
            (size_t)snprintf(below, sizeof below, "%s%s/hidraw", path, entry->d_name) >= sizeof below)
            continue;
        inner = opendir(below);
        while (!found && inner != NULL && (raw = readdir(inner)) != NULL)
            if (strncmp(raw->d_name, "hidraw", strlen("hidraw")) == 0)
                found = (size_t)snprintf(node, USB_NODE_BYTES, "/dev/%.40s", raw->d_name) < USB_NODE_BYTES;
        if (inner != NULL)
            closedir(inner);
    }
    closedir(folder);
    return found;
}

static void read_owner(const char *node, struct usb_owner *owner)
{
    const struct passwd *user;
    const struct group *group;
    struct stat file;

    if (stat(node, &file) != 0)
        return;
    user = getpwuid(file.st_uid);
    group = getgrgid(file.st_gid);
    owner->mode = file.st_mode & 07777u;
    snprintf(owner->user, sizeof owner->user, "%u", (unsigned)file.st_uid);
    snprintf(owner->group, sizeof owner->group, "%u", (unsigned)file.st_gid);
    if (user != NULL)
        snprintf(owner->user, sizeof owner->user, "%.32s", user->pw_name);
    if (group != NULL)
        snprintf(owner->group, sizeof owner->group, "%.32s", group->gr_name);
}

/* Opens the probe's node for a moment and sets the probe's state. If access is denied, it also sets the owner. EPERM
 * means that the container's device rules forbid access, regardless of the node's permissions. */
static void usb_node_try(struct usb_probe *probe)
{
    int fd = open(probe->node, O_RDWR | O_CLOEXEC | O_NONBLOCK);

    if (fd >= 0) {
        close(fd);
        probe->state = USB_READY;
    } else if (errno == EACCES || errno == EPERM) {
        probe->state = USB_DENIED;
        read_owner(probe->node, &probe->owner);
    } else {
        probe->state = errno == ENOENT ? USB_NO_NODE : USB_BROKEN;
    }
}

/* ---- the system ---- */

static bool is_there(const char *path, mode_t type)
{
    struct stat file;

    return stat(path, &file) == 0 && (file.st_mode & S_IFMT) == type;
}

static void usb_system_read(struct usb_system *system)
{
    static const char *const folders[] = {"/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"};

    system->udev = access("/run/udev/control", F_OK) == 0;
    system->node_folder = is_there("/dev/bus/usb", S_IFDIR);
    system->rules = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[PATH_BYTES];

        snprintf(path, sizeof path, "%s/udev/rules.d/60-openocd.rules", folders[i]);
        system->rules |= is_there(path, S_IFREG);
    }
}

#define PORTS_MAX           7 /* up to 6 hubs in a row, and the device: USB 3.2, 4.1.1 */
#define STRING_BYTES        255
#define STRING_TIMEOUT_MS   500
#define LANGUAGES_BYTES_MIN 4
#define WATCH_US_MAX        UINT64_C(3600000000)

/* ---- strings that are incomplete in sysfs ---- */

static int read_descriptor(libusb_device_handle *handle, uint8_t index, uint16_t language, uint8_t *bytes)
{
    return libusb_control_transfer(handle, LIBUSB_ENDPOINT_IN, LIBUSB_REQUEST_GET_DESCRIPTOR,
                                   (uint16_t)(LIBUSB_DT_STRING << 8 | index), language, bytes, STRING_BYTES,
                                   STRING_TIMEOUT_MS);
}

/* Reads the serial number from the device. Sysfs ends a string at a 0, which a raw serial number may contain. */
static void read_serial(libusb_device *device, struct usb_facts *facts)
{
    uint8_t bytes[STRING_BYTES];
    libusb_device_handle *handle;
    int length;

    if (facts->descriptors.serial_index == 0 || libusb_open(device, &handle) != LIBUSB_SUCCESS)
        return;
    length = read_descriptor(handle, 0, 0, bytes);
    if (length >= LANGUAGES_BYTES_MIN)
        length = read_descriptor(handle, facts->descriptors.serial_index, (uint16_t)(bytes[2] | bytes[3] << 8), bytes);
    if (length > 0)
        usb_string_from_descriptor(&facts->serial, bytes, (size_t)length);
    libusb_close(handle);
}

/* ---- one device ---- */

/* Makes the name of a port. A root hub is named "usb1". The name of any other device consists of the ports on the path
 * to it. */
static void name_port(libusb_device *device, char port[static USB_PORT_BYTES])
{
    uint8_t numbers[PORTS_MAX];
    int count = libusb_get_port_numbers(device, numbers, PORTS_MAX);
    size_t used = (size_t)snprintf(port, USB_PORT_BYTES, count > 0 ? "%u" : "usb%u", libusb_get_bus_number(device));

    for (int i = 0; i < count && used < USB_PORT_BYTES; i++)
        used += (size_t)snprintf(port + used, USB_PORT_BYTES - used, "%c%u", i == 0 ? '-' : '.', numbers[i]);
}

static const char *speed_of(libusb_device *device)
{
    static const char *const names[] = {
        [LIBUSB_SPEED_UNKNOWN] = "",  [LIBUSB_SPEED_LOW] = "low",     [LIBUSB_SPEED_FULL] = "full",
        [LIBUSB_SPEED_HIGH] = "high", [LIBUSB_SPEED_SUPER] = "super", [LIBUSB_SPEED_SUPER_PLUS] = "super",
    };
    int speed = libusb_get_device_speed(device);

    return speed >= 0 && (size_t)speed < sizeof names / sizeof *names ? names[speed] : "";
}

/* Takes the ids that libusb knows without sysfs. */
static void take_ids(libusb_device *device, struct usb_descriptors *descriptors)
{
    struct libusb_device_descriptor from;

    if (libusb_get_device_descriptor(device, &from) != LIBUSB_SUCCESS)
        return;
    *descriptors = (struct usb_descriptors){
        .vendor = from.idVendor,
        .product = from.idProduct,
        .release = from.bcdDevice,
        .device_class = from.bDeviceClass,
        .manufacturer_index = from.iManufacturer,
        .product_index = from.iProduct,
        .serial_index = from.iSerialNumber,
    };
}

/* Reads facts from sysfs, unless sysfs now describes another device, which was plugged in later. Without sysfs only the
 * ids are known. */
static void read_facts(libusb_device *device, struct usb_facts *facts, struct usb_probe *probe)
{
    memset(facts, 0, sizeof *facts);
    memset(probe, 0, sizeof *probe);
    probe->bus = libusb_get_bus_number(device);
    probe->address = libusb_get_device_address(device);
    take_ids(device, &facts->descriptors);
    name_port(device, probe->port);
    if (usb_sysfs_has(probe->port, probe->bus, probe->address))
        usb_sysfs_read(probe->port, facts);
    else
        probe->port[0] = '\0';
    usb_device_identify(facts, &probe->identity);
}

/* Fills in everything except the holder. *may_be_open: a process can use the probe without claiming it. */
static void read_probe(libusb_device *device, struct usb_facts *facts, struct usb_probe *probe, bool *may_be_open)
{
    const struct usb_interface *interfaces = facts->descriptors.interfaces;
    const struct usb_identity *identity = &probe->identity;

    read_facts(device, facts, probe);
    if (!identity->is_probe)
        return;
    probe->speed = speed_of(device);
    snprintf(probe->node, sizeof probe->node, "/dev/bus/usb/%03u/%03u", probe->bus, probe->address);
    /* txtap and OpenOCD use these probes through hidraw, which needs no claim. */
    *may_be_open = identity->dap == USB_DAP_HID &&
                   usb_sysfs_hidraw(probe->port, &interfaces[identity->dap_interface], probe->node);
    usb_node_try(probe);
    if (probe->state == USB_READY && usb_sysfs_is_claimed(probe->port, &facts->descriptors))
        probe->state = USB_BUSY;
    if (probe->state == USB_READY && identity->serial_is_cut) {
        read_serial(device, facts);
        usb_device_identify(facts, &probe->identity);
    }
}

/* ---- the list ---- */

static int compare(const void *one, const void *other)
{
    const struct usb_probe *a = one, *b = other;

    if (a->bus != b->bus)
        return a->bus < b->bus ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static enum txtap_status take_devices(libusb_device **devices, size_t count, struct usb_list *list, struct error *error)
{
    struct usb_facts *facts = malloc(sizeof *facts);
    bool *may_be_open = calloc(count + 1, sizeof *may_be_open);

    list->probes = calloc(count + 1, sizeof *list->probes);
    if (facts == NULL || may_be_open == NULL || list->probes == NULL) {
        free(facts);
        free(may_be_open);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        struct usb_probe *probe = &list->probes[list->count];

        read_probe(devices[i], facts, probe, &may_be_open[list->count]);
        list->hubs += facts->descriptors.device_class == USB_CLASS_HUB;
        list->devices += facts->descriptors.device_class != USB_CLASS_HUB;
        list->count += probe->identity.is_probe;
    }
    usb_node_holders(list->probes, may_be_open, list->count);
    qsort(list->probes, list->count, sizeof *list->probes, compare);
    free(facts);
    free(may_be_open);
    return TXTAP_OK;
}

/* Reads the list with a new context each time: if udev does not report changes, libusb scans the bus only when it makes
 * a context. */
enum txtap_status usb_list_read(struct usb_list *list, struct error *error)
{
    libusb_context *context;
    libusb_device **devices;
    enum txtap_status status;
    int result = libusb_init(&context);
    ssize_t count;

    *list = (struct usb_list){.count = 0};
    usb_system_read(&list->system);
    if (result != LIBUSB_SUCCESS)
        return failure(error, TXTAP_ERROR_SYSTEM, "libusb cannot access USB here: %s", libusb_strerror(result));
    count = libusb_get_device_list(context, &devices);
    if (count < 0) {
        status = failure(error, TXTAP_ERROR_SYSTEM, "libusb lists no devices: %s", libusb_strerror((int)count));
    } else {
        status = take_devices(devices, (size_t)count, list, error);
        libusb_free_device_list(devices, 1);
    }
    libusb_exit(context);
    if (status != TXTAP_OK)
        usb_list_free(list);
    return status;
}

void usb_list_free(struct usb_list *list)
{
    free(list->probes);
    *list = (struct usb_list){.count = 0};
}

/* ---- changes ---- */

struct usb_watch {
    libusb_context *context;
    int changed; /* int for libusb */
};

static int on_change(libusb_context *context, libusb_device *device, libusb_hotplug_event event, void *self)
{
    struct usb_watch *watch = self;

    (void)context;
    (void)device;
    (void)event;
    watch->changed = 1;
    return 0; /* tells libusb to call again */
}

struct usb_watch *usb_watch_open(void)
{
    struct usb_watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL || libusb_init(&watch->context) != LIBUSB_SUCCESS) {
        free(watch);
        return NULL;
    }
    if (!libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG) ||
        libusb_hotplug_register_callback(watch->context,
                                         LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, 0,
                                         LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
                                         on_change, watch, NULL) != LIBUSB_SUCCESS) {
        usb_watch_close(watch);
        return NULL;
    }
    return watch;
}

/* Waits for a change. A stop signal ends the wait. If the signal arrives just before the wait, the repeated signals
 * after it end the wait: see base/runtime.h. */
void usb_watch_wait(struct usb_watch *watch, uint64_t us)
{
    uint64_t end = now_us() + (us < WATCH_US_MAX ? us : WATCH_US_MAX), now;

    if (watch == NULL) {
        sleep_us(us);
        return;
    }
    while (!watch->changed && !stop_requested() && (now = now_us()) < end) {
        struct timeval left = {(time_t)((end - now) / 1000000), (suseconds_t)((end - now) % 1000000)};
        int result = libusb_handle_events_timeout_completed(watch->context, &left, &watch->changed);

        if (result != LIBUSB_SUCCESS && result != LIBUSB_ERROR_INTERRUPTED)
            sleep_us(end - now);
    }
    watch->changed = 0;
}

void usb_watch_close(struct usb_watch *watch)
{
    if (watch == NULL)
        return;
    libusb_exit(watch->context);
    free(watch);
}
