/** How a write to disk is asked for, and how its commit is reported. */

/** Called once a write is committed, or with what prevented it. */
export type CommitCallback = (error: unknown) => void;

/** `now`: a caller waits for the commit. `soon`: with the next commit, or a few milliseconds later; no caller waits. */
export type Urgency = 'now' | 'soon';
