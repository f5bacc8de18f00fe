/**
 * Jobs have a narrow row that each step of their life rewrites, and payloads have append-only tables of their own.
 * There is no secondary index: memory is the index (main/engine/domain/jobs/jobRegistry.ts) and the database is the
 * log.
 */
export const firstSchema = `
CREATE TABLE job (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  submitted_at INTEGER NOT NULL,
  retention INTEGER NOT NULL,
  timeout INTEGER NOT NULL,
  low_priority INTEGER NOT NULL,
  ttl INTEGER NOT NULL,
  status INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  worker TEXT,
  own_worker INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  delay INTEGER,
  execution INTEGER,
  error TEXT,
  has_output INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  chunks_read INTEGER NOT NULL
);
-- TEXT as it was sent, or a BLOB when it is sealed.
CREATE TABLE body (seq INTEGER PRIMARY KEY, content NOT NULL);
CREATE TABLE output (seq INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE chunk (row INTEGER PRIMARY KEY, seq INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE template (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE endpoint (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE api_key (id TEXT PRIMARY KEY, digest TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
