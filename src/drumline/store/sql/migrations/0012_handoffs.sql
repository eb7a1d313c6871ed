-- What members left for whoever goes on from their work, and whose word tasks wait for.

-- One row per call: a later version stands beside the earlier ones, in the same folder.
CREATE TABLE handoffs (
    team    TEXT   NOT NULL,
    number  BIGINT NOT NULL,
    version BIGINT NOT NULL,
    member  TEXT   NOT NULL,
    fence   BIGINT NOT NULL,
    run     TEXT   NOT NULL,
    phase   TEXT   NOT NULL,
    folder  TEXT   NOT NULL,
    said    TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (team, number, version)
) {keyed};

CREATE INDEX handoffs_folder ON handoffs (team, folder);
CREATE INDEX handoffs_run ON handoffs (team, run, member);

-- A task of a run that nobody takes before this member's handoff: counted in the task's waits.
CREATE TABLE awaits (
    team   TEXT   NOT NULL,
    number BIGINT NOT NULL,
    member TEXT   NOT NULL,
    PRIMARY KEY (team, number, member)
) {keyed};

CREATE INDEX awaits_member ON awaits (team, member);
