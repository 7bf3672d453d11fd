/* SPDX-License-Identifier: MIT */
/* Reads an ELF file with libelf. The file may be damaged. */
#include "locate/elf_file.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <gelf.h>
#include <libelf.h>

#include "input/input.h"

/* Alignment leaves gaps between sections in the same RAM. A gap of at most this size does not end a region. */
#define REGION_GAP_BYTES 64u

struct elf_file {
    char *path;
    struct stat about; /* read before the content, so that elf_has_changed() notices a change during the read */
    uint8_t *bytes;    /* a copy of the file: access to a mapped file would fail after a rebuild truncates the file */
    size_t size;
    Elf *elf;
    enum txtap_endian endian;
    Elf_Scn *symbols; /* symbol table; NULL: the file is stripped */
    /* names of the symbols: the string table up to its last NUL, so that each name ends with a NUL */
    const char *names;
    size_t names_bytes;
    struct memory_region ram[ELF_REGIONS_MAX];
    size_t ram_count;
};

static enum txtap_status load(struct elf_file *file, struct error *error)
{
    if (stat(file->path, &file->about) == 0 &&
        !S_ISREG(file->about.st_mode)) /* open() of a FIFO would wait for a writer */
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: not a file\ngive the firmware's ELF file", file->path);
    return input_read_file(file->path, ELF_FILE_BYTES_MAX, "is this the firmware's ELF file?", &file->bytes,
                           &file->size, error);
}

static enum txtap_status check_kind(struct elf_file *file, struct error *error)
{
    const uint8_t *ident = file->bytes;

    if (file->size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: not an ELF file\ngive the firmware's ELF file (.elf, .axf)",
                       file->path);
    if (file->size > EI_CLASS && ident[EI_CLASS] == ELFCLASS64)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.140s: a 64-bit ELF file: txtap reads only 32-bit targets while they run\ngive the firmware's "
                       "file; 'txtap decode' reads core files and memory dumps of 64-bit targets",
                       file->path);
    if (file->size < sizeof(Elf32_Ehdr))
        return failure(error, TXTAP_ERROR_TRUNCATED, "%.160s: ends within its ELF header\nbuild or copy it again",
                       file->path);
    if (ident[EI_CLASS] != ELFCLASS32 || (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB))
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: a damaged ELF header\nbuild or copy it again", file->path);
    file->endian = ident[EI_DATA] == ELFDATA2MSB ? TXTAP_BIG : TXTAP_LITTLE;
    return TXTAP_OK;
}

static bool is_inside(const struct elf_file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

/* Returns true if the file contains all data that its headers refer to. */
static bool is_complete(struct elf_file *file)
{
    GElf_Ehdr header;
    size_t segments, sections;

    if (gelf_getehdr(file->elf, &header) == NULL || !is_inside(file, header.e_phoff, 0) ||
        !is_inside(file, header.e_shoff, 0))
        return false;
    if (elf_getphdrnum(file->elf, &segments) != 0 || elf_getshdrnum(file->elf, &sections) != 0)
        return false;
    if ((header.e_phnum != 0 && segments == 0) || (header.e_shoff != 0 && sections == 0))
        return false;
    if (!is_inside(file, header.e_phoff, (uint64_t)segments * sizeof(Elf32_Phdr)) ||
        !is_inside(file, header.e_shoff, (uint64_t)sections * sizeof(Elf32_Shdr)))
        return false;
    for (size_t i = 0; i < segments; i++) {
        GElf_Phdr segment;

        if (gelf_getphdr(file->elf, (int)i, &segment) == NULL ||
            (segment.p_type == PT_LOAD && !is_inside(file, segment.p_offset, segment.p_filesz)))
            return false;
    }
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(file->elf, scn)) != NULL;) {
        GElf_Shdr section;

        if (gelf_getshdr(scn, &section) == NULL || (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
                                                    !is_inside(file, section.sh_offset, section.sh_size)))
            return false;
    }
    return true;
}

/* Gets the section after *scn; the first section if *scn is NULL. False: no more sections. Reading a header does not
 * fail, because is_complete() has checked all headers. */
static bool next_section(const struct elf_file *file, Elf_Scn **scn, GElf_Shdr *section)
{
    *scn = elf_nextscn(file->elf, *scn);
    return *scn != NULL && gelf_getshdr(*scn, section) != NULL;
}

