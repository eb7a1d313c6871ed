-- wake_member --
-- Have a member looked at; of several words the earliest stands.
INSERT INTO wakes (team, member, why, due_at) VALUES (:team, :member, :why, :due)
ON CONFLICT (team, member) DO UPDATE SET why = excluded.why, due_at = excluded.due_at
 WHERE excluded.due_at < wakes.due_at
RETURNING *;

-- postpone_wake --
UPDATE wakes SET why = :why, due_at = :due WHERE team = :team AND member = :member RETURNING *;

-- forget_wake --
DELETE FROM wakes WHERE team = :team AND member = :member RETURNING *;

-- get_wake --
SELECT * FROM wakes WHERE team = :team AND member = :member;

-- what_is_due --
-- What a pass finds to do by the clock alone.
SELECT CASE WHEN EXISTS (SELECT 1 FROM lives
                          WHERE team = :team AND state <> 'ended' AND lease_until <= :now)
            THEN 1 ELSE 0 END AS leases,
       CASE WHEN EXISTS (SELECT 1 FROM tasks
                          WHERE team = :team AND state = 'in_progress' AND lease_until <= :now)
            THEN 1 ELSE 0 END AS claims,
       CASE WHEN EXISTS (SELECT 1 FROM wakes WHERE team = :team AND due_at <= :now)
            THEN 1 ELSE 0 END AS wakes;

-- situation_of --
SELECT * FROM situations WHERE team = :team AND name = :member;

-- all_situations --
SELECT * FROM situations WHERE team = :team AND active = 1 ORDER BY name;

-- everyone_woken --
SELECT member FROM wakes WHERE team = :team;

-- tasks_of --
-- What a member holds in its present life.
SELECT * FROM tasks {by tasks_owner}
 WHERE team = :team AND state = 'in_progress' AND owner = :member
   AND incarnation = (SELECT incarnation FROM members WHERE team = :team AND name = :member)
 ORDER BY number;

-- mail_wanting --
-- Letters to a member that want something done, newest first: most until it was told, some until it said so.
-- The directive that a prompt is waits for nobody: the prompt says it.
SELECT id, kind, sender, sent_at FROM messages
 WHERE team = :team AND recipient = :member AND acked_at IS NULL
   AND kind IN ('directive', 'impact-analysis', 'impact-verified', 'impact-rejected',
        'verification-question', 'context-update', 'plan', 'approval', 'rejection', 'challenge',
        'challenge-response')
   AND (delivered_at IS NULL OR kind IN ('impact-analysis', 'verification-question', 'plan', 'challenge',
        'challenge-response'))
   AND NOT EXISTS (SELECT 1 FROM directives {by directives_letters}
                    WHERE directives.team = messages.team AND directives.message = messages.id
                      AND directives.occasion = 'assigned')
 ORDER BY id DESC
 LIMIT :most;

-- everyone_with_mail --
SELECT DISTINCT recipient FROM messages
 WHERE team = :team AND acked_at IS NULL
   AND kind IN ('directive', 'impact-analysis', 'impact-verified', 'impact-rejected',
        'verification-question', 'context-update', 'plan', 'approval', 'rejection', 'challenge',
        'challenge-response')
   AND (delivered_at IS NULL OR kind IN ('impact-analysis', 'verification-question', 'plan', 'challenge',
        'challenge-response'))
   AND NOT EXISTS (SELECT 1 FROM directives {by directives_letters}
                    WHERE directives.team = messages.team AND directives.message = messages.id
                      AND directives.occasion = 'assigned');

-- make_nudge --
-- Once for each agenda of each life, unless nobody was told of it before.
INSERT INTO nudges (team, member, incarnation, fingerprint, text, state, tries, why, made_at)
VALUES (:team, :member, :incarnation, :fingerprint, :text, 'waiting', 0, '', :now)
ON CONFLICT (team, member, incarnation, fingerprint) DO UPDATE
   SET text = excluded.text, state = 'waiting', why = '', made_at = excluded.made_at, ended_at = NULL
 WHERE nudges.state = 'dropped' AND nudges.sent_at IS NULL
