-- What is said of agent CLIs: believed once a probe showed it, in the version that it was shown of.

CREATE TABLE runtime_claims (
    team     TEXT     NOT NULL,
    number   BIGINT   NOT NULL,
    runtime  TEXT     NOT NULL,
    probe    TEXT     NOT NULL,
    says     TEXT     NOT NULL,
    author   TEXT     NOT NULL,
    made_at  BIGINT   NOT NULL,
    corrects BIGINT,
    version  TEXT     NOT NULL,
    passed   SMALLINT NOT NULL,
    detail   TEXT     NOT NULL,
    tried_at BIGINT,
    PRIMARY KEY (team, number),
    CHECK ((version = '') = (tried_at IS NULL)),
    CHECK (passed = 0 OR tried_at IS NOT NULL)
) {keyed};
