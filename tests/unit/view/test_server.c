/* SPDX-License-Identifier: MIT */
/* The server with real connections. What it may answer to whom is tested with curl, in tests/e2e/view.sh. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/server.h"

static struct server *server;
static atomic_bool has_byte; /* that one stream gets */
static char path[SERVER_URL_BYTES];
static struct sockaddr_in address = {.sin_family = AF_INET};

static void *open_source(void *self)
{
    (void)self;
    return malloc(1);
}

static ssize_t read_source(void *stream, char *bytes, size_t size)
{
    (void)stream;
    (void)size;
    *bytes = '!';
    return atomic_exchange(&has_byte, false);
}

static void put_state(void *self, FILE *out)
{
    (void)self;
    fputs("{}", out);
}

static enum txtap_status start(const char *at, struct error *error)
{
    const struct server_setup setup = {.address = at,
                                       .page = "",
                                       .policy = "default-src 'none'",
                                       .source = {open_source, read_source, free, NULL},
                                       .put_state = put_state};

    return server_start(&server, &setup, error);
}

static void begin(void)
{
    char url[SERVER_URL_BYTES];
    struct error error;
    unsigned port;

    cr_assert_eq(start("127.0.0.1", &error), TXTAP_OK);
    server_url(server, url);
    cr_assert_eq(sscanf(url, "http://127.0.0.1:%u%60s", &port, path), 2);
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

static void end(void)
{
    server_stop(server, 0);
}

TestSuite(server, .init = begin, .fini = end, .timeout = 60);

/* Asks for a stream, reads its head, and returns the connection. */
static int open_stream(unsigned *code)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[2048];
    size_t length = (size_t)snprintf(text, sizeof text, "GET %sstream HTTP/1.0\r\nHost: 127.0.0.1:%u\r\n\r\n", path,
                                     (unsigned)ntohs(address.sin_port));

    cr_assert_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(write(fd, text, length), (ssize_t)length);
    for (length = 0; length < sizeof text - 1 && read(fd, text + length, 1) == 1; length++) {
        text[length + 1] = '\0';
        if (strstr(text, "\r\n\r\n") != NULL)
            break;
    }
    cr_assert_eq(sscanf(text, "HTTP/1.%*c %u", code), 1);
    return fd;
}

static void await_streams(unsigned count)
{
    while (server_streams(server) != count) {
        server_step(server);
        usleep(1000);
    }
}

Test(server, a_client_that_goes_while_nothing_is_sent_leaves_its_place)
{
    int streams[SERVER_STREAMS_MAX], refused;
    unsigned code;
    char byte = 0;

    for (size_t i = 0; i < SERVER_STREAMS_MAX; i++) {
        streams[i] = open_stream(&code);
        cr_assert_eq(code, 200);
    }
    refused = open_stream(&code);
    cr_assert_eq(code, 503);
    close(refused);
    for (size_t i = 1; i < SERVER_STREAMS_MAX; i++)
        close(streams[i]);
    await_streams(1);
    atomic_store(&has_byte, true);
    server_wake(server);
    cr_assert(read(streams[0], &byte, 1) == 1 && byte == '!', "who stays is still served");
    refused = open_stream(&code);
    cr_assert_eq(code, 200);
    close(refused);
    close(streams[0]);
    await_streams(0);
}

Test(server_address, to_which_no_browser_can_connect_is_refused)
{
    static const char *const addresses[] = {
        "224.0.0.1", "239.255.255.250", "255.255.255.255", "::ffff:224.0.0.1", "ff02::1", "", "localhost.", "127.1",
    };
    struct error error;

    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        cr_expect_eq(start(addresses[i], &error), TXTAP_ERROR_USAGE, "%s", addresses[i]);
        cr_expect_null(server);
    }
}

Test(server_address, of_this_machine_alone_is_not_public_however_it_is_written)
{
    static const struct {
        const char *address, *host;
        bool public;
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", false},
        {"localhost", "127.0.0.1", false},
        {"127.0.0.2", "127.0.0.2", false},
        {"::ffff:127.0.0.1", "127.0.0.1", false},
        {"::FFFF:7F00:1", "127.0.0.1", false},
        {"0:0:0:0:0:0:0:1", "[::1]", false},
        {"0.0.0.0", "127.0.0.1", true},
        {"::ffff:0.0.0.0", "127.0.0.1", true},
        {"::", "[::1]", true},
    };
    struct error error;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char url[SERVER_URL_BYTES], host[SERVER_URL_BYTES];
        enum txtap_status status = start(rows[i].address, &error);

        if (status == TXTAP_ERROR_SYSTEM && rows[i].host[0] == '[') /* a host without IPv6 */
            continue;
        cr_assert_eq(status, TXTAP_OK, "%s", rows[i].address);
        server_url(server, url);
        snprintf(host, sizeof host, "http://%s:", rows[i].host);
        cr_expect_eq(strncmp(url, host, strlen(host)), 0, "%s: %s", rows[i].address, url);
        cr_expect_eq(server_is_public(server), rows[i].public, "%s", rows[i].address);
        server_stop(server, 0);
    }
}
