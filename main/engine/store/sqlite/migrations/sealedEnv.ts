/**
 * The encrypted variables of templates and Pods; NULL without variables, and where an older version stored them in the
 * record. The same version encrypts the addresses and payloads of webhooks in place: a BLOB replaces the TEXT.
 */
export const sealedEnv = `
ALTER TABLE template ADD COLUMN secret BLOB;
ALTER TABLE pod ADD COLUMN secret BLOB;
`;
