-- Who is to be looked at, what members were nudged about, and what is known of how they are.

-- One row a member: however often it is woken, it is looked at once, and never later than was said first.
CREATE TABLE wakes (
    team   TEXT   NOT NULL,
    member TEXT   NOT NULL,
    why    TEXT   NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (team, member)
) {keyed};

CREATE INDEX wakes_due ON wakes (team, due_at);

-- One row for each agenda of each life, whatever a verb believed.
CREATE TABLE nudges (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    fingerprint TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'dropped')),
    tries       BIGINT NOT NULL,
    why         TEXT   NOT NULL,
    made_at     BIGINT NOT NULL,
    sent_at     BIGINT,
    ended_at    BIGINT,
    PRIMARY KEY (team, member, incarnation, fingerprint),
    CHECK ((state IN ('delivered', 'dropped')) = (ended_at IS NOT NULL)),
    CHECK (state NOT IN ('sending', 'delivered') OR sent_at IS NOT NULL)
) {keyed};

CREATE INDEX nudges_waiting ON nudges (team, member) WHERE state = 'waiting';
CREATE INDEX nudges_of ON nudges (team, member, made_at);
CREATE INDEX nudges_sent ON nudges (team, member, sent_at);
CREATE INDEX nudges_made ON nudges (team, made_at);

-- A member's own word, of which the last counts.
CREATE TABLE reports (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    stands      TEXT   NOT NULL CHECK (stands IN ('working', 'blocked', 'done')),
    words       TEXT   NOT NULL,
    fingerprint TEXT   NOT NULL,
    until       BIGINT NOT NULL,
    said_at     BIGINT NOT NULL,
    PRIMARY KEY (team, member)
) {keyed};

-- What a runner noticed of its member, told with the renewal of its lease and not with every call.
CREATE TABLE signs (
    team        TEXT   NOT NULL,
    member      TEXT   NOT NULL,
    incarnation BIGINT NOT NULL,
    heard_at    BIGINT,
    wrote_at    BIGINT,
    tool        TEXT   NOT NULL,
    tool_since  BIGINT,
    PRIMARY KEY (team, member)
) {keyed};

-- How each member was last seen to be, and since when; free_at is since when nothing holds it up.
CREATE TABLE attendance (
    team       TEXT   NOT NULL,
    member     TEXT   NOT NULL,
    liveness   TEXT   NOT NULL,
    since      BIGINT NOT NULL,
    free_at    BIGINT,
    stalled_at BIGINT,
    PRIMARY KEY (team, member)
) {keyed};

CREATE INDEX tasks_owner ON tasks (team, owner) WHERE state = 'in_progress';
CREATE INDEX sittings_of ON sittings (team, member, incarnation, since);
CREATE INDEX settled_turns_when ON settled_turns (team, settled_at);
CREATE INDEX sittings_where ON sittings (team, cwd);
CREATE INDEX questions_asker ON questions (team, asker) WHERE state = 'open';

-- What wants something done: notes and reports wait for a turn, these make one.
CREATE INDEX messages_wanting ON messages (team, recipient, id)
    WHERE acked_at IS NULL AND kind IN ('directive', 'impact-analysis', 'impact-verified', 'impact-rejected',
        'verification-question', 'context-update', 'plan', 'approval', 'rejection', 'challenge',
        'challenge-response')
      AND (delivered_at IS NULL OR kind IN ('impact-analysis', 'verification-question', 'plan', 'challenge',
        'challenge-response'));

-- All that is known of each member, one row each.
CREATE VIEW situations AS
SELECT members.team, members.name, members.lead, members.profile, members.runtime, members.model,
       members.active, members.incarnation, members.settled_at, postings.wanted, postings.since AS wanted_since,
       lives.state AS life, lives.started_at AS began_at, lives.lease_until,
       turns.started_at AS turn_at, limits.until AS limited_until,
       signs.heard_at, signs.wrote_at, signs.tool, signs.tool_since,
       reports.stands, reports.words, reports.fingerprint, reports.until, reports.said_at,
       attendance.liveness, attendance.since, attendance.free_at, attendance.stalled_at,
       (SELECT max(sittings.since) FROM sittings {by sittings_of}
         WHERE sittings.team = members.team AND sittings.member = members.name
           AND sittings.incarnation = members.incarnation) AS sat_at,
       (SELECT max(tasks.updated_at) FROM tasks {by tasks_owner}
         WHERE tasks.team = members.team AND tasks.owner = members.name
           AND tasks.state = 'in_progress') AS task_at,
       CASE WHEN EXISTS (SELECT 1 FROM questions {by questions_asker}
                          WHERE questions.team = members.team AND questions.state = 'open'
                            AND questions.kind = 'approval' AND questions.asker = members.name
                            AND questions.incarnation = members.incarnation)
            THEN 1 ELSE 0 END AS asked
  FROM members
  LEFT JOIN postings ON postings.team = members.team AND postings.member = members.name
  LEFT JOIN lives ON lives.team = members.team AND lives.member = members.name AND lives.state <> 'ended'
  LEFT JOIN turns ON turns.team = lives.team AND turns.member = lives.member
       AND turns.incarnation = lives.incarnation AND turns.state = 'running'
  LEFT JOIN limits ON limits.team = lives.team AND limits.account = lives.account
  LEFT JOIN signs ON signs.team = lives.team AND signs.member = lives.member
       AND signs.incarnation = lives.incarnation
  LEFT JOIN reports ON reports.team = members.team AND reports.member = members.name
       AND reports.incarnation = members.incarnation
  LEFT JOIN attendance ON attendance.team = members.team AND attendance.member = members.name;
