/* SPDX-License-Identifier: MIT */
/* Plans samples of the program counter at random times with a given mean rate, so that they do not follow a period of
 * the firmware. If the poller reads less often, an exchange takes all samples that are due, up to PC_SAMPLES_MAX. */
#include "profile/pc_guest.h"

#include "txtap/inner/profile.h"

/* Returns a pause from 0.5 to 1.5 periods (xorshift64*). */
static uint64_t next_pause_us(struct pc_guest *guest)
{
    guest->random ^= guest->random >> 12;
    guest->random ^= guest->random << 25;
    guest->random ^= guest->random >> 27;
    return (uint64_t)(guest->period_us *
                      (0.5 + (double)((guest->random * UINT64_C(2685821657736338717)) >> 33) / 2147483648.0));
}

static size_t plan(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us)
{
    struct pc_guest *guest = self;
    double due = now_us >= guest->due_us ? 1 + (double)(now_us - guest->due_us) / guest->period_us : 0;

    return pc_reader_plan(&guest->reader, due < PC_SAMPLES_MAX ? (size_t)due : PC_SAMPLES_MAX, reads, room, bytes);
}

static void add(const struct pc_guest *guest, struct sample_queue *queue, const struct pc_sample *sample,
                uint64_t begin_us, uint64_t end_us)
{
    const bool asleep = sample->context == TXTAP_PROFILE_ASLEEP;
    const struct taken_sample taken = {
        .channel = guest->channel,
        .state = asleep ? TXTAP_SAMPLE_ASLEEP : TXTAP_SAMPLE_VALID,
        .bits = asleep ? 0 : sample->pc,
        .thread = txtap_profile_is_thread(sample->context) ? sample->context : 0,
        .from_us = begin_us,
        .to_us = end_us,
    };

    sample_queue_add(queue, &taken);
}

static void commit(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct pc_guest *guest = self;
    struct pc_sample samples[PC_SAMPLES_MAX];
    size_t count = pc_reader_take(&guest->reader, samples);

    for (size_t i = 0; i < count; i++)
        add(guest, queue, &samples[i], begin_us, end_us);
    guest->samples += count;
    guest->end_us = end_us;
    guest->due_us = end_us + next_pause_us(guest);
}

/* Notes that no sample could be taken. */
static void failed(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    struct pc_guest *guest = self;
    const struct taken_sample taken = {
        .channel = guest->channel, .state = TXTAP_SAMPLE_UNREADABLE, .from_us = begin_us, .to_us = end_us};

    sample_queue_add(queue, &taken);
    guest->due_us = end_us + next_pause_us(guest);
}

static uint64_t due_us(const void *self)
{
    return ((const struct pc_guest *)self)->due_us;
}

void pc_guest_init(struct pc_guest *guest, const struct elf_file *elf, const struct txtap_channel *channel, double hz,
                   uint64_t now_us)
{
    *guest = (struct pc_guest){.channel = channel,
                               .period_us = 1e6 / hz,
                               .begin_us = now_us,
                               .end_us = now_us,
                               .due_us = now_us,
                               .random = now_us | 1};
    pc_reader_init(&guest->reader, elf);
}

struct guest pc_guest_of(struct pc_guest *guest)
{
    static const struct guest_ops ops = {.plan = plan, .commit = commit, .failed = failed, .due_us = due_us};

    return (struct guest){&ops, guest};
}
