/** Secrets for environment variables: their public fields, and their encrypted values. */
export const secrets = `
CREATE TABLE secret (id TEXT PRIMARY KEY, record TEXT NOT NULL, secret BLOB NOT NULL) WITHOUT ROWID;
`;
