/* SPDX-License-Identifier: MIT */
/*
 * The STM32F405 as this firmware uses it: 16 MHz internal oscillator, SysTick as the kernel's tick,
 * TIM2 as a 1 MHz wall clock, and EXTI line 0 as a sensor's data-ready interrupt.
 */
#ifndef DEMO_BOARD_H
#define DEMO_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Interrupts that software triggers: on an STM32F405, EXTI lines 0 and 1. */
#define BOARD_SENSOR_IRQ       6u
#define BOARD_GLITCH_IRQ       7u
#define BOARD_SENSOR_EXCEPTION (16u + BOARD_SENSOR_IRQ)

/* Sets up clocks, the recorder's time stamps and interrupt priorities. Returns the rate of the stamps in Hz. */
uint32_t board_init(void);
/* Starts the kernel's tick. */
void board_tick_start(uint32_t tick_hz);
/* Returns a free-running count of microseconds, which also advances in sleep. */
uint32_t board_time_us(void);
/* Triggers the sensor's interrupt. */
void board_sensor_trigger(void);

/*
 * Returns true in an emulator whose RAM was zeroed at power-on. A real chip always has a reset cause in its register.
 */
bool board_is_emulated(void);

#endif
