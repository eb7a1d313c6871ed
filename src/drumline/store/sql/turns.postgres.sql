-- lock_spending --
-- One look at what is left at a time: two beginners must not both see the last of a budget.
SELECT pg_advisory_xact_lock(hashtextextended('drumline spending ' || :team, 0)) AS held;
