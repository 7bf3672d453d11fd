/* SPDX-License-Identifier: MIT */
/*
 * The STM32F405 as this firmware uses it: 16 MHz internal oscillator, SysTick as the kernel's tick,
 * TIM2 as a 1 MHz wall clock, and EXTI line 0 as a sensor's data-ready interrupt.
 */
#ifndef DEMO_BOARD_H
#define DEMO_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define BOARD_SENSOR_EXCEPTION 22u /* 16 + EXTI0's number */

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
