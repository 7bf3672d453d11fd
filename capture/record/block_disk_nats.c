/* SPDX-License-Identifier: MIT */
/* Publishes the blocks of a recording. The publisher stays from file to file; only the first message of a file differs,
 * because readers may begin with it. */
#include "record/block_disk_nats.h"

#include <stdio.h>
#include <stdlib.h>

#include "nats/publisher.h"

#define CLOSE_US 5000000 /* how long the last messages may take */

struct nats_disk {
    struct publisher *publisher;
    bool begins; /* the next message begins a file */
};

static void tell(void *self, const char *text)
{
    (void)self;
    fprintf(stderr, "txtap: %s\n", text);
}

static enum txtap_status start(struct block_disk *disk, const char *path, struct error *error)
{
    const struct publisher_setup setup = {.place = path,
                                          .access = nats_access_of_environment(),
                                          .spool = disk->spool,
                                          .spool_bytes = PUBLISHER_SPOOL_BYTES,
                                          .limits = disk->stream,
                                          .tells_limits = true,
                                          .tell = tell};
    struct nats_disk *place = calloc(1, sizeof *place);
    enum txtap_status status;

    if (place == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to publish");
    status = publisher_open(&place->publisher, &setup, error);
    if (status == TXTAP_OK)
        disk->place = place;
    else
        free(place);
    return status;
}

static enum txtap_status nats_open(struct block_disk *disk, const char *path, bool overwrite, struct error *error)
{
    struct nats_disk *place;
    enum txtap_status status = disk->place == NULL ? start(disk, path, error) : TXTAP_OK;

    (void)overwrite;
    if (status != TXTAP_OK)
        return status;
    place = disk->place;
    place->begins = true;
    disk->regular = true; /* the end of a recording waits for the server */
    snprintf(disk->name, sizeof disk->name, "%s", publisher_name(place->publisher));
    return TXTAP_OK;
}

static enum txtap_status nats_write(struct block_disk *disk, const char *bytes, size_t length, struct error *error)
{
    struct nats_disk *place = disk->place;
    enum txtap_status status = publisher_put(place->publisher, bytes, length, place->begins, error);

    place->begins = false;
    return status;
}

static void nats_start_writeback(struct block_disk *disk)
{
    (void)disk; /* each message is on its way already */
}

static enum txtap_status nats_close(struct block_disk *disk, bool settle, struct error *error)
{
    struct nats_disk *place = disk->place;

    return settle ? publisher_finish(place->publisher, CLOSE_US, error) : TXTAP_OK;
}

static void nats_end(struct block_disk *disk)
{
    struct nats_disk *place = disk->place;

    if (place != NULL)
        publisher_close(place->publisher);
    free(place);
    disk->place = NULL;
}

const struct block_disk_kind nats_disk_kind = {.prefix = "nats://",
                                               .open = nats_open,
                                               .write = nats_write,
                                               .start_writeback = nats_start_writeback,
                                               .close = nats_close,
                                               .end = nats_end};

const struct block_disk_kind nats_disk_tls_kind = {.prefix = "tls://",
                                                   .open = nats_open,
                                                   .write = nats_write,
                                                   .start_writeback = nats_start_writeback,
                                                   .close = nats_close,
                                                   .end = nats_end};
