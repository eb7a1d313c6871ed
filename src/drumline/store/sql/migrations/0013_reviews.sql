-- What was done for the tasks of runs, and what others than its authors said of it.

-- One row per task that is done: whose hands its work went through, and what of it is delivered.
CREATE TABLE works (
    team     TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    run      TEXT   NOT NULL,
    phase    TEXT   NOT NULL,
    authors  TEXT   NOT NULL,
    version  TEXT   NOT NULL,
    base     TEXT   NOT NULL,
    merged   TEXT   NOT NULL,
    via      TEXT   NOT NULL,
    done_at  BIGINT NOT NULL,
    PRIMARY KEY (team, number)
) {keyed};

CREATE INDEX works_of_run ON works (team, run, number);

-- A verdict counts for one version of the work: another version is judged again.
CREATE TABLE reviews (
    team     TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    step     TEXT   NOT NULL CHECK (step IN ('review', 'audit')),
    version  TEXT   NOT NULL,
    run      TEXT   NOT NULL,
    author   TEXT   NOT NULL,
    word     TEXT   NOT NULL CHECK (word IN ('approve', 'changes wanted')),
    summary  TEXT   NOT NULL,
    flaws    TEXT   NOT NULL,
    occasion TEXT   NOT NULL,
    said_at  BIGINT NOT NULL,
    PRIMARY KEY (team, number, step, version)
) {keyed};

CREATE INDEX reviews_of_run ON reviews (team, run, number);
