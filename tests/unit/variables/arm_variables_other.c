/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_variables.c: a second static variable of the same name, and a struct that the other file
 * only declares. */
struct opaque {
    int secret;
};
struct opaque opaque = {99};
static volatile int twice = 2;

int use_other(void)
{
    return twice;
}
