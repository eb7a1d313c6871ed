-- Why a life ended, in the words of whoever ended it: looked at when its member does not come back.

CREATE TABLE last_words (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    words       TEXT   NOT NULL,
    PRIMARY KEY (team, member, incarnation)
) {keyed};
