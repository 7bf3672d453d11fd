/* SPDX-License-Identifier: MIT */
/* Start-up code and exit of a program for a bare Cortex-M in QEMU. Start-up initializes memory. cost_harness.ld links
 * the program. For tests only. */
#ifndef TXTAP_BARE_PROGRAM_H
#define TXTAP_BARE_PROGRAM_H

#include <stdint.h>

#define BARE_STACK 0x20010000u
#define BARE_RIGHT 0x20026u /* ADP_Stopped_ApplicationExit: ends QEMU with status 0 */
#define BARE_WRONG 0x20023u /* ADP_Stopped_RunTimeError: ends QEMU with another status */

void reset_handler(void);
extern uint32_t image_data_load[], image_data_start[], image_data_end[], image_bss_end[];

__attribute__((noreturn)) static inline void bare_exit(uint32_t reason)
{
    register uint32_t operation __asm("r0") = 0x18; /* SYS_EXIT of semihosting */
    register uint32_t parameter __asm("r1") = reason;
    __asm volatile("bkpt 0xAB" : : "r"(operation), "r"(parameter) : "memory");
    for (;;) {
    }
}

__attribute__((always_inline)) static inline void bare_memory_init(void)
{
    const uint32_t *from = image_data_load;
    for (uint32_t *to = image_data_start; to != image_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = image_data_end; to != image_bss_end; to++) {
        *to = 0;
    }
}

#endif