/* Gets the first loaded segment from *index on, and sets *index to the segment after it. False: no more segments. */
static bool next_load_segment(const struct elf_file *file, size_t *index, GElf_Phdr *segment)
{
    size_t count;

    if (elf_getphdrnum(file->elf, &count) != 0)
        return false;
    while (*index < count && gelf_getphdr(file->elf, (int)(*index)++, segment) != NULL)
        if (segment->p_type == PT_LOAD)
            return true;
    return false;
}

/* Adds a range to the sorted regions. Merges the range with each region that is at most REGION_GAP_BYTES away. If the
 * table is full, drops the range; this is acceptable, because real firmware has few regions. */
static void add_ram(struct elf_file *file, uint64_t start, uint64_t size)
{
    struct memory_region *ram = file->ram;
    uint64_t end = start + size;
    size_t kept = 0, at = 0;

    if (size == 0 || start > UINT32_MAX || size > UINT32_MAX - start)
        return;
    for (size_t i = 0; i < file->ram_count; i++) {
        uint64_t region_end = (uint64_t)ram[i].start + ram[i].size;

        if (start > region_end + REGION_GAP_BYTES || ram[i].start > end + REGION_GAP_BYTES) {
            ram[kept++] = ram[i];
            continue;
        }
        start = ram[i].start < start ? ram[i].start : start;
        end = region_end > end ? region_end : end;
    }
    file->ram_count = kept;
    if (kept == ELF_REGIONS_MAX)
        return;
    while (at < kept && ram[at].start < start)
        at++;
    memmove(&ram[at + 1], &ram[at], (kept - at) * sizeof *ram);
    ram[at] = (struct memory_region){(uint32_t)start, (uint32_t)(end - start)};
    file->ram_count++;
}

/* Collects the RAM from the sections. Segments are less reliable, because a linker script may put code and data into
 * one writable segment. */
static void collect_ram(struct elf_file *file)
{
    bool has_sections = false;
    GElf_Shdr section;
    GElf_Phdr segment;

    for (Elf_Scn *scn = NULL; next_section(file, &scn, &section);) {
        if ((section.sh_flags & SHF_ALLOC) == 0)
            continue;
        has_sections = true;
        if ((section.sh_flags & SHF_WRITE) != 0 || section.sh_type == SHT_NOBITS)
            add_ram(file, section.sh_addr, section.sh_size);
    }
    for (size_t index = 0; next_load_segment(file, &index, &segment);)
        if ((segment.p_flags & PF_W) != 0 && (!has_sections || (segment.p_flags & PF_X) == 0))
            add_ram(file, segment.p_vaddr, segment.p_memsz);
}

static Elf_Scn *find_symbol_table(const struct elf_file *file)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr section;

    while (next_section(file, &scn, &section) && section.sh_type != SHT_SYMTAB)
        ;
    return scn;
}

static void find_symbol_names(struct elf_file *file)
{
    GElf_Shdr symbols, names;
    const char *last;

    if (file->symbols == NULL || gelf_getshdr(file->symbols, &symbols) == NULL ||
        gelf_getshdr(elf_getscn(file->elf, symbols.sh_link), &names) == NULL || names.sh_type != SHT_STRTAB ||
        !is_inside(file, names.sh_offset, names.sh_size)) /* is_complete() does not check section 0 */
        return;
    file->names = (const char *)file->bytes + names.sh_offset;
    last = memrchr(file->names, '\0', (size_t)names.sh_size);
    file->names_bytes = last != NULL ? (size_t)(last - file->names) + 1 : 0;
}

static enum txtap_status read_file(struct elf_file *file, struct error *error)
{
    enum txtap_status status = load(file, error);

    if (status == TXTAP_OK)
        status = check_kind(file, error);
    if (status != TXTAP_OK)
        return status;
    if (elf_version(EV_CURRENT) == EV_NONE || (file->elf = elf_memory((char *)file->bytes, file->size)) == NULL)
        return failure(error, TXTAP_ERROR_FORMAT, "%.160s: %s\nbuild or copy it again", file->path, elf_errmsg(-1));
    if (!is_complete(file))
        return failure(error, TXTAP_ERROR_TRUNCATED, "%.160s: damaged or cut off (%zu bytes)\nbuild or copy it again",
                       file->path, file->size);
    file->symbols = find_symbol_table(file);
    find_symbol_names(file);
    collect_ram(file);
    return TXTAP_OK;
}

