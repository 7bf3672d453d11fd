/* SPDX-License-Identifier: MIT */
/* The server with real connections. tests/e2e/view.sh tests its answers with curl. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/runtime.h"

#include "view/server.h"

static struct server *server;
static atomic_bool has_byte; /* a stream has received a byte */
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

TestSuite(server, .init = begin, .fini = end, .timeout = 1200);

/* Opens a connection from the address `from`, and sends the first half of a request for `place`. */
static int begin_request(uint32_t from, const char *place)
{
    const struct sockaddr_in client = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(from)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    cr_assert(fd >= 0 && bind(fd, (const struct sockaddr *)&client, sizeof client) == 0);
    cr_assert_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    cr_assert_gt(dprintf(fd, "GET %s%s HTTP/1.0\r\n", path, place), 0);
    return fd;
}

/* Sends the second half of the request, and reads the head of the answer. Returns its code; 0: no answer. */
static unsigned end_request(int fd)
{
    char text[2048] = "";
    unsigned code;

    if (dprintf(fd, "Host: 127.0.0.1:%u\r\n\r\n", (unsigned)ntohs(address.sin_port)) < 0)
        return 0;
    for (size_t length = 0; length < sizeof text - 1 && read(fd, text + length, 1) == 1; length++) {
        text[length + 1] = '\0';
        if (strstr(text, "\r\n\r\n") != NULL)
            break;
    }
    return sscanf(text, "HTTP/1.%*c %u", &code) == 1 ? code : 0;
}

/* Requests a stream, and reads the head of the answer. Returns the connection. */
static int open_stream(unsigned *code)
{
    int fd = begin_request(INADDR_LOOPBACK, "stream");

    *code = end_request(fd);
    return fd;
}

static void await_streams(unsigned count)
{
    while (server_streams(server) != count) {
        server_step(server);
        usleep(1000);
    }
}

Test(server, a_client_that_disconnects_in_silence_frees_its_place)
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

Test(server_address, refuses_an_address_to_which_no_browser_can_connect)
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

Test(server_address, is_not_public_with_any_spelling_of_a_local_address)
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

        if (status == TXTAP_ERROR_SYSTEM && rows[i].host[0] == '[') /* this host has no IPv6 */
            continue;
        cr_assert_eq(status, TXTAP_OK, "%s", rows[i].address);
        server_url(server, url);
        snprintf(host, sizeof host, "http://%s:", rows[i].host);
        cr_expect_eq(strncmp(url, host, strlen(host)), 0, "%s: %s", rows[i].address, url);
        cr_expect_eq(server_is_public(server), rows[i].public, "%s", rows[i].address);
        server_stop(server, 0);
    }
}

#define HALF_MOST    700
#define MORE         10
#define IDLE_MOST_US 5000000 /* libmicrohttpd ends an idle connection after at most twice this time */

static int half[HALF_MOST];

static bool has_ended(int fd)
{
    return poll(&(struct pollfd){.fd = fd, .events = POLLRDHUP}, 1, 0) == 1;
}

/* Raises the limit of open files, because this process has both ends of all connections. */
static void need_files(void)
{
    struct rlimit limit;

    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < 3 * HALF_MOST)
        cr_skip("too few files may be open");
    limit.rlim_cur = 3 * HALF_MOST;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* The server accepts connections in order. If it answers this connection, it has accepted all earlier connections. */
static void ask(void)
{
    int fd = begin_request(INADDR_LOOPBACK, "");

    cr_assert_eq(end_request(fd), 200);
    close(fd);
}

Test(server, half_requests_of_one_address_end_each_other_and_no_others)
{
    uint64_t begin_us = now_us();
    unsigned count = SERVER_CONNECTIONS_MAX / SERVER_WAITING_OF_ONE_PART + MORE, code;
    int other;

    need_files();
    cr_assert_lt(count, HALF_MOST);
    other = begin_request(INADDR_LOOPBACK + 2, "");
    for (unsigned i = 0; i < count; i++)
        half[i] = begin_request(INADDR_LOOPBACK + 1, "");
    ask();
    for (unsigned i = 0; i < MORE; i++)
        cr_expect(has_ended(half[i]), "%u", i);
    code = end_request(other);
    if (now_us() - begin_us > IDLE_MOST_US)
        cr_skip("the host is too slow");
    cr_expect_eq(code, 200);
    cr_expect_not(has_ended(half[MORE]));
    cr_expect_eq(end_request(half[count - 1]), 200);
}

Test(server, half_requests_of_many_addresses_end_the_oldest)
{
    uint64_t begin_us = now_us();
    unsigned count = SERVER_CONNECTIONS_MAX / SERVER_WAITING_PART + MORE;

    need_files();
    cr_assert_lt(count, HALF_MOST);
    for (unsigned i = 0; i < count; i++)
        half[i] = begin_request(INADDR_LOOPBACK + 1 + i, "");
    ask();
    for (unsigned i = 0; i < MORE; i++)
        cr_expect(has_ended(half[i]), "%u", i);
    if (now_us() - begin_us > IDLE_MOST_US)
        cr_skip("the host is too slow");
    cr_expect_not(has_ended(half[MORE + 1]));
    cr_expect_eq(end_request(half[count - 1]), 200);
}
