-- lock_contexts --
-- One change of contexts at a time: two must not publish one version, nor send one member two.
SELECT pg_advisory_xact_lock(hashtextextended('drumline contexts ' || :team, 0)) AS held;
