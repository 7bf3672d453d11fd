/* SPDX-License-Identifier: MIT */
/*
 * The initial value of a variable is changed in the file, in the bytes of the segment that contains the variable. So
 * the new value takes effect after every reset, when the start-up code copies .data from flash to RAM.
 */
#include "image.h"
#include "bits.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static bool find_symbol(Elf *elf, const char *name, GElf_Sym *found)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        int symbols_count = (int)(header.sh_size / header.sh_entsize);
        for (int i = 0; data && i < symbols_count; i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF)
                continue;
            const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (text && strcmp(text, name) == 0) {
                *found = symbol;
                return true;
            }
        }
    }
    return false;
}

/* Sets a variable in the image. If the firmware has no such variable and `must_have` is true, refuses the firmware;
 * otherwise leaves the image unchanged. */
static bool patch(Elf *elf, int fd, const char *path, const struct setting *setting, bool must_have)
{
    GElf_Sym symbol;
    if (!find_symbol(elf, setting->symbol, &symbol))
        return !must_have || fail("cannot set '%s': %s has no such symbol; check the name, or link without stripping",
                                  setting->symbol, path);
    if (symbol.st_size != 4 && symbol.st_size != 0)
        return !must_have || fail("cannot set '%s': it has %llu bytes in %s; only 32-bit variables can be set",
                                  setting->symbol, (unsigned long long)symbol.st_size, path);
    size_t headers_count = 0;
    if (elf_getphdrnum(elf, &headers_count) != 0)
        headers_count = 0;
    for (size_t i = 0; i < headers_count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || symbol.st_value < segment.p_vaddr ||
            symbol.st_value - segment.p_vaddr + 4 > segment.p_filesz)
            continue;
        uint8_t word[4];
        put_u32(word, setting->value);
        off_t offset = (off_t)(segment.p_offset + (symbol.st_value - segment.p_vaddr));
        if (pwrite(fd, word, sizeof word, offset) != (ssize_t)sizeof word)
            return fail("cannot set '%s' in the copy of %s: %s", setting->symbol, path, strerror(errno));
        return true;
    }
    return !must_have || fail("cannot set '%s': it has no initial value in %s (.bss is cleared at start-up); give it "
                              "one in the source",
                              setting->symbol, path);
}

static bool copy_file(const char *path, int to)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (from < 0)
        return fail("cannot open firmware %s: %s; build it first or check the path", path, strerror(errno));
    bool done = fstat(from, &status) == 0 && S_ISREG(status.st_mode);
    off_t offset = 0;
    while (done && offset < status.st_size)
        done = sendfile(to, from, &offset, (size_t)(status.st_size - offset)) > 0;
    close(from);
    return done || fail("cannot read firmware %s: not a readable file", path);
}

static bool check_header(Elf *elf, const char *path)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return fail("%s is not an ELF file; give the linked firmware, not a .bin or .hex", path);
    if (header.e_machine != EM_ARM || header.e_ident[EI_CLASS] != ELFCLASS32 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_EXEC)
        return fail("%s is not a linked 32-bit little-endian Arm ELF; give the firmware of a Cortex-M", path);
    return true;
}

bool image_open(const char *path, const struct setting *settings, size_t settings_count, bool must_have, int *fd)
{
    int copy = memfd_create("firmware.elf", 0);
    if (copy < 0)
        return fail("cannot make a copy of the firmware: %s", strerror(errno));
    if (!copy_file(path, copy))
        goto close_copy;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(copy, ELF_C_READ, NULL);
    bool done = check_header(elf, path);
    for (size_t i = 0; done && i < settings_count; i++)
        done = patch(elf, copy, path, &settings[i], must_have);
    elf_end(elf);
    if (!done)
        goto close_copy;
    *fd = copy;
    return true;
close_copy:
    close(copy);
    return false;
}

bool image_find(int fd, const char *symbol, uint32_t *address)
{
    GElf_Sym found;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool there = elf && find_symbol(elf, symbol, &found) && found.st_value <= UINT32_MAX;
    if (there)
        *address = (uint32_t)found.st_value;
    elf_end(elf);
    return there;
}
