/* SPDX-License-Identifier: MIT */
/* Transfers: submitted by a program, moved when the probe is ready, reaped by the program. */
#include "usbfs_node.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MAX        (1 << 20)
#define REAP_PATIENCE_US 1000 /* a pause, because poll() on this file never waits, so a waiting program would spin */

struct urb {
    UMockdevIoctlClient *client;
    UMockdevIoctlData *data; /* the struct usbdevfs_urb */
    UMockdevIoctlData *buffer;
    bool done;
};

static struct usbdevfs_urb *urb_of(const struct urb *urb)
{
    return (struct usbdevfs_urb *)(void *)urb->data->data;
}

static void finish(struct urb *urb, int status, size_t length)
{
    urb_of(urb)->status = status;
    urb_of(urb)->actual_length = (int)length;
    urb->done = true;
}

static void drop_urb(struct usbfs_node *node, GList *link)
{
    struct urb *urb = link->data;
    node->urbs = g_list_delete_link(node->urbs, link);
    g_clear_object(&urb->buffer);
    g_object_unref(urb->data);
    g_free(urb);
}

void usbfs_wake_up(struct usbfs *usbfs)
{
    if (usbfs->probe->plug != PROBE_PLUGGED || *usbfs->board_lost)
        (void)!write(usbfs->wake_fd, &(uint64_t){1}, sizeof(uint64_t));
}

/* Moves a transfer, if the probe is ready for it. */
static void move(struct usbfs_node *node, struct urb *urb)
{
    struct usb_probe *probe = node->usbfs->probe;
    const struct usbdevfs_urb *head = urb_of(urb);
    uint8_t *bytes = urb->buffer ? urb->buffer->data : NULL;
    uint8_t endpoint = (uint8_t)head->endpoint;
    size_t length = (size_t)head->buffer_length, moved = length;
    enum usb_result result;
    if (probe->plug != PROBE_PLUGGED)
        result = USB_GONE;
    else if (head->type == USBDEVFS_URB_TYPE_CONTROL)
        result = usb_control(probe->identity, bytes, bytes + USB_SETUP_BYTES, length - USB_SETUP_BYTES, &moved);
    else if (endpoint & 0x80)
        result = usb_probe_in(probe, endpoint, bytes, length, &moved);
    else
        result = usb_probe_out(probe, endpoint, bytes, length);
    if (result == USB_DONE)
        finish(urb, 0, moved);
    else if (result == USB_STALLED)
        finish(urb, -EPIPE, 0);
    else if (result == USB_OVERFLOW)
        finish(urb, -EOVERFLOW, 0);
    else if (result == USB_GONE)
        finish(urb, -ESHUTDOWN, 0);
}

/* Moves all transfers that can be moved. Keeps the order within each endpoint. Tries again after a transfer completes,
 * because another transfer may have waited for it. */
static void move_all(struct usbfs_node *node)
{
    bool moved = true;
    while (moved) {
        uint64_t waiting[4] = {0}; /* a bit for each endpoint address */
        moved = false;
        for (GList *link = node->urbs; link; link = link->next) {
            struct urb *urb = link->data;
            uint8_t endpoint = (uint8_t)urb_of(urb)->endpoint;
            if (urb->done || waiting[endpoint / 64] >> endpoint % 64 & 1)
                continue;
            move(node, urb);
            moved |= urb->done;
            if (!urb->done)
                waiting[endpoint / 64] |= UINT64_C(1) << endpoint % 64;
        }
    }
    usbfs_wake_up(node->usbfs);
}

int urbs_submit(struct usbfs_node *node, UMockdevIoctlClient *client)
{
    UMockdevIoctlData *data, *buffer = NULL;
    struct usbdevfs_urb *head = usbfs_argument(client, sizeof *head, &data);
    if (!head)
        return EFAULT;
    int error = EINVAL;
    if (head->buffer_length < 0 || head->buffer_length > BYTES_MAX)
        goto refuse;
    if (head->type == USBDEVFS_URB_TYPE_CONTROL ? head->buffer_length < USB_SETUP_BYTES
                                                : head->type != USBDEVFS_URB_TYPE_BULK)
        goto refuse;
    error = EBUSY;
    if (head->type == USBDEVFS_URB_TYPE_BULK && !usbfs_may_use(node, client))
        goto refuse;
    error = EFAULT;
    if (head->buffer_length)
        buffer =
            umockdev_ioctl_data_resolve(data, offsetof(struct usbdevfs_urb, buffer), (size_t)head->buffer_length, NULL);
    if (head->buffer_length && !buffer)
        goto refuse;
    struct urb *urb = g_new0(struct urb, 1);
    *urb = (struct urb){.client = client, .data = data, .buffer = buffer};
    node->urbs = g_list_append(node->urbs, urb);
    move_all(node);
    return 0;
refuse:
    g_object_unref(data);
    return error;
}

static GList *find_urb(struct usbfs_node *node, const UMockdevIoctlClient *client, gulong address)
{
    for (GList *link = node->urbs; link; link = link->next) {
        const struct urb *urb = link->data;
        if (urb->client == client && (address ? urb->data->client_addr == address : urb->done))
            return link;
    }
    return NULL;
}

static bool has_urbs(struct usbfs_node *node, const UMockdevIoctlClient *client)
{
    for (GList *link = node->urbs; link; link = link->next)
        if (((const struct urb *)link->data)->client == client)
            return true;
    return false;
}

int urbs_reap(struct usbfs_node *node, UMockdevIoctlClient *client)
{
    GList *link = find_urb(node, client, 0);
    UMockdevIoctlData *pointer;
    if (!link && node->dead)
        return ENODEV;
    if (!link) {
        if (has_urbs(node, client))
            g_usleep(REAP_PATIENCE_US);
        return EAGAIN;
    }
    if (!usbfs_argument(client, sizeof(void *), &pointer))
        return EFAULT;
    umockdev_ioctl_data_set_ptr(pointer, 0, ((struct urb *)link->data)->data);
    g_object_unref(pointer);
    drop_urb(node, link);
    node->usbfs->transfers++;
    return 0;
}

int urbs_discard(struct usbfs_node *node, UMockdevIoctlClient *client)
{
    const UMockdevIoctlData *pointer = umockdev_ioctl_client_get_arg(client);
    gulong address;
    memcpy(&address, pointer->data, sizeof address);
    GList *link = find_urb(node, client, address);
    if (!link || ((struct urb *)link->data)->done)
        return EINVAL;
    finish(link->data, -ENOENT, 0);
    return 0;
}

void urbs_fail(struct usbfs_node *node)
{
    for (GList *link = node->urbs; link; link = link->next)
        if (!((struct urb *)link->data)->done)
            finish(link->data, -ESHUTDOWN, 0);
}

void urbs_forget(struct usbfs_node *node, const GObject *client)
{
    for (GList *link = node->urbs, *next; link; link = next) {
        next = link->next;
        if ((GObject *)((struct urb *)link->data)->client == client)
            drop_urb(node, link);
    }
}
