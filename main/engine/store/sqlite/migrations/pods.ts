/** Pods, as they are meant to be. Those that were deleted stay for as long as they are told of, or leave a container behind. */
export const pods = `
CREATE TABLE pod (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
`;
