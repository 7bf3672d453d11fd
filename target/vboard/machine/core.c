/* SPDX-License-Identifier: MIT */
/* The debug registers of the core. */
#include "core.h"
#include "bits.h"

#define DHCSR    0xE000EDF0u
#define DCRSR    0xE000EDF4u
#define DCRDR    0xE000EDF8u
#define DEMCR    0xE000EDFCu
#define AIRCR    0xE000ED0Cu
#define CPUID    0xE000ED00u
#define SYST_CSR 0xE000E010u
#define DWT_PCSR 0xE000101Cu

#define DHCSR_KEY      0xA05F0000u
#define C_DEBUGEN      (1u << 0)
#define C_HALT         (1u << 1)
#define C_STEP         (1u << 2)
#define S_REGRDY       (1u << 16)
#define S_HALT         (1u << 17)
#define S_RETIRE_ST    (1u << 24)
#define S_RESET_ST     (1u << 25)
#define DCRSR_WRITE    (1u << 16)
#define VC_CORERESET   (1u << 0)
#define TRCENA         (1u << 24)
#define DEMCR_BITS     0x010F07F1u
#define PCSR_ASLEEP    0xFFFFFFFFu /* the core sleeps or is halted */
#define AIRCR_KEY      0x05FA0000u
#define AIRCR_KEY_READ 0xFA050000u
#define AIRCR_RESETS   0x00000005u /* SYSRESETREQ, VECTRESET */

#define CPUID_M4    0x410FC240u
#define CPUID_F405  0x410FC241u /* r0p1; QEMU's Cortex-M4 reports r0p0 */
#define DBGMCU_F405 0x10076413u

static const struct core_word debug_units[] = {
    {0xE0000E00, 0, 0xFFFFFFFF},          /* ITM_TER */
    {0xE0000E40, 0, 0xFFFFFFFF},          /* ITM_TPR */
    {0xE0000E80, 0, 0x00FFFFFF},          /* ITM_TCR */
    {0xE0001000, 0x40000000, 0x007FFFFF}, /* DWT_CTRL: four comparators */
    {0xE0001020, 0, 0xFFFFFFFF},          {0xE0001024, 0, 0x1F},       {0xE0001028, 0, 0x1FF},
    {0xE0001030, 0, 0xFFFFFFFF},          {0xE0001034, 0, 0x1F},       {0xE0001038, 0, 0x1FF},
    {0xE0001040, 0, 0xFFFFFFFF},          {0xE0001044, 0, 0x1F},       {0xE0001048, 0, 0x1FF},
    {0xE0001050, 0, 0xFFFFFFFF},          {0xE0001054, 0, 0x1F},       {0xE0001058, 0, 0x1FF},
    {0xE0002000, 0x00000260, 0x00000001}, /* FP_CTRL: six code, two literal comparators */
    {0xE0002004, 0x20000000, 0x1FFFFFE0}, /* FP_REMAP */
    {0xE0002008, 0, 0xDFFFFFFD},          {0xE000200C, 0, 0xDFFFFFFD}, {0xE0002010, 0, 0xDFFFFFFD},
    {0xE0002014, 0, 0xDFFFFFFD},          {0xE0002018, 0, 0xDFFFFFFD}, {0xE000201C, 0, 0xDFFFFFFD},
    {0xE0002020, 0, 0xDFFFFFFD},          {0xE0002024, 0, 0xDFFFFFFD}, {0xE0040004, 1, 0x0000000F}, /* TPIU_CSPSR */
    {0xE0040010, 0, 0x00001FFF},                                                                    /* TPIU_ACPR */
    {0xE00400F0, 1, 0x00000003},                                                                    /* TPIU_SPPR */
    {0xE0040304, 0x102, 0x00000102},                                                                /* TPIU_FFCR */
    {0xE000EF40, 0x10110021, 0}, /* MVFR0 of a Cortex-M4F */
    {0xE000EF44, 0x11000011, 0}, /* MVFR1 */
};

static const struct core_word stm32_words[] = {
    {0xE0042000, DBGMCU_F405, 0}, /* DBGMCU_IDCODE */
    {0xE0042004, 0, 0x000000E7},  /* DBGMCU_CR */
    {0xE0042008, 0, 0x06E01DFF},  /* DBGMCU_APB1_FZ */
    {0xE004200C, 0, 0x00070003},  /* DBGMCU_APB2_FZ */
    {0x1FFF7A10, 0x00310044, 0},  /* unique device identifier */
    {0x1FFF7A14, 0x34385114, 0},  {0x1FFF7A18, 0x30323237, 0},
};

static void add_words(struct core *core, const struct core_word *words, size_t count)
{
    for (size_t i = 0; i < count && core->words_count < CORE_WORDS_MAX; i++)
        core->words[core->words_count++] = words[i];
}

