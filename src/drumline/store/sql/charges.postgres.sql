-- lock_meters --
-- One reading of a member's meters at a time: what it adds depends on its neighbours.
SELECT pg_advisory_xact_lock(hashtextextended('drumline meters ' || :team || ' ' || :member, 0)) AS held;
