/* SPDX-License-Identifier: MIT */
/* A source's successful reads are counted over several connections. The count must change nothing else. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/failure.h"
#include "probe/probe.h"

static enum txtap_status answer;
static unsigned closed;

static enum txtap_status fake_read(void *self, const struct txtap_read *reads, size_t count)
{
    (void)self;
    for (size_t i = 0; i < count; i++)
        memset(reads[i].buffer, 0xA5, reads[i].length);
    return answer;
}

static const char *fake_error(void *self)
{
    return self;
}

static void fake_close(void *self)
{
    (void)self;
    closed++;
}

static const char *fake_hint(void *self)
{
    (void)self;
    return "the next step";
}

static const struct txtap_source_ops fake_ops = {"fake", 4096, 7, fake_read, fake_error, fake_close, fake_hint};
static char fake_self[] = "the cause";

static enum txtap_status read_two(struct txtap_source source)
{
    uint8_t first[8] = {0}, second[4] = {0};
    struct txtap_read reads[] = {{0x20000000u, sizeof first, first}, {0x20000100u, sizeof second, second}};
    enum txtap_status status = source.ops->read(source.self, reads, 2);

    cr_assert_eq(second[3], 0xA5);
    return status;
}

Test(counting, counts_successful_reads_over_several_connections)
{
    struct counting_source counting = {0};
    struct txtap_source source = counting_source_of(&counting, (struct txtap_source){&fake_ops, fake_self});

    answer = TXTAP_OK;
    cr_assert_eq(read_two(source), TXTAP_OK);
    cr_assert_eq(counting.requests, 1);
    cr_assert_eq(counting.bytes, 12);
    answer = ERROR_FAULT;
    cr_assert_eq(read_two(source), ERROR_FAULT);
    cr_assert_eq(counting.requests, 2);
    cr_assert_eq(counting.bytes, 12, "a failed read is not counted");
    source.ops->close(source.self);
    cr_assert_eq(closed, 1);
    source = counting_source_of(&counting, (struct txtap_source){&fake_ops, fake_self});
    answer = TXTAP_OK;
    cr_assert_eq(read_two(source), TXTAP_OK);
    cr_assert_eq(counting.requests, 3);
    cr_assert_eq(counting.bytes, 24);
}

Test(counting, otherwise_behaves_like_the_source)
{
    struct counting_source counting = {0};
    struct txtap_source source = counting_source_of(&counting, (struct txtap_source){&fake_ops, fake_self});

    cr_assert_str_eq(source.ops->name, "fake");
    cr_assert_eq(source.ops->read_bytes_max, 4096);
    cr_assert_eq(source.ops->reads_max, 7);
    cr_assert_str_eq(source.ops->error_text(source.self), "the cause");
    cr_assert_str_eq(source.ops->hint_text(source.self), "the next step");
    cr_assert_eq(source.ops->read(source.self, NULL, 0), answer);
    cr_assert_eq(counting.requests, 0, "nothing was requested");
}
