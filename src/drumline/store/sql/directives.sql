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
SELECT directives.message FROM directives {by directives_member}
  JOIN messages ON messages.team = directives.team AND messages.id = directives.message
 WHERE directives.team = :team AND directives.member = :member AND directives.occasion = 'assigned'
   AND messages.acked_at IS NULL
 ORDER BY directives.message;
