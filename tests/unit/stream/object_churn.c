/* SPDX-License-Identifier: MIT */
#include "stream/object_churn.h"

#include <stdio.h>
#include <string.h>

#include "format/value.h"
#include "stream/kernel_registry.h"

enum { EVENTS_MAX = 60000, NAME_BYTES = 32 };

/* The events for the creation, deletion and use of such an object, and the word that has its address. */
static const struct kind {
    uint8_t type;
    uint16_t create, delete, use;
    uint8_t create_word, delete_word, use_word;
    bool interrupted; /* other events may come between such an event and its effect */
    bool late;        /* registered after its create event, or not at all */
} kinds[] = {
    {TXTAP_OBJECT_THREAD, 100, 101, 104, 0, 0, 0, false, false},
    {TXTAP_OBJECT_QUEUE, 60, 61, 68, 0, 0, 0, false, false},
    {TXTAP_OBJECT_SEMAPHORE, 81, 82, 83, 0, 0, 0, false, false},
    {TXTAP_OBJECT_MUTEX, 50, 51, 56, 0, 0, 0, false, false},
    {TXTAP_OBJECT_EVENT_FLAGS, 30, 31, 36, 0, 0, 0, false, false},
    {TXTAP_OBJECT_TIMER, 124, 126, 125, 0, 0, 0, false, false},
    {TXTAP_OBJECT_BLOCK_POOL, 11, 12, 17, 0, 0, 0, false, false},
    {TXTAP_OBJECT_BYTE_POOL, 21, 22, 27, 0, 0, 0, false, false},
    {TXTAP_TRACE_OBJECT_FILE, 247, 243, 251, 1, 0, 0, true, false},
    {TXTAP_TRACE_OBJECT_UDP_SOCKET, 430, 431, 432, 1, 1, 1, true, false},
    {TXTAP_TRACE_OBJECT_MEDIA, 261, 258, 259, 0, 0, 0, true, true},
};

/* One of the objects that used an address. */
struct meaning {
    const struct kind *kind; /* NULL: of none */
    unsigned thing, generation;
};

struct truth {
    uint32_t words[8];
    struct meaning thread, object;
    unsigned word; /* with the object's address */
};

static struct {
    struct churn_settings settings;
    struct truth truth[EVENTS_MAX];
    uint32_t events, services;
    struct thing {
        const struct kind *kind;
        unsigned generation;
        bool live;
        uint32_t since; /* services */
    } things[THINGS];
    unsigned running;
    char wrong[160];
} churn;

