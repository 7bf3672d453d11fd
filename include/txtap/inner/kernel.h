/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap and tests, which link txtap_core.
 *
 * Reads the lists of a running kernel: its threads, queues, timers and other objects. The kernel changes its lists
 * during a walk, so a walk checks every object and every list before it returns them. It reads the stacks of threads up
 * to their deepest use.
 *
 * A kernel is a row: struct txtap_kernel_ops. The row has the names of variables and of members of structs. The caller
 * finds their places in the firmware's ELF file and passes these places as a struct txtap_kernel_layout.
 *
 *     txtap_kernel_init(kernel, ops, layout, memory);
 *     for each walk:
 *         txtap_kernel_begin(kernel, classes);
 *         while ((count = txtap_kernel_plan(kernel, &reads)) > 0)
 *             do the reads in their order; txtap_kernel_commit(kernel, failed);
 *         txtap_kernel_objects(), txtap_kernel_list()
 */
#ifndef TXTAP_INNER_KERNEL_H
#define TXTAP_INNER_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"
#include "txtap/registry.h"
#include "txtap/source.h"
#include "txtap/status.h"

/* The classes of objects are the first types of enum txtap_object_type. A set of classes has bit 1 << type. */
#define TXTAP_KERNEL_CLASSES (TXTAP_OBJECT_BYTE_POOL + 1)
#define TXTAP_KERNEL_THREADS (1u << TXTAP_OBJECT_THREAD)
#define TXTAP_KERNEL_ALL     ((1u << TXTAP_KERNEL_CLASSES) - 2u)

/* The values of an object. A class has the values that its columns name. The values after KERNEL_COLUMNS are used only
 * during the walk. */
enum txtap_kernel_value {
    /* of a thread */
    KERNEL_STATE,        /* number of a state: txtap_kernel_state_name() */
    KERNEL_WAITS_FOR,    /* address of the object that the thread waits for */
    KERNEL_TIMEOUT,      /* kernel ticks until the thread continues without the object, or until its sleep ends */
    KERNEL_PRIORITY,     /* present priority */
    KERNEL_OWN_PRIORITY, /* priority without inheritance */
    KERNEL_THRESHOLD,    /* preemption threshold */
    KERNEL_RUNS,         /* number of times that the scheduler started the thread; wraps at 2^32 */
    KERNEL_SLICE,        /* ticks of its time slice; 0: no time slice */
    KERNEL_ENTRY,        /* address of its entry function */
    KERNEL_STACK_START,  /* lowest address of its stack */
    KERNEL_STACK_SIZE,   /* bytes */
    KERNEL_STACK_USED,   /* bytes in use now; unknown while the thread runs */
    KERNEL_STACK_PEAK,   /* bytes used at most since the thread was created */
    KERNEL_STACK_FREE,   /* bytes that were never used */
    /* of other objects */
    KERNEL_WAITERS,       /* number of threads that wait for the object */
    KERNEL_EXPIRES,       /* timer: kernel ticks until it expires; unknown if it is not active */
    KERNEL_PERIOD,        /* timer: ticks between expirations; 0: the timer expires once */
    KERNEL_FUNCTION,      /* timer: address of its expiration function */
    KERNEL_MESSAGES,      /* queue: messages in it */
    KERNEL_CAPACITY,      /* queue: messages that it can hold */
    KERNEL_MESSAGE_WORDS, /* queue: size of a message in 32-bit words */
    KERNEL_COUNT,         /* semaphore: its count */
    KERNEL_OWNER,         /* mutex: address of the thread that owns it; 0: nobody owns it */
    KERNEL_HOLDS,         /* mutex: how often its owner has taken it */
    KERNEL_INHERITS,      /* mutex: 1 if the owner inherits the priority of a waiting thread */
    KERNEL_FLAGS,         /* event flags: the flags that are set */
    KERNEL_BLOCKS_FREE,   /* block pool */
    KERNEL_BLOCKS,        /* block pool: number of blocks */
    KERNEL_BLOCK_BYTES,   /* block pool: bytes of a block */
    KERNEL_BYTES_FREE,    /* byte pool */
    KERNEL_BYTES,         /* byte pool: its size */
    KERNEL_FRAGMENTS,     /* byte pool: number of fragments, both free and in use */
    KERNEL_COLUMNS,

    KERNEL_ID = KERNEL_COLUMNS, /* a constant that marks a valid object */
    KERNEL_NEXT,                /* address of the next object of the list */
    KERNEL_PREVIOUS,
    KERNEL_NAME,          /* address of its name */
    KERNEL_STACK_POINTER, /* saved stack pointer */
    KERNEL_STACK_FILL,    /* the word that fills an unused stack */
    KERNEL_TIMER_LIST,    /* address of the head of the timer list that contains the timer; 0: not active */
    KERNEL_TIMER_TICKS,   /* remaining ticks */
    KERNEL_PRIVATE,       /* first of the values that a kernel's row defines for itself */
    KERNEL_VALUES = KERNEL_PRIVATE + 8,
};
_Static_assert(KERNEL_VALUES <= 64, "a 64-bit set has a bit for each value");

