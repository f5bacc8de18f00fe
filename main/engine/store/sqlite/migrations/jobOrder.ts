/** How often the engine has crashed while a job was running, and the place that somebody has given it in its queue; NULL for nearly all. */
export const jobOrder = `
ALTER TABLE job ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN rank REAL;
`;
