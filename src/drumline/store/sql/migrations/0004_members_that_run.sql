-- Members that run: what is wanted of them, which process fills their place, what their turns cost.

-- What is wanted of a member; an empty host means any.
CREATE TABLE postings (
    team   TEXT   NOT NULL,
    member TEXT   NOT NULL,
    wanted TEXT   NOT NULL CHECK (wanted IN ('running', 'stopped', 'paused')),
    host   TEXT   NOT NULL,
    since  BIGINT NOT NULL,
    author TEXT   NOT NULL,
    PRIMARY KEY (team, member)
) {keyed};

CREATE TABLE lives (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    host        TEXT   NOT NULL,
    pid         BIGINT NOT NULL,
    pid_start   TEXT   NOT NULL,
    runtime     TEXT   NOT NULL,
    socket      TEXT   NOT NULL,
    session     TEXT   NOT NULL,
    account     TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('starting', 'idle', 'working', 'paused', 'stopping', 'ended')),
    why         TEXT   NOT NULL CHECK (why IN ('', 'finished', 'stopped', 'crashed', 'replaced', 'budget', 'limit')),
    lease_until BIGINT,
    started_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (team, member, incarnation),
    CHECK ((state = 'ended') = (why <> '')),
    CHECK ((state = 'ended') = (lease_until IS NULL)),
    CHECK ((state = 'ended') = (ended_at IS NOT NULL))
) {keyed};

-- One life of a member at a time, whatever a verb believed.
CREATE UNIQUE INDEX lives_open ON lives (team, member) WHERE state <> 'ended';
CREATE INDEX lives_leases ON lives (team, lease_until) WHERE state <> 'ended';

CREATE TABLE turns (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    number      BIGINT NOT NULL,
    task        BIGINT,
    run         TEXT   NOT NULL,
    prompt      TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('running', 'settled', 'failed', 'cut')),
    outcome     TEXT   NOT NULL CHECK (outcome IN ('', 'success', 'refused', 'retry', 'budget', 'interrupted', 'crashed', 'limited')),
    started_at  BIGINT NOT NULL,
    settled_at  BIGINT,
    PRIMARY KEY (team, member, incarnation, number),
    CHECK ((state = 'running') = (outcome = '')),
    CHECK ((state = 'running') = (settled_at IS NULL))
) {keyed};

CREATE UNIQUE INDEX turns_running ON turns (team, member, incarnation) WHERE state = 'running';
CREATE INDEX turns_task ON turns (team, task) WHERE state = 'running';
CREATE INDEX turns_run ON turns (team, run) WHERE state = 'running';

-- One row per reading of a runtime's meter: what it told (total_…) and what that added. The key is the
-- order of a source's readings, across turns and lives, because a resumed session's meter runs on.
CREATE TABLE charges (
    team         TEXT   NOT NULL,
    member       TEXT   NOT NULL,
    source       TEXT   NOT NULL,
    incarnation  BIGINT NOT NULL,
    turn         BIGINT NOT NULL,
    number       BIGINT NOT NULL,
    model        TEXT   NOT NULL,
    basis        TEXT   NOT NULL CHECK (basis IN ('reported', 'listed', 'unknown')),
    total_input  BIGINT NOT NULL,
    total_cached BIGINT NOT NULL,
    total_output BIGINT NOT NULL,
    total_micros BIGINT NOT NULL,
    input        BIGINT NOT NULL CHECK (input >= 0),
    cached       BIGINT NOT NULL CHECK (cached >= 0),
    output       BIGINT NOT NULL CHECK (output >= 0),
    micros       BIGINT NOT NULL CHECK (micros >= 0),
    charged_at   BIGINT NOT NULL,
    PRIMARY KEY (team, member, source, incarnation, turn, number)
) {keyed};

-- The sums of charges, kept by the transaction that charges: asking what was spent never counts.
CREATE TABLE spending (
    team    TEXT   NOT NULL,
    scope   TEXT   NOT NULL CHECK (scope IN ('member', 'task', 'run', 'part')),
    name    TEXT   NOT NULL,
    input   BIGINT NOT NULL,
    cached  BIGINT NOT NULL,
    output  BIGINT NOT NULL,
    micros  BIGINT NOT NULL,
    dearest BIGINT NOT NULL,
    PRIMARY KEY (team, scope, name)
) {keyed};

-- What exactly one process does, wherever it runs.
CREATE TABLE duties (
    team        TEXT   NOT NULL,
    duty        TEXT   NOT NULL,
    holder      TEXT   NOT NULL,
    since       BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    PRIMARY KEY (team, duty)
) {keyed};

-- Accounts that a runtime will not serve before this time.
CREATE TABLE limits (
    team    TEXT   NOT NULL,
    account TEXT   NOT NULL,
    until   BIGINT NOT NULL,
    why     TEXT   NOT NULL,
    since   BIGINT NOT NULL,
    PRIMARY KEY (team, account)
) {keyed};
