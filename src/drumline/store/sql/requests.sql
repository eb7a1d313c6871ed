-- add_request --
INSERT INTO requests (team, number, requester, what, constraint_id, state, fence, result, filed_at)
VALUES (:team, :number, :requester, :what, :constraint_id, 'filed', 0, '', :now)
RETURNING *;

-- get_request --
SELECT * FROM requests WHERE team = :team AND number = :number;

-- list_requests --
-- Everything that was ever asked, oldest first.
SELECT * FROM requests WHERE team = :team AND number > :after ORDER BY number LIMIT :most;

-- open_requests --
-- What still waits for its result, oldest first.
SELECT * FROM requests
 WHERE team = :team AND number > :after AND state IN ('filed', 'taken')
 ORDER BY number
 LIMIT :most;

-- same_request --
-- The same words of the same requester, still waiting.
SELECT * FROM requests
 WHERE team = :team AND state IN ('filed', 'taken') AND requester = :requester AND what = :what;

-- next_request --
SELECT * FROM requests WHERE team = :team AND state = 'filed' ORDER BY number LIMIT 1;

-- taken_request --
SELECT * FROM requests WHERE team = :team AND state = 'taken';

-- take_request --
-- Begin a filed request: the caller holds the team's lock and has seen that nothing else is begun.
UPDATE requests
   SET state = 'taken', taker = :taker, incarnation = :incarnation, fence = fence + 1,
       taken_at = :now, lease_until = :now + :lease
 WHERE team = :team AND number = :number AND state = 'filed'
RETURNING *;

-- give_back_request --
UPDATE requests
   SET state = 'filed', taker = NULL, incarnation = NULL, taken_at = NULL, lease_until = NULL
 WHERE team = :team AND number = :number AND state = 'taken'
RETURNING *;

-- close_request --
-- Leave a result, and whose it is.
UPDATE requests
   SET state = :state, taker = :taker, result = :result, lease_until = NULL, ended_at = :now
 WHERE team = :team AND number = :number AND state IN ('filed', 'taken')
RETURNING *;