RETURNING *;

-- move_nudge --
-- Unless somebody moved it a moment before.
UPDATE nudges
   SET state = :state, tries = :tries, why = :why,
       sent_at = CASE WHEN CAST(:state AS TEXT) = 'sending' THEN :now
                      WHEN CAST(:state AS TEXT) = 'waiting' THEN NULL ELSE sent_at END,
       ended_at = CASE WHEN CAST(:state AS TEXT) IN ('delivered', 'dropped') THEN :now ELSE NULL END
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND fingerprint = :fingerprint
   AND state = :was
RETURNING *;

-- nudges_since --
-- What a member was nudged about since then, or is about to be.
SELECT * FROM nudges {by nudges_of} WHERE team = :team AND member = :member AND made_at > :since
UNION
SELECT * FROM nudges {by nudges_waiting} WHERE team = :team AND member = :member AND state = 'waiting'
 ORDER BY made_at;

-- told_since --
-- When a member was told something since then, in whichever life.
SELECT sent_at FROM nudges {by nudges_sent}
 WHERE team = :team AND member = :member AND sent_at > :since
 ORDER BY sent_at;

-- get_nudge --
SELECT * FROM nudges
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND fingerprint = :fingerprint;

-- drop_waiting_nudges --
-- What waits to be said to a life that is no more.
UPDATE nudges {by nudges_waiting} SET state = 'dropped', why = :why, ended_at = :now
 WHERE team = :team AND member = :member AND state = 'waiting'
RETURNING *;

-- everyone_nudged --
-- For whom, as it is now, something waits to be said.
SELECT DISTINCT nudges.member FROM nudges {by nudges_waiting}
  JOIN members ON members.team = nudges.team AND members.name = nudges.member
   AND members.incarnation = nudges.incarnation
 WHERE nudges.team = :team AND nudges.state = 'waiting';

-- last_nudge --
SELECT member, state, made_at FROM nudges WHERE team = :team AND state <> 'dropped'
 ORDER BY made_at DESC LIMIT 1;

-- set_report --
INSERT INTO reports (team, member, incarnation, stands, words, fingerprint, until, said_at)
VALUES (:team, :member, :incarnation, :stands, :words, :fingerprint, :now + :lease, :now)
ON CONFLICT (team, member) DO UPDATE
   SET incarnation = excluded.incarnation, stands = excluded.stands, words = excluded.words,
       fingerprint = excluded.fingerprint, until = excluded.until, said_at = excluded.said_at
RETURNING *;

-- set_signs --
INSERT INTO signs (team, member, incarnation, heard_at, wrote_at, tool, tool_since)
VALUES (:team, :member, :incarnation, :now - CAST(:heard AS BIGINT), :now - CAST(:wrote AS BIGINT), :tool,
        :now - CAST(:tool_for AS BIGINT))
ON CONFLICT (team, member) DO UPDATE
   SET incarnation = excluded.incarnation, heard_at = excluded.heard_at, wrote_at = excluded.wrote_at,
       tool = excluded.tool, tool_since = excluded.tool_since
RETURNING *;

-- set_attendance --
INSERT INTO attendance (team, member, liveness, since, free_at, stalled_at)
VALUES (:team, :member, :liveness, :now, CAST(:free_at AS BIGINT), CAST(:stalled_at AS BIGINT))
ON CONFLICT (team, member) DO UPDATE
   SET since = CASE WHEN attendance.liveness = excluded.liveness THEN attendance.since
                    ELSE excluded.since END,
       liveness = excluded.liveness, free_at = excluded.free_at, stalled_at = excluded.stalled_at
RETURNING *;

-- attended --
-- How members are, as whoever looks after them said last; nothing while nobody does.
SELECT attendance.member, attendance.liveness, attendance.since, attendance.stalled_at FROM attendance
 WHERE attendance.team = :team
   AND EXISTS (SELECT 1 FROM duties
                WHERE duties.team = :team AND duties.duty = 'waking' AND duties.lease_until > :now);
