/** The records of Pods. Deleted Pods stay while the API lists them or their container exists. */
export const pods = `
CREATE TABLE pod (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
`;
