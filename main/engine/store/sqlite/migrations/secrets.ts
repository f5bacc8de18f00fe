/** Secrets that variables refer to: what is answered of them, and their values, sealed. */
export const secrets = `
CREATE TABLE secret (id TEXT PRIMARY KEY, record TEXT NOT NULL, secret BLOB NOT NULL) WITHOUT ROWID;
`;
