-- A team, who is on it, and what there is to do.
-- Times are microseconds since 1970 (UTC), lists and values are JSON text, flags are 0 or 1:
-- both engines then hold the same bytes, and an event's after-image is the row itself.
-- {keyed}: on SQLite the table is its own key's index, so that a row is one page instead of two.

CREATE TABLE teams (
    team         TEXT   NOT NULL PRIMARY KEY,
    constitution TEXT   NOT NULL,
    settings     TEXT   NOT NULL,
    created_at   BIGINT NOT NULL
) {keyed};

-- The repositories that work on a team's board: where each was last seen, whom its manifest names,
-- and which manifest that was.
CREATE TABLE homes (
    team      TEXT   NOT NULL,
    home      TEXT   NOT NULL,
    place     TEXT   NOT NULL,
    members   TEXT   NOT NULL,
    digest    TEXT   NOT NULL,
    joined_at BIGINT NOT NULL,
    PRIMARY KEY (team, home)
) {keyed};

CREATE TABLE counters (
    team  TEXT   NOT NULL,
    name  TEXT   NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (team, name)
) {keyed};

CREATE TABLE members (
    team        TEXT     NOT NULL,
    name        TEXT     NOT NULL,
    lead        SMALLINT NOT NULL,
    profile     TEXT     NOT NULL,
    runtime     TEXT     NOT NULL,
    model       TEXT     NOT NULL,
    active      SMALLINT NOT NULL,
    incarnation BIGINT   NOT NULL,
    settled_at  BIGINT,
    PRIMARY KEY (team, name)
) {keyed};

CREATE TABLE tasks (
    team        TEXT     NOT NULL,
    number      BIGINT   NOT NULL,
    title       TEXT     NOT NULL,
    state       TEXT     NOT NULL CHECK (state IN ('pending', 'in_progress', 'completed', 'failed', 'cancelled')),
    priority    BIGINT   NOT NULL,
    profile     TEXT     NOT NULL,
    files       TEXT     NOT NULL,
    outputs     TEXT     NOT NULL,
    tracker     TEXT     NOT NULL,
    run         TEXT     NOT NULL,
    permanent   SMALLINT NOT NULL,
    waits       BIGINT   NOT NULL CHECK (waits >= 0),
    waited_by   BIGINT   NOT NULL CHECK (waited_by >= 0),
    owner       TEXT,
    incarnation BIGINT,
    fence       BIGINT   NOT NULL,
    claimed_at  BIGINT,
    lease_until BIGINT,
    created_at  BIGINT   NOT NULL,
    updated_at  BIGINT   NOT NULL,
    PRIMARY KEY (team, number),
    CHECK ((state = 'in_progress') = (owner IS NOT NULL)),
    CHECK ((owner IS NULL) = (lease_until IS NULL))
) {keyed};

CREATE INDEX tasks_ready ON tasks (team, priority DESC, number, profile)
    WHERE state = 'pending' AND waits = 0 AND permanent = 0;
CREATE INDEX tasks_held ON tasks (team, lease_until) WHERE state = 'in_progress';
CREATE UNIQUE INDEX tasks_permanent ON tasks (team, run) WHERE permanent = 1;

-- Long words live apart, so that a claim's after-image stays small.
CREATE TABLE task_texts (
    team   TEXT   NOT NULL,
    number BIGINT NOT NULL,
    body   TEXT   NOT NULL,
    PRIMARY KEY (team, number)
) {keyed};

-- One row per field: two writers of different fields never meet.
CREATE TABLE task_metadata (
    team   TEXT   NOT NULL,
    number BIGINT NOT NULL,
    field  TEXT   NOT NULL,
    value  TEXT   NOT NULL,
    PRIMARY KEY (team, number, field)
) {keyed};

CREATE TABLE dependencies (
    team      TEXT   NOT NULL,
    number    BIGINT NOT NULL,
    waits_for BIGINT NOT NULL,
    PRIMARY KEY (team, number, waits_for)
) {keyed};

CREATE INDEX dependencies_back ON dependencies (team, waits_for);