enum txtap_status elf_open(struct elf_file **out, const char *path, struct error *error)
{
    struct elf_file *file = calloc(1, sizeof *file);
    enum txtap_status status;

    *out = NULL;
    if (file == NULL || (file->path = strdup(path)) == NULL) {
        free(file);
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    }
    status = read_file(file, error);
    if (status != TXTAP_OK) {
        elf_close(file);
        return status;
    }
    *out = file;
    return TXTAP_OK;
}

bool elf_has_changed(const struct elf_file *file)
{
    struct stat now;

    return stat(file->path, &now) == 0 &&
           (now.st_mtim.tv_sec != file->about.st_mtim.tv_sec || now.st_mtim.tv_nsec != file->about.st_mtim.tv_nsec ||
            now.st_size != file->about.st_size);
}

void elf_close(struct elf_file *file)
{
    if (file == NULL)
        return;
    if (file->elf != NULL)
        elf_end(file->elf);
    free(file->bytes);
    free(file->path);
    free(file);
}

static bool is_in_ram(const struct elf_file *file, uint32_t address)
{
    for (size_t i = 0; i < file->ram_count; i++)
        if (address >= file->ram[i].start && address - file->ram[i].start < file->ram[i].size)
            return true;
    return false;
}

/* ---- symbols ---- */

struct symbol_walk {
    const struct elf_file *file;
    Elf_Data *data;
    size_t next, count;
    const char *source; /* C file that defines the next local symbols; "": unknown */
};

static struct symbol_walk walk_symbols(const struct elf_file *file)
{
    struct symbol_walk walk = {.file = file, .source = ""};
    GElf_Shdr section;

    if (file->symbols == NULL || gelf_getshdr(file->symbols, &section) == NULL)
        return walk;
    walk.data = elf_getdata(file->symbols, NULL);
    if (walk.data != NULL)
        walk.count = walk.data->d_size / sizeof(Elf32_Sym);
    if (walk.count > INT32_MAX)
        walk.count = INT32_MAX;
    return walk;
}

/* Gets the next defined symbol, and returns its name; NULL: no more symbols. */
static const char *next_symbol(struct symbol_walk *walk, GElf_Sym *entry)
{
    const struct elf_file *file = walk->file;

    while (walk->next < walk->count) {
        const char *text;

        if (gelf_getsym(walk->data, (int)walk->next++, entry) == NULL || entry->st_shndx == SHN_UNDEF)
            continue;
        text = entry->st_name < file->names_bytes ? file->names + entry->st_name : NULL; /* NULL: outside the table */
        if (GELF_ST_TYPE(entry->st_info) == STT_FILE)
            walk->source = text != NULL ? text : "";
        else if (text != NULL)
            return text;
    }
    return NULL;
}

static bool is_global(const GElf_Sym *entry)
{
    return GELF_ST_BIND(entry->st_info) != STB_LOCAL;
}

static struct elf_symbol symbol_of(const struct elf_file *file, const GElf_Sym *entry)
{
    return (struct elf_symbol){
        .address = (uint32_t)entry->st_value,
        .size = (uint32_t)entry->st_size,
        .in_ram = is_in_ram(file, (uint32_t)entry->st_value),
    };
}

enum txtap_status elf_symbol_find(const struct elf_file *file, const char *name, struct elf_symbol *symbol)
{
    struct symbol_walk walk = walk_symbols(file);
    bool found = false;
    const char *text;
    GElf_Sym entry;

    while ((text = next_symbol(&walk, &entry)) != NULL) {
        if (strcmp(text, name) != 0 || (found && !is_global(&entry)))
            continue;
        *symbol = symbol_of(file, &entry);
        found = true;
        if (is_global(&entry))
            break;
    }
    return found ? TXTAP_OK : ERROR_SYMBOL;
}

const char *elf_next_variable(const struct elf_file *file, size_t *at)
{
    struct symbol_walk walk = walk_symbols(file);
    const char *text;
    GElf_Sym entry;

    walk.next = *at;
    while ((text = next_symbol(&walk, &entry)) != NULL)
        if (GELF_ST_TYPE(entry.st_info) == STT_OBJECT && is_in_ram(file, (uint32_t)entry.st_value))
            break;
    *at = walk.next;
    return text;
}

