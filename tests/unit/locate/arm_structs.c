/* SPDX-License-Identifier: MIT */
/* Compiled for Arm by test_dwarf.c: structs, and a table of the places that the compiler gave their members. */
#include <stddef.h>

struct inner {
    unsigned first;
    unsigned char bytes[3];
    unsigned short half;
};
typedef const volatile struct inner inner_alias;

struct sample {
    unsigned id;
    const char *name;
    unsigned char small;
    unsigned short half;
    unsigned bits : 3;
    unsigned whole_bits : 32;
    inner_alias nested;
    union {
        unsigned word;
        struct {
            unsigned short low, high;
        };
        union {
            unsigned char deep;
        };
    };
    char text[20];
    unsigned long long wide;
    void (*function)(void);
    struct inner many[2];
    enum { FIRST } choice;
};

struct row {
    char path[24];
    unsigned offset, bytes;
};
#define ROW(path)                                                                                                      \
    {                                                                                                                  \
#path, offsetof(struct sample, path), sizeof(((struct sample *)0)->path)                                       \
    }

__attribute__((used)) const struct row rows[] = {
    ROW(id),   ROW(name), ROW(small), ROW(half), ROW(nested), ROW(nested.first), ROW(nested.bytes), ROW(nested.half),
    ROW(word), ROW(low),  ROW(high),  ROW(deep), ROW(text),   ROW(wide),         ROW(function),     ROW(choice),
};
__attribute__((used)) struct sample sample;
struct inner *keep_inner;
