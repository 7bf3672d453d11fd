/* SPDX-License-Identifier: MIT */
/*
 * Reads places once, from the start, one file after the other: files, standard input, and other kinds of places, which
 * are rows of a table. The first bytes of a file can be inspected in advance. A place of another kind may have several
 * files, and may be live: then a read waits for bytes that do not exist yet.
 */
#ifndef TXTAP_CAPTURE_INPUT_INPUT_H
#define TXTAP_CAPTURE_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/failure.h"

#define INPUT_HEAD_BYTES 40

#define INPUT_IDLE_US 20000

struct input;

/* A live place that has no bytes calls idle(), which returns false if the place must end. */
struct input_wait {
    bool (*idle)(void *self);
    void *self;
};

/* A kind of place. Add a row to the table in input.c. Texts of errors begin with input->name. */
struct input_kind {
    const char *prefix; /* begins the names of these places, such as "nats://"; NULL: all other names */

    /* Opens the place `name` (input->name, which may be changed to a text that the place owns), and its first file. A
     * live place sets input->live, and input->board if its files may belong to several recordings. TXTAP_ERROR_SYSTEM,
     * TXTAP_ERROR_USAGE: error has the cause, and nothing stays open. */
    enum txtap_status (*open)(struct input *input, const char *name, struct error *error);

    /* Reads like read(2). 0: the file ends; then further reads return 0, too. If bytes of a live file were lost, the
     * file ends, too: its next file begins with the head of a recording. While a live place has no bytes, it calls
     * input_idle() every INPUT_IDLE_US, and ends the file if that returns false. -1: error has the cause. */
    ssize_t (*read)(struct input *input, void *buffer, size_t length, struct error *error);

    /* Continues with the next file of the place; a live place waits for it like read(). NULL: a place is one file.
     * TXTAP_END: the place has no more files. Other statuses: see open(). */
    enum txtap_status (*next)(struct input *input, struct error *error);

    void (*close)(struct input *input);
};

struct input {
    const struct input_kind *kind;
    void *place; /* private to the kind */
    int fd;      /* of a file, or -1 */
    bool owned;
    bool live; /* the place is live: its end is not known */
    struct input_wait wait;
    uint64_t existing_bytes;  /* size of a live place's present file when it was opened first; 0: its events are new */
    const char *name;         /* name of the current file, for messages; borrowed */
    const char *const *paths; /* the `count` following places; borrowed */
    size_t count;
    bool board; /* the files may belong to several recordings, which follow each other; the caller may set it */
    uint8_t head[INPUT_HEAD_BYTES];
    size_t head_bytes, head_taken;

    /* Bytes that are read again after input_rewind(). */
    struct {
        bool keeps;        /* between input_keep_ahead() and input_rewind() */
        size_t head_taken; /* head_taken at input_keep_ahead() */
        uint8_t *bytes;    /* owned */
        size_t at, used, capacity;
    } ahead;
};

/* Opens the first file of `count` paths (at least 1); "-" is standard input. TXTAP_ERROR_SYSTEM: the first file cannot
 * be opened or read; error has the cause, and nothing stays open. Other statuses are those of the kind. */
enum txtap_status input_open(struct input *input, const char *const *paths, size_t count, struct error *error);

/* Opens one place like input_open(), but a folder is a place, too, and it is live. A live place calls wait->idle()
 * while it waits, also within this function. */
enum txtap_status input_open_live(struct input *input, const char *const *path, const struct input_wait *wait,
                                  struct error *error);
void input_close(struct input *input);

/* For a live place that waits: returns false if the place must end, because the user has asked txtap to end, or because
 * wait->idle() returned false. */
bool input_idle(const struct input *input);

/* Continues with the next file of the place, or with the next place. TXTAP_END: no more files. TXTAP_ERROR_SYSTEM: the
 * file cannot be opened or read; error has the cause. */
enum txtap_status input_next(struct input *input, struct error *error);

/* Reads like read(2), from the file's first byte on. -1: error has the cause, as in struct input_kind. */
ssize_t input_read(struct input *input, void *buffer, size_t length, struct error *error);

/*
 * Reads ahead, also in a place that can be read only once: all bytes that are read after input_keep_ahead() are kept in
 * memory, and are read again after input_rewind(). In between, input_next() must not be called, and input_read() may
 * also fail with TXTAP_ERROR_SYSTEM: no memory.
 */
void input_keep_ahead(struct input *input);
void input_rewind(struct input *input);

/*
 * Makes standard input readable again from its present place, for commands that read a trace twice: if it is no regular
 * file, reads all of it into a temporary file, which takes its place. input_restart(): the next reader begins at that
 * place. Both return TXTAP_OK, or TXTAP_ERROR_SYSTEM: standard input cannot be read, or there is no room for the file.
 */
enum txtap_status input_keep(off_t *place, struct error *error);
enum txtap_status input_restart(off_t place, struct error *error);

/*
 * Reads to the end. The caller frees *bytes, whose size is *length. `most` is the limit, in whole MiB. On failure
 * *bytes is NULL and error names the file. TXTAP_ERROR_SYSTEM: the file cannot be read. _SPACE: the file is larger than
 * `most`; `hint` is then the next step.
 */
enum txtap_status input_read_all(struct input *input, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                 struct error *error);

/* Reads the file at `path`, like input_read_all(). Here "-" is a file name. */
enum txtap_status input_read_file(const char *path, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                  struct error *error);

#endif
