/* SPDX-License-Identifier: MIT */
/* The answers of an stlink-server. The input has all bytes that the server sends; then it closes the connection. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "probe/stlink/stlink_command.h"
#include "probe/stlink/stlink_server.h"

#define TIMEOUT_MS 1 /* the server sends nothing later */

static void use(struct stlink_pipe pipe)
{
    static uint8_t answer[STLINK_ANSWER_BYTES_MAX];
    struct stlink_command command;
    unsigned count = 0;

    stlink_make_version(&command);
    (void)pipe.ops->run(pipe.self, &command, answer, TIMEOUT_MS);
    (void)pipe.ops->others(pipe.self, &count, TIMEOUT_MS);
    stlink_make_read(&command, 0x20000000, 64, 0);
    (void)pipe.ops->run(pipe.self, &command, answer, TIMEOUT_MS);
    (void)pipe.ops->reset(pipe.self);
    pipe.ops->close(pipe.self);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct stlink_server_settings settings = {"server", NULL, TIMEOUT_MS};
    struct stlink_device device = {0};
    struct stlink_pipe pipe;
    struct error error = {0};
    int ends[2];

    if (length > 0 && bytes[0] & 1)
        settings.serial = "0123";
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    if (length > 1)
        REQUIRE(send(ends[1], bytes + 1, length - 1, 0) == (ssize_t)(length - 1));
    REQUIRE(shutdown(ends[1], SHUT_WR) == 0);
    if (stlink_server_open(&pipe, (struct stream){ends[0]}, &settings, &device, &error) == TXTAP_OK) {
        REQUIRE(memchr(device.serial, '\0', sizeof device.serial) != NULL);
        use(pipe);
    } else {
        REQUIRE(error.what[0] != '\0');
    }
    close(ends[1]);
    return 0;
}
