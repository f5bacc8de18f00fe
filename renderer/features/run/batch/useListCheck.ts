/** Checks the inputs of a list against the schema of their endpoint, one after the other, before anything is sent. */
import { useEffect, useState } from 'react';
import { createCheckThread } from '../form/checkThread.ts';
import { checksOf, inputCheckOf } from '../form/inputChecks.ts';
import type { LineProblem, ListedInput } from './readInputs.ts';

/** A check takes about a millisecond: longer lists are checked at their beginning. */
const CHECKED_INPUTS = 1000;
/** More say nothing new: their reason is the same. */
const MOST_MISFITS = 100;

/** What does not fit the schema, by the lines of the list. `schema`: null without one. */
export function useListCheck(schema: string | null, inputs: readonly ListedInput[]): readonly LineProblem[] {
  const [result, setResult] = useState<{ inputs: readonly ListedInput[]; misfits: readonly LineProblem[] }>({
    inputs: [],
    misfits: [],
  });
  useEffect(() => {
    if (schema === null || inputs.length === 0) return undefined;
    const thread = createCheckThread();
    const requestOf = checksOf(schema);
    const check = async () => {
      const misfits: LineProblem[] = [];
      for (const { line, body } of inputs.slice(0, CHECKED_INPUTS)) {
        const request = requestOf(body);
        const outcome = request === null ? null : await thread.check(request);
        if (outcome === null) continue;
        const { misfits: those, problem } = inputCheckOf(outcome);
        misfits.push(...those.map(({ words }) => ({ line, message: words })));
        // The next inputs would fail in the same way.
        if (problem !== null) misfits.push({ line, message: problem });
        if (problem !== null || misfits.length >= MOST_MISFITS) break;
      }
      return misfits;
    };
    let isCurrent = true;
    void check().then((misfits) => isCurrent && setResult({ inputs, misfits }));
    return () => {
      isCurrent = false;
      thread.stop();
    };
  }, [schema, inputs]);
  return schema !== null && result.inputs === inputs ? result.misfits : NONE;
}

const NONE: readonly LineProblem[] = [];
