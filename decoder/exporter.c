/* SPDX-License-Identifier: MIT */
/* The one list of formats. The first is the default of whoever does not say which. */
#include "exporter.h"

#include <string.h>

#define FORMATS(ROW) ROW(text) ROW(jsonl)

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
    return txtap_event_find(id, profile);
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
