/** Rules of what follows when keys move, or are locked. */
import { expect, it } from 'vitest';
import { watchKeyMoves } from './keyInvalidation.ts';
import type { StoreState } from '../secrets/secrets.ts';

function watching() {
  const state: StoreState = {
    kind: 'memory',
    chosen: false,
    problem: null,
    keychainProblem: null,
    filePath: '/keys',
    fileExists: false,
    entries: 2,
  };
  const seen: string[] = [];
  let listener: (state: StoreState) => void = () => undefined;
  watchKeyMoves(
    {
      state: () => state,
      onState(newListener) {
        listener = newListener;
        return () => undefined;
      },
    },
    { keysMoved: (to) => void seen.push(`moved to ${to}`) },
    { dropKeys: () => void seen.push('dropped') },
  );
  return { seen, tell: (change: Partial<StoreState>) => listener(Object.assign(state, change)) };
}

it('keys that moved are fetched anew from their new place, which accounts tell from then on', () => {
  const { seen, tell } = watching();
  tell({ kind: 'file', chosen: true });
  tell({ entries: 3 });
  expect(seen).toEqual(['dropped', 'moved to file']);
});

it('keys that were left where they were are not said to have moved', () => {
  const { seen, tell } = watching();
  tell({ kind: 'file', entries: 0 });
  expect(seen).toEqual(['dropped']);
});

it('keys that cannot be read any more are not held either', () => {
  const { seen, tell } = watching();
  tell({ problem: { trouble: 'locked', reason: 'Unlock it.' } });
  expect(seen).toEqual(['dropped']);
});
