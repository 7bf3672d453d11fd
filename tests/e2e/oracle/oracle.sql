-- SPDX-License-Identifier: MIT
-- Computes the figures of 'txtap report' again, from the events alone, by window functions. Uses nothing from txtap except its
-- decoder. For sqlite3, in a folder with events.jsonl ('decode --format jsonl') and report.json ('report --format json') of a
-- trace without a gap. Prints the figures that differ (name, subject, detail, statistic, right, reported), and the number of
-- compared figures.

CREATE TABLE line (json TEXT);
.mode ascii
.separator "\037" "\n"
.import events.jsonl line

CREATE TABLE object AS
SELECT json ->> 'name' AS name, json ->> 'pointer' AS address FROM line
WHERE json ->> 'type' = 'object' AND json ->> 'object' = 'thread';

-- Name and address of each thread that runs or is interrupted. The decoder shows a thread without a name as its address.
CREATE TABLE address AS SELECT name, address FROM object
UNION SELECT printf('0x%08x', address), address
FROM (SELECT json ->> '$.info[0]' AS address FROM line UNION SELECT address FROM object) WHERE address > 0;
CREATE UNIQUE INDEX address_of ON address (name);

-- n: of the core's events. id 1 resume, 2 suspend, 3 and 4 interrupt entered and left, 5 time slice, 100 create, 109 relinquish
CREATE TABLE event (g INTEGER PRIMARY KEY, core INT, n INT, t INT, context TEXT, thread INT, id INT,
    i1 INT, i2 INT, i3 INT, i4 INT);
INSERT INTO event
SELECT row_number() OVER (ORDER BY seq), core, row_number() OVER (PARTITION BY core ORDER BY seq), t, context,
    (SELECT address.address FROM address WHERE address.name = event.name), id, i1, i2, i3, i4
FROM (SELECT json ->> 'seq' AS seq, coalesce(json ->> 'core', 0) AS core, json ->> 'ticks' AS t, json ->> 'context' AS context,
          json ->> 'thread' AS name, json ->> 'id' AS id, json ->> '$.info[0]' AS i1, json ->> '$.info[1]' AS i2,
          json ->> '$.info[2]' AS i3, json ->> '$.info[3]' AS i4
      FROM line WHERE json ->> 'type' = 'event') AS event;

CREATE TABLE trace AS SELECT min(t) AS first, max(t) AS last, max(core) > 0 AS several, max(g) AS events FROM event;

-- ---- what each core runs from one event to the next ----