void elf_symbols_offer(const struct elf_file *file, struct similar *similar)
{
    size_t at = 0;
    const char *text;

    for (size_t offers = 0; offers < ELF_OFFERS_MAX && (text = elf_next_variable(file, &at)) != NULL; offers++) {
        char name[SIMILAR_NAME_BYTES];

        snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1,
                 text); /* a name in a damaged file may be as long as the file */
        similar_offer(similar, name);
    }
}

size_t elf_symbols_find(const struct elf_file *file, const char *name, struct elf_symbol *symbols,
                        char (*sources)[ELF_SOURCE_BYTES], size_t count)
{
    struct symbol_walk walk = walk_symbols(file);
    size_t found = 0;
    const char *text;
    GElf_Sym entry;

    while ((text = next_symbol(&walk, &entry)) != NULL) {
        if (strcmp(text, name) != 0)
            continue;
        if (found < count) {
            symbols[found] = symbol_of(file, &entry);
            snprintf(sources[found], ELF_SOURCE_BYTES, "%s", is_global(&entry) ? "" : walk.source);
        }
        found++;
    }
    return found;
}

bool elf_symbol_at(const struct elf_file *file, uint32_t address, char *name, size_t name_bytes)
{
    struct symbol_walk walk = walk_symbols(file);
    const char *text, *found = NULL;
    uint64_t found_inside = 1;
    GElf_Sym entry;

    /* Stops at a symbol that begins at the address. A symbol that only contains the address is a second choice. */
    while (found_inside > 0 && (text = next_symbol(&walk, &entry)) != NULL) {
        uint64_t inside = address - entry.st_value;

        if (GELF_ST_TYPE(entry.st_info) != STT_OBJECT || *text == '\0' || entry.st_value > address ||
            inside >= (entry.st_size > 0 ? entry.st_size : 1))
            continue;
        found = text;
        found_inside = inside;
    }
    if (found != NULL && found_inside > 0)
        snprintf(name, name_bytes, "%s+0x%" PRIx64, found, found_inside);
    else if (found != NULL)
        snprintf(name, name_bytes, "%s", found);
    return found != NULL;
}

bool elf_has_symbols(const struct elf_file *file)
{
    return file->symbols != NULL;
}

const struct memory_region *elf_ram(const struct elf_file *file, size_t *count)
{
    *count = file->ram_count;
    return file->ram;
}

/* Returns true if the section is in a read-only segment, and runs at the address to which it is loaded. */
static bool stays(const struct elf_file *file, const GElf_Shdr *section)
{
    GElf_Phdr segment;

    for (size_t index = 0; next_load_segment(file, &index, &segment);)
        if (section->sh_offset >= segment.p_offset && section->sh_offset - segment.p_offset < segment.p_filesz)
            return (segment.p_flags & PF_W) == 0 &&
                   section->sh_addr == segment.p_paddr + (section->sh_offset - segment.p_offset);
    return false;
}

size_t elf_code(const struct elf_file *file, struct elf_code *sections, size_t count)
{
    const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;
    GElf_Shdr section;
    size_t used = 0;

    for (Elf_Scn *scn = NULL; used < count && next_section(file, &scn, &section);) {
        if (section.sh_type != SHT_PROGBITS || (section.sh_flags & (wanted | SHF_WRITE)) != wanted ||
            section.sh_addr % 4 != 0 || section.sh_size < 4 || section.sh_addr > UINT32_MAX ||
            section.sh_size > UINT32_MAX - section.sh_addr || !stays(file, &section))
            continue;
        sections[used++] = (struct elf_code){
            .address = (uint32_t)section.sh_addr,
            .length = (uint32_t)section.sh_size & ~3u,
            .bytes = file->bytes + section.sh_offset, /* is_complete() has checked that the section is in the file */
        };
    }
    return used;
}

const uint8_t *elf_bytes(const struct elf_file *file, uint32_t address, uint32_t length)
{
    GElf_Phdr segment;

    for (size_t index = 0; next_load_segment(file, &index, &segment);)
        if (address >= segment.p_vaddr && address - segment.p_vaddr <= segment.p_filesz &&
            length <= segment.p_filesz - (address - segment.p_vaddr))
            return file->bytes + segment.p_offset + (address - segment.p_vaddr);
    return NULL;
}

