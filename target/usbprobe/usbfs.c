/* SPDX-License-Identifier: MIT */
/* The ioctls of usbfs. Source of their errors: Linux 6.1, drivers/usb/core/devio.c. */
#include "usbfs.h"
#include "usbfs_node.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>

#define BUSY_PERIOD_MS 2
#define BUSY_TRIES     150 /* a busy host may delay umockdev's thread */

bool usbfs_may_use(const struct usbfs_node *node, const UMockdevIoctlClient *client)
{
    return node->owner ? node->owner == client : !node->usbfs->busy;
}

void *usbfs_argument(UMockdevIoctlClient *client, size_t bytes, UMockdevIoctlData **data)
{
    UMockdevIoctlData *pointer = umockdev_ioctl_client_get_arg(client); /* the client's pointer */
    *data = umockdev_ioctl_data_resolve(pointer, 0, bytes, NULL);
    return *data ? (*data)->data : NULL;
}

static int claim(struct usbfs_node *node, UMockdevIoctlClient *client, bool wanted)
{
    UMockdevIoctlData *data;
    const unsigned *interface = usbfs_argument(client, sizeof *interface, &data);
    if (!interface)
        return EFAULT;
    bool known = *interface == 0;
    g_object_unref(data);
    if (!known)
        return wanted ? ENOENT : EINVAL;
    if (!wanted) {
        if (node->owner != client)
            return EINVAL;
        node->owner = NULL;
        return 0;
    }
    if (!usbfs_may_use(node, client))
        return EBUSY;
    node->owner = client;
    return 0;
}

static int clear_halt(struct usbfs_node *node, UMockdevIoctlClient *client)
{
    UMockdevIoctlData *data;
    const unsigned *endpoint = usbfs_argument(client, sizeof *endpoint, &data);
    if (!endpoint)
        return EFAULT;
    bool known = usb_probe_clear_halt(node->usbfs->probe, (uint8_t)*endpoint);
    g_object_unref(data);
    return known ? 0 : ENOENT;
}

static int get_capabilities(UMockdevIoctlClient *client)
{
    UMockdevIoctlData *data;
    uint32_t *capabilities = usbfs_argument(client, sizeof *capabilities, &data);
    if (!capabilities)
        return EFAULT;
    *capabilities = USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
    g_object_unref(data);
    return 0;
}

/* Carries out an ioctl; returns its errno, or 0. */
static int obey(struct usbfs_node *node, UMockdevIoctlClient *client, gulong request)
{
    if (request == USBDEVFS_REAPURB || request == USBDEVFS_REAPURBNDELAY)
        return urbs_reap(node, client);
    if (request == USBDEVFS_DISCARDURB)
        return urbs_discard(node, client);
    if (node->dead || node->usbfs->probe->plug != PROBE_PLUGGED)
        return ENODEV;
    switch (request) {
    case USBDEVFS_SUBMITURB:
        return urbs_submit(node, client);
    case USBDEVFS_CLAIMINTERFACE:
    case USBDEVFS_RELEASEINTERFACE:
        return claim(node, client, request == USBDEVFS_CLAIMINTERFACE);
    case USBDEVFS_CLEAR_HALT:
        return clear_halt(node, client);
    case USBDEVFS_RESET:
        usb_probe_reset(node->usbfs->probe);
        return 0;
    case USBDEVFS_SETCONFIGURATION:
    case USBDEVFS_SETINTERFACE:
        return usbfs_may_use(node, client) ? 0 : EBUSY;
    case USBDEVFS_GET_CAPABILITIES:
        return get_capabilities(client);
    case USBDEVFS_GETDRIVER:
    case USBDEVFS_IOCTL:
        return ENODATA; /* no kernel driver is bound to the interface */
    default:
        return ENOTTY;
    }
}

/* A claim that is repeated. When a handle is closed, Linux releases its interface at once, but umockdev a moment later.
 * Until then the interface looks claimed. */
struct busy_wait {
    struct usbfs_node *node;
    UMockdevIoctlClient *client;
    gulong request;
    unsigned tries;
};

