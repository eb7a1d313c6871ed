-- uses_of --
-- How often each of these learnings was used, in how many runs, and when last; learning it is no use.
SELECT learning, count(*) AS times, count(DISTINCT nullif(run, '')) AS runs, max(at) AS last
  FROM citations
 WHERE team = :team AND member = :member AND how <> 'learnt'
   AND learning IN (SELECT value FROM json_each(:learnings))
 GROUP BY learning;
