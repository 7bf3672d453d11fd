/* SPDX-License-Identifier: MIT */
/*
 * Reads the memory in the PT_LOAD segments of an ELF file. This file uses the program headers. If their number does not
 * fit into 16 bits, the number is in the first section header. Every offset is checked against the length of the file.
 *
 *   field       32-bit  64-bit          program header  32-bit  64-bit
 *   e_phoff     28 u32  32 u64          p_type          0  u32  0  u32
 *   e_shoff     32 u32  40 u64          p_offset        4  u32  8  u64
 *   e_phentsize 42 u16  54 u16          p_vaddr         8  u32  16 u64
 *   e_phnum     44 u16  56 u16          p_paddr         12 u32  24 u64
 *                                       p_filesz        16 u32  32 u64
 */
#include <string.h>

#include "base/bytes.h"
#include "file/container_parts.h"

#define CLASS_32          1
#define CLASS_64          2
#define DATA_BIG          2
#define PT_LOAD           1
#define PN_XNUM           0xFFFFu
#define SECTION_HEADER_32 40
#define SECTION_HEADER_64 64

struct layout {
    bool wide;
    enum txtap_endian endian;
    uint64_t headers, header_bytes, count; /* program headers: offset of the first, bytes of each, number */
};

struct load {
    uint64_t offset, address, length;
};

static bool elf_recognised(const uint8_t *bytes, size_t length)
{
    return length >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

/*
 * Reads the word at an offset of the file: 64 bits if wide, otherwise 32 bits. Returns false if the word is beyond the
 * file's end.
 */
static bool word_at(const struct reader *reader, const struct layout *layout, uint64_t offset, bool wide,
                    uint64_t *value)
{
    struct bytes b = {reader->file, reader->length};
    uint32_t narrow;

    if (offset > reader->length || !bytes_skip(&b, (size_t)offset))
        return false;
    if (wide)
        return bytes_take_u64(&b, layout->endian, value);
    if (!bytes_take_u32(&b, layout->endian, &narrow))
        return false;
    *value = narrow;
    return true;
}

static bool half_at(const struct reader *reader, const struct layout *layout, size_t offset, uint64_t *value)
{
    struct bytes b = {reader->file, reader->length};
    uint16_t half;

    if (!bytes_skip(&b, offset) || !bytes_take_u16(&b, layout->endian, &half))
        return false;
    *value = half;
    return true;
}

static enum txtap_status take_layout(struct reader *reader, struct layout *layout)
{
    uint64_t sections = 0;
    bool wide;

    if (reader->length < 20 || (reader->file[4] != CLASS_32 && reader->file[4] != CLASS_64))
        return fail_record(reader, "the ELF header is cut or of no known class");
    wide = layout->wide = reader->file[4] == CLASS_64;
    layout->endian = reader->file[5] == DATA_BIG ? TXTAP_BIG : TXTAP_LITTLE;
    if (!word_at(reader, layout, wide ? 32 : 28, wide, &layout->headers) ||
        !word_at(reader, layout, wide ? 40 : 32, wide, &sections) ||
        !half_at(reader, layout, wide ? 54 : 42, &layout->header_bytes) ||
        !half_at(reader, layout, wide ? 56 : 44, &layout->count))
        return fail_record(reader, "the ELF header is cut");
    if (layout->count == PN_XNUM) {
        uint64_t info = sections + (wide ? 44u : 28u); /* sh_info of section 0 */

        if (sections == 0 || info < sections || !word_at(reader, layout, info, false, &layout->count))
            return fail_record(reader, "the number of ELF program headers is cut off");
    }
    if (layout->count > 0 && layout->header_bytes < (wide ? 56u : 32u))
        return fail_record(reader, "the ELF program headers are smaller than they can be");
    if (layout->headers > reader->length)
        return fail_record(reader, "the ELF program headers are behind the file's end");
    if (layout->count > 0 && (reader->length - layout->headers) / layout->header_bytes < layout->count)
        return fail_record(reader, "the ELF program headers are cut");
    return TXTAP_OK;
}

static bool take_load(const struct reader *reader, const struct layout *layout, uint64_t index, struct load *load)
{
    uint64_t at = layout->headers + index * layout->header_bytes, type = 0, physical = 0;
    bool wide = layout->wide, ok;

    ok = word_at(reader, layout, at, false, &type) &&
         word_at(reader, layout, at + (wide ? 8 : 4), wide, &load->offset) &&
         word_at(reader, layout, at + (wide ? 16 : 8), wide, &load->address) &&
         word_at(reader, layout, at + (wide ? 24 : 12), wide, &physical) &&
         word_at(reader, layout, at + (wide ? 32 : 16), wide, &load->length);
    /* For a machine without paging, QEMU's dump-guest-memory writes only physical addresses. */
    if (load->address == 0)
        load->address = physical;
    return ok && type == PT_LOAD && load->length > 0;
}

/* Finds the next segment that has bytes in the file. A segment that passes the end of the file is cut there. */
static enum txtap_status next_load(struct reader *reader, const struct layout *layout, struct load *load)
{
    while (reader->index < layout->count) {
        uint64_t held;

        if (!take_load(reader, layout, reader->index++, load))
            continue;
        held = load->offset < reader->length ? reader->length - load->offset : 0;
        if (held > load->length)
            held = load->length;
        if (load->length - held > UINT64_MAX - reader->missing_bytes)
            return fail_record(reader, "the ELF segments are larger than any memory");
        reader->missing_bytes += load->length - held;
        load->length = held;
        if (held > 0)
            return TXTAP_OK;
    }
    return TXTAP_END;
}

static enum txtap_status elf_next(struct reader *reader, struct record *record)
{
    struct layout layout;
    struct load load = {0, 0, 0};
    enum txtap_status status = take_layout(reader, &layout);

    if (status == TXTAP_OK)
        status = next_load(reader, &layout, &load);
    if (status != TXTAP_OK)
        return status;
    if (load.length - 1 > UINT64_MAX - load.address)
        return fail_record(reader, "an ELF segment passes the last address");
    /* Segments may share bytes of the file, but the sum of their lengths must not be above the length of the file. */
    if (load.length > reader->length - reader->given_bytes)
        return fail_record(reader, "the ELF segments give more bytes than the file has");
    reader->given_bytes += load.length;
    record->address = load.address;
    record->bytes = reader->file + load.offset;
    record->length = (size_t)load.length;
    return TXTAP_OK;
}

const struct container_kind container_elf = {"ELF file", elf_recognised, elf_next, true};
