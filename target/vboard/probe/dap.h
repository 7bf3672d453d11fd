/* SPDX-License-Identifier: MIT */
/*
 * The ST-Link commands that drive debug port and access port directly: single DAP registers, and lists of word
 * accesses. There is one access port, a MEM-AP, number 0.
 */
#ifndef VBOARD_DAP_H
#define VBOARD_DAP_H

#include "stlink.h"

#define DAP_IDCODE 0x2BA01477u /* SW-DP of an STM32F4 */

void dap_read_register(const struct stlink_exchange *exchange);
void dap_write_register(const struct stlink_exchange *exchange);
void dap_misc_out(const struct stlink_exchange *exchange);
void dap_misc_in(const struct stlink_exchange *exchange);

#endif
