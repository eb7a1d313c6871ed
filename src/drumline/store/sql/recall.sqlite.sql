-- lock_recall --
-- The write lock of the whole store is held already.
SELECT 1 AS held;

-- add_recall --
-- All pieces of one source in one statement.
INSERT INTO recall (team, home, path, line, kind, member, heading, day, name, text, words)
SELECT :team, :home, :path, json_extract(value, '$.line'), json_extract(value, '$.kind'), json_extract(value, '$.member'), json_extract(value, '$.heading'),
       json_extract(value, '$.day'), json_extract(value, '$.name'), json_extract(value, '$.text'), json_extract(value, '$.words')
  FROM json_each(:pieces);

-- plan_recall --
-- Every search here is planned by its own words.
SELECT 1 AS mode;

-- find_recall --
-- What has the words, in any team of the store, the newest first.
SELECT recall.*, homes.place
  FROM recall_words
  JOIN recall ON recall.id = recall_words.rowid
  LEFT JOIN homes ON homes.team = recall.team AND homes.home = recall.home
 WHERE recall_words MATCH :matching
 ORDER BY recall_words.rowid DESC
 LIMIT :most;
