/* SPDX-License-Identifier: MIT */
/* Samples the program counter in the exchanges of a poller. */
#ifndef TXTAP_CAPTURE_PROFILE_PC_GUEST_H
#define TXTAP_CAPTURE_PROFILE_PC_GUEST_H

#include <stdint.h>

#include "profile/pc_reader.h"
#include "stream/guest.h"
#include "txtap/sample.h"

struct pc_guest {
    struct pc_reader reader;
    const struct txtap_channel *channel; /* borrowed */
    double period_us;                    /* mean time between two samples */
    uint64_t samples;                    /* number of samples, with those of a sleeping core */
    uint64_t begin_us, end_us;           /* times of the first plan and of the last answer */
    uint64_t due_us;                     /* time of the next sample */
    uint64_t random;                     /* state of the random pauses */
};

/* Prepares a guest. elf: may be NULL; used only during the call. channel: of the kind PC; borrowed. hz: samples per
 * second, above 0. now_us: time of the first sample. */
void pc_guest_init(struct pc_guest *guest, const struct elf_file *elf, const struct txtap_channel *channel, double hz,
                   uint64_t now_us);

/* Returns the guest for guests_add(). */
struct guest pc_guest_of(struct pc_guest *guest);

#endif
