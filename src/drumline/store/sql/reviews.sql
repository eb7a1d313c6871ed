-- keep_work --
-- A task is done once; who says so again says the same.
INSERT INTO works (team, number, run, phase, authors, version, base, merged, via, done_at)
VALUES (:team, :number, :run, :phase, :authors, :version, :base, :merged, :via, :now)
ON CONFLICT (team, number) DO UPDATE
   SET authors = excluded.authors, version = excluded.version, base = excluded.base, merged = excluded.merged,
       via = excluded.via
RETURNING *;

-- works_of_run --
SELECT * FROM works {by works_of_run} WHERE team = :team AND run = :run ORDER BY number;

-- keep_review --
-- What was said of one version last: a word that does not count is followed by one that does.
INSERT INTO reviews (team, number, step, version, run, author, word, summary, flaws, occasion, said_at)
VALUES (:team, :number, :step, :version, :run, :author, :word, :summary, :flaws, :occasion, :now)
ON CONFLICT (team, number, step, version) DO UPDATE
   SET author = excluded.author, word = excluded.word, summary = excluded.summary, flaws = excluded.flaws,
       occasion = excluded.occasion, said_at = excluded.said_at
RETURNING *;

-- reviews_of_run --
SELECT * FROM reviews {by reviews_of_run} WHERE team = :team AND run = :run ORDER BY said_at, number, step DESC;

-- reviews_of_task --
SELECT * FROM reviews WHERE team = :team AND number = :number ORDER BY said_at, step DESC, version;
