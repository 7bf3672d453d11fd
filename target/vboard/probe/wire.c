/* SPDX-License-Identifier: MIT */
/* SWD clocks and the time they take. */
#include "wire.h"

#include <errno.h>
#include <time.h>

#define CLOCKS_PER_TRANSFER 46
#define SLICE_US            200

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void wire_init(struct wire *wire, const struct probe *probe)
{
    *wire = (struct wire){.swd_khz = probe->swd_khz, .command_us = probe->command_us};
}

uint32_t wire_khz(const struct wire *wire)
{
    if (wire->swd_khz && wire->requested_khz && wire->requested_khz < wire->swd_khz)
        return wire->requested_khz;
    return wire->swd_khz;
}

static void add_time(struct wire *wire, uint64_t time_ns)
{
    wire->busy_ns += time_ns;
    wire->deadline_ns += (int64_t)time_ns;
}

void wire_begin(struct wire *wire)
{
    wire->commands++;
    wire->deadline_ns = now_ns();
    add_time(wire, wire->command_us * UINT64_C(1000));
    wire->deadline_ns += wire->extra_us * INT64_C(1000);
}

void wire_transfer(struct wire *wire, uint32_t transfers)
{
    uint64_t clocks = (uint64_t)transfers * CLOCKS_PER_TRANSFER;
    uint32_t khz = wire_khz(wire);
    wire->swd_clocks += clocks;
    if (khz)
        add_time(wire, clocks * 1000000 / khz);
}

uint32_t wire_slice(const struct wire *wire)
{
    uint32_t khz = wire_khz(wire);
    if (khz == 0)
        return UINT32_MAX;
    uint32_t transfers = khz * SLICE_US / 1000 / CLOCKS_PER_TRANSFER;
    return transfers ? transfers : 1;
}

void wire_wait(struct wire *wire)
{
    if (wire->swd_khz == 0 && wire->command_us == 0 && wire->extra_us == 0)
        return;
    struct timespec until = {wire->deadline_ns / 1000000000, wire->deadline_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}
