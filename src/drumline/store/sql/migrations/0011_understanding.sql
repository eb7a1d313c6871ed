-- How far each life of a member has shown that it understands its task.

CREATE TABLE understandings (
    team         TEXT     NOT NULL,
    run          TEXT     NOT NULL,
    task         BIGINT   NOT NULL,
    member       TEXT     NOT NULL,
    incarnation  BIGINT   NOT NULL,
    phase        TEXT     NOT NULL,
    level        SMALLINT NOT NULL,
    plans        SMALLINT NOT NULL,
    stage        TEXT     NOT NULL CHECK (stage IN (
        'unverified', 'submitted', 'questioned', 'answered', 'reviewed', 'challenged', 'defended',
        'verified', 'planned', 'approved', 'exhausted')),
    attempt      BIGINT   NOT NULL,
    plan_attempt BIGINT   NOT NULL,
    analysis     TEXT,
    asked        TEXT     NOT NULL,
    plan         TEXT,
    why          TEXT     NOT NULL,
    rejections   TEXT     NOT NULL,
    remains      TEXT     NOT NULL,
    begun_at     BIGINT   NOT NULL,
    changed_at   BIGINT   NOT NULL,
    PRIMARY KEY (team, run, task, member, incarnation),
    CHECK (stage <> 'approved' OR plan IS NOT NULL)
) {keyed};

CREATE INDEX understandings_of_life ON understandings (team, member, incarnation, task);
