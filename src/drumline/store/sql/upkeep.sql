-- add_migration --
INSERT INTO schema_migrations (number, name, applied_at) VALUES (:number, :name, :applied_at);

-- last_migration --
SELECT max(number) AS number FROM schema_migrations;

-- wrong_waits --
-- Tasks whose counter does not say how many blockers are unfinished, questions open and handoffs
-- awaited.
SELECT tasks.team, tasks.number, tasks.waits,
       (SELECT count(*) FROM dependencies JOIN tasks AS blocker
            ON blocker.team = dependencies.team AND blocker.number = dependencies.waits_for
         WHERE dependencies.team = tasks.team AND dependencies.number = tasks.number
           AND blocker.state <> 'completed')
       + (SELECT count(*) FROM questions {by questions_about}
           WHERE questions.team = tasks.team AND questions.task = tasks.number
             AND questions.holds = 1 AND questions.state = 'open')
       + (SELECT count(*) FROM awaits
           WHERE awaits.team = tasks.team AND awaits.number = tasks.number) AS unmet
  FROM tasks
 WHERE tasks.waits <> (
       SELECT count(*) FROM dependencies JOIN tasks AS blocker
           ON blocker.team = dependencies.team AND blocker.number = dependencies.waits_for
        WHERE dependencies.team = tasks.team AND dependencies.number = tasks.number
          AND blocker.state <> 'completed')
     + (SELECT count(*) FROM questions {by questions_about}
         WHERE questions.team = tasks.team AND questions.task = tasks.number
           AND questions.holds = 1 AND questions.state = 'open')
     + (SELECT count(*) FROM awaits
         WHERE awaits.team = tasks.team AND awaits.number = tasks.number);

-- wrong_waiters --
-- Tasks whose counter does not say how many wait for them.
SELECT tasks.team, tasks.number, tasks.waited_by,
       (SELECT count(*) FROM dependencies
         WHERE dependencies.team = tasks.team AND dependencies.waits_for = tasks.number) AS waiting
  FROM tasks
 WHERE tasks.waited_by <> (
       SELECT count(*) FROM dependencies
        WHERE dependencies.team = tasks.team AND dependencies.waits_for = tasks.number);

-- loose_ends --
-- Rows that point at something that is not there.
SELECT 'dependency of T-' || number || ' on T-' || waits_for AS loose, team FROM dependencies
 WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.team = dependencies.team AND tasks.number = dependencies.number)
    OR NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.team = dependencies.team AND tasks.number = dependencies.waits_for)
UNION ALL
SELECT 'message M-' || id || ' to ' || recipient, team FROM messages
 WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.team = messages.team AND members.name = messages.recipient)
UNION ALL
SELECT 'message M-' || id || ' without its text', team FROM messages
 WHERE NOT EXISTS (SELECT 1 FROM message_texts WHERE message_texts.id = messages.id)
UNION ALL
SELECT 'T-' || number || ' held by ' || owner, team FROM tasks
 WHERE owner IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM members WHERE members.team = tasks.team AND members.name = tasks.owner AND members.active = 1)
UNION ALL
SELECT 'T-' || number || ' beyond the counter', team FROM tasks
 WHERE NOT EXISTS (SELECT 1 FROM counters WHERE counters.team = tasks.team AND counters.name = 'task' AND counters.value >= tasks.number)
UNION ALL
SELECT 'R-' || number || ' beyond the counter', team FROM requests
 WHERE NOT EXISTS (SELECT 1 FROM counters WHERE counters.team = requests.team AND counters.name = 'request' AND counters.value >= requests.number)
UNION ALL
SELECT 'Q-' || number || ' beyond the counter', team FROM questions
 WHERE NOT EXISTS (SELECT 1 FROM counters WHERE counters.team = questions.team AND counters.name = 'question' AND counters.value >= questions.number)
UNION ALL
SELECT 'Q-' || number || ' about T-' || task, team FROM questions
 WHERE task IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.team = questions.team AND tasks.number = questions.task)
UNION ALL
SELECT 'posting of ' || member, team FROM postings
 WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.team = postings.team AND members.name = postings.member)
UNION ALL
SELECT 'context of ' || run, team FROM contexts
 WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.team = contexts.team AND tasks.run = contexts.run AND tasks.permanent = 1)
UNION ALL
SELECT 'context of ' || run || ' held by ' || member, team FROM holdings
 WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.team = holdings.team AND members.name = holdings.member)
    OR held > 0 AND NOT EXISTS (SELECT 1 FROM contexts WHERE contexts.team = holdings.team AND contexts.run = holdings.run
                                   AND contexts.version = holdings.held)
UNION ALL
SELECT 'settled turn ' || id, team FROM settled_turns
 WHERE member <> ''
   AND NOT EXISTS (SELECT 1 FROM members WHERE members.team = settled_turns.team AND members.name = settled_turns.member)
UNION ALL
SELECT 'sitting of ' || member, team FROM sittings
 WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.team = sittings.team AND members.name = sittings.member)
UNION ALL
SELECT 'life ' || member || '/' || incarnation, team FROM lives
 WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.team = lives.team AND members.name = lives.member
                      AND members.incarnation >= lives.incarnation)
UNION ALL
SELECT 'turn ' || member || '/' || incarnation || '/' || number, team FROM turns
 WHERE NOT EXISTS (SELECT 1 FROM lives WHERE lives.team = turns.team AND lives.member = turns.member
                      AND lives.incarnation = turns.incarnation
                      AND (turns.state <> 'running' OR lives.state <> 'ended'))
UNION ALL
SELECT 'charge ' || member || '/' || incarnation || '/' || turn || ' ' || source || '#' || number, team FROM charges
 WHERE NOT EXISTS (SELECT 1 FROM turns WHERE turns.team = charges.team AND turns.member = charges.member
                      AND turns.incarnation = charges.incarnation AND turns.number = charges.turn);

-- wrong_spending --
-- Sums that are not what the charges come to: what was counted less what was charged must be nothing.
WITH charged AS (
    SELECT charges.team, charges.member, 'T-' || turns.task AS task, turns.run,
           -input AS input, -cached AS cached, -output AS output, -micros AS micros
      FROM charges JOIN turns ON turns.team = charges.team AND turns.member = charges.member
       AND turns.incarnation = charges.incarnation AND turns.number = charges.turn
), sums AS (
    SELECT team, scope, name, input, cached, output, micros FROM spending
    UNION ALL
    SELECT team, 'member', member, input, cached, output, micros FROM charged
    UNION ALL
    SELECT team, 'task', task, input, cached, output, micros FROM charged WHERE task IS NOT NULL
    UNION ALL
    SELECT team, 'run', run, input, cached, output, micros FROM charged WHERE run <> ''
    UNION ALL
    SELECT team, 'part', run || '/' || member, input, cached, output, micros FROM charged WHERE run <> ''
)
SELECT team, scope, name FROM sums
 GROUP BY team, scope, name
HAVING sum(micros) <> 0 OR sum(input) <> 0 OR sum(cached) <> 0 OR sum(output) <> 0;
