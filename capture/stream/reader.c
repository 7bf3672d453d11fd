/* SPDX-License-Identifier: MIT */
/* A reader of no ring, for a session whose ring is over. */
#include "stream/reader.h"

static size_t ended_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    (void)self;
    (void)now_us;
    *reads = NULL;
    return 0;
}

static enum txtap_status ended_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                      struct reader_write_time *write_time)
{
    (void)self;
    (void)begin_us;
    (void)end_us;
    (void)write_time;
    return TXTAP_OK;
}

static bool ended_next(void *self, struct reader_batch *batch)
{
    (void)self;
    (void)batch;
    return false;
}

static void ended_finish(void *self, uint64_t until)
{
    (void)self;
    (void)until;
}

static struct reader_state ended_state(const void *self)
{
    (void)self;
    return (struct reader_state){0};
}

static void ended_doubt(void *self)
{
    (void)self;
}

static enum txtap_status ended_refused(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES])
{
    (void)self;
    error[0] = '\0';
    return status;
}

const struct reader_ops reader_ended_ops = {
    ended_plan, ended_commit, ended_next, ended_finish, ended_state, ended_doubt, ended_refused,
};
