/** The state of a form whose values are checked by a schema, and saved as what is different from before. */
import { useState } from 'react';

/** What a form is of: each is a function of its values alone. */
export interface SchemaForm<Values, Change, Difference> {
  /** What the schema says is wrong, a sentence by field. */
  problemsOf: (values: Values) => Map<string, string>;
  /** Only what is different, as it is sent and as it is shown. */
  changesOf: (before: Values, after: Values) => { change: Change; list: Difference[] };
}

/**
 * `begin` makes the values that the form begins with. `review` opens the dialog over the changes, unless there are none or one is
 * wrong. `settle` takes what was saved as what the form began with.
 */
export function useSchemaForm<Values, Change, Difference>(
  { problemsOf, changesOf }: SchemaForm<Values, Change, Difference>,
  begin: () => Values,
) {
  const [saved, setSaved] = useState(begin);
  const [values, setValues] = useState(saved);
  const [isReviewing, setReviewing] = useState(false);
  const problems = problemsOf(values);
  const { change, list } = changesOf(saved, values);
  return {
    values,
    problems,
    change,
    list,
    isReviewing,
    put: (fields: Partial<Values>) => setValues((before) => ({ ...before, ...fields })),
    discard: () => setValues(saved),
    review: () => setReviewing(list.length > 0 && problems.size === 0),
    closeReview: () => setReviewing(false),
    settle: (now: Values) => {
      setSaved(now);
      setValues(now);
      setReviewing(false);
    },
  };
}
