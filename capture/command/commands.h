/* SPDX-License-Identifier: MIT */
/* One function a command. Each returns an enum exit_code. */
#ifndef TXTAP_CAPTURE_COMMAND_COMMANDS_H
#define TXTAP_CAPTURE_COMMAND_COMMANDS_H

struct options;

int command_tail(const struct options *options);
int command_record(const struct options *options);
int command_snapshot(const struct options *options);
int command_info(const struct options *options);
int command_decode(const struct options *options);

#endif
