/**
 * Metrics of endpoints by minutes and by hours since the epoch. `unit`: 0 for a minute, 1 for an hour. `delay`,
 * `execution`: packed histograms.
 */
export const endpointMetrics = `
CREATE TABLE endpoint_metrics (
  endpoint TEXT NOT NULL,
  unit INTEGER NOT NULL,
  at INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  timed_out INTEGER NOT NULL,
  delay BLOB NOT NULL,
  execution BLOB NOT NULL,
  worker_ms INTEGER NOT NULL,
  workers_most INTEGER NOT NULL,
  cost REAL NOT NULL,
  PRIMARY KEY (endpoint, unit, at)
) WITHOUT ROWID;
`;
