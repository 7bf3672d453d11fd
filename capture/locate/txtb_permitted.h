/* SPDX-License-Identifier: MIT */
/*
 * Part of txtb: which addresses txtap may read because a word in the target's memory names them. Reading a register can
 * change the target: a UART's data register gives away the byte that it received. A pointer that the firmware has not
 * set yet, or that something overwrote, can hold any address.
 */
#ifndef TXTAP_CAPTURE_LOCATE_TXTB_PERMITTED_H
#define TXTAP_CAPTURE_LOCATE_TXTB_PERMITTED_H

#include <stdbool.h>
#include <stdint.h>

#include "locate/txtb.h"

/*
 * False if [address, address + bytes) reaches into the addresses that Cortex-M reserves for peripherals, 0x40000000 to
 * 0x5FFFFFFF, or for the system, from 0xE0000000 on, and nobody says that RAM is there: neither the ELF file nor
 * request->ram has all of it, nor is request->address such an address. Other addresses are always permitted: RAM that
 * no section uses, such as the rest that the linker left over, or external RAM.
 */
bool locate_permits(const struct locate_request *request, uint32_t address, uint64_t bytes);

/* The first address from start on, below end, that is reserved for peripherals or the system; end if there is none. */
uint64_t locate_registers_from(uint64_t start, uint64_t end);

#endif
