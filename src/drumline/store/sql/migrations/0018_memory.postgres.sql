-- What members wrote into the memory of a run, and the index that finds what any memory says.

CREATE TABLE team_notes (
    team       TEXT   NOT NULL,
    run        TEXT   NOT NULL,
    number     BIGINT NOT NULL CHECK (number > 0),
    section    TEXT   NOT NULL,
    tag        TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    phase      TEXT   NOT NULL,
    author     TEXT   NOT NULL,
    written_at BIGINT NOT NULL,
    why        TEXT   NOT NULL,
    settled_by TEXT   NOT NULL,
    settled_at BIGINT,
    PRIMARY KEY (team, run, number)
) {keyed};

-- What was read when: files of a repository, and what the store itself holds. No part of the log, since all
-- of it can be read again.
CREATE TABLE recall_sources (
    team  TEXT NOT NULL,
    home  TEXT NOT NULL,
    path  TEXT NOT NULL,
    stamp TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (team, home, path)
);

-- One row for each thing that can be found. `words` are made by us, so that both engines find the same.
CREATE TABLE recall (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team    TEXT   NOT NULL,
    home    TEXT   NOT NULL,
    path    TEXT   NOT NULL,
    line    BIGINT NOT NULL,
    kind    TEXT   NOT NULL,
    member  TEXT   NOT NULL,
    heading TEXT   NOT NULL,
    day     TEXT   NOT NULL,
    name    TEXT   NOT NULL,
    text    TEXT   NOT NULL,
    words   TEXT   NOT NULL,
    lexemes TSVECTOR NOT NULL GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED
);

CREATE INDEX recall_of_source ON recall (team, home, path);

CREATE INDEX recall_words ON recall USING gin (lexemes);
