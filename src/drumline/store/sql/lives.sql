-- set_posting --
INSERT INTO postings (team, member, wanted, host, since, author)
VALUES (:team, :member, :wanted, :host, :now, :author)
ON CONFLICT (team, member) DO UPDATE
   SET wanted = excluded.wanted, host = excluded.host, since = excluded.since,
       author = excluded.author
RETURNING *;

-- get_posting --
SELECT * FROM postings WHERE team = :team AND member = :member;

-- postings_here --
-- What is wanted on a host, or anywhere, of whoever is still on the team.
SELECT postings.* FROM postings JOIN members
    ON members.team = postings.team AND members.name = postings.member AND members.active = 1
 WHERE postings.team = :team AND postings.host IN ('', :host)
 ORDER BY postings.member;

-- list_postings --
SELECT * FROM postings WHERE team = :team ORDER BY member;

-- add_life --
INSERT INTO lives (team, member, incarnation, host, pid, pid_start, runtime, socket, session,
                   account, state, why, lease_until, started_at)
VALUES (:team, :member, :incarnation, :host, :pid, :pid_start, :runtime, :socket, :session,
        :account, 'starting', '', :now + :lease, :now)
RETURNING *;

-- get_life --
SELECT * FROM lives WHERE team = :team AND member = :member AND incarnation = :incarnation;

-- list_lives --
-- A member's lives, newest first.
SELECT * FROM lives WHERE team = :team AND member = :member ORDER BY incarnation DESC LIMIT :most;

-- open_lives --
SELECT * FROM lives {by lives_open} WHERE team = :team AND state <> 'ended' ORDER BY member;

-- somebody_away --
-- Whether anybody is to run and does not live.
SELECT EXISTS (SELECT 1 FROM postings
                WHERE postings.team = :team AND postings.wanted = 'running'
                  AND NOT EXISTS (SELECT 1 FROM lives {by lives_open}
                                   WHERE lives.team = postings.team AND lives.state <> 'ended'
                                     AND lives.member = postings.member)) AS away;

-- expired_lives --
-- Whose lease ran out and whom nobody has ended yet.
SELECT * FROM lives {by lives_leases}
 WHERE team = :team AND state <> 'ended' AND lease_until <= :now
 ORDER BY member;

-- renew_life --
UPDATE lives SET lease_until = :now + :lease
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state <> 'ended'
RETURNING *;

-- move_life --
UPDATE lives SET state = :state
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state <> 'ended'
RETURNING *;

-- enter_session --
UPDATE lives SET session = :session
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state <> 'ended'
RETURNING *;

-- end_life --
UPDATE lives SET state = 'ended', why = :why, lease_until = NULL, ended_at = :now
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state <> 'ended'
RETURNING *;

-- keep_last_words --
INSERT INTO last_words (team, member, incarnation, words)
VALUES (:team, :member, :incarnation, :words)
RETURNING *;

-- words_of_life --
SELECT words FROM last_words
 WHERE team = :team AND member = :member AND incarnation = :incarnation;

-- last_words_of --
-- What the newest life of each member left to say; nothing once a later one ended without words.
SELECT last_words.member, last_words.words FROM last_words JOIN members
    ON members.team = last_words.team AND members.name = last_words.member
   AND members.incarnation = last_words.incarnation
 WHERE last_words.team = :team;
