-- add_event --
INSERT INTO events (team, at, actor, verb, subject, changes)
VALUES (:team, :now, :actor, :verb, :subject, :changes);

-- add_events --
-- Many events of one transaction, in their order.
COPY events (team, at, actor, verb, subject, changes) FROM STDIN;

-- with_event --
-- A change of one task and the word about it as one statement: its own transaction, one round trip.
-- What the log says of the task is the answer too: to send twenty columns takes longer than one.
WITH changed AS (
    {statement}
), logged AS (
    INSERT INTO events (team, at, actor, verb, subject, changes)
    SELECT :team, :now, :actor, :verb, 'T-' || number,
           json_build_array(json_build_array('tasks', to_json(changed)))::text
      FROM changed
    RETURNING changes
)
SELECT changes, (SELECT CAST(pg_notify('drumline', followers.team) AS TEXT) FROM followers
                  WHERE followers.team = :team AND followers.until > :now LIMIT 1) AS told
  FROM logged;

-- rebase_tail --
-- In a store moved from another server, old transaction numbers may lie in this server's future.
UPDATE events SET tx = '0' WHERE tx >= pg_snapshot_xmax(pg_current_snapshot());

-- notify_followers --
SELECT pg_notify('drumline', :team)
 WHERE EXISTS (SELECT 1 FROM followers WHERE team = :team AND until > :now);

-- events_after --
-- Only what no open transaction can still slip in front of.
SELECT *, tx::text || ':' || seq::text AS cursor FROM events
 WHERE team = :team
   AND (tx, seq) > (CAST(:tx AS TEXT)::xid8, CAST(:seq AS BIGINT))
   AND tx < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY tx, seq LIMIT :most;

-- verbs_after --
-- The same for who only asks what kind of thing happened.
SELECT verb, tx::text || ':' || seq::text AS cursor FROM events
 WHERE team = :team
   AND (tx, seq) > (CAST(:tx AS TEXT)::xid8, CAST(:seq AS BIGINT))
   AND tx < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY tx, seq LIMIT :most;

-- last_events --
SELECT *, tx::text || ':' || seq::text AS cursor FROM events
 WHERE team = :team AND tx < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY tx DESC, seq DESC LIMIT :most;

-- newest_event --
-- For the eye only: nothing waits for it, so it need not be safe to tail.
SELECT *, '' AS cursor FROM events WHERE team = :team ORDER BY tx DESC, seq DESC LIMIT 1;

-- follow --
INSERT INTO followers (team, name, until) VALUES (:team, :name, :now + :lease)
ON CONFLICT (team, name) DO UPDATE SET until = excluded.until;

-- unfollow --
DELETE FROM followers WHERE team = :team AND (name = :name OR until <= :now);
