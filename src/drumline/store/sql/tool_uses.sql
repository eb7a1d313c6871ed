-- count_tool_use --
INSERT INTO tool_uses (team, run, phase, member, tool, calls, refused)
VALUES (:team, :run, :phase, :member, :tool, :calls, :refused)
ON CONFLICT (team, run, phase, member, tool)
   DO UPDATE SET calls = tool_uses.calls + excluded.calls, refused = tool_uses.refused + excluded.refused
RETURNING *;

-- tools_used_by --
-- The names a member used in a phase: whoever makes up names is stopped by their number.
SELECT tool FROM tool_uses WHERE team = :team AND run = :run AND phase = :phase AND member = :member;

-- list_tool_uses --
SELECT run, phase, member, tool, calls, refused FROM tool_uses
 WHERE team = :team AND (:run = '' OR run = :run)
 ORDER BY run, phase, member, tool;

-- get_kit --
SELECT * FROM kits WHERE team = :team AND run = :run AND phase = :phase AND member = :member;

-- kits_in_phase --
SELECT * FROM kits WHERE team = :team AND run = :run AND phase = :phase ORDER BY member;

-- keep_kit --
INSERT INTO kits (team, run, phase, member, tools, servers)
VALUES (:team, :run, :phase, :member, :tools, :servers)
ON CONFLICT (team, run, phase, member)
   DO UPDATE SET tools = excluded.tools, servers = excluded.servers
RETURNING *;
