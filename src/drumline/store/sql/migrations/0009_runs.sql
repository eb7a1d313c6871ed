-- Goals on their way through a pipeline: where each is, what the lead was asked, and what was said at its gates.

CREATE TABLE runs (
    team       TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    goal       TEXT   NOT NULL,
    pipeline   TEXT   NOT NULL,
    lead       TEXT   NOT NULL,
    task       BIGINT NOT NULL,
    state      TEXT   NOT NULL CHECK (state IN ('working', 'stopped', 'delivered', 'aborted', 'reverted')),
    tier       TEXT,
    chosen     SMALLINT NOT NULL,
    phase      TEXT   NOT NULL,
    iteration  BIGINT NOT NULL,
    modules    BIGINT NOT NULL,
    domains    BIGINT NOT NULL,
    why        TEXT   NOT NULL,
    base       TEXT   NOT NULL,
    branch     TEXT   NOT NULL,
    delivered  TEXT   NOT NULL,
    starter    TEXT   NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT,
    PRIMARY KEY (team, number)
) {keyed};

CREATE INDEX runs_working ON runs (team, number) WHERE state = 'working';

CREATE TABLE run_tasks (
    team      TEXT   NOT NULL,
    number    BIGINT NOT NULL,
    run       TEXT   NOT NULL,
    phase     TEXT   NOT NULL,
    iteration BIGINT NOT NULL,
    key       TEXT   NOT NULL,
    failures  BIGINT NOT NULL,
    PRIMARY KEY (team, number)
) {keyed};

CREATE INDEX tasks_of_run ON tasks (team, run, number) WHERE run <> '';

-- Asked means written down, once for each matter: whoever comes back finds what was asked.
CREATE TABLE judgements (
    team        TEXT   NOT NULL,
    run         TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    subject     TEXT   NOT NULL,
    attempt     BIGINT NOT NULL,
    prompt      TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('asked', 'taken', 'answered', 'failed')),
    lead        TEXT   NOT NULL,
    answer      TEXT,
    author      TEXT   NOT NULL,
    incarnation BIGINT,
    tries       BIGINT NOT NULL,
    words       TEXT   NOT NULL,
    asked_at    BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (team, run, kind, subject, attempt),
    CHECK ((state = 'answered') = (answer IS NOT NULL))
) {keyed};

CREATE INDEX judgements_open ON judgements (team, lead) WHERE state IN ('asked', 'taken');

CREATE TABLE gates (
    team      TEXT   NOT NULL,
    run       TEXT   NOT NULL,
    phase     TEXT   NOT NULL,
    iteration BIGINT NOT NULL,
    state     TEXT   NOT NULL CHECK (state IN ('open', 'approved', 'iterated', 'aborted')),
    points    TEXT   NOT NULL,
    summary   TEXT   NOT NULL,
    guidance  TEXT   NOT NULL,
    author    TEXT   NOT NULL,
    opened_at BIGINT NOT NULL,
    ended_at  BIGINT,
    PRIMARY KEY (team, run, phase, iteration),
    CHECK ((state = 'open') = (ended_at IS NULL))
) {keyed};

-- What a person was asked in a run, by the occasion.
CREATE TABLE run_questions (
    team     TEXT   NOT NULL,
    run      TEXT   NOT NULL,
    occasion TEXT   NOT NULL,
    question BIGINT NOT NULL,
    PRIMARY KEY (team, run, occasion)
) {keyed};
