/* SPDX-License-Identifier: MIT */
/* Reports of a HID probe. Source of the errors: Linux 6.1, drivers/hid/hidraw.c and drivers/hid/usbhid/hid-core.c. */
#include "hidraw.h"
#include "usbfs_node.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hidraw.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BUS_USB     3
#define REPORTS_MAX 64 /* waiting reports of a handle; Linux drops further reports */

/* An open handle, and the reports that wait for it. */
struct handle {
    UMockdevIoctlClient *client;
    GQueue *reports;
};

struct hidraw_node {
    struct usbfs *usbfs;
    UMockdevIoctlBase *handler;
    GList *handles;
    char *path; /* the node's file, which is a named pipe */
    bool dead;
};

/* ---- handles ---- */

static struct handle *find_handle(const struct hidraw_node *node, const void *client)
{
    for (GList *link = node->handles; link; link = link->next)
        if ((const void *)((struct handle *)link->data)->client == client)
            return link->data;
    return NULL;
}

/*
 * Makes the pipe readable, so that poll() returns. Opens the pipe only for a moment: otherwise txtap-usbprobe would
 * look like a program that uses the probe. Does nothing if no program has the pipe open.
 */
static void mark_readable(const struct hidraw_node *node)
{
    int pipe = open(node->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return;
    (void)!write(pipe, "", 1);
    close(pipe);
}

static bool is_gone(const struct hidraw_node *node)
{
    return node->dead || node->usbfs->probe->plug != PROBE_PLUGGED;
}

static bool has_reports(const struct hidraw_node *node)
{
    for (GList *link = node->handles; link; link = link->next)
        if (!g_queue_is_empty(((struct handle *)link->data)->reports))
            return true;
    return false;
}

static void forget_client(gpointer self, GObject *client)
{
    struct hidraw_node *node = self;
    g_mutex_lock(&node->usbfs->lock);
    struct handle *handle = find_handle(node, client);
    if (handle) {
        node->handles = g_list_remove(node->handles, handle);
        g_queue_free_full(handle->reports, (GDestroyNotify)g_bytes_unref);
        g_free(handle);
    }
    g_mutex_unlock(&node->usbfs->lock);
}

static void greet_client(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct hidraw_node *node = self;
    struct handle *handle = g_new0(struct handle, 1);
    *handle = (struct handle){.client = client, .reports = g_queue_new()};
    g_object_weak_ref(G_OBJECT(client), forget_client, node);
    g_mutex_lock(&node->usbfs->lock);
    node->handles = g_list_prepend(node->handles, handle);
    node->usbfs->opened++;
    g_mutex_unlock(&node->usbfs->lock);
}

/* ---- reports ---- */

/* Fetches all reports that the probe has ready. Linux clears a halted endpoint by itself. */
static void fetch_reports(struct hidraw_node *node)
{
    struct usb_probe *probe = node->usbfs->probe;
    uint8_t bytes[USB_ANSWER_BYTES_MAX];
    size_t length;
    usb_probe_clear_halt(probe, probe->identity->in_endpoint);
    while (usb_probe_in(probe, probe->identity->in_endpoint, bytes, probe->identity->packet_bytes, &length) ==
               USB_DONE &&
           length > 0) {
        node->usbfs->transfers++;
        for (GList *link = node->handles; link; link = link->next) {
            GQueue *reports = ((struct handle *)link->data)->reports;
            if (g_queue_get_length(reports) < REPORTS_MAX)
                g_queue_push_tail(reports, g_bytes_new(bytes, length));
        }
    }
    if (has_reports(node) || is_gone(node))
        mark_readable(node);
    usbfs_wake_up(node->usbfs);
}

/* Sends a report. Its first byte is its number, which is 0 and does not go to the probe. */
static int send_report(struct hidraw_node *node, const uint8_t *bytes, size_t length)
{
    struct usb_probe *probe = node->usbfs->probe;
    if (is_gone(node))
        return ENODEV;
    if (length < 2 || bytes[0] != 0)
        return EINVAL;
    switch (usb_probe_out(probe, probe->identity->out_endpoint, bytes + 1, length - 1)) {
    case USB_DONE:
        node->usbfs->transfers++;
        fetch_reports(node);
        return 0;
    case USB_WAITS:
        return ETIMEDOUT;
    case USB_STALLED:
        usb_probe_clear_halt(probe, probe->identity->out_endpoint);
        return EPIPE;
    default:
        return ENODEV;
    }
}

static gboolean handle_write(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct hidraw_node *node = self;
    guint8 *bytes = NULL;
    gint length = 0;
    umockdev_ioctl_data_retrieve(umockdev_ioctl_client_get_arg(client), &bytes, &length);
    g_mutex_lock(&node->usbfs->lock);
    int error = send_report(node, bytes, (size_t)length);
    g_mutex_unlock(&node->usbfs->lock);
    g_free(bytes);
    umockdev_ioctl_client_complete(client, error ? -1 : length, error);
    return TRUE;
}

/* Takes the oldest report of a handle. Returns an errno, or 0. */
static int take_report(struct hidraw_node *node, UMockdevIoctlClient *client, size_t *length)
{
    const struct handle *handle = find_handle(node, client);
    UMockdevIoctlData *data = umockdev_ioctl_client_get_arg(client);
    GBytes *report = handle ? g_queue_pop_head(handle->reports) : NULL;
    if (!report)
        return is_gone(node) ? EIO : EAGAIN;
    guint8 *bytes = g_bytes_unref_to_data(report, length);
    if (*length > (size_t)data->data_len)
        *length = (size_t)data->data_len;
    umockdev_ioctl_data_update(data, 0, bytes, (gint)*length);
    g_free(bytes);
    return 0;
}

/* The program itself empties the pipe first. It has polled the pipe before it reads, so this does not wait. */
static gboolean handle_read(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct hidraw_node *node = self;
    size_t length = 0;
    gint ignored;
    g_mutex_lock(&node->usbfs->lock);
    (void)umockdev_ioctl_client_execute(client, &ignored, NULL);
    int error = take_report(node, client, &length);
    if (has_reports(node) || is_gone(node))
        mark_readable(node);
    g_mutex_unlock(&node->usbfs->lock);
    umockdev_ioctl_client_complete(client, error ? -1 : (glong)length, error);
    return TRUE;
}

/* ---- ioctls ---- */

static int get_ids(const struct usb_identity *identity, UMockdevIoctlClient *client)
{
    UMockdevIoctlData *data;
    struct hidraw_devinfo *info = usbfs_argument(client, sizeof *info, &data);
    if (!info)
        return EFAULT;
    *info = (struct hidraw_devinfo){BUS_USB, (int16_t)identity->vendor, (int16_t)identity->product};
    g_object_unref(data);
    return 0;
}

static int get_descriptor(const struct usb_identity *identity, UMockdevIoctlClient *client, bool only_size)
{
    UMockdevIoctlData *data;
    uint8_t bytes[USB_REPORT_BYTES];
    size_t length = usb_report_descriptor(identity, bytes);
    uint32_t *size = usbfs_argument(client, only_size ? sizeof *size : sizeof *size + length, &data);
    if (!size)
        return EFAULT;
    if (only_size)
        *size = (uint32_t)length;
    else
        memcpy(size + 1, bytes, length);
    g_object_unref(data);
    return 0;
}

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct hidraw_node *node = self;
    const struct usb_identity *identity = node->usbfs->probe->identity;
    gulong request = umockdev_ioctl_client_get_request(client);
    int error = EINVAL;
    g_mutex_lock(&node->usbfs->lock);
    if (is_gone(node))
        error = ENODEV;
    else if (request == HIDIOCGRAWINFO)
        error = get_ids(identity, client);
    else if (request == HIDIOCGRDESCSIZE || request == HIDIOCGRDESC)
        error = get_descriptor(identity, client, request == HIDIOCGRDESCSIZE);
    g_mutex_unlock(&node->usbfs->lock);
    umockdev_ioctl_client_complete(client, error ? -1 : 0, error);
    return TRUE;
}

