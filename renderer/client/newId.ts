/** Ids that the page gives. */
// `crypto.randomUUID` is missing in a page that comes over plain http from another computer.
import { v4 } from 'uuid';

/** A new random UUID. */
export const newId = (): string => v4();
