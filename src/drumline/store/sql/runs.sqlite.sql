-- lock_runs --
-- The write lock of the whole store is held already.
SELECT 1 AS held;

-- judgements_to_go_by --
-- What a run is decided from, without the words it was asked in; each is found by its key, for those words are long.
-- Left out is what was answered for good: about work that somebody surely not its author has spoken of (what was
-- mended may have more authors than it says), and about the understanding of whoever holds no task any more.
WITH unsettled AS MATERIALIZED (
    SELECT steps.step AS kind, 'T-' || CAST(works.number AS TEXT) || '@' || substr(works.version, 1, 12) AS subject
      FROM works {by works_of_run}
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
      FROM tasks {by tasks_held}
      CROSS JOIN (SELECT 'verify' AS kind UNION ALL SELECT 'challenge' UNION ALL SELECT 'defence'
                  UNION ALL SELECT 'approve') AS kinds
      CROSS JOIN (SELECT '' AS word UNION ALL SELECT '/answered') AS ends
     WHERE team = :team AND state = 'in_progress' AND run = :run
)
SELECT judgements.run, judgements.kind, judgements.subject, judgements.attempt, '' AS prompt, judgements.state,
       judgements.lead, judgements.answer, judgements.author, judgements.incarnation, judgements.tries,
       judgements.words, judgements.asked_at, judgements.ended_at
  FROM judgements
 WHERE team = :team AND run = :run AND kind IN ('classify', 'plan', 'judge', 'consolidate')
UNION ALL
SELECT judgements.run, judgements.kind, judgements.subject, judgements.attempt, '' AS prompt, judgements.state,
       judgements.lead, judgements.answer, judgements.author, judgements.incarnation, judgements.tries,
       judgements.words, judgements.asked_at, judgements.ended_at
  FROM unsettled
 CROSS JOIN judgements
 WHERE judgements.team = :team AND judgements.run = :run
   AND judgements.kind = unsettled.kind AND judgements.subject = unsettled.subject
 ORDER BY asked_at, kind, subject, attempt;
