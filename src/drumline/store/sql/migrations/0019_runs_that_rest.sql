-- Whoever takes a task passes over those of runs that were stopped, whatever number of runs there was.

CREATE INDEX runs_stopped ON runs (team, number) WHERE state = 'stopped';
