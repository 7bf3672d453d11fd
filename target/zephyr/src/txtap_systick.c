/* SPDX-License-Identifier: MIT */
/*
 * SysTick's handler stands in the vector table itself, where no hook sees it: the linker puts this one before it.
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
