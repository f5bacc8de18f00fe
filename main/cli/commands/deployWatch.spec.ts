/** Rules of `deploy --watch`: when the handler counts as running, and what is said of a change. */
import { expect, it } from 'vitest';
import { createWatchTracker, type WatchFacts } from './deployWatch.ts';

const readiness = (version: number, changes: Partial<NonNullable<WatchFacts['readiness']>> = {}) => ({
  available: true,
  reason: null,
  trouble: null,
  reload: { watching: true, lastAt: null, problem: null, version },
  ...changes,
});
const worker = (version: number, state: 'idle' | 'initializing') => ({ version, state });

it('a worker from before a change does not count as running after it', () => {
  const track = createWatchTracker();
  const first = track({ readiness: readiness(1), workers: [worker(1, 'idle')] });
  expect(first).toMatchObject({ isReloaded: false, state: { kind: 'running' } });
  const changed = track({ readiness: readiness(2), workers: [worker(1, 'idle')] });
  expect(changed).toMatchObject({ isReloaded: true, state: { kind: 'starting' } });
  const starting = track({ readiness: readiness(2), workers: [worker(1, 'idle'), worker(2, 'initializing')] });
  expect(starting).toMatchObject({ isReloaded: false, state: { kind: 'starting' } });
  expect(track({ readiness: readiness(2), workers: [worker(2, 'idle')] }).state).toEqual({ kind: 'running' });
});

it('a worker of a change that was listed before the change was read still counts', () => {
  const track = createWatchTracker();
  track({ readiness: readiness(1), workers: [worker(1, 'idle')] });
  track({ readiness: readiness(1), workers: [worker(2, 'initializing')] });
  const read = track({ readiness: readiness(2), workers: [worker(2, 'idle')] });
  expect(read).toMatchObject({ isReloaded: true, state: { kind: 'running' } });
});

it('a handler counts as running once changes of its files are noticed, or never will be', () => {
  const reload = { watching: false, lastAt: null, problem: null, version: 1 };
  const track = createWatchTracker();
  const workers = [worker(1, 'idle')];
  expect(track({ readiness: readiness(1, { reload }), workers }).state).toEqual({ kind: 'starting' });
  const blind = track({ readiness: readiness(1, { reload: { ...reload, problem: 'Too many files.' } }), workers });
  expect(blind).toMatchObject({ blindness: 'Too many files.', state: { kind: 'running' } });
});

it('workers that keep dying, and what the engine cannot run, are failing with the reason', () => {
  const track = createWatchTracker();
  const trouble = { deaths: 2, reason: 'It ended.', lastLines: [], nextTryAt: null };
  const dying = track({ readiness: readiness(1, { trouble }), workers: [] });
  expect(dying.state).toEqual({ kind: 'failing', reason: 'It ended.' });
  const impossible = track({ readiness: readiness(1, { available: false, reason: 'No handler.' }), workers: [] });
  expect(impossible.state).toEqual({ kind: 'failing', reason: 'No handler.' });
});
