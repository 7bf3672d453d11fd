CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE boards (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE builds (
  id INTEGER PRIMARY KEY,
  build TEXT NOT NULL UNIQUE,
  firmware TEXT NOT NULL
);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  board_id INTEGER NOT NULL REFERENCES boards,
  build_id INTEGER REFERENCES builds,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  begun TEXT,
  begun_us INTEGER,
  ended_us INTEGER,
  observed REAL,
  tick_hz REAL,
  recording TEXT,
  number INTEGER,
  bytes INTEGER,
  complete INTEGER NOT NULL,
  events INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  lost_exact INTEGER NOT NULL,
  gaps INTEGER NOT NULL,
  resets INTEGER NOT NULL,
  triggers INTEGER,
  violations INTEGER,
  faults INTEGER,
  UNIQUE (board_id, name)
);
CREATE INDEX runs_by_time ON runs (begun_us);
CREATE TABLE figures (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  section TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  other TEXT NOT NULL,
  detail TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL,
  lower REAL,
  upper REAL,
  n REAL,
  mean REAL,
  sum REAL,
  rate REAL,
  censored INTEGER NOT NULL,
  event INTEGER
);
CREATE INDEX figures_by_run ON figures (run_id);
CREATE INDEX figures_by_name ON figures (name, subject);
CREATE TABLE percentiles (
  figure_id INTEGER NOT NULL REFERENCES figures ON DELETE CASCADE,
  stat TEXT NOT NULL,
  value REAL,
  lower REAL,
  upper REAL,
  PRIMARY KEY (figure_id, stat)
) WITHOUT ROWID;
CREATE TABLE checks (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  condition TEXT NOT NULL,
  verdict TEXT NOT NULL,
  subject TEXT NOT NULL,
  value REAL,
  unit TEXT NOT NULL,
  event INTEGER,
  text TEXT NOT NULL
);
CREATE INDEX checks_by_run ON checks (run_id);
CREATE VIEW run AS
  SELECT runs.*, boards.name AS board, builds.build, builds.firmware
  FROM runs JOIN boards ON boards.id = runs.board_id LEFT JOIN builds ON builds.id = runs.build_id;
CREATE VIEW figure AS
  SELECT run.board, run.name AS run, run.build, run.firmware, run.begun, run.begun_us, figures.*
  FROM figures JOIN run ON run.id = figures.run_id;
CREATE VIEW percentile AS
  SELECT figure.board, figure.run, figure.build, figure.firmware, figure.begun, figure.begun_us, figure.section,
    figure.name, figure.kind, figure.subject, figure.other, figure.detail, figure.unit, figure.n, percentiles.*
  FROM percentiles JOIN figure ON figure.id = percentiles.figure_id;
