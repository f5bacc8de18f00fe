/** What happened to Pods. `n`: the number of the event in its Pod. */
export const podEvents = `
CREATE TABLE pod_event (
  pod TEXT NOT NULL,
  n INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (pod, n)
) WITHOUT ROWID;
`;
