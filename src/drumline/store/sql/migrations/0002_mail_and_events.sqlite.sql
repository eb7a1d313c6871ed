-- What they tell each other, and what happened.

CREATE TABLE messages (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    team         TEXT   NOT NULL,
    sender       TEXT   NOT NULL,
    recipient    TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    sent_at      BIGINT NOT NULL,
    delivered_at BIGINT,
    read_at      BIGINT,
    acked_at     BIGINT
);

CREATE INDEX messages_waiting ON messages (team, recipient, id) WHERE acked_at IS NULL;

CREATE TABLE message_texts (
    id   INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    body TEXT NOT NULL
);

-- No index by team: one file rarely holds several, and every claim would pay for it.
CREATE TABLE events (
    seq     INTEGER PRIMARY KEY,
    team    TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    actor   TEXT   NOT NULL,
    verb    TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    changes TEXT   NOT NULL
);
