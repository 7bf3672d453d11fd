/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_dwarf.c: a unit that only declares the struct. */
struct sample;
extern struct sample *opaque;
struct sample *opaque;