static gboolean obey_again(gpointer self)
{
    struct busy_wait *wait = self;
    g_mutex_lock(&wait->node->usbfs->lock);
    int error = obey(wait->node, wait->client, wait->request);
    g_mutex_unlock(&wait->node->usbfs->lock);
    if (error == EBUSY && ++wait->tries < BUSY_TRIES)
        return G_SOURCE_CONTINUE;
    umockdev_ioctl_client_complete(wait->client, error ? -1 : 0, error);
    g_object_unref(wait->client);
    g_free(wait);
    return G_SOURCE_REMOVE;
}

/* Repeats the claim later, on umockdev's thread. Until then this thread serves other programs. */
static void obey_later(struct usbfs_node *node, UMockdevIoctlClient *client, gulong request)
{
    struct busy_wait *wait = g_new0(struct busy_wait, 1);
    *wait = (struct busy_wait){.node = node, .client = g_object_ref(client), .request = request};
    GSource *timer = g_timeout_source_new(BUSY_PERIOD_MS);
    g_source_set_callback(timer, obey_again, wait, NULL);
    g_source_attach(timer, g_main_context_get_thread_default());
    g_source_unref(timer);
}

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct usbfs_node *node = self;
    gulong request = umockdev_ioctl_client_get_request(client);
    g_mutex_lock(&node->usbfs->lock);
    int error = obey(node, client, request);
    bool later =
        /* only a program that has claimed the interface submits transfers */
        error == EBUSY && node->owner && request != USBDEVFS_SUBMITURB;
    g_mutex_unlock(&node->usbfs->lock);
    if (later)
        obey_later(node, client, request);
    else
        umockdev_ioctl_client_complete(client, error ? -1 : 0, error);
    return TRUE;
}

/* Releases the claim and cancels the transfers of a handle that was closed. */
static void forget_client(gpointer self, GObject *client)
{
    struct usbfs_node *node = self;
    g_mutex_lock(&node->usbfs->lock);
    if ((GObject *)node->owner == client)
        node->owner = NULL;
    urbs_forget(node, client);
    g_mutex_unlock(&node->usbfs->lock);
}

/*
 * Counts a new handle, and ensures that forget_client() is called when the handle's object is freed. umockdev 0.17 has
 * a signal for closed handles, but never sends this signal.
 */
static void greet_client(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer self)
{
    (void)handler;
    struct usbfs *usbfs = ((struct usbfs_node *)self)->usbfs;
    g_object_weak_ref(G_OBJECT(client), forget_client, self);
    g_mutex_lock(&usbfs->lock);
    usbfs->opened++;
    g_mutex_unlock(&usbfs->lock);
}

void usbfs_init(struct usbfs *usbfs, struct usb_probe *probe, int wake_fd, const bool *board_lost)
{
    *usbfs = (struct usbfs){.probe = probe, .wake_fd = wake_fd, .board_lost = board_lost};
    g_mutex_init(&usbfs->lock);
}

UMockdevIoctlBase *usbfs_plug(struct usbfs *usbfs)
{
    struct usbfs_node *node = g_new0(struct usbfs_node, 1);
    node->usbfs = usbfs;
    node->handler = umockdev_ioctl_base_new();
    g_signal_connect(node->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), node);
    g_signal_connect(node->handler, "client-connected", G_CALLBACK(greet_client), node);
    g_mutex_lock(&usbfs->lock);
    usbfs->node = node;
    g_mutex_unlock(&usbfs->lock);
    return node->handler;
}

void usbfs_unplug(struct usbfs *usbfs)
{
    g_mutex_lock(&usbfs->lock);
    struct usbfs_node *node = usbfs->node;
    node->dead = true;
    node->owner = NULL;
    urbs_fail(node);
    usbfs->old_nodes = g_slist_prepend(usbfs->old_nodes, node);
    usbfs->node = NULL;
    g_mutex_unlock(&usbfs->lock);
}

bool usbfs_is_claimed(struct usbfs *usbfs)
{
    g_mutex_lock(&usbfs->lock);
    bool claimed = usbfs->node && usbfs->node->owner;
    g_mutex_unlock(&usbfs->lock);
    return claimed;
}
