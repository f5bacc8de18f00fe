/** The value of a number field in a form. */

/** Text while the input is no number. */
export type Entry = number | string;

/**
 * An entry in a request, times `factor`. Text stays text, so that the schema reports it.
 */
export const requestNumber = (entry: Entry, factor = 1): number =>
  typeof entry === 'number'
    ? Math.round(entry * factor)
    : // oxlint-disable-next-line typescript/consistent-type-assertions -- a form is sent only if its schema accepts it
      (entry as unknown as number);