enum txtap_kernel_format {
    KERNEL_NUMBER,
    KERNEL_INTEGER, /* may be negative */
    KERNEL_SIZE,    /* bytes */
    KERNEL_TICKS,   /* ticks of the kernel's clock */
    KERNEL_YES_NO,
    KERNEL_BITS, /* shown in hexadecimal */
    KERNEL_STATE_NAME,
    KERNEL_OBJECT, /* address of an object */
    KERNEL_CODE,   /* address of a function */
    KERNEL_ADDRESS,
};

struct txtap_kernel_column {
    enum txtap_kernel_value value;
    enum txtap_kernel_format format;
    const char *key;  /* member of JSON: "stack_size" */
    const char *head; /* head of a column of text; NULL: only JSON shows the value */
    uint8_t drop; /* 0: text always shows the column; in a narrow text, the column with the largest number goes first */
};

/* Returns the columns of a class, in the order in which they are shown. */
const struct txtap_kernel_column *txtap_kernel_columns(uint8_t type, size_t *count);

/* One object. A value is valid only if its bit is set in `known`. */
struct txtap_kernel_object {
    uint32_t address;
    uint8_t type;                       /* enum txtap_object_type */
    bool running;                       /* the thread that the kernel has chosen to run */
    bool peak_at_least;                 /* KERNEL_STACK_PEAK may be larger: the stack is not completely read yet */
    char name[TXTAP_OBJECT_NAME_BYTES]; /* bytes of the target, NUL-terminated: escape them; "": no name is known */
    uint64_t known;                     /* bit 1 << value */
    uint32_t values[KERNEL_VALUES];
};

static inline bool txtap_kernel_knows(const struct txtap_kernel_object *object, enum txtap_kernel_value value)
{
    return (object->known >> value & 1u) != 0;
}

/* One list of the kernel, after a walk. */
struct txtap_kernel_list {
    bool present;     /* the firmware has this list, and the walk read it */
    bool complete;    /* the walk returned all objects, and they were on the list together */
    bool too_long;    /* the list has more objects than a walk can return */
    bool counted;     /* the kernel counts the objects of the list: `created` is valid */
    uint32_t created; /* number of objects according to the kernel */
    uint32_t found;   /* number of objects that the walk returned */
};

/* ---- rows ---- */

/* How a variable is used. */
enum txtap_kernel_role {
    KERNEL_LIST_HEAD,  /* type: the class */
    KERNEL_LIST_COUNT, /* type: the class */
    KERNEL_CURRENT,    /* thread that runs; several words, or several symbols, for several cores */
    KERNEL_WORD,       /* number: index of a word for the row's conclude() */
};

struct txtap_kernel_symbol {
    const char *name;
    const char *structure, *member; /* the variable is a struct: its type, and the path of the member; or NULL */
    enum txtap_kernel_role role;
    uint8_t type;   /* enum txtap_object_type, for lists */
    uint8_t number; /* for KERNEL_WORD */
};

#define KERNEL_REQUIRED 1u /* without this member the class cannot be read */
#define KERNEL_IDENTITY 2u /* the member is set once, when the object is created */
#define KERNEL_TEXT     4u /* the member is an array of characters: the name */
#define KERNEL_SIGNED   8u /* the member is a number that may be negative */

#define KERNEL_NOWHERE UINT16_MAX

struct txtap_kernel_member {
    uint8_t type;  /* the class */
    uint8_t value; /* enum txtap_kernel_value; not for KERNEL_TEXT */
    uint8_t flags;
    uint16_t usual;        /* offset in a release without options for 32-bit Arm; KERNEL_NOWHERE: no such offset */
    const char *structure; /* name of the struct in DWARF */
    const char *member;    /* path: "thread.timer.list[0].head" */
};

#define KERNEL_SYMBOLS_MAX 32
#define KERNEL_MEMBERS_MAX 96
#define KERNEL_WORDS_MAX   8
#define KERNEL_CORES_MAX   8

struct txtap_kernel;

/* An option with which the kernel was compiled. */
struct txtap_kernel_option {
    uint8_t bit; /* of the word of options */
    const char *name;
};

struct txtap_kernel_ops {
    const char *name;           /* "ThreadX" */
    const char *mark_symbol;    /* a symbol that only firmware with this kernel has */
    const char *version_symbol; /* text of the kernel's version, which the firmware's file contains; or NULL */
    const char *lists_option;   /* the option without which the kernel has no lists; NULL: it always has them */
    const struct txtap_kernel_symbol *symbols;
    size_t symbol_count;
    const struct txtap_kernel_member *members;
    size_t member_count;
    uint32_t ids[TXTAP_KERNEL_CLASSES]; /* KERNEL_ID of valid objects; 0: objects have no such constant */
    uint32_t fill;                      /* the word that fills an unused stack */
    const char *fill_option; /* how to compile the kernel so that it fills its stacks: "without SOME_OPTION" */
    uint32_t guard;          /* the word that the kernel may write at the lowest address of a stack; 0: no such word */
    const char *const *states; /* names of KERNEL_STATE; NULL ends the list */
    /* The kernel saves r4 to r11 of a thread in its object, in the words before the stack pointer, on a Cortex-M;
     * false: on the thread's stack. */
    bool saves_in_object;
    bool circular; /* a list has a count, and its last object points to the first; otherwise the last points to 0 */
    uint8_t options_word;                      /* number of the word of `options` */
    const struct txtap_kernel_option *options; /* option_count rows */
    size_t option_count;
    /* Returns false while the firmware has not started the kernel. May be NULL. */
    bool (*is_started)(const struct txtap_kernel *kernel);
    /* Sets values that no member contains. Called for each object of a finished walk. */
    void (*conclude)(const struct txtap_kernel *kernel, struct txtap_kernel_object *object);
};

