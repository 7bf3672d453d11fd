/* SPDX-License-Identifier: MIT */
/*
 * System calls of every shape, and what their two hooks record. system_calls.awk wraps the functions below as Zephyr's
 * build wraps its system calls. The file is valid C from C99 on, and valid C++; zephyr_system_calls.sh compiles and
 * runs it in each of these languages. RESULT is Zephyr's name for the variable that has the result of a call.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "txtap_zephyr_hooks.h"

struct device {
    int number;
    unsigned bits : 3;
};
typedef struct {
    int64_t ticks;
} timeout_type;
typedef void (*handler_type)(void *argument);
enum color { RED = 7 };

static unsigned calls; /* number of calls so far */
static int argument;   /* the last call's argument, if it is a number */

/* ---- system calls: each line is one declaration ---- */

static void returns_nothing(void)
{
    calls++;
}
static int returns_int(void)
{
    calls++;
    return -11;
}
static int64_t returns_64_bits(const struct device *dev)
{
    calls++;
    return 0x123456789LL + dev->number;
}
static bool returns_bool(uint8_t value)
{
    calls++;
    return value == 3;
}
static char returns_char(void)
{
    calls++;
    return 'x';
}
static struct device *returns_pointer(struct device *dev)
{
    calls++;
    return dev;
}
static const char *returns_text(const char *text)
{
    calls++;
    return text;
}
static handler_type returns_handler(handler_type function)
{
    calls++;
    return function;
}
static timeout_type returns_struct(timeout_type timeout)
{
    calls++;
    return timeout;
}
static enum color returns_enum(void)
{
    calls++;
    return RED;
}
static int takes_ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    calls++;
    return a + b + c + d + e + f + g + h + i + j;
}
static void takes_number(int64_t number)
{
    calls++;
    argument = (int)number;
}
static void takes_character(const struct device *dev, unsigned char character)
{
    calls++;
    argument = dev->number + character;
}
static void takes_float(double value)
{
    calls++;
    argument = (int)value;
}
static void takes_pointer(const void *pointer)
{
    calls++;
    argument = pointer == NULL;
}
static void takes_timeout(const struct device *dev, timeout_type timeout)
{
    calls++;
    argument = dev->number + (int)timeout.ticks;
}
static void takes_handler(const struct device *dev, handler_type function)
{
    calls++;
    argument = dev->number + (function != NULL);
}

/* ---- the recorder: keeps the values that the hooks pass to it ---- */

static uint32_t result;
static unsigned enters, exits;

void txtap_zephyr_event1(uint32_t id, uint32_t word1)
{
    enters += id == 0x9e01 && word1 > 0;
}

void txtap_zephyr_result1(uint32_t id, uint32_t word1, uint32_t value)
{
    exits += id == 0x9e03 && word1 > 0;
    result = value;
}

#include "system_calls.inc"

/* ---- the program that calls them ---- */

static unsigned wrong;

/* Checks that the call was made once, between its two hooks, and that the exit hook recorded this result. */
static void expect(const char *call, uint32_t expected)
{
    if (calls != 1 || enters != 1 || exits != 1 || result != expected) {
        printf("%s: made %u times, entered %u, left %u, result 0x%x, not 0x%x\n", call, calls, enters, exits, result,
               expected);
        wrong++;
    }
    calls = enters = exits = 0;
    result = 0xDEAD;
}

#define EXPECT(call, expected)                                                                                         \
    do {                                                                                                               \
        (void)(call);                                                                                                  \
        expect(#call, (uint32_t)(expected));                                                                           \
    } while (0)
#define EXPECT_NOTHING(call)                                                                                           \
    do {                                                                                                               \
        call;                                                                                                          \
        expect(#call, 0);                                                                                              \
    } while (0)

static void a_handler(void *unused)
{
    (void)unused;
}

extern const uint8_t of_unknown_length[];
static const char a_text[] = "text";
static struct device a_device = {4711, 5};
static const struct device devices[2] = {{1, 1}, {2, 2}};
static volatile int a_register = 9;

static void calls_that_return_something(void)
{
    const timeout_type timeout = {0x500000006LL};

    EXPECT(returns_int(), -11);
    EXPECT(returns_64_bits(&a_device), 0x23456789 + 4711);
    EXPECT(returns_64_bits(devices), 0x2345678a);
    EXPECT(returns_bool(3), 1);
    EXPECT(returns_char(), 'x');
    EXPECT(returns_pointer(&a_device), (uintptr_t)&a_device);
    EXPECT(returns_text(a_text), (uintptr_t)a_text);
    EXPECT(returns_handler(a_handler) == a_handler, (uintptr_t)a_handler);
    EXPECT(returns_struct(timeout).ticks, 6);
    EXPECT(returns_enum(), RED);
    EXPECT(takes_ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 55);
}

static void calls_that_return_nothing(void)
{
    const timeout_type timeout = {-1};
    char buffer[8] = "";

    EXPECT_NOTHING(returns_nothing());
    EXPECT_NOTHING(takes_number(-1));
    EXPECT_NOTHING(takes_number(0x123456789LL));
    EXPECT_NOTHING(takes_number(a_device.bits));
    EXPECT_NOTHING(takes_number(a_register));
    EXPECT_NOTHING(takes_float(2.5));
    EXPECT_NOTHING(takes_character(&a_device, 'c'));
    EXPECT_NOTHING(takes_timeout(devices, timeout));
    EXPECT_NOTHING(takes_handler(&a_device, a_handler));
    EXPECT_NOTHING(takes_handler(&a_device, NULL));
    EXPECT_NOTHING(takes_pointer(buffer));
    EXPECT_NOTHING(takes_pointer(of_unknown_length));
    EXPECT_NOTHING(takes_pointer("a \"text\" \n"));
    EXPECT_NOTHING(takes_pointer(&devices[1]));
    EXPECT_NOTHING(takes_pointer((const struct device *)&a_device));
}

/* Checks that a call evaluates its argument only once: the argument has a side effect. */
static void arguments_are_evaluated_once(void)
{
    const char *at = "abc";
    int number = 1;

    EXPECT_NOTHING(takes_character(&a_device, (unsigned char)*at++));
    EXPECT_NOTHING(takes_number(++number));
    if (*at != 'b' || number != 2 || argument != 2) {
        printf("arguments: '%c', %d, %d\n", *at, number, argument);
        wrong++;
    }
    takes_number(returns_int()); /* one call is the argument of another call */
    if (calls != 2 || argument != -11) {
        printf("arguments: %u calls, %d\n", calls, argument);
        wrong++;
    }
}

int main(void)
{
    result = 0xDEAD;
    calls_that_return_something();
    calls_that_return_nothing();
    arguments_are_evaluated_once();
    return wrong > 0;
}

const uint8_t of_unknown_length[] = {1, 2, 3, 4};
