/* SPDX-License-Identifier: MIT */
/* Reads sysfs, /dev and /proc. A device's strings and descriptors there are not trusted. */
#include "probe/usb/usb_sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES          "/sys/bus/usb/devices"
#define PATH_BYTES       512
#define DESCRIPTOR_BYTES 8192 /* more than any probe has; the rest is ignored */
#define STRING_BYTES     1024

/* ---- attributes ---- */

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
    char text[STRING_BYTES];

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

bool usb_sysfs_has(const char *port, unsigned bus, unsigned address)
{
    return number_is(port, "busnum", bus) && number_is(port, "devnum", address);
}

/* entry: a file in the folder of the interface, or "" for the folder itself. */
static const char *interface_path(char path[static PATH_BYTES], const char *port, const struct usb_interface *interface,
                                  const char *entry)
{
    snprintf(path, PATH_BYTES, DEVICES "/%s:%u.%u/%s", port, interface->configuration, interface->number, entry);
    return path;
}

void usb_sysfs_read(const char *port, struct usb_facts *facts)
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

/* ---- who has it ---- */

bool usb_sysfs_is_claimed(const char *port, const struct usb_descriptors *descriptors)
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

static void name_process(struct usb_holder *holder, pid_t pid)
{
    char path[PATH_BYTES];
    size_t length;

    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    length = read_file(path, holder->name, sizeof holder->name - 1);
    holder->name[length] = '\0';
    holder->name[strcspn(holder->name, "\n")] = '\0';
    holder->pid = pid;
}

/* Compares the files that a process has open with the nodes; a node of mode 0 is skipped. */
static void check_process(pid_t pid, struct usb_probe *probes, const struct stat *nodes, size_t count)
{
    char path[PATH_BYTES];
    const struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat file;

        snprintf(path, sizeof path, "/proc/%ld/fd/%.32s", (long)pid, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &file) != 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (nodes[i].st_mode != 0 && probes[i].holder.pid == 0 && is_same_node(&file, &nodes[i]))
                name_process(&probes[i].holder, pid);
    }
    if (folder != NULL)
        closedir(folder);
}

static pid_t pid_of(const char *name)
{
    long pid = 0;

    for (; *name >= '0' && *name <= '9' && pid < INT32_MAX / 10; name++)
        pid = pid * 10 + (*name - '0');
    return *name == '\0' ? (pid_t)pid : 0;
}

static void find_holders(struct usb_probe *probes, const struct stat *nodes, size_t count)
{
    const struct dirent *entry;
    DIR *processes = opendir("/proc");

    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        pid_t pid = pid_of(entry->d_name);

        if (pid != 0 && pid != getpid())
            check_process(pid, probes, nodes, count);
    }
    if (processes != NULL)
        closedir(processes);
}

void usb_node_holders(struct usb_probe *probes, const bool *may_be_open, size_t count)
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
        find_holders(probes, nodes, count);
    for (size_t i = 0; i < count; i++)
        if (probes[i].holder.pid != 0)
            probes[i].state = USB_BUSY;
    free(nodes);
}

/* ---- nodes ---- */

bool usb_sysfs_hidraw(const char *port, const struct usb_interface *interface, char node[static USB_NODE_BYTES])
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

/* EPERM: the container's device rules forbid it, whatever the permissions of the node are. */
void usb_node_try(struct usb_probe *probe)
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

void usb_system_read(struct usb_system *system)
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
