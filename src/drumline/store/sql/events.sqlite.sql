-- add_event --
INSERT INTO events (team, at, actor, verb, subject, changes)
VALUES (:team, :now, :actor, :verb, :subject, :changes);

-- add_events --
-- Many events of one transaction, in their order.
INSERT INTO events (team, at, actor, verb, subject, changes) VALUES (?, ?, ?, ?, ?, ?);

-- events_after --
-- One writer at a time: numbers are handed out in the order of commit.
SELECT *, CAST(seq AS TEXT) AS cursor FROM events
 WHERE team = :team AND seq > CAST(:seq AS BIGINT)
 ORDER BY seq LIMIT :most;

-- verbs_after --
-- The same for who only asks what kind of thing happened.
SELECT verb, CAST(seq AS TEXT) AS cursor FROM events
 WHERE team = :team AND seq > CAST(:seq AS BIGINT)
 ORDER BY seq LIMIT :most;

-- rebase_tail --
SELECT 1 AS nothing_to_do;

-- last_events --
SELECT *, CAST(seq AS TEXT) AS cursor FROM events WHERE team = :team ORDER BY seq DESC LIMIT :most;

-- newest_event --
SELECT *, '' AS cursor FROM events WHERE team = :team ORDER BY seq DESC LIMIT 1;
