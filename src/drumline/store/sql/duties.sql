-- hold_duty --
-- Take a duty that nobody has, whose lease ran out, or that is the holder's already.
INSERT INTO duties (team, duty, holder, since, lease_until)
VALUES (:team, :duty, :holder, :now, :now + :lease)
ON CONFLICT (team, duty) DO UPDATE
   SET holder = excluded.holder, lease_until = excluded.lease_until,
       since = CASE WHEN duties.holder = excluded.holder THEN duties.since ELSE excluded.since END
 WHERE duties.holder = excluded.holder OR duties.lease_until <= :now
RETURNING *;

-- renew_duty --
UPDATE duties SET lease_until = :now + :lease
 WHERE team = :team AND duty = :duty AND holder = :holder
RETURNING *;

-- let_duty_go --
DELETE FROM duties WHERE team = :team AND duty = :duty AND holder = :holder RETURNING *;

-- list_duties --
SELECT * FROM duties WHERE team = :team ORDER BY duty;

-- pause_account --
-- Of two words about one account the one that reaches further stands.
INSERT INTO limits (team, account, until, why, since)
VALUES (:team, :account, :until, :why, :now)
ON CONFLICT (team, account) DO UPDATE
   SET until = excluded.until, why = excluded.why, since = excluded.since
 WHERE limits.until < excluded.until
RETURNING *;

-- get_limit --
SELECT * FROM limits WHERE team = :team AND account = :account;

-- list_limits --
-- The accounts that are paused now.
SELECT * FROM limits WHERE team = :team AND until > :now ORDER BY account;

-- lift_limit --
DELETE FROM limits WHERE team = :team AND account = :account RETURNING *;
