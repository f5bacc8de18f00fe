import { expect, test } from 'vitest';
import { createWaitingChanges, MOST_WAITING } from './waitingChanges.ts';

test('each change waits once, and what is taken waits no longer', () => {
  const waiting = createWaitingChanges();
  for (const id of ['a', 'b', 'a']) waiting.add({ about: 'endpoint', id });
  waiting.add({ about: 'pod', id: 'a' });
  expect(waiting.isEmpty()).toBe(false);
  expect(waiting.take()).toEqual([
    { about: 'endpoint', id: 'a' },
    { about: 'endpoint', id: 'b' },
    { about: 'pod', id: 'a' },
  ]);
  expect([waiting.isEmpty(), waiting.take()]).toEqual([true, []]);
});

test('of a reader that stands still, no more than the limit waits: then all may have changed', () => {
  const waiting = createWaitingChanges();
  const add = (count: number) => {
    for (let n = 0; n < count; n++) waiting.add({ about: 'endpoint', id: `${n}` });
  };
  add(MOST_WAITING);
  expect(waiting.take()).toHaveLength(MOST_WAITING);
  add(MOST_WAITING + 1);
  waiting.add({ about: 'pod', id: 'p' });
  expect(waiting.take()).toEqual([{ about: 'all', id: null }]);
  waiting.add({ about: 'pod', id: 'p' });
  expect(waiting.take()).toEqual([{ about: 'pod', id: 'p' }]);
});

test('what an engine reports is not lost while its first event waits', () => {
  const waiting = createWaitingChanges();
  const first = { about: 'all' as const, id: null, kinds: ['endpoint'] };
  waiting.add(first);
  for (let n = 0; n <= MOST_WAITING; n++) waiting.add({ about: 'endpoint', id: `${n}` });
  waiting.add({ about: 'all', id: null });
  expect(waiting.take()).toEqual([first]);
  expect(waiting.take()).toEqual([]);
});
