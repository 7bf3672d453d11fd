/* SPDX-License-Identifier: MIT */
/*
 * SysTick's handler is directly in the vector table, so no hook reports this interrupt. The linker wraps the handler
 * with this function.
 */
#include "txtap_zephyr.h"

void __real_sys_clock_isr(void *argument);
void __wrap_sys_clock_isr(void *argument);

void __wrap_sys_clock_isr(void *argument)
{
    txtap_zephyr_isr_enter();
    __real_sys_clock_isr(argument);
    txtap_zephyr_isr_exit();
}
