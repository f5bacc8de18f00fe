/** Checks an input against a schema while it is written. */
import { useEffect, useMemo, useState } from 'react';
import { createCheckThread } from './checkThread.ts';
import { checksOf, inputCheckOf, UNCHECKED, type InputCheck } from './inputChecks.ts';

/**
 * `schema`: null without one, or if it cannot be read; nothing is loaded then. While an input is checked, what was found
 * in the input before it stays.
 */
export function useInputCheck(schema: string | null, body: string): InputCheck {
  const [thread] = useState(() => createCheckThread());
  const requestOf = useMemo(() => (schema === null ? null : checksOf(schema)), [schema]);
  const request = useMemo(() => requestOf?.(body) ?? null, [requestOf, body]);
  const [last, setLast] = useState<{ schema: string | null; check: InputCheck }>({ schema: null, check: UNCHECKED });
  useEffect(() => () => thread.stop(), [thread]);
  useEffect(() => {
    if (request === null) return;
    void thread.check(request).then((outcome) => {
      if (outcome !== null) setLast({ schema, check: inputCheckOf(outcome) });
    });
  }, [thread, schema, request]);
  return request !== null && last.schema === schema ? last.check : UNCHECKED;
}
