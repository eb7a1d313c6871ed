-- What members' learnings were good for: one row for each learning that a task of its member used.

-- how is learnt, for the task it came from, or cited, matched, restated for those that used it.
-- number is 0 and run empty where there was no task or run.
CREATE TABLE citations (
    team     TEXT   NOT NULL,
    member   TEXT   NOT NULL,
    learning TEXT   NOT NULL,
    number   BIGINT NOT NULL,
    run      TEXT   NOT NULL,
    how      TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (team, member, learning, number)
) {keyed};
