/* SPDX-License-Identifier: MIT */
/* A connection to the virtual board's ST-Link port: the frames of the ST-LINK server, on 127.0.0.1. */
#ifndef USBPROBE_BOARD_LINK_H
#define USBPROBE_BOARD_LINK_H

#include "board_access.h"

struct board_link {
    int fd;    /* -1: closed */
    bool lost; /* the board no longer answers */
};

/* Connects, and asks which USB product the board's ST-Link is. False: the reason is on stderr. */
bool board_link_open(struct board_link *link, uint16_t port, uint16_t *product);
void board_link_close(struct board_link *link);

/* Returns the access to the board. Every command fails at once while the link is closed or lost. */
struct board_access board_link_access(struct board_link *link);

#endif
