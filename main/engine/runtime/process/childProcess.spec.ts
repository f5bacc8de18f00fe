import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { killMarked } from './childProcess.ts';
import { needsLinux } from '../../../../test/support/core/skip.ts';

afterEach(() => void vi.restoreAllMocks());

it('a process outside of its group is killed, however long the search for it takes', needsLinux, async () => {
  const mark = { name: 'HANGAR_SPEC_WORKER', value: crypto.randomUUID() };
  const child = spawn('sleep', ['600'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, [mark.name]: mark.value },
  });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  // Each look at the clock is an hour after the last one, as on a computer that stood still.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_600_000));
  await killMarked(mark);
  vi.restoreAllMocks();
  child.kill('SIGTERM');
  expect(await ended, 'the first signal was the one that kills').toEqual([null, 'SIGKILL']);
});
