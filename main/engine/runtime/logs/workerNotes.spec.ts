import { expect, it } from 'vitest';
import { createWorkerNotes } from './workerNotes.ts';

it.each([
  ['it was idle', 'it was idle.'],
  ['Paused by you.', 'Paused by you.'],
])('the reason "%s" of a stop and of an end has one full stop in the log', (reason, noted) => {
  const lines: string[] = [];
  const notes = createWorkerNotes({ note: (_worker, _level, text) => void lines.push(text) });
  const worker = { workerId: 'w1', endpointId: 'e1', at: 0 };
  notes.changed({ ...worker, state: 'stopping', jobIds: [], reason, about: [] });
  notes.ended({ ...worker, reason, unhealthy: false });
  expect(lines.slice(1)).toEqual([`The worker is being stopped: ${noted}`, `The worker has ended: ${noted}`]);
});