-- Each event with its core's next event (s_), its core's next event of a thread (later), and whether its core's previous event
-- was outside interrupts (after_thread).
CREATE TABLE around AS
SELECT *, lead(context) OVER core AS s_context, lead(thread) OVER core AS s_thread, lead(id) OVER core AS s_id,
    lead(t, 1, (SELECT last FROM trace)) OVER core AS s_t,
    coalesce(lag(context) OVER core IN ('thread', 'init'), false) AS after_thread,
    min(CASE context WHEN 'thread' THEN n END)
        OVER (PARTITION BY core ORDER BY n DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS later
FROM event WINDOW core AS (PARTITION BY core ORDER BY n);
CREATE UNIQUE INDEX around_of ON around (core, n);
CREATE INDEX around_thread ON around (core, context, thread, n);

-- depth: interrupts that are entered; chosen: the thread that the kernel chose last
CREATE TABLE choice (core INT, n INT, depth INT, chosen INT, PRIMARY KEY (core, n)) WITHOUT ROWID;
INSERT INTO choice
WITH RECURSIVE step AS (
    SELECT core, 0 AS n, 0 AS depth, 0 AS chosen FROM around WHERE n = 1
    UNION ALL
    SELECT e.core, e.n,
        CASE
        WHEN e.context = 'thread' THEN 0
        WHEN e.id = 3 THEN before.depth + 1
        WHEN e.id = 4 THEN max(before.depth - 1, 0)
        ELSE before.depth END,
        CASE
        WHEN e.context = 'thread' THEN CASE
            -- it suspends and continues: only its place in a list of the kernel has changed
            WHEN e.id = 2 AND e.i1 = e.thread AND e.s_context = 'thread' AND e.s_thread = e.thread
                AND (e.i2 = 14 OR NOT several) THEN e.thread
            WHEN e.id = 2 THEN e.i4
            -- it resumes a thread and continues, because preemption is off; or a third thread runs next, because the service
            -- ends with a switch
            WHEN e.id = 1 AND e.s_context = 'thread' AND (e.s_thread = e.thread OR NOT several) THEN e.s_thread
            WHEN e.id = 1 AND e.i4 != 0 THEN e.i4
            WHEN e.id = 1 THEN CASE later.thread WHEN e.i1 THEN e.i1 ELSE e.thread END
            WHEN e.id = 109 AND e.i2 != 0 THEN e.i2
            WHEN e.id = 109 THEN CASE
                WHEN later.n IS NULL OR EXISTS (
                    SELECT 1 FROM around AS b WHERE b.core = e.core AND b.n > e.n AND b.n < later.n AND b.id IN (1, 2)
                        AND b.i1 = later.thread) THEN e.thread
                ELSE later.thread END
            WHEN e.s_context = 'thread' THEN e.s_thread
            ELSE e.thread END
        WHEN e.id = 2 THEN e.i4
        WHEN e.id = 5 THEN e.i1
        WHEN e.id = 1 AND e.i4 != 0 THEN e.i4
        -- the trace does not record which of the two threads runs: take the thread whose event comes first
        WHEN e.id = 1 THEN coalesce((
            SELECT b.thread FROM around AS b WHERE b.core = e.core AND b.n > e.n AND b.context = 'thread'
                AND b.thread IN (e.i1, before.chosen) ORDER BY b.n LIMIT 1), before.chosen)
        WHEN e.context = 'isr' AND e.after_thread THEN e.thread
        ELSE before.chosen END
    FROM step AS before JOIN trace JOIN around AS e ON e.core = before.core AND e.n = before.n + 1
    LEFT JOIN around AS later ON later.core = e.core AND later.n = e.later)
SELECT * FROM step WHERE n > 0;

-- has: the context that has the core until the next event. doubt: perhaps an interrupt without enter or exit, or the initialization, has it.
CREATE TABLE walk AS
SELECT core, n, depth, CASE
    WHEN depth > 0 THEN context != 'init' AND s_context = 'thread'
    ELSE (context IN ('isr', 'idle') AND id != 4) OR (s_context IN ('isr', 'idle') AND s_id != 3)
        OR (context = 'init' AND s_context != 'init') END AS doubt, CASE
    WHEN context IN ('thread', 'init') AND s_context = 'isr' THEN s_thread -- an interrupt names the thread that it stopped
    WHEN context = 'thread' THEN chosen
    WHEN depth > 0 AND s_context = 'thread' THEN s_thread -- it was left before that, unrecorded
    WHEN depth > 0 THEN CASE context WHEN 'init' THEN -2 ELSE -1 END
    WHEN s_context IS NULL THEN chosen
    WHEN s_context = 'thread' THEN s_thread
    WHEN s_context = 'init' THEN -2
    WHEN s_context = 'isr' THEN s_thread
    ELSE chosen END AS has
FROM around JOIN choice USING (core, n);
CREATE UNIQUE INDEX walk_of ON walk (core, n);

-- occupant: the context that has the core, interrupts not counted; was: the occupant before the event. If a trace
-- begins in an interrupt that names no thread, the occupant is unknown (-3): older kernels never name a thread.
CREATE TABLE run AS
SELECT g, core, n, t, s_t, id, context, depth, doubt, has, occupant,
    lag(occupant, 1, CASE context WHEN 'init' THEN -2 ELSE coalesce(thread, -3) END)
        OVER (PARTITION BY core ORDER BY n) AS was
FROM (SELECT *, CASE WHEN part = 0 THEN CASE first WHEN 'init' THEN -2 ELSE coalesce(first_thread, -3) END
             ELSE max(CASE WHEN has != -1 THEN has END) OVER (PARTITION BY core, part) END AS occupant
      FROM (SELECT *, sum(has != -1) OVER core AS part, first_value(context) OVER core AS first,
                first_value(thread) OVER core AS first_thread
            FROM around JOIN walk USING (core, n) WINDOW core AS (PARTITION BY core ORDER BY n)));
CREATE INDEX run_has ON run (has, g);
CREATE UNIQUE INDEX run_at ON run (g);

-- ---- what each thread does ----

CREATE TABLE thread AS
SELECT thread AS thread FROM event WHERE thread > 0 UNION SELECT i1 FROM event WHERE id IN (1, 2, 100)
UNION SELECT has FROM run WHERE has > 0 UNION SELECT address FROM object;

-- The events that change or show a thread's state. A change of priority (14) is no such event.
CREATE TABLE sign AS
SELECT i1 AS thread, g, t, id, i2 AS reason, context, i4 AS next FROM event WHERE id = 100 OR (id IN (1, 2) AND i2 != 14);
INSERT INTO sign SELECT thread, 0, first, 0, NULL, NULL, NULL FROM thread, trace; -- the trace begins
CREATE INDEX sign_of ON sign (thread, g);
CREATE TABLE runs AS SELECT thread, g FROM event WHERE context = 'thread' OR g = 1 AND thread > 0
UNION ALL SELECT has, g FROM run WHERE has > 0;
CREATE INDEX runs_of ON runs (thread, g);

-- A thread's states from one sign to the next: -1 ready, -2 unknown, otherwise waiting. If the sign at the beginning
-- does not show the state, the sign at the end does. A waiting thread may have been suspended before the trace began:
-- then the end of its wait does not make it ready.
CREATE TABLE life AS
SELECT thread, g, t, s_g, s_t, id, s_id, reason, context, CASE
    WHEN id = 1 AND reason != 0 AND b_id = 0 AND next != thread AND context != 'init'
        AND (SELECT context FROM event WHERE g = 1) != 'init'
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.thread = life.thread AND runs.g < life.s_g)
        AND coalesce(s_id, 0) != 2 THEN CASE s_id WHEN 1 THEN 3 ELSE -2 END
    WHEN id = 1 THEN -1
    WHEN id = 2 THEN reason
    WHEN s_id = 2 OR EXISTS (SELECT 1 FROM runs WHERE runs.thread = life.thread AND runs.g > life.g AND runs.g < life.s_g) THEN -1
    WHEN s_id = 1 THEN s_reason
    ELSE -2 END AS state
