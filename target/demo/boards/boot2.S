/* SPDX-License-Identifier: MIT */
/*
 * The second boot stage of an RP2040, which is the first 256 bytes of its flash: 252 bytes of code and their checksum.
 * The boot ROM copies it to RAM and calls it. It lets the processor read the flash at its addresses (XIP), with the
 * command 03h that every SPI flash has, and starts the firmware behind it. The registers are from the RP2040's data
 * sheet, chapter 4.10 (SSI).
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .section .boot2, "ax"
    .global boot2
    .thumb_func
boot2:
    ldr r0, =0x18000000 /* SSI */
    movs r1, #0
    str r1, [r0, #0x08] /* SSIENR: off, while the other registers change */
    movs r1, #8
    str r1, [r0, #0x14] /* BAUDR: an eighth of the system clock */
    ldr r1, =0x001F0300
    str r1, [r0, #0x00] /* CTRLR0: standard SPI, words of 32 bits, command and address before the data */
    movs r1, #0
    str r1, [r0, #0x04] /* CTRLR1: one word for each transfer */
    ldr r1, =0x03000218
    ldr r2, =0x180000F4
    str r1, [r2]        /* SPI_CTRLR0: command 03h of 8 bits, address of 24 bits, both on one line */
    movs r1, #1
    str r1, [r0, #0x08] /* SSIENR: on */
    ldr r0, =0x10000100 /* the vectors of the firmware */
    ldr r1, =0xE000ED08 /* VTOR */
    str r0, [r1]
    ldr r1, [r0]
    msr msp, r1
    ldr r0, [r0, #4]
    bx r0
    .ltorg
