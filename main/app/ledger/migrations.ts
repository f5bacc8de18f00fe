/** The migrations of the ledger's file, one for each version of its tables. */

/** Base-2 logarithm of the number of jobs in one block of tallies. */
export const BLOCK_BITS = 12;

const tally = (row: 'NEW' | 'OLD', by: 1 | -1): string =>
  by === 1
    ? `INSERT INTO tallies (block, account_id, endpoint_id, status, jobs)
         VALUES (${row}.seq >> ${BLOCK_BITS}, ${row}.account_id, ${row}.endpoint_id, ${row}.status, 1)
         ON CONFLICT DO UPDATE SET jobs = jobs + 1;`
    : `UPDATE tallies SET jobs = jobs - 1 WHERE block = ${row}.seq >> ${BLOCK_BITS}
         AND account_id = ${row}.account_id AND endpoint_id = ${row}.endpoint_id AND status = ${row}.status;
       DELETE FROM tallies WHERE block = ${row}.seq >> ${BLOCK_BITS}
         AND account_id = ${row}.account_id AND endpoint_id = ${row}.endpoint_id AND status = ${row}.status AND jobs <= 0;`;

/** Index + 1 is the version that a step creates. A released step never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    entry_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    endpoint_name TEXT NOT NULL,
    job_id TEXT,
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    sent_at REAL NOT NULL,
    worker_started_at REAL,
    started_at REAL,
    finished_at REAL,
    delay_time INTEGER,
    execution_time INTEGER,
    worker_id TEXT,
    retries INTEGER NOT NULL DEFAULT 0,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    input_bytes INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    waiting TEXT
  ) STRICT;
  CREATE INDEX entries_status ON entries (status);
  CREATE INDEX entries_endpoint ON entries (account_id, endpoint_id);
  CREATE INDEX entries_sent_at ON entries (sent_at);

  -- Payloads live apart, so that a list never reads past them.
  CREATE TABLE bodies (seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
  CREATE TABLE outputs (seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (
    seq INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (seq, idx)
  ) STRICT;

  -- Lower case, because SQLite itself folds ASCII only.
  CREATE TABLE search (
    seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE,
    head TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  `
  -- 'asked': the job named a webhook, and attempts may still come.
  ALTER TABLE entries ADD COLUMN webhook TEXT;
  -- Why a job that may still be there is not followed: its account's key was refused.
  ALTER TABLE entries ADD COLUMN unfollowed TEXT;
  ALTER TABLE search ADD COLUMN output TEXT NOT NULL DEFAULT '';
  UPDATE search SET output = coalesce(
    (SELECT lower(substr(o.text, 1, 65536)) FROM outputs o WHERE o.seq = search.seq), '');

  -- The row id follows in each of them, so that the newest of a kind are found at once.
  DROP INDEX entries_sent_at;
  DROP INDEX entries_endpoint;
  CREATE INDEX entries_endpoint ON entries (endpoint_id, status);
  CREATE INDEX entries_account ON entries (account_id, status);
  CREATE INDEX entries_finished ON entries (finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX entries_webhook ON entries (webhook) WHERE webhook IS NOT NULL;
  CREATE INDEX entries_unfollowed ON entries (unfollowed) WHERE unfollowed IS NOT NULL;

  -- How many jobs of each kind lie in a block of them: what a filter leaves is added up instead of counted,
  -- and the place of a page far back is found without walking there.
  CREATE TABLE blocks (block INTEGER PRIMARY KEY, jobs INTEGER NOT NULL, first_at REAL NOT NULL, last_at REAL NOT NULL) STRICT;
  CREATE TABLE tallies (
    block INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    status TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    PRIMARY KEY (block, account_id, endpoint_id, status)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO blocks SELECT seq >> ${BLOCK_BITS}, count(*), min(sent_at), max(sent_at) FROM entries GROUP BY 1;
  INSERT INTO tallies SELECT seq >> ${BLOCK_BITS}, account_id, endpoint_id, status, count(*) FROM entries GROUP BY 1, 2, 3, 4;
  CREATE TRIGGER entries_added AFTER INSERT ON entries BEGIN
    INSERT INTO blocks (block, jobs, first_at, last_at) VALUES (NEW.seq >> ${BLOCK_BITS}, 1, NEW.sent_at, NEW.sent_at)
      ON CONFLICT DO UPDATE SET jobs = jobs + 1, first_at = min(first_at, NEW.sent_at), last_at = max(last_at, NEW.sent_at);
    ${tally('NEW', 1)}
  END;
  CREATE TRIGGER entries_moved AFTER UPDATE OF status ON entries WHEN NEW.status <> OLD.status BEGIN
    ${tally('OLD', -1)}
    ${tally('NEW', 1)}
  END;
  CREATE TRIGGER entries_removed AFTER DELETE ON entries BEGIN
    UPDATE blocks SET jobs = jobs - 1 WHERE block = OLD.seq >> ${BLOCK_BITS};
    DELETE FROM blocks WHERE block = OLD.seq >> ${BLOCK_BITS} AND jobs <= 0;
    ${tally('OLD', -1)}
  END;

  CREATE TABLE requests (
    seq INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
    n INTEGER NOT NULL,
    first_at REAL NOT NULL,
    last_at REAL NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER,
    times INTEGER NOT NULL,
    took_ms REAL NOT NULL,
    error TEXT,
    PRIMARY KEY (seq, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE webhooks (
    seq INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
    webhook_id TEXT NOT NULL,
    told TEXT NOT NULL,
    PRIMARY KEY (seq, webhook_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- No answer is not a refusal. The words are those that the sender wrote until then.
  UPDATE entries SET status = 'UNANSWERED'
    WHERE status = 'REFUSED' AND instr(error, 'Whether the service accepted this job is not known.') > 0;
  `,
  `
  -- Whether chunks were lost on their way: 'possible', or 'filled' from the final output.
  ALTER TABLE entries ADD COLUMN chunk_gap TEXT;
  `,
  `
  -- Where a job came from, and who used the API.
  ALTER TABLE entries ADD COLUMN source TEXT NOT NULL DEFAULT 'window';
  ALTER TABLE entries ADD COLUMN client TEXT;
  ALTER TABLE entries ADD COLUMN key_name TEXT;
  -- 1: the feed of an engine reports the job, and no reader follows it.
  ALTER TABLE entries ADD COLUMN by_feed INTEGER NOT NULL DEFAULT 0;
  -- When the attempt of this row was queued; NULL for the first one.
  ALTER TABLE entries ADD COLUMN queued_at REAL;
  ALTER TABLE entries ADD COLUMN preview TEXT;
  -- A JSON list of texts.
  ALTER TABLE entries ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
  UPDATE entries SET preview = (
    SELECT substr(CASE WHEN json_valid(b.text) THEN coalesce(
      json_extract(b.text, '$.input.prompt'), json_extract(b.text, '$.input.text'), json_extract(b.text, '$.input.name')
    ) END, 1, 160) FROM bodies b WHERE b.seq = entries.seq AND length(b.text) < 65536)
    WHERE seq > (SELECT max(seq) FROM entries) - 5000;
  CREATE INDEX entries_job ON entries (job_id, account_id) WHERE job_id IS NOT NULL;
  CREATE INDEX entries_source ON entries (source, status);
  CREATE INDEX entries_tagged ON entries (tags) WHERE tags <> '[]';

  -- The attempts before the one that the row of the job shows.
  CREATE TABLE attempts (
    seq INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
    n INTEGER NOT NULL,
    ended_by TEXT NOT NULL,
    status TEXT NOT NULL,
    queued_at REAL NOT NULL,
    started_at REAL,
    finished_at REAL NOT NULL,
    delay_time INTEGER,
    execution_time INTEGER,
    worker_id TEXT,
    error TEXT,
    PRIMARY KEY (seq, n)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Lists of inputs that run against one endpoint.
  CREATE TABLE batches (
    batch_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    endpoint_name TEXT NOT NULL,
    tag TEXT NOT NULL,
    at_once INTEGER NOT NULL,
    created_at REAL NOT NULL,
    -- Why it sends no more; NULL while it sends, and once it has sent all.
    stopped_by TEXT,
    problem TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX batches_endpoint ON batches (account_id, endpoint_id, created_at);
  CREATE TABLE batch_inputs (
    batch_id TEXT NOT NULL REFERENCES batches ON DELETE CASCADE,
    place INTEGER NOT NULL,
    line INTEGER NOT NULL,
    entry_id TEXT NOT NULL,
    -- NULL once its job is in the ledger.
    body TEXT,
    PRIMARY KEY (batch_id, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX batch_inputs_unsent ON batch_inputs (batch_id) WHERE body IS NOT NULL;
  `,
  `
  -- Raw JSON of the numbers that a worker sent beside the output of a chunk; NULL for none.
  ALTER TABLE chunks ADD COLUMN metrics TEXT;
  `,
  `
  -- Prices of GPU types in US dollars an hour: a row for each time in which nothing changed while somebody looked.
  CREATE TABLE price_spans (
    account_id TEXT NOT NULL,
    gpu_type_id TEXT NOT NULL,
    since REAL NOT NULL,
    seen_at REAL NOT NULL,
    on_demand REAL,
    spot REAL,
    stock TEXT,
    PRIMARY KEY (account_id, gpu_type_id, since)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX price_spans_seen_at ON price_spans (seen_at);
  `,
  `
  -- Alerts about GPU prices (below, in US dollars an hour) and about stock (below is NULL). met_at: since when it holds.
  CREATE TABLE price_alerts (
    alert_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    gpu_type_id TEXT NOT NULL,
    gpu_name TEXT NOT NULL,
    below REAL,
    created_at REAL NOT NULL,
    met_at REAL,
    price REAL,
    checked_at REAL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Pods of accounts that the app stops by their rules. record: JSON of the rules, the last stop and the events of the Pod.
  CREATE TABLE auto_stops (
    account_id TEXT NOT NULL,
    pod_id TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (account_id, pod_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Why the account of a job cannot be asked about it now. Earlier versions wrote it in place of the reason of a wait.
  ALTER TABLE entries ADD COLUMN trouble TEXT;
  UPDATE entries SET waiting = NULL WHERE waiting LIKE 'Not followed for now: %';
  `,
  `
  -- The entry_id of the job that a person ran again as a new one.
  ALTER TABLE entries ADD COLUMN retry_of TEXT;
  `,
  `
  -- The last known names of Pods, endpoints and volumes, also of those that are deleted.
  CREATE TABLE resource_names (
    account_id TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (account_id, resource_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What a person saved in the window: inputs, filters, schemas, conversations. bytes: of the text, in UTF-8.
  CREATE TABLE saved_documents (
    kind TEXT NOT NULL,
    account_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    saved_at REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (kind, account_id, endpoint_id, name)
  ) STRICT;
  `,
  `
  -- Why the webhook of a job was not delivered: the reason of its last attempt. NULL if it was, or if there is none.
  ALTER TABLE entries ADD COLUMN webhook_problem TEXT;
  UPDATE entries SET webhook_problem = (
    SELECT coalesce(json_extract(told, '$.attempts[#-1].error'), '') FROM webhooks w
      WHERE w.seq = entries.seq AND json_extract(told, '$.state') = 'failed' LIMIT 1)
    WHERE webhook IS NOT NULL;
  CREATE INDEX entries_webhook_problem ON entries (finished_at) WHERE webhook_problem IS NOT NULL;
  `,
  `
  -- Removed jobs that a person can still put back. record: JSON of the row in entries. Their texts stay in their tables.
  CREATE TABLE removed_entries (seq INTEGER PRIMARY KEY, entry_id TEXT NOT NULL, record TEXT NOT NULL) STRICT;
  `,
  `
  -- The price of the worker of a job when it took the job, US dollars per hour; NULL if it is not known.
  ALTER TABLE entries ADD COLUMN price_per_hour REAL;
  `,
  `
  CREATE INDEX entries_key ON entries (key_name) WHERE key_name IS NOT NULL;
  `,
];
