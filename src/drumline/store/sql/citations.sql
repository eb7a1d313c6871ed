-- add_citation --
-- A use of a learning, counted once for each task.
INSERT INTO citations (team, member, learning, number, run, how, at)
VALUES (:team, :member, :learning, :number, :run, :how, :now)
ON CONFLICT (team, member, learning, number) DO NOTHING
RETURNING *;

-- pass_on_citations --
-- What one learning was good for, counted for the one that says the same.
INSERT INTO citations (team, member, learning, number, run, how, at)
SELECT team, :heir, :into, number, run, how, at FROM citations
 WHERE team = :team AND member = :member AND learning = :learning
ON CONFLICT (team, member, learning, number) DO NOTHING
RETURNING *;
