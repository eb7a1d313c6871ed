-- add_message --
INSERT INTO messages (team, sender, recipient, kind, sent_at)
VALUES (:team, :sender, :recipient, :kind, :now)
RETURNING *;

-- add_message_text --
INSERT INTO message_texts (id, team, body) VALUES (:id, :team, :body) RETURNING *;

-- get_message --
SELECT messages.*, message_texts.body FROM messages JOIN message_texts USING (id)
 WHERE messages.team = :team AND messages.id = :id;

-- inbox --
-- What still waits for a member's word, in the order it came.
SELECT messages.*, message_texts.body FROM messages JOIN message_texts USING (id)
 WHERE messages.team = :team AND messages.recipient = :recipient AND messages.acked_at IS NULL
   AND messages.id > :after
 ORDER BY messages.id
 LIMIT :most;

-- sent_to --
-- Everything a member was ever sent, acknowledged or not.
SELECT messages.*, message_texts.body FROM messages JOIN message_texts USING (id)
 WHERE messages.team = :team AND messages.recipient = :recipient AND messages.id > :after
 ORDER BY messages.id
 LIMIT :most;

-- count_waiting --
SELECT recipient, count(*) AS messages,
       sum(CASE WHEN read_at IS NULL THEN 1 ELSE 0 END) AS unread
  FROM messages WHERE team = :team AND acked_at IS NULL GROUP BY recipient;

-- mark_delivered --
UPDATE messages SET delivered_at = :now
 WHERE team = :team AND id = :id AND delivered_at IS NULL
RETURNING *;

-- mark_read --
UPDATE messages SET read_at = :now, delivered_at = coalesce(delivered_at, :now)
 WHERE team = :team AND id = :id AND read_at IS NULL
RETURNING *;

-- mark_acked --
UPDATE messages
   SET acked_at = :now, read_at = coalesce(read_at, :now), delivered_at = coalesce(delivered_at, :now)
 WHERE team = :team AND id = :id AND acked_at IS NULL
RETURNING *;
