/**
 * Who sent each job: the program and the name of its key. NULL: the host of the engine, or an earlier version stored
 * the job.
 */
export const jobSender = `
ALTER TABLE job ADD COLUMN sender TEXT;
`;
