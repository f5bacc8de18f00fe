/**
 * The webhook address of each job, and its deliveries. A delivery has its own copy of the payload, because the job may
 * be retried or deleted before the last attempt. Attempts are a short JSON list; only the page of a job queries by job.
 */
export const webhooks = `
ALTER TABLE job ADD COLUMN webhook TEXT;
CREATE TABLE webhook (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  job TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  url TEXT NOT NULL,
  job_status INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  next_attempt_at INTEGER,
  finished_at INTEGER,
  tries INTEGER NOT NULL,
  payload_length INTEGER NOT NULL,
  attempts TEXT NOT NULL
);
CREATE INDEX webhook_job ON webhook (job);
CREATE TABLE webhook_payload (seq INTEGER PRIMARY KEY, text TEXT NOT NULL);
-- Parts of the payload that lie in files, shared with the job while it is there; they go into the text at the character \`place\`.
CREATE TABLE webhook_file (
  seq INTEGER NOT NULL,
  place INTEGER NOT NULL,
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sealed INTEGER NOT NULL,
  part_start INTEGER NOT NULL,
  part_end INTEGER NOT NULL,
  PRIMARY KEY (seq, place)
) WITHOUT ROWID;
`;
