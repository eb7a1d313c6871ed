-- lock_team_notes --
-- One change of a memory at a time: two notes must not have one number.
SELECT pg_advisory_xact_lock(hashtextextended('drumline team notes ' || :team, 0)) AS held;
