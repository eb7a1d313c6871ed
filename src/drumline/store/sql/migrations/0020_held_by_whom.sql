-- Whoever asks which claims have run out must not be led through all that are held: a planner that has seen
-- nothing held takes any index that says "in progress" for as good as the one in the order of leases.

DROP INDEX tasks_owner;
CREATE INDEX tasks_owner ON tasks (team, owner) WHERE owner IS NOT NULL;
