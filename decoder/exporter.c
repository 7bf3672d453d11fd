/* SPDX-License-Identifier: MIT */
/* The one list of formats. The first is the default of whoever does not say which. */
#include "exporter.h"

#include <string.h>

#define FORMATS(ROW) ROW(text) ROW(jsonl)

#define COLUMNS(ROW)                                                                                                   \
    ROW(seq, SEQ)                                                                                                      \
    ROW(time, TIME)                                                                                                    \
    ROW(core, CORE)                                                                                                    \
    ROW(context, CONTEXT)                                                                                              \
    ROW(thread, THREAD)                                                                                                \
    ROW(priority, PRIORITY)                                                                                            \
    ROW(threshold, THRESHOLD)                                                                                          \
    ROW(id, ID)                                                                                                        \
    ROW(event, EVENT)                                                                                                  \
    ROW(info, INFO)                                                                                                    \
    ROW(fields, FIELDS)

#define COLUMN_ROW(name, column)      {#name, TXTAP_COLUMN_##column},
#define COLUMN_NAME_ROW(name, column) ", " #name

static const struct {
    const char *name;
    unsigned column;
} columns_by_name[] = {COLUMNS(COLUMN_ROW)};
static const char column_names[] = COLUMNS(COLUMN_NAME_ROW);

#define OPS_ROW(format)  &format##_ops,
#define NAME_ROW(format) ", " #format

static const struct txtap_exporter_ops *const formats[] = {FORMATS(OPS_ROW)};
static const char names[] = FORMATS(NAME_ROW);

/* USBX's ids go up to 1033, and documentation lets user events begin at 1025: its objects tell whether it is there. */
const struct txtap_event_info *exporter_event_info(const struct txtap_exporter *self, uint32_t id)
{
    unsigned profile = self->options.profile;

    if (!self->registry->usbx)
        profile |= TXTAP_PROFILE_USER_1025;
    return txtap_definitions_event(self->definitions, id, profile);
}

const struct txtap_event_info *txtap_exporter_row(const struct txtap_exporter *exporter, uint32_t id)
{
    return exporter_event_info(exporter, id);
}

const struct txtap_exporter_ops *txtap_exporter_find(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    }
    return NULL;
}

const char *txtap_exporter_names(void)
{
    return names + strlen(", ");
}

static unsigned column_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(columns_by_name) / sizeof(columns_by_name[0]); i++) {
        if (strlen(columns_by_name[i].name) == length && memcmp(columns_by_name[i].name, name, length) == 0)
            return columns_by_name[i].column;
    }
    return 0;
}

bool txtap_columns_parse(const char *text, unsigned *columns)
{
    unsigned found = 0;

    for (;;) {
        size_t length = strcspn(text, ",");
        unsigned column = column_of(text, length);

        if (column == 0)
            return false;
        found |= column;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *columns = found;
    return true;
}

const char *txtap_columns_names(void)
{
    return column_names + strlen(", ");
}

bool exporter_shows(const struct txtap_exporter *self, unsigned by_itself, enum txtap_column column)
{
    return ((self->options.columns != 0 ? self->options.columns : by_itself) & (unsigned)column) != 0;
}