static void name_of(char name[static 64], struct meaning meaning)
{
    unsigned thing = meaning.thing, generation = meaning.generation;

    switch (churn.settings.names) {
    case NAMES_IN_PAIRS:
        snprintf(name, 64, "thing %u #%u", thing, generation / 2);
        break;
    case NAMES_CUT:
        snprintf(name, 64, "%s %u #%u of a long name", "thing thing thing thing" + thing % 8, thing, generation);
        break;
    case NAMES_THAT_GROW:
        snprintf(name, 64, "t%u%.*s", thing, (int)(generation % 30), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        break;
    case NAMES_EMPTY:
        snprintf(name, 64, "%.*s", generation % 2 ? 63 : 0, "named");
        break;
    case NAMES_SHARED:
        snprintf(name, 64, "shared %u", generation % 3);
        break;
    case NAMES_IN_TURN:
        snprintf(name, 64, "%s %u", generation % 2 ? "ping" : "pong", thing);
        break;
    default:
        snprintf(name, 64, "thing %u #%u", thing, generation);
        break;
    }
}

/* ---- events ---- */

static struct meaning meaning_of(unsigned i)
{
    return (struct meaning){churn.things[i].kind, i, churn.things[i].generation};
}

static void write_event(uint32_t id, struct meaning object, unsigned word)
{
    struct truth *truth = &churn.truth[churn.events++];
    bool isr = txtap_trace_system_state != 0;
    uint32_t thread = thing(churn.running), info[4] = {0, 7, 8, 9};

    info[0] = 6;
    if (object.kind != NULL)
        info[word] = thing(object.thing);
    *truth = (struct truth){.words = {isr ? TXTB_THREAD_ISR : thread, isr ? thread : 0x80000000u | 5u << 16 | 5u, id,
                                      ++tick, info[0], info[1], info[2], info[3]},
                            .thread = meaning_of(churn.running),
                            .object = object,
                            .word = word};
    txtap_trace_event_insert(id, info[0], info[1], info[2], info[3], TXTAP_TRACE_CLASS_INTERNAL);
}

static void run(unsigned i)
{
    churn.running = i;
    run_thread(i, 5);
}

/* ---- objects ---- */

static void register_object(struct meaning object)
{
    char name[64];
    const char *given = name;

    name_of(name, object);
    if (name[0] == '\0' && object.thing % 2)
        given = NULL;
    if (churn.settings.kernel)
        kernel_register(object.kind->type, thing(object.thing), given, object.generation, 0);
    else
        txtap_trace_object_register(object.kind->type, &things[object.thing], given, object.generation, 0);
}

static void unregister_object(unsigned i)
{
    if (churn.settings.kernel)
        kernel_unregister(thing(i));
    else
        txtap_trace_object_unregister(&things[i]);
}

static void begin(unsigned i)
{
    struct thing *thing = &churn.things[i];

    thing->kind = &kinds[i == 0 ? 0 : chance(sizeof kinds / sizeof kinds[0])];
    thing->generation++;
    thing->live = true;
    thing->since = churn.services;
}

/* Most services lock interrupts between these two stores; those of FileX and NetX do not. (What FORMAT says about
 * create events is not done here.) */
static void let_others_write(const struct kind *kind)
{
    while (kind->interrupted && chance(3) == 0 && churn.events < EVENTS_MAX - 4)
        write_event(4096, (struct meaning){0}, 0);
}

static void create_with_event(unsigned i)
{
    struct thing *thing = &churn.things[i];

    begin(i);
    if (!thing->kind->late) {
        register_object(meaning_of(i));
        write_event(thing->kind->create, meaning_of(i), thing->kind->create_word);
        return;
    }
    write_event(thing->kind->create, meaning_of(i), thing->kind->create_word);
    let_others_write(thing->kind);
    thing->live = chance(4) != 0;
    if (thing->live)
        register_object(meaning_of(i));
}

/* ThreadX writes the event first; firmware with the recorder may do either. */
static void delete_with_event(unsigned i)
{
    struct thing *thing = &churn.things[i];
    bool event_first = churn.settings.kernel || chance(2);

    if (!event_first)
        unregister_object(i);
    write_event(thing->kind->delete, meaning_of(i), thing->kind->delete_word);
    let_others_write(thing->kind);
    if (event_first)
        unregister_object(i);
    thing->live = false;
    thing->since = churn.services;
}

static void change(unsigned i)
{
    struct thing *thing = &churn.things[i];

    if (i < churn.settings.lasting || i == churn.running ||
        churn.services - thing->since < (thing->live ? churn.settings.life : churn.settings.pause))
        return;
    if (thing->live && !(churn.settings.again && chance(2)))
        delete_with_event(i);
    if (churn.services - thing->since >= churn.settings.pause && (thing->live || chance(2)))
        create_with_event(i);
}

static void use(unsigned i)
{
    const struct thing *thing = &churn.things[i];

    if (!thing->live)
        return;
    if (thing->kind->type == TXTAP_OBJECT_THREAD && chance(2))
        run(i);
    else
        write_event(thing->kind->use, meaning_of(i), thing->kind->use_word);
}

static void write_in_interrupt(void)
{
    txtap_trace_system_state = 1;
    write_event(4096, (struct meaning){0}, 0);
    txtap_trace_system_state = 0;
}

static void serve(void)
{
    if (churn.events > EVENTS_MAX - 4)
        return;
    churn.services++;
    if (chance(1000) < churn.settings.changes)
        change(chance(churn.settings.things));
    else if (chance(4) != 0)
        use(chance(churn.settings.things));
    else if (chance(2))
        write_in_interrupt();
    else
        write_event(4096, (struct meaning){0}, 0);
}

void churn_begin(const struct churn_settings *settings)
{
    churn.settings = *settings;
    churn.events = churn.services = tick = 0;
    memset(churn.things, 0, sizeof churn.things);
    target_enable();
    kernel_registry_init(target.objects);
    for (unsigned i = 0; i < settings->things; i++)
        if (i < settings->lasting || chance(2)) {
            begin(i);
            register_object(meaning_of(i));
        }
    run(0);
    target_stop();
    target.service = serve;
}

/* ---- the truth ---- */

static const char *type_text(uint8_t type)
{
    const char *text = txtap_object_type_name(type);

    return text != NULL ? text : "?";
}

static bool check_value(const struct value *value, const struct meaning *meaning, uint64_t seq,
                        struct churn_figures *figures)
{
    char name[64];
    bool lasting = meaning->kind != NULL && meaning->thing < churn.settings.lasting;

    if (meaning->kind != NULL)
        name_of(name, *meaning);
    if (value->form != VALUE_NAME) {
        figures->addresses += meaning->kind != NULL && name[0] != '\0';
        figures->lasting_addresses += lasting && name[0] != '\0';
        return true;
    }
    if (meaning->kind != NULL && strncmp(value->text, name, NAME_BYTES - 1) == 0) {
        figures->right++;
        figures->lasting_right += lasting;
        return true;
    }
    figures->wrong++;
    snprintf(churn.wrong, sizeof churn.wrong, "event %u shows '%.40s' for the %s '%.40s'", (unsigned)seq, value->text,
             meaning->kind != NULL ? type_text(meaning->kind->type) : "number", meaning->kind != NULL ? name : "");
    return false;
}

static const struct truth *find_truth(const uint8_t *entry)
{
    uint32_t words[8];

    memcpy(words, entry, sizeof words);
    if (words[3] == 0 || words[3] > churn.events)
        return NULL;
    return memcmp(words, churn.truth[words[3] - 1].words, sizeof words) == 0 ? &churn.truth[words[3] - 1] : NULL;
}

bool churn_check(const struct txtap_header *header, const struct txtap_registry *registry, const uint8_t *entry,
                 uint64_t seq, struct churn_figures *figures)
{
    static const struct meaning none;
    const struct truth *truth = find_truth(entry);
    struct txtap_event event;
    const struct txtap_event_info *info;
    struct value value;
    bool right;

    if (truth == NULL)
        return true;
    txtap_event_parse(entry, header, &event);
    event.seq = seq;
    info = txtap_event_find(event.id, 0);
    value = value_of_thread(registry, &event);
    right = check_value(&value, &truth->thread, seq, figures);
    for (unsigned i = 0; i < 4; i++) {
        const char *label;
        const struct meaning *meaning = i == truth->word ? &truth->object : &none;

        if (value_of_word(registry, &event, info, i, &label, &value))
            right = check_value(&value, meaning, seq, figures) && right;
    }
    return right;
}

const char *churn_wrong(void)
{
    return churn.wrong;
}
