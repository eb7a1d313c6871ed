-- add_event --
INSERT INTO events (team, at, actor, verb, subject, changes)
VALUES (:team, :now, :actor, :verb, :subject, :changes);

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

-- last_events --
SELECT *, tx::text || ':' || seq::text AS cursor FROM events
 WHERE team = :team AND tx < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY tx DESC, seq DESC LIMIT :most;

-- follow --
INSERT INTO followers (team, name, until) VALUES (:team, :name, :now + :lease)
ON CONFLICT (team, name) DO UPDATE SET until = excluded.until;

-- unfollow --
DELETE FROM followers WHERE team = :team AND (name = :name OR until <= :now);