/* ---- plugging in ---- */

void hidraw_init(struct hidraw *hidraw, struct usbfs *usbfs)
{
    *hidraw = (struct hidraw){.usbfs = usbfs};
}

UMockdevIoctlBase *hidraw_plug(struct hidraw *hidraw, const char *path)
{
    struct hidraw_node *node = g_new0(struct hidraw_node, 1);
    *node = (struct hidraw_node){.usbfs = hidraw->usbfs, .handler = umockdev_ioctl_base_new(), .path = g_strdup(path)};
    g_signal_connect(node->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), node);
    g_signal_connect(node->handler, "handle-read", G_CALLBACK(handle_read), node);
    g_signal_connect(node->handler, "handle-write", G_CALLBACK(handle_write), node);
    g_signal_connect(node->handler, "client-connected", G_CALLBACK(greet_client), node);
    g_mutex_lock(&hidraw->usbfs->lock);
    hidraw->node = node;
    g_mutex_unlock(&hidraw->usbfs->lock);
    return node->handler;
}

void hidraw_unplug(struct hidraw *hidraw)
{
    g_mutex_lock(&hidraw->usbfs->lock);
    hidraw->node->dead = true;
    mark_readable(hidraw->node);
    hidraw->node = NULL;
    g_mutex_unlock(&hidraw->usbfs->lock);
}

bool hidraw_is_open(struct hidraw *hidraw)
{
    g_mutex_lock(&hidraw->usbfs->lock);
    bool open = hidraw->node && hidraw->node->handles;
    g_mutex_unlock(&hidraw->usbfs->lock);
    return open;
}
