/* SPDX-License-Identifier: MIT */
#include "probe/openocd/openocd_client.h"
#include "error_line.h"

#include <criterion/criterion.h>
#include <string.h>

enum txtap_status read_words(struct tcl_source *tcl, uint32_t address, uint8_t *bytes, uint32_t length)
{
    struct txtap_source source = tcl_source_of(tcl);
    struct txtap_read read = {address, length, bytes};

    return source.ops->read(source.self, &read, 1);
}

const char *error_of(struct tcl_source *tcl)
{
    struct txtap_source source = tcl_source_of(tcl);

    return source_error_line(source);
}

void close_tcl(struct tcl_source *tcl)
{
    struct txtap_source source = tcl_source_of(tcl);

    source.ops->close(source.self);
}

struct tcl_source *open_or_fail(const char *port)
{
    struct error error;
    struct tcl_source *tcl;
    enum txtap_status status = tcl_open(&tcl, "127.0.0.1", port, NULL, TIMEOUT_MS, &error);

    cr_assert(status == TXTAP_OK, "%s", error_line(&error));
    return tcl;
}

void open_fails(const char *host, const char *port, unsigned timeout_ms, enum txtap_status expected, const char *words)
{
    struct error error = {0};
    struct tcl_source *tcl;
    enum txtap_status status = tcl_open(&tcl, host, port, NULL, timeout_ms, &error);

    cr_assert(status == expected, "status %d, not %d: %s", status, expected, error_line(&error));
    cr_assert(tcl == NULL);
    cr_assert(strstr(error_line(&error), words) != NULL, "'%s' not in: %s", words, error_line(&error));
    for (const char *c = error_line(&error); *c != '\0'; c++)
        cr_assert(*c >= ' ' && *c <= '~', "unprintable byte in: %s", error_line(&error));
}