FROM (SELECT *, lead(g, 1, (SELECT events + 1 FROM trace)) OVER thread AS s_g,
          lead(t, 1, (SELECT last FROM trace)) OVER thread AS s_t,
          lead(id) OVER thread AS s_id, lead(reason) OVER thread AS s_reason, lag(id) OVER thread AS b_id
      FROM sign WINDOW thread AS (PARTITION BY thread ORDER BY g)) AS life;
CREATE INDEX life_of ON life (thread, g);

-- The occupant of each core between two consecutive events of any cores.
CREATE TABLE slot AS
SELECT at.g, at.ticks, has, doubt, occupant
FROM (SELECT moment.g, ticks, max(run.g) OVER (PARTITION BY cores.core ORDER BY moment.g) AS run_g
      FROM (SELECT g, lead(t, 1, t) OVER (ORDER BY g) - t AS ticks FROM event) AS moment
      JOIN (SELECT DISTINCT core FROM event) AS cores
      LEFT JOIN run ON run.g = moment.g AND run.core = cores.core) AS at
JOIN run ON run.g = at.run_g WHERE at.ticks > 0;

CREATE TABLE on_core AS
SELECT thread, life.g, sum(CASE has WHEN -1 THEN 0 ELSE ticks END) AS running, sum(CASE has WHEN -1 THEN ticks ELSE 0 END) AS interrupted
FROM slot JOIN life ON life.thread = occupant AND life.g = (
    SELECT max(g) FROM life AS before WHERE before.thread = occupant AND before.g <= slot.g)
GROUP BY thread, life.g;

-- A thread leaves its core, or takes one.
CREATE TABLE switch AS
SELECT run.*, CASE
    WHEN was <= 0 THEN 'idle'
    WHEN (SELECT state FROM life WHERE thread = was AND g <= run.g ORDER BY g DESC LIMIT 1) >= 0 THEN 'waits'
    WHEN id = 109 THEN 'relinquished'
    WHEN EXISTS (SELECT 1 FROM around AS slice -- perhaps earlier in the interrupt
                 WHERE slice.core = run.core AND slice.n <= run.n AND slice.id = 5 AND slice.i1 = run.occupant AND slice.n > (
                     SELECT coalesce(max(n), 0) FROM around WHERE core = run.core AND context = 'thread' AND n <= run.n))
        THEN 'time slice'
    ELSE 'preempted' END AS way
