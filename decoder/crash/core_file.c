/* SPDX-License-Identifier: MIT */
/*
 * Writes the head of an ELF core file: ELF header, program headers, notes. GDB takes the registers of a thread from a
 * note NT_PRSTATUS with Linux's layout for Arm. Sources: System V ABI, "Object Files"; BFD's elf32-arm.c and GDB's
 * arm-none-tdep.c read these members of the note:
 *
 *   12  u16  signal         24  u32  number of the thread
 *   72  18 words: r0 to r12, sp, lr, pc, xPSR, and a word that is not used
 */
#include <string.h>

#include "base/bytes.h"
#include "txtap/inner/crash.h"

#define ELF_HEADER_BYTES     52u
#define PROGRAM_HEADER_BYTES 32u
#define NOTE_HEADER_BYTES    20u /* three words, and a name of up to 8 bytes */
#define STATUS_BYTES         148u
#define STATUS_REGISTERS     72u
#define NOTE_TEXT_MAX        65536u

enum elf_number { ET_CORE = 4, EM_ARM = 40, PT_LOAD = 1, PT_NOTE = 4, NT_PRSTATUS = 1, PF_RW = 6 };

/* Type of the note with txtap's text; its name is "TXTAP". */
#define NT_TEXT 1u

static size_t text_bytes(const struct txtap_core *core)
{
    return (strnlen(core->note, NOTE_TEXT_MAX) + 3) & ~(size_t)3;
}

static size_t notes_bytes(const struct txtap_core *core)
{
    size_t text = text_bytes(core);

    return core->thread_count * (NOTE_HEADER_BYTES + STATUS_BYTES) + (text > 0 ? NOTE_HEADER_BYTES + text : 0);
}

static size_t headers_bytes(const struct txtap_core *core)
{
    return ELF_HEADER_BYTES + (core->segment_count + 1) * PROGRAM_HEADER_BYTES;
}

size_t txtap_core_head_bytes(const struct txtap_core *core)
{
    uint64_t sum;

    if (core->thread_count > TXTAP_CORE_THREADS_MAX || core->segment_count > TXTAP_CORE_SEGMENTS_MAX)
        return 0;
    sum = headers_bytes(core) + notes_bytes(core);
    for (size_t i = 0; i < core->segment_count; i++) {
        const struct txtap_core_segment *segment = &core->segments[i];

        if (segment->length == 0 || segment->length - 1 > UINT32_MAX - segment->address)
            return 0;
        sum += segment->length;
    }
    return sum <= UINT32_MAX ? headers_bytes(core) + notes_bytes(core) : 0;
}

static uint8_t *u16(uint8_t *at, uint16_t value)
{
    return put_u16(at, TXTAP_LITTLE, value);
}

static uint8_t *u32(uint8_t *at, size_t value)
{
    return put_u32(at, TXTAP_LITTLE, (uint32_t)value);
}

static uint8_t *put_elf_header(uint8_t *at, size_t segment_count)
{
    static const uint8_t identity[16] = {0x7F, 'E', 'L', 'F', 1, 1, 1}; /* 32 bits, little-endian */

    memcpy(at, identity, sizeof identity);
    at = u16(at + sizeof identity, ET_CORE);
    at = u16(at, EM_ARM);
    at = u32(at, 1); /* version */
    at = u32(at, 0); /* entry */
    at = u32(at, ELF_HEADER_BYTES);
    at = u32(at, 0);                    /* no sections */
    at = u32(at, UINT32_C(0x05000000)); /* EABI 5 */
    at = u16(at, ELF_HEADER_BYTES);
    at = u16(at, PROGRAM_HEADER_BYTES);
    at = u16(at, (uint16_t)(segment_count + 1));
    at = u16(at, 0);
    at = u16(at, 0);
    return u16(at, 0);
}

static uint8_t *put_program_header(uint8_t *at, uint32_t type, size_t offset, uint32_t address, size_t length)
{
    at = u32(at, type);
    at = u32(at, offset);
    at = u32(at, address);
    at = u32(at, address);
    at = u32(at, length);
    at = u32(at, type == PT_LOAD ? length : 0);
    at = u32(at, type == PT_LOAD ? PF_RW : 0);
    return u32(at, type == PT_LOAD ? 1 : 4);
}

static uint8_t *put_note_header(uint8_t *at, const char *name, size_t length, uint32_t type)
{
    at = u32(at, strlen(name) + 1);
    at = u32(at, length);
    at = u32(at, type);
    memset(at, 0, 8);
    memcpy(at, name, strlen(name));
    return at + 8;
}

static uint8_t *put_status(uint8_t *at, const struct txtap_core_thread *thread, uint16_t signal)
{
    uint8_t *registers = at + STATUS_REGISTERS;

    memset(at, 0, STATUS_BYTES);
    u16(at + 12, signal);
    u32(at + 24, thread->number);
    for (size_t i = 0; i < CORE_REGISTERS; i++)
        registers = u32(registers, thread->known >> i & 1 ? thread->registers[i] : 0);
    return at + STATUS_BYTES;
}

void txtap_core_head(const struct txtap_core *core, uint8_t *bytes)
{
    size_t offset = headers_bytes(core), text = strnlen(core->note, NOTE_TEXT_MAX);
    uint8_t *at = put_elf_header(bytes, core->segment_count);

    at = put_program_header(at, PT_NOTE, offset, 0, notes_bytes(core));
    offset += notes_bytes(core);
    for (size_t i = 0; i < core->segment_count; i++) {
        at = put_program_header(at, PT_LOAD, offset, core->segments[i].address, core->segments[i].length);
        offset += core->segments[i].length;
    }
    for (size_t i = 0; i < core->thread_count; i++)
        at = put_status(put_note_header(at, "CORE", STATUS_BYTES, NT_PRSTATUS), &core->threads[i],
                        i == 0 ? core->signal : 0);
    if (text == 0)
        return;
    at = put_note_header(at, "TXTAP", text_bytes(core), NT_TEXT);
    memset(at, 0, text_bytes(core));
    memcpy(at, core->note, text);
}

size_t txtap_core_unknown(const struct txtap_core_thread *thread, char text[static TXTAP_CORE_UNKNOWN_BYTES])
{
    static const char names[CORE_REGISTERS][5] = {"r0", "r1",  "r2",  "r3",  "r4", "r5", "r6", "r7",  "r8",
                                                  "r9", "r10", "r11", "r12", "sp", "lr", "pc", "xpsr"};
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0, last; i < CORE_REGISTERS; i = last + 1) {
        const char *pieces[4] = {used > 0 ? ", " : "", names[i], "", ""};

        last = i;
        if (thread->known >> i & 1)
            continue;
        while (last < CORE_R12 && !(thread->known >> (last + 1) & 1))
            last++;
        if (last > i) {
            pieces[2] = "-";
            pieces[3] = names[last];
        }
        for (size_t k = 0; k < 4; k++) {
            memcpy(text + used, pieces[k], strlen(pieces[k]) + 1);
            used += strlen(pieces[k]);
        }
    }
    return used;
}
