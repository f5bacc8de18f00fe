import { expect, it } from 'vitest';
import type { PodEvent } from '#contract/local/podEvent.ts';
import { formatStamp } from '../../ui/text/format.ts';
import { runMarks } from './logRuns.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 1, 14, 3, second)).toISOString();
const time = (second: number): string => formatStamp(Date.parse(at(second)));
const event = (kind: PodEvent['kind'], second: number, more: Partial<PodEvent> = {}): PodEvent => ({
  n: second,
  at: at(second),
  kind,
  by: 'engine',
  keyName: null,
  text: '',
  times: 1,
  exitCode: null,
  lastLines: [],
  ...more,
});
const words = (events: PodEvent[]): string[] => runMarks(events).map(({ text }) => text);

it('A start after an end has the number of the run and the exit code, and the first one of a new Pod has no mark', () => {
  const events = [
    event('made', 0),
    event('started', 1),
    event('ended', 2, { exitCode: 1 }),
    event('started', 3),
    event('ended', 4, { times: 2 }),
    event('started', 5),
  ];
  expect(words(events)).toEqual([
    `Started again, run 2, ${time(3)}, after exit code 1`,
    `Started again, run 3, ${time(5)}`,
  ]);
  // The first output may be older than the start that the container engine notes.
  expect(runMarks(events)[0]).toMatchObject({ n: Date.parse(at(2)) * 1000 - 0.5, at: at(3) });
  expect(runMarks(events).map(({ fileText }) => fileText)).toEqual([
    'Started again, run 2, after exit code 1',
    'Started again, run 3',
  ]);
});

it('A start by a person says what was done, and the runs are counted anew', () => {
  const events = [
    event('started', 1),
    event('ended', 2, { exitCode: 3, times: 7 }),
    event('stopped', 3),
    event('resumed', 4),
    event('started', 5),
    event('ended', 6, { exitCode: 1 }),
    event('started', 7),
    event('restarted', 8),
    event('started', 9),
  ];
  expect(words(events)).toEqual([
    `Started, ${time(5)}, after a stop`,
    `Started again, run 2, ${time(7)}, after exit code 1`,
    `Started, ${time(9)}, after a restart`,
  ]);
  // What the container wrote while it was stopped belongs to the run before.
  expect(runMarks(events).at(-1)?.n).toBe((Date.parse(at(9)) - 250) * 1000 - 0.5);
});

it('The starts whose events a long row of ends has replaced have their marks, too', () => {
  const runs = [5, 6].map((n) => ({ n, startedAt: at(n), endedAt: at(n - 1), exitCode: 2 }));
  const row = [event('ended', 7, { times: 6, exitCode: 2, runs }), event('started', 8)];
  expect(words(row)).toEqual(
    [5, 6]
      .map((n) => `Started again, run ${n}, ${time(n)}, after exit code 2`)
      .concat(`Started again, run 7, ${time(8)}, after exit code 2`),
  );
});
