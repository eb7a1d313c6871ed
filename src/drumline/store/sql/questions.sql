-- add_question --
INSERT INTO questions (team, number, kind, asker, incarnation, task, holds, sameness, what, options,
                       recommended, state, choice, words, asked_at)
VALUES (:team, :number, :kind, :asker, :incarnation, :task, :holds, :sameness, :what, :options,
        :recommended, 'open', '', '', :now)
RETURNING *;

-- get_question --
SELECT * FROM questions WHERE team = :team AND number = :number;

-- same_question --
SELECT * FROM questions WHERE team = :team AND sameness = :sameness;

-- list_questions --
-- Everything that was ever asked, oldest first.
SELECT * FROM questions WHERE team = :team AND number > :after ORDER BY number LIMIT :most;

-- open_questions --
SELECT * FROM questions
 WHERE team = :team AND number > :after AND state = 'open'
 ORDER BY number
 LIMIT :most;

-- questions_about --
-- What was asked about a task, oldest first.
SELECT * FROM questions {by questions_about} WHERE team = :team AND task = :task ORDER BY number;

-- questions_of --
-- What one life of a member still asks.
SELECT * FROM questions {by questions_asker}
 WHERE team = :team AND state = 'open' AND asker = :asker AND incarnation = :incarnation
 ORDER BY number;

-- open_questions_of --
-- What a member still asks, in whichever life it began to.
SELECT * FROM questions {by questions_asker}
 WHERE team = :team AND state = 'open' AND asker = :asker
 ORDER BY number;

-- close_question --
UPDATE questions
   SET state = :state, choice = :choice, words = :words, answerer = :answerer, ended_at = :now
 WHERE team = :team AND number = :number AND state = 'open'
RETURNING *;

-- count_open_questions --
SELECT count(*) AS asked FROM questions {by questions_open} WHERE team = :team AND state = 'open';
