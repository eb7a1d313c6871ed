-- lock_requests --
-- One change of what was asked of a lead at a time: two takers must not pass each other.
SELECT pg_advisory_xact_lock(hashtextextended('drumline requests ' || :team, 0)) AS held;
