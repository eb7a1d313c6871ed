-- What members were told when they were given a task of a run, or told it anew.

CREATE TABLE directives (
    team        TEXT   NOT NULL,
    number      BIGINT NOT NULL,
    fence       BIGINT NOT NULL,
    occasion    TEXT   NOT NULL,
    run         TEXT   NOT NULL,
    phase       TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    message     BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (team, number, fence, occasion)
) {keyed};

CREATE INDEX directives_letters ON directives (team, message);
CREATE INDEX directives_run ON directives (team, run);
CREATE INDEX directives_member ON directives (team, member);
