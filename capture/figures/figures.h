/* SPDX-License-Identifier: MIT */
/* The figures of a trace with the names of their subjects, and their output formats: text, JSON, CSV. */
#ifndef TXTAP_CAPTURE_FIGURES_FIGURES_H
#define TXTAP_CAPTURE_FIGURES_FIGURES_H

#include <stdio.h>

#include "base/failure.h"
#include "txtap/analysis.h"
#include "txtap/inner/figure_json.h"
#include "txtap/inner/interrupts.h"
#include "txtap/inner/finding.h"
#include "txtap/inner/flow.h"
#include "txtap/inner/why.h"
#include "txtap/inner/quantity.h"

#define FIGURE_NAME_BYTES TXTAP_CHANNEL_NAME_BYTES /* names of objects are shorter */

struct named_figure {
    struct txtap_figure figure;
    char subject[FIGURE_NAME_BYTES], other[FIGURE_NAME_BYTES]; /* unescaped names from the target; "": no name */
};

struct figures {
    struct named_figure *at; /* `count` figures */
    size_t count, capacity;
    const struct txtap_registry *registry;     /* borrowed; NULL after the target was closed */
    const struct txtap_interrupts *interrupts; /* names of interrupts; borrowed, or NULL */
    const char *about;                         /* lines "KEY VALUE" about the firmware; borrowed; NULL: not known */
    const char *firmware;   /* the firmware and its version, in a few words; borrowed; "" or NULL: not known */
    const char *trace;      /* the name of the file or the target; borrowed */
    double tick_hz;         /* 0: unknown */
    struct txtap_rate rate; /* the same rate, and how it was found */
    bool rate_recorded;     /* the rate comes from a recording */
    struct txtap_analysis_summary summary;
    uint64_t resets;   /* how often the trace restarted or moved */
    const char *lacks; /* the information that the trace lacks, in a few words; NULL: it lacks nothing */
    enum figures_histograms { FIGURES_NO_HISTOGRAMS, FIGURES_USUAL_HISTOGRAMS, FIGURES_ALL_HISTOGRAMS } histograms;
    uint64_t bucket_asked;           /* requested width of buckets, in ticks */
    char *texts;                     /* owned texts that the figures borrow; NULL: the texts are static */
    struct txtap_findings *findings; /* owned; NULL: the findings were not collected */
    struct txtap_flow *flow;         /* owned; NULL: the flow was not collected */
    const struct txtap_why *why;     /* causes of the longest jobs; borrowed; NULL: they were not collected */
};

/* Parts of commands that show more: "txtap decode OPTIONS --from 1s --to 2s FILE". They are quoted for a shell. */
struct figures_commands {
    const char *decode; /* options of txtap decode, such as "--hz 168000000 "; NULL: decode cannot read the trace */
    const char *report; /* options of txtap report; NULL: the trace cannot be read again */
    const char *input;  /* " FILE": the file or the ELF file; "": no file */
    const char *first;  /* if report is NULL: a line that says how to keep the trace */
};

/* Takes a copy of a figure. A sink's function. self: a struct figures; all 0 before the first call. TXTAP_ERROR_SYSTEM:
 * no memory. */
enum txtap_status figures_take(void *self, const struct txtap_figure *figure);
void figures_free(struct figures *figures);

/* Clears all pointers to the analysis, the registry and the definitions, so that the figures outlive them. Then the
 * figures are equal to the figures that figures_parse() reads from their JSON. */
void figures_detach(struct figures *figures);

/* Returns true if the figure has samples that are shown as bars. */
bool figures_has_bars(const struct figures *figures, const struct txtap_figure *figure);

/* ---- text; width: columns of the terminal, or TEXT_ENDLESS (text_table.h) ---- */

/* Prints the size of the trace, and the reasons for bounds. */
void figures_show_summary(const struct figures *figures, unsigned width, FILE *out);

/* Prints all findings. */
void figures_show_findings(const struct figures *figures, const struct figures_commands *commands, unsigned width,
                           FILE *out);

/* Returns the properties of the trace for JSON; they borrow `figures`. */
struct txtap_figure_json_head figures_head(const struct figures *figures);

