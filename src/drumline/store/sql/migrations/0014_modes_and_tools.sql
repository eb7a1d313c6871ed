-- How the lead of a run works where it is not as usual, and which tools were there and used in which phase.

CREATE TABLE run_modes (
    team TEXT NOT NULL,
    run  TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('delegate', 'single-session')),
    PRIMARY KEY (team, run)
) {keyed};

-- What a member that worked in a phase was given there.
CREATE TABLE kits (
    team    TEXT NOT NULL,
    run     TEXT NOT NULL,
    phase   TEXT NOT NULL,
    member  TEXT NOT NULL,
    tools   TEXT NOT NULL,
    servers TEXT NOT NULL,
    PRIMARY KEY (team, run, phase, member)
) {keyed};

-- Every call, those that only look too; an empty run and phase are those of calls outside of every run.
CREATE TABLE tool_uses (
    team    TEXT   NOT NULL,
    run     TEXT   NOT NULL,
    phase   TEXT   NOT NULL,
    member  TEXT   NOT NULL,
    tool    TEXT   NOT NULL,
    calls   BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    PRIMARY KEY (team, run, phase, member, tool),
    CHECK (refused BETWEEN 0 AND calls)
) {keyed};
