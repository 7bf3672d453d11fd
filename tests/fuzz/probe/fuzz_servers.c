/* SPDX-License-Identifier: MIT */
/* Recognises servers by any command line, which another user of the machine can choose, and parses any line of the
 * system's table of sockets. Both must stay within their memory. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "probe/servers.h"

/* The same words in a longer buffer: what follows the command line must not matter. */
static const struct server *recognise(const char *name, const uint8_t *bytes, size_t length, size_t more)
{
    char *command = malloc(length + 1 + more); /* exact size: the sanitizer detects a read past the end */
    const struct server *server;

    memcpy(command, bytes, length);
    memset(command + length, 0, 1 + more);
    server = server_of_process(name, command, length);
    free(command);
    return server;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char name[PORT_OWNER_NAME_BYTES] = "";
    char *line = malloc(length + 1);
    struct net_socket socket;

    memcpy(name, bytes, length < sizeof name - 1 ? length : sizeof name - 1);
    REQUIRE(recognise(name, bytes, length, 0) == recognise(name, bytes, length, 9));
    memcpy(line, bytes, length);
    line[length] = '\0';
    if (net_socket_parse(&socket, line))
        REQUIRE(strchr(line, ':') != NULL);
    free(line);
    return 0;
}
