import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextUploadState, uploadEvents, uploadStates, uploadTable, type UploadState } from './uploadState.ts';

const FINAL: readonly UploadState[] = ['complete', 'resumable', 'unwanted', 'ended'];
const pairs = uploadStates.flatMap((state) => uploadEvents.map((event) => [state, event] as const));

describe('the states of an upload', () => {
  it.each(pairs)('have an answer to every event: %s, %s', (state, event) => {
    const next = uploadTable[state][event];
    if (next === null) expect(() => nextUploadState(state, event)).toThrow(`is ${state} does not ${event}`);
    else expect(nextUploadState(state, event)).toBe(next);
    if (FINAL.includes(state)) expect(next).toBeNull();
    // Whatever happens, an upload can fail: what it leaves is decided then.
    else if (event === 'fail' || event === 'abandon') expect(FINAL).toContain(next);
  });

  it('leave a part behind only where bytes were written, and nothing that was given up', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...uploadEvents), { maxLength: 12 }), (events) => {
        let state: UploadState = 'new';
        const done: string[] = [];
        for (const event of events) {
          if (uploadTable[state][event] === null) continue;
          state = nextUploadState(state, event);
          done.push(event);
        }
        if (state === 'resumable') expect(done).toEqual(expect.arrayContaining(['note', 'write', 'fail']));
        if (done.includes('abandon')) expect(['unwanted', 'ended']).toContain(state);
        // Where a note was written, the upload never ends as though there were none.
        if (done.includes('note')) expect(state).not.toBe('ended');
      }),
      { numRuns: 3000 },
    );
  });
});
