-- add_runtime_claim --
INSERT INTO runtime_claims (team, number, runtime, probe, says, author, made_at, corrects, version, passed,
                            detail)
VALUES (:team, :number, :runtime, :probe, :says, :author, :now, CAST(:corrects AS BIGINT), '', 0, '')
RETURNING *;

-- try_runtime_claim --
-- The last trial counts, whatever came of the ones before.
UPDATE runtime_claims SET version = :version, passed = :passed, detail = :detail, tried_at = :now
 WHERE team = :team AND number = :number
RETURNING *;

-- get_runtime_claim --
SELECT * FROM runtime_claims WHERE team = :team AND number = :number;

-- list_runtime_claims --
SELECT * FROM runtime_claims WHERE team = :team ORDER BY number LIMIT :most;
