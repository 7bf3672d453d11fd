/* SPDX-License-Identifier: MIT */
/*
 * The registers of a Cortex-M that this firmware uses, from ARM's architecture references, and the instructions that
 * ARMv6-M (Cortex-M0, M0+) does not have.
 */
#ifndef DEMO_CORTEX_M_H
#define DEMO_CORTEX_M_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define SYST_CSR       REGISTER(0xE000E010u) /* bit 0 enable, bit 1 interrupt, bit 2 core clock */
#define SYST_RVR       REGISTER(0xE000E014u)
#define SYST_CVR       REGISTER(0xE000E018u)
#define NVIC_ISER0     REGISTER(0xE000E100u)
#define NVIC_ISPR0     REGISTER(0xE000E200u)
#define NVIC_IPR1      REGISTER(0xE000E404u) /* priorities of interrupts 4 to 7, one byte each */
#define SCB_ICSR       REGISTER(0xE000ED04u)
#define SCB_SHPR3      REGISTER(0xE000ED20u) /* byte 2 PendSV, byte 3 SysTick */
#define DWT_CYCCNT     0xE0001004u
#define ICSR_PENDSVSET (1u << 28)

/*
 * Assembly. SAVE_CONTEXT pushes r4 to r11 on the stack r0, and RESTORE_CONTEXT pops them and sets PSP. POP_RETURN pops
 * a word and lr. FRAME_OF_FAULT sets r0 to the stack on which an exception has pushed registers. JUMP keeps lr.
 */
#if __ARM_ARCH >= 7
#define SCB_CFSR     REGISTER(0xE000ED28u)
#define SAVE_CONTEXT "stmdb r0!, {r4-r11}\n\t"
#define RESTORE_CONTEXT                                                                                                \
    "ldmia r0!, {r4-r11}\n\t"                                                                                          \
    "msr psp, r0\n\t"
#define POP_RETURN "pop {r3, lr}\n\t"
#define FRAME_OF_FAULT                                                                                                 \
    "tst lr, #4\n\t"                                                                                                   \
    "ite eq\n\t"                                                                                                       \
    "mrseq r0, msp\n\t"                                                                                                \
    "mrsne r0, psp\n\t"
#define JUMP(function) "b " #function
#else
#define SCB_CFSR 0u
#define SAVE_CONTEXT                                                                                                   \
    "subs r0, #32\n\t"                                                                                                 \
    "stmia r0!, {r4-r7}\n\t"                                                                                           \
    "mov r4, r8\n\t"                                                                                                   \
    "mov r5, r9\n\t"                                                                                                   \
    "mov r6, r10\n\t"                                                                                                  \
    "mov r7, r11\n\t"                                                                                                  \
    "stmia r0!, {r4-r7}\n\t"                                                                                           \
    "subs r0, #32\n\t"
#define RESTORE_CONTEXT                                                                                                \
    "adds r0, #16\n\t"                                                                                                 \
    "ldmia r0!, {r4-r7}\n\t"                                                                                           \
    "mov r8, r4\n\t"                                                                                                   \
    "mov r9, r5\n\t"                                                                                                   \
    "mov r10, r6\n\t"                                                                                                  \
    "mov r11, r7\n\t"                                                                                                  \
    "msr psp, r0\n\t"                                                                                                  \
    "subs r0, #32\n\t"                                                                                                 \
    "ldmia r0!, {r4-r7}\n\t"
#define POP_RETURN                                                                                                     \
    "pop {r2, r3}\n\t"                                                                                                 \
    "mov lr, r3\n\t"
#define FRAME_OF_FAULT                                                                                                 \
    "movs r0, #4\n\t"                                                                                                  \
    "mov r1, lr\n\t"                                                                                                   \
    "tst r1, r0\n\t"                                                                                                   \
    "mrs r0, psp\n\t"                                                                                                  \
    "bne 1f\n\t"                                                                                                       \
    "mrs r0, msp\n\t"                                                                                                  \
    "1:\n\t"
#define JUMP(function)                                                                                                 \
    "ldr r1, =" #function "\n\t"                                                                                       \
    "bx r1"
#endif

#endif
