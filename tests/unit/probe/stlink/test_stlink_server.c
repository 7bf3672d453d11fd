/* SPDX-License-Identifier: MIT */
/* The client of stlink-server. Its answers wait in the connection before the client asks; then the test reads the
 * client's frames. */
#include "probe/stlink/stlink_server.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error_line.h"
#include "probe/stlink/stlink_command.h"

#define PATIENT_MS 60000 /* no answer is missing, so nothing waits this long */
#define BUSY       "04 20 00 00"
#define OK         "01 00 00 00"

static int peer = -1; /* the server's end of the connection */
static struct stlink_pipe pipe_;
static struct stlink_device device;
static struct error error;

static size_t bytes_of(const char *text, uint8_t *bytes)
{
    size_t length = 0;
    unsigned value;
    int used;

    for (; sscanf(text, " %2x%n", &value, &used) == 1; text += used)
        bytes[length++] = (uint8_t)value;
    return length;
}

static void say(const char *text)
{
    uint8_t bytes[512];
    size_t length = bytes_of(text, bytes);

    cr_assert_eq(send(peer, bytes, length, 0), (ssize_t)length);
}

static void say_device(unsigned id, const char *serial, bool exclusive)
{
    uint8_t info[45] = {1};

    info[4] = (uint8_t)id;
    memcpy(info + 8, serial, strlen(serial));
    memcpy(info + 40, "\x83\x04\x4F\x37", 4);
    info[44] = exclusive;
    cr_assert_eq(send(peer, info, sizeof info, 0), (ssize_t)sizeof info);
}

static struct stream begin(void)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    peer = ends[1];
    return (struct stream){ends[0]};
}

static void end_of_answers(void)
{
    cr_assert_eq(shutdown(peer, SHUT_WR), 0);
}

static enum txtap_status open_server(struct stream stream, const char *serial)
{
    const struct stlink_server_settings settings = {"the server", serial, PATIENT_MS};

    error_clear(&error);
    return stlink_server_open(&pipe_, stream, &settings, &device, &error);
}

/* Says everything up to the opened ST-Link. before, after: the numbers of clients before and after it is opened. */
static void say_opening(unsigned before, unsigned after)
{
    char text[64];

    say("01 00 00 00  02 00 00 00  01 00 00 00  01 00 00 00"); /* version */
    say(OK);                                                   /* refresh */
    say("01 00 00 00");                                        /* number of devices */
    say_device(7, "ABCD", false);
    snprintf(text, sizeof text, OK " %02x 00 00 00", before);
    say(text);
    say(OK " 09 00 00 00"); /* connection 9 */
    snprintf(text, sizeof text, OK " %02x 00 00 00", after);
    say(text);
}

static void open_well(unsigned before, unsigned after)
{
    struct stream stream = begin();

    say_opening(before, after);
    cr_assert_eq(open_server(stream, NULL), TXTAP_OK, "%s", error_line(&error));
}

/* Checks that the client sent exactly these bytes. */
static void has_sent(const char *text)
{
    uint8_t wanted[512], sent[512];
    size_t length = bytes_of(text, wanted);
    ssize_t got = recv(peer, sent, sizeof sent, MSG_DONTWAIT);

    cr_assert_eq(got, (ssize_t)length, "%zd bytes", got);
    cr_assert_arr_eq(sent, wanted, length);
}

static const char opening[] = "06 01 00 00  00 00  01  02 00 00 00 29 00 00 00"
                              "07 00 00 00 07 00 00 00  03 00 00 00 07 00 00 00  07 00 00 00 07 00 00 00";

static unsigned others(const char *answer)
{
    unsigned count = 99;

    say(answer);
    cr_assert_eq(pipe_.ops->others(pipe_.self, &count, PATIENT_MS), STLINK_OK);
    return count;
}

static void close_well(void)
{
    say(OK);
    pipe_.ops->close(pipe_.self);
    close(peer);
}

/* ---- opening ---- */

Test(stlink_server, opens_the_only_st_link)
{
    open_well(0, 1);
    has_sent(opening);
    cr_assert_str_eq(device.serial, "ABCD");
    cr_assert_eq(device.product, 0x374F);
    close_well();
}

Test(stlink_server, chooses_by_serial_number)
{
    struct stream stream = begin();

    say("01 00 00 00  02 00 00 00  01 00 00 00  01 00 00 00");
    say(OK);
    say("03 00 00 00");
    say_device(7, "ABCD", false);
    say("02 10 00 00"); /* unplugged meanwhile: the rest of this answer has no meaning */
    cr_assert_eq(send(peer, (const uint8_t[41]){0}, 41, 0), 41);
    say_device(8, "EF01", false);
    say(OK " 00 00 00 00");
    say(OK " 09 00 00 00");
    say(OK " 01 00 00 00");
    cr_assert_eq(open_server(stream, "EF01"), TXTAP_OK, "%s", error_line(&error));
    cr_assert_eq(device.id, 8);
    close_well();
}

static void fails(const char *serial, enum txtap_status status, const char *text, unsigned count, bool exclusive)
{
    struct stream stream = begin();
    char number[16];

    say("01 00 00 00  02 00 00 00  01 00 00 00  01 00 00 00");
    say(OK);
    snprintf(number, sizeof number, "%02x 00 00 00", count);
    say(number);
    for (unsigned i = 0; i < count; i++)
        say_device(7 + i, "ABCD", exclusive);
    cr_assert_eq(open_server(stream, serial), status);
    cr_assert_str_eq(error_line(&error), text);
    close(peer);
}

