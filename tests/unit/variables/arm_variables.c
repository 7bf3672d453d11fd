/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_variables.c: variables of all types, and a table of their values. */
#include <stdbool.h>

struct point {
    short x, y;
};
typedef const volatile struct point point_alias;

enum mode { OFF, RUNNING, FAULT = 7 };
enum level { LOW = -2, HIGH = 5 };

struct bits {
    unsigned a : 3, b : 7;
    int c : 5;
    unsigned : 0;
    unsigned char whole : 8;
    enum mode mode : 3;
    unsigned long long wide : 40;
    bool flag : 1;
};

struct node {
    struct node *next;
    unsigned size;
    struct point at[2];
};

struct motor {
    float iq;
    double angle;
    struct {
        int inner;
        union {
            unsigned raw;
            struct {
                unsigned short low, high;
            };
        };
    };
    struct bits bits;
    signed char grid[3][4];
    struct point points[2];
    enum mode mode;
    enum level level;
    struct node *list;
};

struct node last = {0, 77, {{1, -2}, {3, -4}}};
struct motor motor = {
    .iq = 1.5f,
    .angle = -0.25,
    .inner = -9,
    .raw = 0x00070007u,
    .bits = {5, 100, -11, 200, FAULT, 0xabcdef1234ull, true},
    .grid = {{0, 1, 2, 3}, {10, 11, 12, -13}, {20, 21, 22, 23}},
    .points = {{1, 2}, {-3, 4}},
    .mode = RUNNING,
    .level = LOW,
    .list = &last,
};
unsigned char byte = 250;
signed char small = -5;
unsigned short half = 60000;
short negative = -30000;
unsigned long long wide = 0x123456789abcdef0ull;
long long deep = -1234567890123ll;
bool yes = true;
char letter = 'A';
float ratio = -2.75f;
double precise = 1e100;
point_alias alias = {11, -12};
volatile int *pointer = (volatile int *)&motor.inner;
unsigned list[4] = {1, 2, 3, 4};
static volatile int twice = 1;
struct opaque;
extern struct opaque opaque;
struct opaque *hidden = &opaque;

int use(void)
{
    static volatile int calls = 42;

    return twice + calls;
}