/* Returns the value of DEMCR after a write; some boards do not let a debugger change TRCENA. */
static uint32_t demcr_written(const struct core *core, uint32_t value)
{
    value &= DEMCR_BITS;
    if (core->trcena == TRCENA_FREE)
        return value;
    return core->trcena == TRCENA_ON ? value | TRCENA : value & ~TRCENA;
}

void core_init(struct core *core, struct machine *machine, bool stm32_ids, uint32_t flash_kib, enum trcena trcena)
{
    *core = (struct core){
        .machine = machine, .reset_happened = true, .stm32_ids = stm32_ids, .flash_kib = flash_kib, .trcena = trcena};
    core->demcr = demcr_written(core, 0);
    add_words(core, debug_units, sizeof debug_units / sizeof *debug_units);
    struct core_word cpuid = {CPUID, CPUID_M4, 0};
    uint8_t bytes[4];
    if (machine_read_device(machine, CPUID, 4, 1, bytes))
        cpuid.value = get_u32(bytes);
    if (cpuid.value == CPUID_M4)
        cpuid.value = CPUID_F405;
    add_words(core, &cpuid, 1);
    if (stm32_ids) {
        struct core_word flash_size = {0x1FFF7A20, flash_kib << 16, 0}; /* the size is the halfword at 0x1FFF7A22 */
        add_words(core, stm32_words, sizeof stm32_words / sizeof *stm32_words);
        add_words(core, &flash_size, 1);
    }
}

bool core_holds(const struct core *core, uint32_t address)
{
    bool identification = core->stm32_ids && address >= 0x1FFF7A10 && address < 0x1FFF7A24;
    return (address >= 0xE0000000 && address < 0xE0100000) || identification;
}

bool core_is_debug(uint32_t address)
{
    return (address >= 0xE0000000 && address < 0xE0003000) || (address >= DHCSR && address < DEMCR + 4) ||
           (address >= 0xE0040000 && address < 0xE0100000);
}

static struct core_word *find_word(struct core *core, uint32_t address)
{
    for (size_t i = 0; i < core->words_count; i++)
        if (core->words[i].address == address)
            return &core->words[i];
    return NULL;
}

static uint32_t read_dhcsr(struct core *core)
{
    uint32_t value = core->control | S_REGRDY;
    if (core->machine->stopped && !core->in_reset)
        value |= S_HALT;
    if (core->reset_happened || core->in_reset)
        value |= S_RESET_ST;
    if (core->retired || !core->machine->stopped)
        value |= S_RETIRE_ST;
    core->reset_happened = core->retired = false;
    return value;
}

/* Returns true for the firmware's own system registers (NVIC, SysTick, SCB), which QEMU implements. */
static bool is_system(uint32_t address)
{
    return address >= 0xE000E000 && address < 0xE000F000 && !core_is_debug(address);
}

static uint32_t read_system(struct core *core, uint32_t address)
{
    uint8_t bytes[4];
    /* In QEMU a debugger's read of SYST_CSR would clear the firmware's COUNTFLAG; on silicon it does not. */
    if (address == SYST_CSR || !machine_read_device(core->machine, address, 4, 1, bytes))
        return 0;
    return get_u32(bytes);
}

/* Without TRCENA, the trace units have no clock. */
static uint32_t read_pc_sample(struct core *core)
{
    uint32_t pc;
    bool asleep;
    if (!(core->demcr & TRCENA))
        return 0;
    if (core->machine->stopped || core->in_reset)
        return PCSR_ASLEEP;
    return machine_sample_pc(core->machine, &pc, &asleep) && !asleep ? pc & ~1u : PCSR_ASLEEP;
}

uint32_t core_read(struct core *core, uint32_t address)
{
    const struct core_word *word = find_word(core, address);
    switch (address) {
    case DHCSR:
        return read_dhcsr(core);
    case DCRDR:
        return core->dcrdr;
    case DEMCR:
        return core->demcr;
    case AIRCR:
        return AIRCR_KEY_READ;
    case DWT_PCSR:
        return read_pc_sample(core);
    default:
        break;
    }
    if (word)
        return word->value;
    return is_system(address) ? read_system(core, address) : 0;
}

bool core_halt(struct core *core)
{
    core->control |= C_DEBUGEN | C_HALT;
    if (core->in_reset)
        return true; /* takes effect when nRST is released */
    core->counts.halts += !core->machine->stopped;
    core->retired |= !core->machine->stopped;
    return machine_stop(core->machine);
}

bool core_run(struct core *core)
{
    core->control &= ~(C_HALT | C_STEP);
    if (core->in_reset)
        return true;
    core->counts.resumes += core->machine->stopped;
    return machine_continue(core->machine);
}

