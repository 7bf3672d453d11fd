/* SPDX-License-Identifier: MIT */
/* Finds the process that listens at a TCP port: /proc/net/tcp and tcp6 have the socket's inode, and a file of the
 * process has the same inode. */
#include "probe/port_owner.h"

#include <ifaddrs.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probe/processes.h"

#define LINE_BYTES 512
#define LINK_BYTES 64

/* ---- the system's sockets ---- */

/* Parses an address of 8 or 32 hexadecimal digits. Each group of 8 digits is a number in this machine's byte order. */
static bool parse_address(struct in6_addr *address, const char *digits)
{
    uint32_t words[4] = {0, 0, htonl(0xffff), 0};
    size_t length = strlen(digits), first = length == 8 ? 3 : 0;

    if (length != 8 && length != 32)
        return false;
    for (size_t i = first; i < 4; i++) {
        char word[9] = "";

        memcpy(word, digits + 8 * (i - first), 8);
        words[i] = (uint32_t)strtoul(word, NULL, 16);
    }
    memcpy(address, words, sizeof *address);
    return true;
}

bool net_socket_parse(struct net_socket *socket, const char *line)
{
    char address[33];

    return sscanf(line, "%*d: %32[0-9A-Fa-f]:%" SCNx16 " %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %" SCNu64,
                  address, &socket->port, &socket->state, &socket->inode) == 4 &&
           parse_address(&socket->address, address);
}

struct port_search {
    struct port_owner *owner;
    struct in6_addr address;
    uint16_t port;
    uint64_t inode; /* 0: not found */
};

static bool is_any_ipv4(const struct in6_addr *address)
{
    return IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr32[3] == htonl(INADDR_ANY);
}

/* A socket that listens at this address only has priority over a socket that listens at every address. */
static void take_socket(struct port_search *search, const struct net_socket *socket)
{
    bool is_exact = memcmp(&socket->address, &search->address, sizeof socket->address) == 0;
    bool is_any = IN6_IS_ADDR_UNSPECIFIED(&socket->address) ||
                  (is_any_ipv4(&socket->address) && IN6_IS_ADDR_V4MAPPED(&search->address));

    if (socket->port != search->port)
        return;
    if (socket->state == NET_SOCKET_CONNECTED)
        search->owner->shared = true;
    if (socket->state != NET_SOCKET_LISTENS || !(is_exact || is_any) || (search->inode != 0 && !is_exact))
        return;
    search->inode = socket->inode;
    search->owner->listens = true;
}

static void search_sockets(struct port_search *search)
{
    static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        FILE *table = fopen(tables[i], "re");
        char line[LINE_BYTES];

        while (table != NULL && fgets(line, sizeof line, table) != NULL) {
            struct net_socket socket;

            if (net_socket_parse(&socket, line))
                take_socket(search, &socket);
        }
        if (table != NULL)
            fclose(table);
    }
}

/* ---- its process ---- */

static bool take_file(void *self, pid_t pid, const char *path)
{
    const struct port_search *search = self;
    char link[LINK_BYTES], wanted[LINK_BYTES];
    ssize_t length = readlink(path, link, sizeof link - 1);

    if (length < 0)
        return true;
    link[length] = '\0';
    snprintf(wanted, sizeof wanted, "socket:[%" PRIu64 "]", search->inode);
    if (strcmp(link, wanted) != 0)
        return true;
    search->owner->pid = pid;
    return false;
}

static void find_process(struct port_search *search)
{
    struct port_owner *owner = search->owner;

    if (search->inode == 0)
        return;
    processes_visit(take_file, search);
    if (owner->pid == 0)
        return;
    process_read(owner->pid, "comm", owner->name, sizeof owner->name);
    owner->name[strcspn(owner->name, "\n")] = '\0';
    owner->command_bytes = process_read(owner->pid, "cmdline", owner->command, sizeof owner->command);
}

/* ---- the host ---- */

/* Converts an address of IPv4 or IPv6. Returns false for any other address. */
static bool as_ipv6(const struct sockaddr *from, struct in6_addr *to)
{
    if (from != NULL && from->sa_family == AF_INET6) {
        struct sockaddr_in6 six;

        memcpy(&six, from, sizeof six);
        *to = six.sin6_addr;
        return true;
    }
    if (from != NULL && from->sa_family == AF_INET) {
        struct sockaddr_in four;

        memcpy(&four, from, sizeof four);
        *to = (struct in6_addr){.s6_addr32 = {0, 0, htonl(0xffff), four.sin_addr.s_addr}};
        return true;
    }
    return false;
}

/* Reports whether this machine has the address. A client that connects to "any address" reaches its own machine. */
static bool is_own(struct in6_addr *address, const struct ifaddrs *interfaces)
{
    struct in6_addr own;

    if (is_any_ipv4(address))
        address->s6_addr32[3] = htonl(INADDR_LOOPBACK);
    if (IN6_IS_ADDR_UNSPECIFIED(address))
        *address = in6addr_loopback;
    if (IN6_IS_ADDR_LOOPBACK(address) || (IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == IN_LOOPBACKNET))
        return true;
    for (; interfaces != NULL; interfaces = interfaces->ifa_next)
        if (as_ipv6(interfaces->ifa_addr, &own) && memcmp(&own, address, sizeof own) == 0)
            return true;
    return false;
}

/* The first address with a listener counts, because a client tries the addresses in this order. */
void port_owner_find(struct port_owner *owner, const char *host, const char *port)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *addresses = NULL;
    struct ifaddrs *interfaces = NULL;

    memset(owner, 0, sizeof *owner);
    if (getaddrinfo(host, port, &hints, &addresses) != 0)
        return;
    if (getifaddrs(&interfaces) != 0)
        interfaces = NULL;
    for (const struct addrinfo *at = addresses; at != NULL && !owner->listens; at = at->ai_next) {
        struct port_search search = {.owner = owner, .port = (uint16_t)strtoul(port, NULL, 10)};

        if (!as_ipv6(at->ai_addr, &search.address) || !is_own(&search.address, interfaces))
            continue;
        owner->is_here = true;
        search_sockets(&search);
        find_process(&search);
    }
    freeaddrinfo(addresses);
    if (interfaces != NULL)
        freeifaddrs(interfaces);
}
