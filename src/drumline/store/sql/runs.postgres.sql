-- lock_runs --
-- One move of one team's runs at a time, whoever makes it.
SELECT pg_advisory_xact_lock(hashtextextended('drumline runs ' || :team, 0)) AS held;

-- judgements_to_go_by --
-- The same as SQLite finds by their keys; without statistics no key is taken for a short way here, so all are passed.
WITH unsettled AS MATERIALIZED (
    SELECT steps.step AS kind, 'T-' || CAST(works.number AS TEXT) || '@' || substr(works.version, 1, 12) AS subject
      FROM works
      CROSS JOIN (SELECT 'review' AS step UNION ALL SELECT 'audit' AS step) AS steps
      LEFT JOIN run_tasks ON run_tasks.team = works.team AND run_tasks.number = works.number
     WHERE works.team = :team AND works.run = :run
       AND (run_tasks.key LIKE 'mends %'
            OR NOT EXISTS (SELECT 1 FROM reviews
                            WHERE reviews.team = works.team AND reviews.number = works.number
                              AND reviews.step = steps.step AND reviews.version = works.version
                              AND reviews.author NOT LIKE '%:%' AND reviews.author NOT LIKE '% %'
                              AND works.authors NOT LIKE '%"' || reviews.author || '"%'))
    UNION ALL
    SELECT kinds.kind,
           'T-' || CAST(number AS TEXT) || '/' || owner || '/' || CAST(incarnation AS TEXT) || ends.word AS subject
      FROM tasks
      CROSS JOIN (SELECT 'verify' AS kind UNION ALL SELECT 'challenge' UNION ALL SELECT 'defence'
                  UNION ALL SELECT 'approve') AS kinds
      CROSS JOIN (SELECT '' AS word UNION ALL SELECT '/answered') AS ends
     WHERE team = :team AND state = 'in_progress' AND run = :run
)
SELECT run, kind, subject, attempt, '' AS prompt, state, lead, answer, author, incarnation, tries, words, asked_at,
       ended_at
  FROM judgements
 WHERE team = :team AND run = :run
   AND (kind IN ('classify', 'plan', 'judge', 'consolidate')
        OR (kind, subject) IN (SELECT unsettled.kind, unsettled.subject FROM unsettled))
 ORDER BY asked_at, kind, subject, attempt;