extern const struct txtap_kernel_ops txtap_kernel_threadx, txtap_kernel_zephyr;

/* All rows; NULL ends the table. */
extern const struct txtap_kernel_ops *const txtap_kernels[];

/* Returns the name of a state: "ready"; NULL: the number is not a state. */
const char *txtap_kernel_state_name(const struct txtap_kernel_ops *ops, uint32_t state);

/* ---- layout: where the firmware has the variables and members of the row ---- */

struct txtap_kernel_place {
    uint32_t at;    /* symbol: address, a multiple of 4; member: offset in the object */
    uint32_t bytes; /* 0: the firmware has no such variable or member. Otherwise 1, 2, 4, or the size of an array */
};

struct txtap_kernel_layout {
    enum txtap_endian endian;
    struct txtap_kernel_place symbols[KERNEL_SYMBOLS_MAX]; /* in the order of ops->symbols */
    struct txtap_kernel_place members[KERNEL_MEMBERS_MAX]; /* in the order of ops->members */
};

/* Fills in the offsets of a release without options. Only the identifiers in memory can prove that they are right. */
void txtap_kernel_usual_members(const struct txtap_kernel_ops *ops, struct txtap_kernel_layout *layout);

/* Returns the address of the saved registers r4 to r11 of a thread at the address `thread`; 0: they are on its stack.
 */
uint32_t txtap_kernel_saved_at(const struct txtap_kernel_ops *ops, const struct txtap_kernel_layout *layout,
                               uint32_t thread);

/* ---- walk ---- */

struct txtap_kernel_memory {
    /* Returns true if `bytes` bytes at `address` may be read: they are memory, not registers of a peripheral. */
    bool (*permits)(void *self, uint32_t address, uint32_t bytes);
    /* Returns memory that does not change while the firmware runs, from the firmware's file, and sets *bytes to its
     * length from `address` on, at most TXTAP_OBJECT_NAME_BYTES. A name in such memory is read once; the file's bytes
     * are used only if the target refuses to read it. NULL: not such memory. The function may be NULL. */
    const uint8_t *(*constant)(void *self, uint32_t address, uint32_t *bytes);
    void *self;
};

/* Bytes of a struct txtap_kernel, which the caller allocates. */
size_t txtap_kernel_bytes(void);

/*
 * Starts without objects. ops, memory.self: borrowed. layout: copied. TXTAP_ERROR_FORMAT: the layout has no list that
 * can be read.
 */
enum txtap_status txtap_kernel_init(struct txtap_kernel *kernel, const struct txtap_kernel_ops *ops,
                                    const struct txtap_kernel_layout *layout, struct txtap_kernel_memory memory);

/* Begins a walk over the lists of `classes`. stack_bytes: how many bytes of stacks this walk may read. Objects of other
 * classes stay as they are. */
void txtap_kernel_begin(struct txtap_kernel *kernel, unsigned classes, uint32_t stack_bytes);

/*
 * Plans the next reads. Returns their number; 0: the walk is finished. The reads must be done in their order, and in
 * one exchange if the source allows it. They are valid until the commit.
 */
size_t txtap_kernel_plan(struct txtap_kernel *kernel, const struct txtap_read **reads);

/* Takes the result of the reads. failed[i]: the target refused read i; NULL: it refused no read. */
void txtap_kernel_commit(struct txtap_kernel *kernel, const bool *failed);

/* Returns the objects of the last walk, sorted by class, and in a class by their order on the list. Valid until the
 * next walk has finished. */
const struct txtap_kernel_object *txtap_kernel_objects(const struct txtap_kernel *kernel, size_t *count);

/* Returns the object with this address; NULL: there is no such object. */
const struct txtap_kernel_object *txtap_kernel_find(const struct txtap_kernel *kernel, uint32_t address);

struct txtap_kernel_list txtap_kernel_list(const struct txtap_kernel *kernel, uint8_t type);

/* Returns a word of the last walk. False: the firmware has no such variable, or the target refused to read it. */
bool txtap_kernel_word(const struct txtap_kernel *kernel, uint8_t number, uint32_t *word);

/* Returns true if at least one stack contains the fill word: then the firmware fills its stacks. */
bool txtap_kernel_fills_stacks(const struct txtap_kernel *kernel);

#endif
