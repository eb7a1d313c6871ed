-- The shared context of each run: its versions, who holds which, and where work left the design.

CREATE TABLE contexts (
    team         TEXT   NOT NULL,
    run          TEXT   NOT NULL,
    version      BIGINT NOT NULL CHECK (version > 0),
    sections     TEXT   NOT NULL,
    author       TEXT   NOT NULL,
    why          TEXT   NOT NULL,
    published_at BIGINT NOT NULL,
    PRIMARY KEY (team, run, version)
) {keyed};

CREATE INDEX contexts_when ON contexts (team, published_at);

-- One row a member: what its last life that was sent something holds. 0 is no version.
CREATE TABLE holdings (
    team        TEXT   NOT NULL,
    run         TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    offered     BIGINT NOT NULL,
    held        BIGINT NOT NULL,
    applied     BIGINT NOT NULL,
    total       BIGINT NOT NULL,
    impact      TEXT   NOT NULL,
    action      TEXT   CHECK (action IN ('CONTINUE', 'PAUSE', 'NEED_CLARIFICATION')),
    needs       TEXT   CHECK (needs IN ('LOST', 'ASKED', 'STARTED')),
    offered_at  BIGINT,
    said_at     BIGINT,
    PRIMARY KEY (team, run, member),
    CHECK (held BETWEEN 0 AND offered),
    CHECK (applied BETWEEN 0 AND total),
    CHECK ((action IS NULL) = (said_at IS NULL))
) {keyed};

CREATE TABLE deviations (
    team     TEXT   NOT NULL,
    run      TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    grave    TEXT   NOT NULL CHECK (grave IN ('cosmetic', 'interface change', 'architecture change')),
    what     TEXT   NOT NULL,
    members  TEXT   NOT NULL,
    author   TEXT   NOT NULL,
    found_at BIGINT NOT NULL,
    PRIMARY KEY (team, run, number)
) {keyed};
