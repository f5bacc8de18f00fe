/** Network volumes, each a folder of this machine, and the credentials of image registries with encrypted passwords. */
export const volumes = `
CREATE TABLE volume (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE registry_auth (id TEXT PRIMARY KEY, record TEXT NOT NULL, secret BLOB NOT NULL) WITHOUT ROWID;
`;
