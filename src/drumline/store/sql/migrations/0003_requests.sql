-- What was asked of the lead.

CREATE TABLE requests (
    team          TEXT   NOT NULL,
    number        BIGINT NOT NULL,
    requester     TEXT   NOT NULL,
    what          TEXT   NOT NULL,
    constraint_id TEXT   NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('filed', 'taken', 'done', 'failed', 'declined')),
    taker         TEXT,
    incarnation   BIGINT,
    fence         BIGINT NOT NULL,
    result        TEXT   NOT NULL,
    filed_at      BIGINT NOT NULL,
    taken_at      BIGINT,
    lease_until   BIGINT,
    ended_at      BIGINT,
    PRIMARY KEY (team, number),
    CHECK ((state = 'filed') = (taker IS NULL)),
    CHECK ((state = 'taken') = (lease_until IS NOT NULL)),
    CHECK ((state IN ('filed', 'taken')) = (ended_at IS NULL))
) {keyed};

CREATE INDEX requests_open ON requests (team, number) WHERE state IN ('filed', 'taken');

-- One at a time, whatever a verb believed.
CREATE UNIQUE INDEX requests_taken ON requests (team) WHERE state = 'taken';
