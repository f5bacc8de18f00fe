/**
 * The number of engine crashes while a job was running, and its manual place in the queue; NULL for nearly all jobs.
 */
export const jobOrder = `
ALTER TABLE job ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN rank REAL;
`;
