/* SPDX-License-Identifier: MIT */
/* Servers recognised by their command lines, and the owner of a port of this machine. */
#include "probe/servers.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- command lines ---- */

/* command: words, each with a NUL. */
#define RECOGNISED(name, command) recognised(name, command, sizeof(command))

static const char *recognised(const char *name, const char *command, size_t command_bytes)
{
    const struct server *server = server_of_process(name, command, command_bytes);

    return server != NULL ? server->name : "";
}

Test(servers, a_program_is_recognised_by_its_name_and_not_by_its_folder)
{
    cr_assert_str_eq(RECOGNISED("st-util", "/usr/bin/st-util\0-p\0004242"), "st-util");
    cr_assert_str_eq(RECOGNISED("JLinkGDBServerC", "/opt/SEGGER/JLink/JLinkGDBServerCLExe\0-device\0X"),
                     "JLinkGDBServer");
    cr_assert_str_eq(RECOGNISED("wine", "wine\0C:\\SEGGER\\JLinkGDBServerCL.exe"), "JLinkGDBServer");
    cr_assert_str_eq(RECOGNISED("ST-LINK_gdbserv", "ST-LINK_gdbserver\0-p\00061234"), "ST-LINK_gdbserver");
    cr_assert_str_eq(RECOGNISED("e2-server-gdb", "./e2-server-gdb\0-g\0E2LITE"), "e2-server-gdb");
    cr_assert_str_eq(RECOGNISED("blackmagic", "blackmagic"), "Black Magic's GDB server");
    cr_assert_str_eq(RECOGNISED("bash", "bash\0/home/st-util/run"), "");
    cr_assert_str_eq(RECOGNISED("", ""), "");
}

Test(servers, a_script_is_recognised_behind_its_interpreter)
{
    cr_assert_str_eq(RECOGNISED("pyocd-gdbserver", "/usr/bin/python3\0/usr/bin/pyocd-gdbserver"), "pyOCD's gdbserver");
    cr_assert_str_eq(RECOGNISED("python3", "python3\0-m\0pyocd\0gdbserver"), "pyOCD's gdbserver");
    cr_assert_str_eq(RECOGNISED("pyocd", "python3\0/usr/bin/pyocd\0server"), "pyOCD's remote probe server");
    cr_assert_str_eq(RECOGNISED("python3", "python3\0-u\0/home/me/serve.py\0pyocd"), "");
    cr_assert_str_eq(RECOGNISED("python3", "python3"), "");
}

Test(servers, the_name_that_the_system_keeps_also_counts)
{
    cr_assert_str_eq(RECOGNISED("ST-LINK_gdbserv", "renamed"), "ST-LINK_gdbserver");
    cr_assert_str_eq(RECOGNISED("probe-rs", "anything\0gdb"), "probe-rs gdb");
    cr_assert_str_eq(RECOGNISED("probe-rs", "probe-rs\0dap-server"), "probe-rs's DAP server");
}

Test(servers, a_usual_port_is_a_hint_for_servers_that_halt)
{
    cr_assert_str_eq(server_of_port("4242")->name, "st-util");
    cr_assert_str_eq(server_of_port("3333")->name, "pyOCD's gdbserver");
    cr_assert_null(server_of_port("2331"));
    cr_assert_null(server_of_port("33330"));
}

/* ---- sockets ---- */

Test(servers, lines_of_the_kernel_are_parsed)
{
    struct net_socket socket;
    char text[INET6_ADDRSTRLEN];

    cr_assert(
        !net_socket_parse(&socket, "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"));
    cr_assert(!net_socket_parse(&socket, ""));
    cr_assert(!net_socket_parse(&socket,
                                "   0: 0100007F0:0D05 00000000:0000 0A 00000000:00000000 00:00000000 00000000  "
                                "1000        0 7 1"));
    cr_assert(net_socket_parse(&socket, "   0: 0100007F:0D05 00000000:0000 0A 00000000:00000000 00:00000000 00000000  "
                                        "1000        0 1234567 1 0000000000000000 100 0 0 10 0"));
    cr_assert_str_eq(inet_ntop(AF_INET6, &socket.address, text, sizeof text), "::ffff:127.0.0.1");
    cr_assert_eq(socket.port, 3333);
    cr_assert_eq(socket.state, NET_SOCKET_LISTENS);
    cr_assert_eq(socket.inode, 1234567);
    cr_assert(net_socket_parse(&socket, "  12: 00000000000000000000000001000000:1A0A "
                                        "00000000000000000000000001000000:A1B2 01 00000000:00000000 00:00000000 "
                                        "00000000     0        0 99 1 0000000000000000 20 4 30 10 -1"));
    cr_assert_str_eq(inet_ntop(AF_INET6, &socket.address, text, sizeof text), "::1");
    cr_assert_eq(socket.port, 6666);
    cr_assert_eq(socket.state, NET_SOCKET_CONNECTED);
}

/* Listens at a free port of an address. Returns the socket. */
static int listen_at(uint32_t address, char port[static 8])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &length) == 0);
    snprintf(port, 8, "%u", (unsigned)ntohs(at.sin_port));
    return fd;
}

Test(servers, a_listener_of_this_machine_is_seen)
{
    static struct port_owner owner;
    char port[8];
    int fd = listen_at(INADDR_ANY, port);

    port_owner_find(&owner, "127.0.0.1", port);
    cr_assert(owner.is_here && owner.listens && !owner.shared);
    cr_assert_eq(owner.pid, 0, "txtap does not look for its own sockets");
    port_owner_find(&owner, "0.0.0.0", port);
    cr_assert(owner.is_here && owner.listens);
    port_owner_find(&owner, "::1", port);
    cr_assert(owner.is_here && !owner.listens, "a listener of IPv4 only");
    close(fd);
    port_owner_find(&owner, "127.0.0.1", port);
    cr_assert(owner.is_here && !owner.listens);
    port_owner_find(&owner, "192.0.2.1", port);
    cr_assert(!owner.is_here);
}

Test(servers, a_client_of_the_port_is_seen)
{
    static struct port_owner owner;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char port[8];
    int fd = listen_at(INADDR_LOOPBACK, port), client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    at.sin_port = htons((uint16_t)strtoul(port, NULL, 10));
    cr_assert_eq(connect(client, (struct sockaddr *)&at, sizeof at), 0);
    port_owner_find(&owner, "127.0.0.1", port);
    cr_assert(owner.listens && owner.shared);
    close(client);
    close(fd);
}
