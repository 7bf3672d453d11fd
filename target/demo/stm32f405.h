/* SPDX-License-Identifier: MIT */
/*
 * The few Cortex-M4 and STM32F405 registers that this firmware uses. The addresses are from ARM's ARMv7-M
 * architecture reference and ST's RM0090.
 */
#ifndef DEMO_STM32F405_H
#define DEMO_STM32F405_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Core */
#define SYST_CSR       REGISTER(0xE000E010u) /* bit 0 enable, bit 1 interrupt, bit 2 core clock */
#define SYST_RVR       REGISTER(0xE000E014u)
#define SYST_CVR       REGISTER(0xE000E018u)
#define NVIC_ISER0     REGISTER(0xE000E100u)
#define NVIC_ISPR0     REGISTER(0xE000E200u)
#define NVIC_IPR1      REGISTER(0xE000E404u) /* priorities of interrupts 4 to 7, one byte each */
#define SCB_ICSR       REGISTER(0xE000ED04u)
#define SCB_SHPR3      REGISTER(0xE000ED20u) /* byte 2 PendSV, byte 3 SysTick */
#define SCB_CFSR       REGISTER(0xE000ED28u)
#define DWT_CYCCNT     0xE0001004u
#define DBGMCU_CR      REGISTER(0xE0042004u) /* bit 0 keeps the core clock running in sleep */
#define ICSR_PENDSVSET (1u << 28)

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

/* EXTI lines 0 and 1 */
#define EXTI0_IRQ 6u
#define EXTI1_IRQ 7u

#endif
