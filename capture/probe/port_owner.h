/* SPDX-License-Identifier: MIT */
/* Finds the process that listens at a TCP port of this machine, without connecting to the port. */
#ifndef TXTAP_CAPTURE_PROBE_PORT_OWNER_H
#define TXTAP_CAPTURE_PROBE_PORT_OWNER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A line of /proc/net/tcp or /proc/net/tcp6. An IPv4 address has the form ::ffff:a.b.c.d. */
struct net_socket {
    struct in6_addr address; /* the local address */
    uint16_t port;           /* the local port */
    unsigned state;
    uint64_t inode;
};

#define NET_SOCKET_CONNECTED 1u
#define NET_SOCKET_LISTENS   10u

/* Parses a line. Returns false for any other line, such as the headline. */
bool net_socket_parse(struct net_socket *socket, const char *line);

#define PORT_OWNER_NAME_BYTES    16
#define PORT_OWNER_COMMAND_BYTES 4096

struct port_owner {
    bool is_here; /* the host is this machine */
    bool listens; /* a process of this machine listens at the port */
    bool shared;  /* a client is connected to the port */
    pid_t pid;    /* the process that listens; 0: not known, for example because it belongs to another user */
    char name[PORT_OWNER_NAME_BYTES];       /* the start of the process's name */
    char command[PORT_OWNER_COMMAND_BYTES]; /* its command line: words, each with a NUL */
    size_t command_bytes;
};

/* Finds the owner of a port. host: a name or an address, which the C library resolves; port: a number. */
void port_owner_find(struct port_owner *owner, const char *host, const char *port);

#endif
