-- Turns that ended, as hooks told it, and the sessions that people opened for members.

-- One row per event: one that comes again is known. The id is made of runtime, session, turn and hash.
CREATE TABLE settled_turns (
    team       TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    arrival    TEXT   NOT NULL,
    why        TEXT   NOT NULL,
    member     TEXT   NOT NULL,
    settled_at BIGINT NOT NULL,
    PRIMARY KEY (team, id),
    CHECK (why <> 'woke' OR member <> '')
) {keyed};

-- A session of an agent CLI that a person opened for a member; good for one incarnation of it.
CREATE TABLE sittings (
    team        TEXT   NOT NULL,
    session     TEXT   NOT NULL,
    runtime     TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    cwd         TEXT   NOT NULL,
    author      TEXT   NOT NULL,
    since       BIGINT NOT NULL,
    PRIMARY KEY (team, session)
) {keyed};

CREATE INDEX lives_session ON lives (team, session) WHERE session <> '';
