/** The state of a form that the schema of its request validates. */
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldChange } from './fieldChanges.ts';
import type { FormDrafts } from './formDrafts.ts';
import { endPress, useStillWhilePressed } from '../keyboard/useStillWhilePressed.ts';
import type { Problems } from './schemaProblems.ts';

type Handler = (event: { preventDefault: () => void; currentTarget?: EventTarget | null }) => void;

const formOf = (within: EventTarget | null | undefined): Element | null =>
  within instanceof Element ? (within.closest('form') ?? within.closest('[role=dialog]')) : null;

/** Moves the focus to the first field with a problem, which may be scrolled out of view. */
export function focusFirstProblem(form: Element | null): void {
  const field = form?.querySelector('[aria-invalid=true]');
  if (field instanceof HTMLElement) field.focus();
}

const NONE: Problems = new Map();

export interface FormSchema<Values> {
  /** The problems of the values, one sentence for each field. */
  problemsOf: (values: Values) => Problems;
  /** Fields that are initially empty: their problems show only after the first try to send. */
  emptyAtFirst?: readonly string[];
}

export interface SchemaForm<Values> {
  values: Values;
  /** The problems that are shown at the fields. */
  problems: Problems;
  /** Sets these fields; the others stay. */
  put: (fields: Partial<Values>) => void;
  /** Sets values that depend on the current ones. */
  update: (next: (values: Values) => Values) => void;
  /**
   * Shows at its fields why the values were refused after they were sent, until a value changes, and moves the focus to
   * the first of these fields.
   */
  refuse: (problems: Problems) => void;
  /** Creates a handler of the form's `submit` event, or of a click. It calls `send` only if there is no problem. */
  submit: (send: () => void) => Handler;
}

/** `begin` returns the initial values; it is called once. */
export function useSchemaForm<Values>(
  { problemsOf, emptyAtFirst = [] }: FormSchema<Values>,
  begin: () => Values,
): SchemaForm<Values> {
  const [values, setValues] = useState(begin);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState(NONE);
  const sentForm = useRef<Element>(null);
  const all = problemsOf(values);
  // The words of a problem move the fields below them.
  const own = useStillWhilePressed(
    isTried ? all : new Map([...all].filter(([field]) => !emptyAtFirst.includes(field))),
  );
  const change: typeof setValues = (next) => {
    setRefused(NONE);
    setValues(next);
  };
  return {
    values,
    problems: refused.size === 0 ? own : new Map([...own, ...refused]),
    put: (fields) => change((before) => ({ ...before, ...fields })),
    update: change,
    refuse(problems) {
      flushSync(() => setRefused(problems));
      focusFirstProblem(sentForm.current);
    },
    submit: (send) => (event) => {
      event.preventDefault();
      // The problems are marked in the page before the first one is looked for.
      sentForm.current = formOf(event.currentTarget);
      flushSync(() => {
        endPress();
        setTried(true);
        setRefused(NONE);
      });
      if (all.size === 0) send();
      else focusFirstProblem(sentForm.current);
    },
  };
}

export interface ReviewedSchema<Values, Change> extends FormSchema<Values> {
  /** Only the differences, as they are sent and as they are shown. */
  changesOf: (before: Values, after: Values) => { change: Change; list: FieldChange[] };
}

export interface ReviewedForm<Values, Change> extends SchemaForm<Values> {
  change: Change;
  list: readonly FieldChange[];
  isReviewing: boolean;
  /** Restores the saved values. */
  discard: () => void;
  /** The handler of the form's `submit` event: opens the review, unless there is a problem or no change. */
  review: Handler;
  closeReview: () => void;
  /** Sets the saved values and closes the review. */
  settle: (saved: Values) => void;
}

/**
 * A form for an existing record. Its changes are reviewed before they are saved. With `draft`, unsaved changes of the
 * record `key` are in the form again when it is opened again.
 */
export function useReviewedForm<Values, Change>(
  schema: ReviewedSchema<Values, Change>,
  begin: () => Values,
  draft?: { drafts: FormDrafts<Values>; key: string },
): ReviewedForm<Values, Change> {
  const [first] = useState(() => {
    const values = begin();
    return draft?.drafts.get(draft.key) ?? { saved: values, values };
  });
  const form = useSchemaForm(schema, () => first.values);
  const [saved, setSaved] = useState(first.saved);
  const [isReviewing, setReviewing] = useState(false);
  const { values } = form;
  const { change, list } = schema.changesOf(saved, values);
  const hasChanges = list.length > 0;
  const [drafts, key] = [draft?.drafts, draft?.key ?? ''];
  useEffect(() => drafts?.set(key, hasChanges ? { saved, values } : null), [drafts, key, hasChanges, saved, values]);
  return {
    ...form,
    change,
    list,
    isReviewing,
    discard: () => form.update(() => saved),
    review: form.submit(() => setReviewing(list.length > 0)),
    closeReview: () => setReviewing(false),
    settle: (now) => {
      setSaved(now);
      form.update(() => now);
      setReviewing(false);
    },
  };
}
