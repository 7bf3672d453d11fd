/* SPDX-License-Identifier: MIT */
/*
 * Gives any answers to the commands that read. The reader must take only bytes of the answer, and write only to the
 * pieces. If all answers are right, it must fill all pieces. The input has a byte for the size of packets, a byte for
 * the kind, pieces, and answers. Each answer has a byte with its length before its bytes.
 */
#include <string.h>

#include "fuzz.h"
#include "probe/dap/dap_plan.h"

#define PIECES      3
#define PIECE_BYTES 512u
#define WORD        0x5A5A5A5Au /* value of DPIDR and of each word of memory */

struct input {
    const uint8_t *at;
    size_t left;
};

static unsigned take(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

/* Takes an answer from the input. Returns a copy of exactly its length. */
static uint8_t *take_answer(struct input *input, size_t *length)
{
    size_t wanted = take(input);
    uint8_t *bytes;

    *length = wanted < input->left ? wanted : input->left;
    bytes = malloc(*length > 0 ? *length : 1);
    REQUIRE(bytes != NULL);
    memcpy(bytes, input->at, *length);
    input->at += *length;
    input->left -= *length;
    return bytes;
}

static void take_others(const struct dap_packet *packet, const uint8_t *bytes, size_t length)
{
    const uint8_t *payload = NULL;
    size_t payload_bytes = 0;
    bool done = false;

    if (dap_take_info(bytes, length, &payload, &payload_bytes) == DAP_OK)
        REQUIRE(payload >= bytes && payload + payload_bytes == bytes + length);
    if (dap_take_status(packet, bytes, length, &done) == DAP_OK)
        REQUIRE(length >= 2 && bytes[0] == packet->bytes[0]);
}

/*
 * Writes the answer of a probe that executes all commands correctly. A read of TAR returns the address that earlier
 * accesses have reached.
 */
static size_t right_answer(const struct dap_packet *packet, uint32_t *tar, uint8_t *bytes)
{
    size_t head = packet->bytes[0] == 6 ? 4 : 3, length = head;

    memset(bytes, 0, head);
    bytes[0] = packet->bytes[0];
    bytes[1] = (uint8_t)packet->requests;
    bytes[head - 1] = 1;
    for (size_t at = 3; packet->bytes[0] == 5 && at < packet->length; at++) {
        uint32_t word = packet->bytes[at] == DAP_TAR_NOW ? *tar : WORD;

        if (packet->bytes[at] == 5) {
            *tar = dap_word(packet->bytes + at + 1);
            at += 4;
            continue;
        }
        if (packet->bytes[at] == DAP_DATA)
            *tar = (*tar & ~0x3FFu) | ((*tar + 4) & 0x3FF);
        for (size_t i = 0; i < 4; i++)
            bytes[length++] = (uint8_t)(word >> 8 * i);
    }
    if (packet->bytes[0] == 6) {
        memset(bytes + head, 0x5A, 4 * packet->words);
        length += 4 * packet->words;
        *tar = (*tar & ~0x3FFu) | ((*tar + (uint32_t)(4 * packet->words)) & 0x3FF);
    }
    return length;
}

static void check_packet(const struct dap_packet *packet, size_t packet_bytes)
{
    REQUIRE(packet->length <= packet_bytes && dap_is_permitted(packet->bytes, packet->length));
    REQUIRE(4 + 4 * packet->words < packet_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t data_bytes)
{
    struct input input = {data, data_bytes};
    size_t packet_bytes = 64 + 2 * (size_t)take(&input) % 449;
    uint8_t memory[PIECES][PIECE_BYTES + 4];
    struct txtap_read reads[PIECES];
    struct dap_packet packet;
    struct dap_plan plan;
    uint32_t tar = 0;
    bool right = true;

    memset(memory, 0xA5, sizeof memory);
    for (size_t i = 0; i < PIECES; i++)
        reads[i] = (struct txtap_read){4 * (take(&input) | take(&input) << 8), 4 * take(&input) % (PIECE_BYTES + 4),
                                       memory[i]};
    dap_plan_init(&plan, reads, PIECES, packet_bytes, (unsigned)data_bytes, WORD);
    for (unsigned packets = 0; right && dap_plan_next(&plan, &packet); packets++) {
        uint8_t answer[DAP_PACKET_BYTES_MAX];

        REQUIRE(packets < 200);
        check_packet(&packet, packet_bytes);
        if (input.left > 0 && take(&input) & 1) {
            size_t length;
            uint8_t *bytes = take_answer(&input, &length);

            (void)right_answer(&packet, &tar, answer); /* advances tar */
            take_others(&packet, bytes, length);
            right = dap_plan_take(&plan, &packet, bytes, length) == DAP_OK;
            free(bytes);
        } else {
            size_t length = right_answer(&packet, &tar, answer);

            REQUIRE(dap_plan_take(&plan, &packet, answer, length) == DAP_OK);
        }
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = reads[i].length; j < sizeof memory[i]; j++)
            REQUIRE(memory[i][j] == 0xA5);
    if (right)
        REQUIRE(plan.taken.read == PIECES || plan.taken.offset == reads[plan.taken.read].length);
    return 0;
}