Test(stlink_server, says_why_there_is_no_st_link)
{
    fails(NULL, ERROR_UNREACHABLE, "the server has no ST-Link: plug it in", 0, false);
    fails("77", ERROR_UNREACHABLE, "the server has no ST-Link with the serial number 77: plug it in", 1, false);
    fails(NULL, TXTAP_ERROR_USAGE, "the server has 2 ST-Links: choose: --stlink-server=[HOST:]PORT/SERIAL", 2, false);
    fails(NULL, ERROR_TARGET, "a program has the ST-Link of the server for itself: let that program share it", 1, true);
}

Test(stlink_server, another_server_is_recognised)
{
    struct stream stream = begin();

    say("48 54 54 50 2f 31 2e 31 20 34 30 30 20 42 61 64"); /* HTTP/1.1 400 Bad */
    cr_assert_eq(open_server(stream, NULL), ERROR_PROTOCOL);
    cr_assert_str_eq(error_line(&error), "the server does not answer as an stlink-server does: is the port right?");
    close(peer);
}

/* Returns all answers up to the opened ST-Link, as bytes. */
static size_t opening_answers(uint8_t bytes[static 512])
{
    struct stream stream = begin();
    ssize_t length;

    say_opening(0, 1);
    length = recv(stream.fd, bytes, 512, MSG_DONTWAIT);
    close(stream.fd);
    close(peer);
    cr_assert_gt(length, 0);
    return (size_t)length;
}

/* The server closes the connection after any number of bytes. */
Test(stlink_server, the_answers_end_anywhere)
{
    uint8_t answers[512];
    size_t length = opening_answers(answers);

    for (size_t bytes = 0; bytes < length; bytes++) {
        struct stream stream = begin();

        cr_assert_eq(send(peer, answers, bytes, 0), (ssize_t)bytes);
        end_of_answers();
        cr_assert_eq(open_server(stream, NULL), ERROR_CLOSED, "%zu bytes: %s", bytes, error_line(&error));
        cr_assert_str_eq(error_line(&error), "the server closed the connection: is it really an stlink-server?");
        close(peer);
    }
}

/* ---- commands ---- */

Test(stlink_server, carries_a_command_and_its_answer)
{
    struct stlink_command command;
    uint8_t answer[8];

    open_well(0, 1);
    has_sent(opening);
    say(OK " 11 22 33 44 55 66 77 88");
    stlink_make_read(&command, 0x20000010, 8, 0);
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, PATIENT_MS), STLINK_OK);
    cr_assert_arr_eq(answer, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
    has_sent("05 00 00 00 09 00 00 00  f2 07 10 00 00 20 08 00 00 00 00 00 00 00 00 00  01 00 00 00 08 00 00 00");
    say(OK);
    stlink_make_list(&command, 0);
    stlink_add_word(&command, 0x20000000);
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, NULL, PATIENT_MS), STLINK_OK);
    has_sent("05 00 00 00 09 00 00 00  f2 51 02 00 00 00 00 00 00 00 00 00 00 00 00 00  00 00 00 00 0c 00 00 00"
             "05 03 00 00  00 00 00 00  00 00 00 20");
    close_well();
}

/* The server sends whole answers even while the ST-Link is busy, so the connection stays in step. */
Test(stlink_server, while_the_st_link_is_busy_it_asks_again)
{
    struct stlink_command command;
    uint8_t answer[6];

    open_well(0, 1);
    say(BUSY " 00 00 00 00 00 00");
    say(BUSY " 00 00 00 00 00 00");
    say(OK " 30 00 83 04 4f 37");
    stlink_make_version(&command);
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, PATIENT_MS), STLINK_OK);
    cr_assert_arr_eq(answer, "\x30\x00\x83\x04\x4F\x37", 6);
    say(BUSY " 00 00 00 00 00 00");
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, 0), STLINK_BUSY, "the time limit is over");
    cr_assert_eq(pipe_.ops->reset(pipe_.self), STLINK_OK);
    close_well();
}

Test(stlink_server, an_error_of_the_server_means_that_the_st_link_is_gone)
{
    struct stlink_command command;
    uint8_t answer[6];

    open_well(0, 1);
    say("01 10 00 00 00 00 00 00 00 00");
    stlink_make_version(&command);
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, PATIENT_MS), STLINK_GONE);
    close_well();
}

/* After an incomplete answer, the next bytes could belong to any answer. */
Test(stlink_server, an_incomplete_answer_ends_the_connection)
{
    struct stlink_command command;
    uint8_t answer[6];

    open_well(0, 1);
    say(OK " 30 00");
    stlink_make_version(&command);
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, 0), STLINK_TIMEOUT);
    cr_assert_eq(pipe_.ops->reset(pipe_.self), STLINK_TIMEOUT);
    say(OK " 30 00 83 04 4f 37");
    cr_assert_eq(pipe_.ops->run(pipe_.self, &command, answer, PATIENT_MS), STLINK_TIMEOUT);
    pipe_.ops->close(pipe_.self);
    close(peer);
}

/* ---- other clients ---- */

Test(stlink_server, counts_other_clients)
{
    open_well(0, 1); /* this server counts txtap, too */
    cr_expect_eq(others(OK " 01 00 00 00"), 0);
    cr_expect_eq(others(OK " 03 00 00 00"), 2);
    close_well();
    open_well(1, 1); /* this server counts only others */
    cr_expect_eq(others(OK " 01 00 00 00"), 1);
    cr_expect_eq(others(OK " 00 00 00 00"), 0);
    cr_expect_eq(others("53 10 00 00 00 00 00 00"), 1, "a server that cannot count may have another client");
    close_well();
}
