import { expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createSession, type Shell } from './session.ts';

const PIECE = Buffer.alloc(1024 * 1024, 'x');

it('A session whose screen cannot be made says so once, and does not hold its shell back for it', async () => {
  const holds: boolean[] = [];
  const reasons: string[] = [];
  const shell: Shell = {
    command: ['sh'],
    write: () => undefined,
    resize: () => undefined,
    hold: (paused) => holds.push(paused),
  };
  const session = createSession({
    id: 's',
    size: { columns: 80, rows: 24 },
    shell: () => shell,
    onViewers: () => undefined,
    onBroken: (reason) => reasons.push(reason),
    openScreen: () => Promise.reject(new Error('no memory is left')),
  });
  for (let bytes = 0; bytes < 2 * limits.terminal.storedBytes; bytes += PIECE.length) {
    session.output(PIECE);
    await new Promise(setImmediate);
  }
  expect(reasons).toEqual(['The terminal was closed, because its screen could not be made: no memory is left']);
  expect(holds.at(-1) ?? false).toBe(false);
  expect(await session.end({ exitCode: null, reason: 'over' }, true)).toBeNull();
});
