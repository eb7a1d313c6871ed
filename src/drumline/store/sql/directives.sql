-- add_directive --
-- Once for each claim and occasion; whoever comes back finds the one that was given.
INSERT INTO directives (team, number, fence, occasion, run, phase, member, incarnation, version, message, at)
VALUES (:team, :number, :fence, :occasion, :run, :phase, :member, :incarnation, :version, :message, :now)
ON CONFLICT (team, number, fence, occasion) DO NOTHING
RETURNING *;

-- get_directive --
SELECT * FROM directives
 WHERE team = :team AND number = :number AND fence = :fence AND occasion = :occasion;

-- directives_of_run --
SELECT * FROM directives {by directives_run} WHERE team = :team AND run = :run ORDER BY message;

-- directives_unheard --
-- The letters that a prompt was to bring to a member, and that nobody knows it heard.
SELECT directives.message FROM messages {by messages_waiting}
  JOIN directives {by directives_letters} ON directives.team = messages.team AND directives.message = messages.id
 WHERE messages.team = :team AND messages.recipient = :member AND messages.acked_at IS NULL
   AND directives.occasion = 'assigned'
 ORDER BY messages.id;
