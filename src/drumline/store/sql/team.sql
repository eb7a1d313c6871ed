-- add_team --
-- Found a team; nothing happens when the name is taken.
INSERT INTO teams (team, constitution, settings, created_at)
VALUES (:team, :constitution, :settings, :now)
ON CONFLICT (team) DO NOTHING
RETURNING *;

-- update_team --
-- Take over what the manifest now says.
UPDATE teams SET constitution = :constitution, settings = :settings WHERE team = :team RETURNING *;

-- get_team --
SELECT * FROM teams WHERE team = :team;

-- set_home --
-- Remember a repository that works on this board and the manifest it was read from.
INSERT INTO homes (team, home, place, members, digest, joined_at)
VALUES (:team, :home, :place, :members, :digest, :now)
ON CONFLICT (team, home) DO UPDATE
   SET place = excluded.place, members = excluded.members, digest = excluded.digest
RETURNING *;

-- list_homes --
SELECT * FROM homes WHERE team = :team ORDER BY joined_at, home;

-- forget_home --
DELETE FROM homes WHERE team = :team AND home = :home RETURNING *;

-- find_home --
-- The team a repository's manifest, as it is now, was registered for, and where it stood then.
SELECT team, place FROM homes WHERE home = :home AND digest = :digest;

-- teams_of_home --
-- The teams of a repository, whatever its manifest says now; the one joined last is the first.
SELECT team, place FROM homes WHERE home = :home ORDER BY joined_at DESC, team;

-- next_number --
-- Draw the next number of a team's own series.
INSERT INTO counters (team, name, value) VALUES (:team, :name, :step)
ON CONFLICT (team, name) DO UPDATE SET value = counters.value + :step
RETURNING *;

-- draw_numbers --
-- Draw numbers in a row, and hear what time it is for the store.
INSERT INTO counters (team, name, value) VALUES (:team, :name, :step)
ON CONFLICT (team, name) DO UPDATE SET value = counters.value + :step
RETURNING team, name, value, :now AS now;

-- set_member --
-- Seat a member, or take over what the manifest now says of it.
INSERT INTO members (team, name, lead, profile, runtime, model, active, incarnation, settled_at)
VALUES (:team, :name, :lead, :profile, :runtime, :model, 1, 1, NULL)
ON CONFLICT (team, name) DO UPDATE
   SET lead = excluded.lead, profile = excluded.profile, runtime = excluded.runtime,
       model = excluded.model, active = 1
RETURNING *;

-- remove_member --
UPDATE members SET active = 0, incarnation = incarnation + 1
 WHERE team = :team AND name = :name
RETURNING *;

-- begin_life --
-- A new process fills the place; what the old one still says is stale from here on.
UPDATE members SET incarnation = incarnation + 1, settled_at = NULL
 WHERE team = :team AND name = :name AND active = 1
RETURNING *;

-- settle_member --
UPDATE members SET settled_at = :now WHERE team = :team AND name = :name RETURNING *;

-- get_member --
SELECT * FROM members WHERE team = :team AND name = :name;

-- list_members --
SELECT * FROM members WHERE team = :team ORDER BY lead DESC, name;