FROM run WHERE occupant != was AND was >= 0;

-- A thread waits for a core from its resumption on, or from the moment at which another thread took its core.
CREATE TABLE wait AS
SELECT *, (SELECT min(g) FROM run WHERE has = start.thread AND run.g >= start.g) AS end_g
FROM (SELECT thread, g, t, s_g, CASE context WHEN 'init' THEN 'first_run' ELSE 'wake' END AS name FROM life WHERE id = 1
      UNION ALL
      SELECT was, g, t, (SELECT min(g) FROM life WHERE thread = was AND life.g > switch.g AND id > 0), 'displaced'
      FROM switch WHERE was > 0 AND way != 'waits') AS start;
CREATE TABLE waited AS SELECT wait.thread, name, event.t - wait.t AS ticks FROM wait JOIN event ON event.g = end_g
WHERE s_g IS NULL OR end_g < s_g;

-- ---- interrupts that record when they are entered and left ----

-- start: the event that entered the interrupt; number: the number of the interrupt that has the core
CREATE TABLE entered AS
SELECT run.*, event.i2 AS number, max(CASE run.id WHEN 3 THEN run.n END) OVER (PARTITION BY run.core, run.depth ORDER BY run.n) AS start
FROM run JOIN event USING (g);
CREATE INDEX entered_of ON entered (core, n);
CREATE TABLE interrupt AS
SELECT inner.number, entered.t - inner.t AS ticks
FROM entered JOIN entered AS before ON before.core = entered.core AND before.n = entered.n - 1
JOIN entered AS inner ON inner.core = entered.core AND inner.n = before.start
WHERE entered.id = 4 AND before.depth > 0;
CREATE TABLE interrupt_own AS
SELECT inner.number, sum(entered.s_t - entered.t) AS ticks
FROM entered JOIN entered AS inner ON inner.core = entered.core AND inner.n = entered.start
WHERE entered.depth > 0 GROUP BY inner.number;

-- ---- expected and reported figures, and their differences ----

CREATE TABLE reason AS SELECT key AS number, value AS name FROM json_each('["ready", "completed", "terminated", "suspended",
    "sleep", "queue", "semaphore", "event_flags", "block_pool", "byte_pool", "io", "file", "tcp_ip", "mutex"]');
INSERT INTO reason VALUES (-1, 'ready'), (-2, 'unknown');

CREATE TABLE expected (name TEXT, subject TEXT, detail TEXT, stat TEXT, value REAL);
INSERT INTO expected SELECT 'window', '', '', 'value', last - first FROM trace;
INSERT INTO expected SELECT CASE WHEN has > 0 THEN 'load' ELSE 'idle' END || '_ticks', '', '', 'value', sum(s_t - t) FROM run
    WHERE has >= 0 GROUP BY has > 0;
INSERT INTO expected SELECT 'interrupts_ticks', '', '', 'value', sum(s_t - t) FROM run WHERE has = -1;
INSERT INTO expected SELECT 'init_ticks', '', '', 'value', sum(s_t - t) FROM run WHERE has = -2;
UPDATE expected SET value = (SELECT sum(s_t - t) FROM run WHERE has != 0) WHERE name = 'load_ticks';
INSERT INTO expected SELECT 'cpu_ticks', thread, '', 'value', sum(running) FROM on_core GROUP BY thread;
INSERT INTO expected SELECT 'idle_ticks', '', '', 'value.lower', sum(s_t - t) FROM run WHERE has = 0 AND NOT coalesce(doubt, 0);
INSERT INTO expected SELECT 'interrupts_ticks', '', '', 'value.lower', sum(s_t - t) FROM run
    WHERE has = -1 AND NOT coalesce(doubt, 0);
INSERT INTO expected SELECT 'cpu_ticks', has, '', 'value.lower', sum(ticks) FROM slot WHERE has > 0 AND NOT coalesce(doubt, 0)
    GROUP BY has;
