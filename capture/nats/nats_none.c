/* SPDX-License-Identifier: MIT */
/* Takes the place of the publisher, the subscriber, the subjects and the watcher in a build without libnats. */
#include "nats/publisher.h"
#include "nats/subjects.h"
#include "nats/subscriber.h"
#include "nats/watcher.h"

static enum txtap_status refuse(struct error *error)
{
    return failure(error, TXTAP_ERROR_USAGE,
                   "this txtap was built without NATS\ninstall libnats-dev and build again, or use a folder");
}

enum txtap_status publisher_open(struct publisher **out, const struct publisher_setup *setup, struct error *error)
{
    (void)setup;
    *out = NULL;
    return refuse(error);
}

enum txtap_status publisher_put(struct publisher *publisher, const void *bytes, size_t length, bool begins,
                                struct error *error)
{
    (void)publisher;
    (void)bytes;
    (void)length;
    (void)begins;
    return refuse(error);
}

enum txtap_status publisher_finish(struct publisher *publisher, uint64_t limit_us, struct error *error)
{
    (void)publisher;
    (void)limit_us;
    return refuse(error);
}

void publisher_close(struct publisher *publisher)
{
    (void)publisher;
}

const char *publisher_name(const struct publisher *publisher)
{
    (void)publisher;
    return "";
}

enum txtap_status subscriber_open(struct subscriber **out, const struct subscriber_setup *setup, struct error *error)
{
    (void)setup;
    *out = NULL;
    return refuse(error);
}

void subscriber_close(struct subscriber *subscriber)
{
    (void)subscriber;
}

enum txtap_status subscriber_next(struct subscriber *subscriber, int64_t wait_ms, struct subscriber_message *message,
                                  struct error *error)
{
    (void)subscriber;
    (void)wait_ms;
    *message = (struct subscriber_message){.length = 0};
    return refuse(error);
}

const char *subscriber_name(const struct subscriber *subscriber)
{
    (void)subscriber;
    return "";
}

const struct error *subscriber_waits(const struct subscriber *subscriber)
{
    static const struct error none;

    (void)subscriber;
    return &none;
}

const struct nats_order *subscriber_order(const struct subscriber *subscriber)
{
    static const struct nats_order none;

    (void)subscriber;
    return &none;
}

enum txtap_status nats_subjects_find(struct nats_subjects *subjects, const char *name, uint64_t since_us,
                                     struct error *error)
{
    (void)name;
    (void)since_us;
    *subjects = (struct nats_subjects){0};
    return refuse(error);
}

void nats_subjects_free(struct nats_subjects *subjects)
{
    (void)subjects;
}

enum txtap_status watcher_open(struct watcher **out, const char *name, const struct nats_access *access,
                               struct error *error)
{
    (void)name;
    (void)access;
    *out = NULL;
    return refuse(error);
}

void watcher_close(struct watcher *watcher)
{
    (void)watcher;
}

enum txtap_status watcher_next(struct watcher *watcher, struct watcher_message *message, struct error *error)
{
    (void)watcher;
    *message = (struct watcher_message){.length = 0};
    return refuse(error);
}

bool watcher_is_connected(const struct watcher *watcher)
{
    (void)watcher;
    return false;
}
