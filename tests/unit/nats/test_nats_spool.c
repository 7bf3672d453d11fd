/* SPDX-License-Identifier: MIT */
/* Waiting messages in memory and in a file, which is cut at any byte. */
#include "nats/waiting.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nats/message.h"

#define SUBJECT "lab.b1"
#define MOST    (UINT64_C(1) << 24)

static char directory[] = "/tmp/nats_spool.XXXXXX";
static struct waiting waiting;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
}

static void end(void)
{
    char path[100];

    waiting_free(&waiting);
    snprintf(path, sizeof path, "%s/" SUBJECT ".spool", directory);
    unlink(path);
    rmdir(directory);
}

TestSuite(nats_spool, .init = begin, .fini = end);

static enum txtap_status open_again(uint64_t session)
{
    struct error error = {0};

    waiting_init(&waiting);
    return waiting_open_spool(&waiting, directory, SUBJECT, session, MOST, &error);
}

static void add(const char *text)
{
    cr_assert(waiting_add(&waiting, text, strlen(text), false));
}

/* Loads all messages, and returns them as a text. */
static const char *loaded(void)
{
    static char text[1000];

    text[0] = '\0';
    cr_assert(waiting_load(&waiting));
    for (uint64_t i = waiting.first; i < waiting.next; i++)
        strncat(text, (const char *)waiting_slot(&waiting, i)->bytes, waiting_slot(&waiting, i)->length);
    return text;
}

Test(nats_spool, keeps_messages_and_the_base_for_the_next_run)
{
    cr_assert_eq(open_again(7), TXTAP_OK);
    add("one ");
    add("two ");
    cr_assert(spool_set_base(&waiting.spool, 41));
    waiting_free(&waiting);
    cr_assert_eq(open_again(8), TXTAP_OK);
    cr_assert(waiting.spool.session == 7 && waiting.spool.based && waiting.spool.base == 41);
    add("three");
    cr_assert_str_eq(loaded(), "one two three");
    cr_assert_eq(waiting_count(&waiting), 3);
}

Test(nats_spool, forgets_what_is_stored_and_begins_another_session)
{
    cr_assert_eq(open_again(7), TXTAP_OK);
    add("one ");
    add("two ");
    (void)loaded();
    waiting.sent = waiting.next;
    cr_assert(waiting_stored(&waiting, 2) && waiting_count(&waiting) == 2); /* the first message is not stored yet */
    cr_assert(waiting_stored(&waiting, 1) && waiting_count(&waiting) == 0);
    add("three ");
    cr_assert_str_eq(loaded(), "three ");
    waiting.sent = waiting.next;
    cr_assert(waiting_stored(&waiting, 3));
    cr_assert_eq(waiting.bytes, 0);
    waiting_free(&waiting);
    cr_assert_eq(open_again(9), TXTAP_OK);
    cr_assert(waiting.spool.session == 9 && !waiting.spool.based && waiting.first == 1);
}

Test(nats_spool, drops_messages_that_the_server_has_after_a_restart)
{
    cr_assert_eq(open_again(7), TXTAP_OK);
    for (int i = 0; i < 600; i++) /* more than the ring has slots */
        add(i == 599 ? "last" : "x");
    waiting_free(&waiting);
    cr_assert_eq(open_again(8), TXTAP_OK);
    cr_assert(waiting_stored_until(&waiting, 599));
    cr_assert_str_eq(loaded(), "last");
    cr_assert(waiting.first == 600 && waiting.sent == 600);
}

Test(nats_spool, keeps_all_whole_messages_of_a_file_that_is_cut_anywhere)
{
    struct stat about;
    char path[100];

    snprintf(path, sizeof path, "%s/" SUBJECT ".spool", directory);
    cr_assert_eq(open_again(7), TXTAP_OK);
    add("one ");
    add("two ");
    cr_assert_eq(stat(path, &about), 0);
    for (off_t size = about.st_size - 1; size >= (off_t)SPOOL_HEAD_BYTES; size--) {
        cr_assert_eq(truncate(path, size), 0);
        waiting_free(&waiting);
        cr_assert_eq(open_again(8), TXTAP_OK);
        cr_expect_str_eq(loaded(), size >= (off_t)(SPOOL_HEAD_BYTES + SPOOL_MESSAGE_BYTES + 4) ? "one " : "");
    }
    for (off_t size = SPOOL_HEAD_BYTES - 1; size > 0; size--) {
        cr_assert_eq(truncate(path, size), 0);
        waiting_free(&waiting);
        cr_expect_eq(open_again(8), TXTAP_ERROR_SYSTEM);
    }
}

Test(nats_spool, drops_a_damaged_message_and_all_after_it)
{
    char path[100];
    int fd;

    snprintf(path, sizeof path, "%s/" SUBJECT ".spool", directory);
    cr_assert_eq(open_again(7), TXTAP_OK);
    add("one ");
    add("two ");
    add("three");
    waiting_free(&waiting);
    fd = open(path, O_WRONLY);
    cr_assert_eq(pwrite(fd, "X", 1, SPOOL_HEAD_BYTES + SPOOL_MESSAGE_BYTES + 4 + SPOOL_MESSAGE_BYTES), 1);
    close(fd);
    cr_assert_eq(open_again(8), TXTAP_OK);
    cr_assert_str_eq(loaded(), "one ");
}

Test(nats_spool, belongs_to_a_single_recorder)
{
    struct waiting other;
    struct error error = {0};

    cr_assert_eq(open_again(7), TXTAP_OK);
    waiting_init(&other);
    cr_assert_eq(waiting_open_spool(&other, directory, SUBJECT, 8, MOST, &error), TXTAP_ERROR_SYSTEM);
    cr_assert_not_null(strstr(error.what, "another recorder"));
    waiting_free(&other);
}

Test(nats_spool, is_full_at_its_limit)
{
    static const char bytes[NATS_MESSAGE_BYTES];
    unsigned count = 0;

    cr_assert_eq(open_again(7), TXTAP_OK);
    for (; waiting_has_room(&waiting, sizeof bytes); count++)
        cr_assert(waiting_add(&waiting, bytes, sizeof bytes, false));
    cr_assert_eq(count, MOST / (sizeof bytes + SPOOL_MESSAGE_BYTES));
}

Test(nats_spool, memory_is_limited_without_a_spool)
{
    static const char bytes[NATS_MESSAGE_BYTES];
    unsigned count = 0;

    waiting_init(&waiting);
    for (; waiting_has_room(&waiting, sizeof bytes); count++)
        cr_assert(waiting_add(&waiting, bytes, sizeof bytes, false));
    cr_assert_eq(count, WAITING_BYTES / sizeof bytes);
    waiting.sent = 2;
    cr_assert(waiting_stored(&waiting, 1));
    cr_assert(waiting_has_room(&waiting, sizeof bytes));
}
