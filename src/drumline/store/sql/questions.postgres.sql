-- lock_questions --
-- One change of what is asked at a time: two must not ask the same, nor answer one question differently.
SELECT pg_advisory_xact_lock(hashtextextended('drumline questions ' || :team, 0)) AS held;