bool elf_lowest_address(const struct elf_file *file, uint32_t *address)
{
    bool found = false;
    GElf_Phdr segment;

    for (size_t index = 0; next_load_segment(file, &index, &segment);) {
        if (segment.p_filesz == 0 || (found && segment.p_vaddr >= *address))
            continue;
        *address = (uint32_t)segment.p_vaddr;
        found = true;
    }
    return found;
}

uint32_t elf_arm_entry(const struct elf_file *file)
{
    GElf_Ehdr header;

    if (gelf_getehdr(file->elf, &header) == NULL || header.e_machine != EM_ARM)
        return 0;
    return (uint32_t)header.e_entry & ~1u;
}

bool elf_section_find(const struct elf_file *file, const char *name, uint32_t *address, uint32_t *size)
{
    size_t names;
    GElf_Shdr section;

    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return false;
    for (Elf_Scn *scn = NULL; next_section(file, &scn, &section);) {
        const char *text = elf_strptr(file->elf, names, section.sh_name);

        if (text == NULL || strcmp(text, name) != 0 || (section.sh_flags & SHF_ALLOC) == 0)
            continue;
        *address = (uint32_t)section.sh_addr;
        *size = (uint32_t)section.sh_size;
        return true;
    }
    return false;
}

const uint8_t *elf_arm_attributes(const struct elf_file *file, size_t *length)
{
    GElf_Shdr section;

    for (Elf_Scn *scn = NULL; next_section(file, &scn, &section);) {
        if (section.sh_type != SHT_ARM_ATTRIBUTES || section.sh_size == 0)
            continue;
        *length = (size_t)section.sh_size;
        return file->bytes + section.sh_offset; /* is_complete() has checked that the section is in the file */
    }
    return NULL;
}

bool elf_next_function(const struct elf_file *file, size_t *at, struct elf_function *function)
{
    struct symbol_walk walk = walk_symbols(file);
    const char *text;
    GElf_Sym entry;

    walk.next = *at;
    while ((text = next_symbol(&walk, &entry)) != NULL) {
        *at = walk.next;
        if (GELF_ST_TYPE(entry.st_info) != STT_FUNC || *text == '\0')
            continue;
        *function = (struct elf_function){.name = text,
                                          .address = (uint32_t)entry.st_value & ~1u,
                                          .weak = GELF_ST_BIND(entry.st_info) == STB_WEAK,
                                          .size = (uint32_t)entry.st_size};
        return true;
    }
    return false;
}

size_t elf_build_id(const struct elf_file *file, const uint8_t **id)
{
    GElf_Shdr section;

    for (Elf_Scn *scn = NULL; next_section(file, &scn, &section);) {
        Elf_Data *data = section.sh_type == SHT_NOTE ? elf_getdata(scn, NULL) : NULL;
        size_t name, descriptor;
        GElf_Nhdr note;

        for (size_t at = 0; data != NULL && (at = gelf_getnote(data, at, &note, &name, &descriptor)) > 0;) {
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU ||
                memcmp((const char *)data->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0)
                continue;
            *id = (const uint8_t *)data->d_buf + descriptor;
            return note.n_descsz;
        }
    }
    return 0;
}

/* Adds bytes to an FNV-1a checksum. */
static uint64_t checksum_add(uint64_t checksum, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        checksum = (checksum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return checksum;
}

uint64_t elf_symbols_checksum(const struct elf_file *file)
{
    struct symbol_walk walk = walk_symbols(file);
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    const char *text;
    GElf_Sym entry;

    if (walk.count == 0)
        return 0;
    while ((text = next_symbol(&walk, &entry)) != NULL) {
        const uint32_t address = htole32((uint32_t)entry.st_value);

        checksum = checksum_add(checksum, text, strlen(text) + 1);
        checksum = checksum_add(checksum, &address, sizeof address);
    }
    return checksum;
}

struct Elf *elf_libelf(const struct elf_file *file)
{
    return file->elf;
}

enum txtap_endian elf_endian(const struct elf_file *file)
{
    return file->endian;
}

const char *elf_path(const struct elf_file *file)
{
    return file->path;
}
