/* SPDX-License-Identifier: MIT */
/* The port for tests. README.md has the commands. */
#include "control.h"
#include "say.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

bool control_open(struct line_port *control, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_bytes = sizeof address;
    int one = 1;
    line_port_init(control);
    control->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (control->listener < 0)
        return fail("cannot make a TCP socket: %s", strerror(errno));
    setsockopt(control->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(control->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(control->listener, LINE_PORT_USERS_MAX) != 0 ||
        getsockname(control->listener, (struct sockaddr *)&address, &address_bytes) != 0) {
        fail("cannot listen on 127.0.0.1:%u: %s; give another --control-port, or 0 for a free one", port,
             strerror(errno));
        line_port_close(control);
        return false;
    }
    control->port = ntohs(address.sin_port);
    return true;
}
