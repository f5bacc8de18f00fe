/** Ids of the jobs that this page sends. */

/** A new id, by which the page knows the entry of a job before the app answers. */
export const newEntryId = (): string => crypto.randomUUID();
