/* SPDX-License-Identifier: MIT */
/* Moves messages from the spool to the ring, and drops stored messages from both. */
#include "nats/waiting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nats/message.h"

void waiting_init(struct waiting *waiting)
{
    memset(waiting, 0, sizeof *waiting);
    waiting->spool.fd = -1;
    waiting->first = waiting->sent = waiting->next = 1;
}

void waiting_free(struct waiting *waiting)
{
    for (size_t i = 0; i < WAITING_SLOTS; i++)
        free(waiting->slots[i].bytes);
    spool_close(&waiting->spool);
}

enum txtap_status waiting_open_spool(struct waiting *waiting, const char *directory, const char *subject,
                                     uint64_t session, uint64_t most, struct error *error)
{
    enum txtap_status status = spool_open(&waiting->spool, directory, subject, session, most, error);

    waiting->first = waiting->sent = waiting->next = waiting->spool.oldest;
    waiting->spool_read = waiting->spool.first;
    return status;
}

bool waiting_has_spool(const struct waiting *waiting)
{
    return waiting->spool.fd >= 0;
}

struct waiting_slot *waiting_slot(struct waiting *waiting, uint64_t count)
{
    return &waiting->slots[count % WAITING_SLOTS];
}

uint64_t waiting_count(const struct waiting *waiting)
{
    return (waiting_has_spool(waiting) ? waiting->spool.next : waiting->next) - waiting->first;
}

static bool ring_has_room(const struct waiting *waiting, size_t length)
{
    return waiting->next - waiting->first < WAITING_SLOTS &&
           (waiting->bytes == 0 || waiting->bytes + length <= WAITING_BYTES);
}

bool waiting_has_room(const struct waiting *waiting, size_t length)
{
    return waiting_has_spool(waiting) ? spool_has_room(&waiting->spool, length) : ring_has_room(waiting, length);
}

static void ring_add(struct waiting *waiting, uint8_t *bytes, size_t length, bool begins, uint64_t spool_end)
{
    *waiting_slot(waiting, waiting->next++) =
        (struct waiting_slot){.bytes = bytes, .length = length, .begins = begins, .spool_end = spool_end};
    waiting->bytes += length;
}

bool waiting_add(struct waiting *waiting, const void *bytes, size_t length, bool begins)
{
    uint8_t *copy;

    if (waiting_has_spool(waiting))
        return spool_append(&waiting->spool, bytes, length, begins);
    copy = malloc(length);
    if (copy == NULL)
        return false;
    memcpy(copy, bytes, length);
    ring_add(waiting, copy, length, begins, 0);
    return true;
}

/* Moves the next message of the spool to the ring. */
static bool load_next(struct waiting *waiting)
{
    struct spool_message message;
    uint8_t *bytes;

    if (!spool_read(&waiting->spool, waiting->spool_read, &message, &bytes))
        return false;
    ring_add(waiting, bytes, message.length, message.begins, message.end);
    waiting->spool_read = message.end;
    return true;
}

static bool spool_has_more(const struct waiting *waiting)
{
    return waiting_has_spool(waiting) && waiting->spool_read < waiting->spool.end;
}

bool waiting_load(struct waiting *waiting)
{
    while (spool_has_more(waiting) && ring_has_room(waiting, NATS_MESSAGE_BYTES))
        if (!load_next(waiting))
            return false;
    return true;
}

/* Drops the stored messages at the start. */
static bool advance(struct waiting *waiting)
{
    uint64_t end = 0;
    bool dropped;

    while (waiting->first < waiting->sent && waiting_slot(waiting, waiting->first)->bytes == NULL)
        end = waiting_slot(waiting, waiting->first++)->spool_end;
    dropped = end == 0 || spool_drop(&waiting->spool, end, waiting->first);
    if (waiting->spool_read > waiting->spool.end) /* the spool became empty, and begins at its start again */
        waiting->spool_read = waiting->spool.end;
    return dropped;
}

bool waiting_stored(struct waiting *waiting, uint64_t count)
{
    struct waiting_slot *slot = waiting_slot(waiting, count);

    if (count < waiting->first || count >= waiting->sent || slot->bytes == NULL)
        return true;
    waiting->bytes -= slot->length;
    free(slot->bytes);
    slot->bytes = NULL;
    return advance(waiting);
}

bool waiting_stored_until(struct waiting *waiting, uint64_t count)
{
    bool done = true;

    /* A message after `count` may have been stored out of order. The server then has it as its last message, so `count`
     * would be larger. */
    waiting->sent = waiting->first;
    while (done && waiting->first <= count && (waiting->first < waiting->next || spool_has_more(waiting))) {
        if (waiting->first == waiting->next && !load_next(waiting))
            return false;
        waiting->sent = waiting->first + 1;
        if (waiting_slot(waiting, waiting->first)->bytes == NULL)
            done = advance(waiting);
        else
            done = waiting_stored(waiting, waiting->first);
    }
    waiting->sent = waiting->first;
    return done;
}
