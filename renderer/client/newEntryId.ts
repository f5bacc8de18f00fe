/** Ids of the jobs that this page sends. */

/** A new one: the page knows the entry of a job by it before the app has answered. */
export const newEntryId = (): string => crypto.randomUUID();
