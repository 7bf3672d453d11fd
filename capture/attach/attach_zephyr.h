/* SPDX-License-Identifier: MIT */
/* The part of attaching that is about rings other than ThreadX's. */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_ZEPHYR_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_ZEPHYR_H

#include "attach/attach.h"
#include "file/memory_file.h"

/* Finds the ring that the options name, through the attachment's source and ELF file; sets address, header, reader. */
enum txtap_status attach_ring_find(struct attachment *attachment, char error[static ERROR_TEXT_BYTES]);

/*
 * The same for a file that holds the target's memory: attachment is then as after attach(), but for
 * attach_ring_close_file(). memory stays the attachment's until then. On failure error is one line and nothing stays
 * open.
 */
enum txtap_status attach_ring_open_file(struct attachment *attachment, const struct options *options,
                                        struct memory_file *memory, struct input *input,
                                        char error[static ERROR_TEXT_BYTES]);
void attach_ring_close_file(struct attachment *attachment);

/* The variable that is 0 while nothing is recorded, and the first one there is that counts the time since the start;
 * NULL: there is none. */
const char *attach_ring_enabled_symbol(const struct attachment *attachment);
const char *attach_ring_uptime_symbol(const struct attachment *attachment);

#endif
