-- recall_sources --
SELECT path, stamp, digest FROM recall_sources WHERE team = :team AND home = :home;

-- recall_source --
SELECT path, stamp, digest FROM recall_sources WHERE team = :team AND home = :home AND path = :path;

-- stamp_recall --
-- Remember how something was when it was read.
INSERT INTO recall_sources (team, home, path, stamp, digest)
VALUES (:team, :home, :path, :stamp, :digest)
ON CONFLICT (team, home, path) DO UPDATE SET stamp = excluded.stamp, digest = excluded.digest;

-- forget_recall --
DELETE FROM recall WHERE team = :team AND home = :home AND path = :path;

-- forget_recall_source --
DELETE FROM recall_sources WHERE team = :team AND home = :home AND path = :path;

-- recall_held --
-- How much the store holds of what is indexed; whatever is added or settled changes a number.
SELECT (SELECT count(*) FROM handoffs WHERE team = :team) AS handoffs,
       (SELECT count(*) + count(settled_at) FROM team_notes WHERE team = :team) AS notes;

-- last_handoffs --
SELECT number, max(version) AS version FROM handoffs WHERE team = :team GROUP BY number ORDER BY number;

-- note_runs --
SELECT run, count(*) + count(settled_at) AS stamp FROM team_notes WHERE team = :team GROUP BY run ORDER BY run;
