-- What waits for a person's, or the lead's, word.

CREATE TABLE questions (
    team        TEXT     NOT NULL,
    number      BIGINT   NOT NULL,
    kind        TEXT     NOT NULL,
    asker       TEXT     NOT NULL,
    incarnation BIGINT,
    task        BIGINT,
    holds       SMALLINT NOT NULL,
    sameness    TEXT     NOT NULL,
    what        TEXT     NOT NULL,
    options     TEXT     NOT NULL,
    recommended TEXT     NOT NULL,
    state       TEXT     NOT NULL CHECK (state IN ('open', 'answered', 'withdrawn')),
    choice      TEXT     NOT NULL,
    words       TEXT     NOT NULL,
    answerer    TEXT,
    asked_at    BIGINT   NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (team, number),
    CHECK (holds = 0 OR task IS NOT NULL),
    CHECK ((state = 'open') = (ended_at IS NULL)),
    CHECK ((state = 'answered') = (answerer IS NOT NULL))
) {keyed};

CREATE INDEX questions_open ON questions (team, number) WHERE state = 'open';
CREATE INDEX questions_about ON questions (team, task, number) WHERE task IS NOT NULL;

-- Asked means written down: whoever comes back after a crash finds its question, and its answer.
CREATE UNIQUE INDEX questions_same ON questions (team, sameness);
