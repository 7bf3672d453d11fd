/* SPDX-License-Identifier: MIT */
/*
 * From reset to main, and the handler of every unexpected exception.
 */
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "demo.h"
#include "cortex_m.h"

/* From the linker script. */
extern uint32_t linker_stack_top[];
extern uint32_t linker_data_load[];
extern uint32_t linker_data_start[];
extern uint32_t linker_data_end[];
extern uint32_t linker_bss_start[];
extern uint32_t linker_bss_end[];

int main(void);
void reset_handler(void) __attribute__((noreturn));
void pendsv_handler(void);
void systick_handler(void);
void sensor_handler(void);
void glitch_handler(void);

volatile uint32_t demo_fault;
volatile uint32_t demo_fault_address;
volatile uint32_t demo_fault_status;

/* The compiler inserts calls of these two functions. */
void *memcpy(void *restrict destination, const void *restrict source, size_t length);
void *memset(void *destination, int value, size_t length);

void *memcpy(void *restrict destination, const void *restrict source, size_t length)
{
    volatile unsigned char *to = destination;
    const unsigned char *from = source;
    for (size_t i = 0; i < length; i++) {
        to[i] = from[i];
    }
    return destination;
}

void *memset(void *destination, int value, size_t length)
{
    volatile unsigned char *to = destination;
    for (size_t i = 0; i < length; i++) {
        to[i] = (unsigned char)value;
    }
    return destination;
}

void demo_fail(uint32_t fault)
{
    __asm volatile("cpsid i" ::: "memory");
    demo_fault = fault;
    for (;;) {
    }
}

/* Records a fault. `frame` holds the registers that the exception pushed: r0-r3, r12, lr, pc, xPSR. */
static __attribute__((noreturn, used)) void fault_record(const uint32_t *frame)
{
    uint32_t exception;
    __asm volatile("mrs %0, ipsr" : "=r"(exception));
    demo_fault_address = frame[6];
    demo_fault_status = SCB_CFSR;
    demo_fail(DEMO_FAULT_EXCEPTION | exception);
}

static __attribute__((naked)) void fault_handler(void)
{
    __asm volatile(FRAME_OF_FAULT JUMP(fault_record));
}

/* Defined in defects.c, in the variant that uses it. */
__attribute__((weak)) void glitch_handler(void)
{
    demo_fail(DEMO_FAULT_EXCEPTION | (16u + BOARD_GLITCH_IRQ));
}

/* Starts the firmware. Does not use the contents of RAM, which are random or from the previous run. */
void reset_handler(void)
{
    const uint32_t *load = linker_data_load;
    for (volatile uint32_t *at = linker_data_start; at < linker_data_end; at++) {
        *at = *load++;
    }
    for (volatile uint32_t *at = linker_bss_start; at < linker_bss_end; at++) {
        *at = 0;
    }
    main();
    demo_fail(DEMO_FAULT_SERVICE);
}

/* One vector per exception, up to the last exception that is enabled. Later exceptions end in the fault handler, too.
 */
struct vectors {
    uint32_t *stack_top;
    void (*handlers[16 + BOARD_GLITCH_IRQ])(void);
};

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    .stack_top = linker_stack_top,
    .handlers = {
        reset_handler,   fault_handler, /* 2 NMI, 3 HardFault, 4 to 6 the other faults, 7 to 10 reserved, 11 SVC, 12, 13
                                         */
        fault_handler,   fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
        fault_handler,   fault_handler, fault_handler, fault_handler, fault_handler, pendsv_handler, /* 14 */
        systick_handler,                                                                             /* 15 */
        fault_handler, /* 16 to 21: interrupts 0 to 5, not used */
        fault_handler,   fault_handler, fault_handler, fault_handler, fault_handler, sensor_handler, /* 22: EXTI0 */
        glitch_handler,                                                                              /* 23: EXTI1 */
    }};