-- with several cores the bounds follow from more rules than these
DELETE FROM expected WHERE stat = 'value.lower' AND (SELECT several FROM trace);
INSERT INTO expected SELECT 'time_ticks', thread, 'running', 'value', sum(running) FROM on_core GROUP BY thread;
INSERT INTO expected SELECT 'time_ticks', thread, 'interrupted', 'value', sum(interrupted) FROM on_core GROUP BY thread;
INSERT INTO expected
    SELECT 'time_ticks', thread, reason.name, 'value', sum(life.s_t - life.t - coalesce(running + interrupted, 0))
    FROM life LEFT JOIN on_core USING (thread, g) JOIN reason ON reason.number = state GROUP BY thread, reason.name;
INSERT INTO expected SELECT 'block', thread, reason.name, 'n', count(*) FROM life JOIN reason ON number = state
    WHERE id = 2 AND s_id = 1 GROUP BY thread, state;
INSERT INTO expected SELECT 'block', thread, reason.name, 'sum', sum(s_t - t) FROM life JOIN reason ON number = state
    WHERE id = 2 AND s_id = 1 GROUP BY thread, state;
INSERT INTO expected SELECT name, thread, '', 'n', count(*) FROM waited WHERE name != 'displaced' GROUP BY name, thread;
INSERT INTO expected SELECT name, thread, '', 'sum', sum(ticks) FROM waited WHERE name != 'displaced' GROUP BY name, thread;
INSERT INTO expected SELECT name, thread, '', 'max', max(ticks) FROM waited WHERE name != 'displaced' GROUP BY name, thread;
INSERT INTO expected SELECT 'ready', thread, '', 'n', count(*) FROM waited GROUP BY thread;
INSERT INTO expected SELECT 'ready', thread, '', 'sum', sum(ticks) FROM waited GROUP BY thread;
INSERT INTO expected SELECT 'switches', '', '', 'value', count(*) FROM switch;
INSERT INTO expected SELECT 'preemptions', '', '', 'value', sum(way = 'preempted') FROM switch;
INSERT INTO expected SELECT 'time_slices', '', '', 'value', sum(id = 5) FROM event;
INSERT INTO expected SELECT 'time_slice_switches', '', '', 'value', sum(way = 'time slice') FROM switch;
INSERT INTO expected SELECT 'relinquish_switches', '', '', 'value', sum(way = 'relinquished') FROM switch;
INSERT INTO expected SELECT 'preempted', was, '', 'value', sum(way = 'preempted') FROM switch WHERE was > 0 GROUP BY was;
INSERT INTO expected SELECT 'suspended', i1, '', 'value', count(*) FROM event WHERE id = 2 GROUP BY i1;
INSERT INTO expected SELECT 'resumed', i1, '', 'value', count(*) FROM event WHERE id = 1 GROUP BY i1;
INSERT INTO expected SELECT 'isr', number, '', 'n', count(*) FROM interrupt GROUP BY number;
INSERT INTO expected SELECT 'isr', number, '', 'sum', sum(ticks) FROM interrupt GROUP BY number;
INSERT INTO expected SELECT 'isr_load_ticks', number, '', 'value', ticks FROM interrupt_own;

CREATE TABLE reported AS
SELECT name, subject, coalesce(detail, '') AS detail, stat.key || part.suffix AS stat, sum(stat.value ->> part.key) AS value
FROM (SELECT '' AS suffix, 'value' AS key UNION SELECT '.lower', 'lower') AS part JOIN (
      SELECT value ->> 'name' AS name, value ->> 'detail' AS detail, value -> 'stats' AS stats,
          coalesce((SELECT address.address FROM address WHERE address.name = value ->> '$.subject.address'),
                   value ->> '$.subject.number', '') || '' AS subject
      FROM json_each(readfile('report.json'), '$.figures')), json_each(stats) AS stat
GROUP BY 1, 2, 3, 4;

CREATE TABLE compared AS
SELECT name, subject, detail, stat, coalesce(expected.value, 0) AS should_be, coalesce(reported.value, 0) AS value
FROM expected FULL JOIN reported USING (name, subject, detail, stat)
WHERE (name, stat) IN (SELECT name, stat FROM expected);

.mode list
.separator " " "\n"
SELECT * FROM compared WHERE value != should_be ORDER BY name, subject, detail, stat;
SELECT count(*) || ' figures' FROM compared;
