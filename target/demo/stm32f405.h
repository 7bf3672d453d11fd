/* SPDX-License-Identifier: MIT */
/*
 * The few registers of an STM32F405 that this firmware uses, from ST's RM0090.
 */
#ifndef DEMO_STM32F405_H
#define DEMO_STM32F405_H

#include "cortex_m.h"

#define DBGMCU_CR REGISTER(0xE0042004u) /* bit 0 keeps the core clock running in sleep */

/* Reset and clock control */
#define RCC_APB1ENR REGISTER(0x40023840u) /* bit 0 TIM2 */
#define RCC_CSR     REGISTER(0x40023874u) /* bits 25 to 31: cause of the last reset */

/* TIM2, the 32-bit general purpose timer */
#define TIM2_CR1    REGISTER(0x40000000u)
#define TIM2_EGR    REGISTER(0x40000014u)
#define TIM2_CNT    0x40000024u
#define TIM2_PSC    REGISTER(0x40000028u)
#define TIM2_ARR    REGISTER(0x4000002Cu)
#define TIM_CR1_CEN (1u << 0)
#define TIM_EGR_UG  (1u << 0)

#endif