/* Returns the names of subjects for findings; they borrow `figures`. */
struct txtap_finding_names figures_names(const struct figures *figures);

/* Writes the cause of a thread's longest job, or of its longest wake-up latency, which is the figure's maximum at event
 * seq: see txtap_why_text(). Returns false if the cause is unknown. */
bool figures_cause(const struct figures *figures, enum txtap_figure_id id, const struct txtap_subject *thread,
                   uint64_t seq, char text[static TXTAP_WHY_TEXT_BYTES]);

/* Prints the shares of the processor, at most ten findings, and a row for each thread, queue, mutex, semaphore, pool
 * and interrupt. Returns false if there is no memory. */
bool figures_show_overview(const struct figures *figures, const struct figures_commands *commands, unsigned width,
                           FILE *out);

/* Prints all figures of a set of sections in rank order, the worst of each kind first. Returns false if there is no
 * memory. */
bool figures_show_lists(const struct figures *figures, uint32_t sections, unsigned width, FILE *out);

/* Shows the CPU share over time. first: index of its first figure. Returns the number of its figures. */
size_t figures_show_buckets(const struct figures *figures, size_t first, FILE *out);

/* ---- JSON and CSV ---- */

/* Prints a JSON object without its closing brace, so that the caller can add members. docs/reference/report.md
 * describes the object. */
void figures_show_json(const struct figures *figures, FILE *out);

/* Writes a line of column names, then a line for each figure. */
void figures_show_csv(const struct figures *figures, FILE *out);

/* Returns true if the figure has samples. Without samples, its maximum (if any) is the largest sum within a second. */
static inline bool figures_is_spread(const struct txtap_figure *figure)
{
    return figure->stat[TXTAP_STAT_MAX].known && figure->stat[TXTAP_STAT_N].known;
}

/* Returns the name of a subject; "": it has no name. interrupts: may be NULL. */
const char *figures_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry,
                                 const struct txtap_interrupts *interrupts);

/* Returns the first figure of the subject with this identifier; NULL: there is no such figure. */
const struct txtap_figure *figures_find(const struct figures *figures, enum txtap_figure_id id,
                                        const struct txtap_subject *subject);

/* ---- a number of a figure with its unit; a text in CSV ---- */

#define QUANTITY_BYTES 48

/* Writes "213.5 us", "12 ticks", "41.2%", "7 bytes" or "7". If `tick_hz` is 0, it writes times in ticks. Returns
 * `out`. */
const char *quantity_text(char out[static QUANTITY_BYTES], double number, enum txtap_unit unit, double tick_hz);

/* Writes a number; "-" if it is unknown. Before the number, ">=" means that only a lower bound is known, "<=" that only
 * an upper bound is known, and "~" that the number lies between two bounds. tick_hz: 0: unknown. Returns out. */
char *figures_measure_text(char out[static QUANTITY_SHORT_BYTES], const struct txtap_figure *figure,
                           enum txtap_stat stat, double tick_hz);

/* Writes a number with enough digits to read exactly the same number back. otherwise: the text for a number that is not
 * finite. */
void quantity_put(FILE *out, double number, const char *otherwise);

/* Writes ,"KEY":NUMBER for JSON; the number is null if it is not finite. */
void quantity_put_member(FILE *out, const char *key, double number);

/* Writes "KEY":"TEXT" for JSON. Cuts a text of more than 1023 bytes. */
void json_put_text(FILE *out, const char *key, const char *text);

/* Writes "hold(model) filter mutex.p99": name, subject, other party, detail and statistic of a figure. statistic: "":
 * the figure has only a number. Printable. Returns out. */
char *figure_label(char *out, size_t size, const struct named_figure *named, const char *statistic);

/* Puts a text so that Markdown and HTML show the same text. Characters with a meaning in Markdown or HTML become
 * references. The dot of "www." becomes a reference, too, because GitHub would make a link of it, and so does a colon
 * that could begin a link or an emoji. */
void markdown_text(FILE *out, const char *text);

/* Writes a text in quotes; quotes in the text are doubled. */
static inline void csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

#endif