bool core_step(struct core *core)
{
    if (!core->machine->stopped || core->in_reset)
        return false;
    core->counts.steps++;
    core->retired = true;
    core->control |= C_HALT;
    return machine_step(core->machine);
}

/* Starts the core after a reset, unless the debugger has asked to halt it at its first instruction. */
static bool start_after_reset(struct core *core)
{
    core->reset_happened = true;
    bool caught = (core->control & C_DEBUGEN) && ((core->demcr & VC_CORERESET) || (core->control & C_HALT));
    if (caught)
        core->control |= C_HALT;
    else
        core->control &= ~(C_HALT | C_STEP);
    return caught || machine_continue(core->machine);
}

static bool reset_machine(struct core *core)
{
    bool stopped = machine_stop(core->machine);
    if (stopped && core->before_reset)
        core->before_reset(core->before_reset_self);
    return stopped && machine_reset(core->machine);
}

bool core_reset(struct core *core)
{
    /* Stops the machine first, so that no instruction runs before the core is halted at the reset vector. */
    bool was_running = !core->machine->stopped;
    core->counts.resets++;
    if (!reset_machine(core) || !start_after_reset(core))
        return false;
    core->counts.halts += was_running && core->machine->stopped;
    return true;
}

bool core_enter_reset(struct core *core)
{
    core->in_reset = true;
    return reset_machine(core);
}

bool core_leave_reset(struct core *core)
{
    core->in_reset = core->reset_by_debugger = false;
    return start_after_reset(core);
}

void core_power_on(struct core *core)
{
    struct core before = *core;
    core_init(core, before.machine, before.stm32_ids, before.flash_kib, before.trcena);
    core->before_reset = before.before_reset;
    core->before_reset_self = before.before_reset_self;
    core->counts = before.counts;
    core->guest_resets_known = core->machine->qmp.guest_resets_seen;
    core->in_reset = true;
}

bool core_halt_for_other(struct core *core)
{
    if (core->machine->stopped || core->in_reset)
        return false;
    core->control |= C_DEBUGEN | C_HALT;
    core->retired = true;
    return machine_stop(core->machine);
}

bool core_run_for_other(struct core *core)
{
    core->control &= ~(C_HALT | C_STEP);
    return core->in_reset || machine_continue(core->machine);
}

bool core_hold_reset(struct core *core)
{
    if (core->in_reset)
        return true;
    core->counts.resets++;
    core->reset_by_debugger = true;
    return core_enter_reset(core);
}

bool core_release_reset(struct core *core)
{
    if (!core->reset_by_debugger) /* a fault may hold the line low, and OpenOCD releases the line at start-up */
        return true;
    if (!core_leave_reset(core))
        return false;
    core->counts.halts += core->machine->stopped;
    return true;
}

bool core_read_register(struct core *core, unsigned number, uint32_t *value)
{
    return !core->in_reset && machine_read_register(core->machine, number, value);
}

bool core_write_register(struct core *core, unsigned number, uint32_t value)
{
    return !core->in_reset && machine_write_register(core->machine, number, value);
}

static bool write_dhcsr(struct core *core, uint32_t value)
{
    if ((value & 0xFFFF0000) != DHCSR_KEY)
        return true; /* the core ignores such a write */
    bool debug = value & C_DEBUGEN;
    core->control = debug ? value & 0x2F : 0;
    if (debug && (value & C_HALT))
        return core_halt(core);
    if (debug && (value & C_STEP) && core->machine->stopped && !core->in_reset)
        return core_step(core);
    return core_run(core);
}

static bool write_dcrsr(struct core *core, uint32_t value)
{
    unsigned number = value & 0x7F;
    return value & DCRSR_WRITE ? core_write_register(core, number, core->dcrdr)
                               : core_read_register(core, number, &core->dcrdr);
}

bool core_write(struct core *core, uint32_t address, uint32_t value)
{
    struct core_word *word = find_word(core, address);
    switch (address) {
    case DHCSR:
        return write_dhcsr(core, value);
    case DCRSR:
        return write_dcrsr(core, value);
    case DCRDR:
        core->dcrdr = value;
        return true;
    case DEMCR:
        core->demcr = demcr_written(core, value);
        return true;
    case AIRCR:
        return (value & 0xFFFF0000) != AIRCR_KEY || !(value & AIRCR_RESETS) || core_reset(core);
    default:
        break;
    }
    if (word)
        word->value = (word->value & ~word->writable) | (value & word->writable);
    /* NVIC, SysTick and SCB can be read, but QEMU lets only the core write them. */
    return word || !is_system(address);
}

void core_notice_resets(struct core *core)
{
    unsigned seen = core->machine->qmp.guest_resets_seen;
    if (seen == core->guest_resets_known)
        return;
    core->counts.target_resets += seen - core->guest_resets_known;
    core->guest_resets_known = seen;
    core->reset_happened = true;
}
