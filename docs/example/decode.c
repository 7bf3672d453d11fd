/* SPDX-License-Identifier: MIT */
/* decode FILE.trx: prints the events of the file as lines of text. The program opens the file and provides all
 * memory: libtxtap opens nothing and allocates nothing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <txtap/txtap.h>

static uint8_t bytes[1 << 20];
static struct txtap_object objects[1024];
static struct txtap_exporter_memory memory;

static enum txtap_status print(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length && fflush(file) == 0 ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

int main(int argc, char **argv)
{
    struct txtap_exporter exporter;
    struct txtap_trace trace;
    enum txtap_status status;
    FILE *file;

    if (argc != 2)
        return fputs("usage: decode FILE\n", stderr), 2;
    file = fopen(argv[1], "rb");
    if (!file)
        return fprintf(stderr, "decode: %s: %s\n", argv[1], strerror(errno)), 1;
    status = txtap_trace_open(&trace, bytes, fread(bytes, 1, sizeof bytes, file), objects, 1024);
    if (status == TXTAP_OK)
        status = txtap_exporter_init(&exporter, "text", (struct txtap_writer){print, stdout}, &memory);
    if (status == TXTAP_OK)
        status = txtap_exporter_trace(&exporter, &trace);
    if (status != TXTAP_OK)
        fprintf(stderr, "decode: %s: %s\n", argv[1], txtap_status_text(status));
    return status != TXTAP_OK;
}
