-- add_team_note --
INSERT INTO team_notes (team, run, number, section, tag, text, phase, author, written_at, why, settled_by)
SELECT :team, :run, coalesce(max(number), 0) + 1, :section, :tag, :text, :phase, :author, :now, '', ''
  FROM team_notes WHERE team = :team AND run = :run
RETURNING *;

-- team_notes_of_run --
SELECT * FROM team_notes WHERE team = :team AND run = :run ORDER BY number;

-- count_team_notes --
SELECT count(*) AS open FROM team_notes WHERE team = :team AND run = :run AND settled_at IS NULL;

-- settle_team_note --
UPDATE team_notes SET why = :why, settled_by = :settled_by, settled_at = :settled_at
 WHERE team = :team AND run = :run AND number = :number
RETURNING *;
