/**
 * The variables of templates and Pods, sealed; NULL where there are none, and where an older version has left them in the record.
 * The same version seals the addresses of webhooks and what is sent there, in place: a BLOB where there was TEXT.
 */
export const sealedEnv = `
ALTER TABLE template ADD COLUMN secret BLOB;
ALTER TABLE pod ADD COLUMN secret BLOB;
`;
