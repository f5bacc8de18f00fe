/** Changes outside of the engine: each kind is compared by itself. */
import { expect, test } from 'vitest';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { createFakeClock, silentLogger } from '../../test/support/core/fakes.ts';
import { COMPARE_MS, createChangeFeed, type ChangeFeedParts } from './changeFeed.ts';
import { createChanges } from './domain/core/changes.ts';

test('one kind of facts that cannot be read hides no other change, and is warned of once until it works again', async () => {
  const clock = createFakeClock();
  const warnings: string[] = [];
  let isBroken = true;
  let tests = 'first';
  let comparisons = 0;
  const containers = {
    find: async () => 'No container engine answers.',
    facts: async () => {
      if (isBroken) throw new Error('the engine answers nonsense');
      return null;
    },
  };
  const folders = {
    testsVersions: async () => new Map([['endpoint', tests]]),
    changedInputs: () => {
      comparisons += 1;
      return [];
    },
  };
  const feed = createChangeFeed({
    clock,
    logger: { ...silentLogger, warn: (_, message) => warnings.push(message) },
    changes: createChanges(clock),
    execution: { readiness: { all: async () => [] }, containers, folders } as unknown as ChangeFeedParts['execution'],
    facts: async () => ({ notices: [], disk: { full: null, freeBytes: 1 }, backup: null }) as never,
  });
  const seen: StateChange[] = [];
  const { leave } = feed.follow((changes) => seen.push(...changes));
  /** Waits for the next comparison of all facts to end. */
  const compare = async (): Promise<void> => {
    const before = comparisons;
    await expect
      .poll(() => {
        if (comparisons === before) clock.advance(COMPARE_MS);
        return comparisons;
      })
      .toBeGreaterThan(before);
    await expect.poll(() => clock.pending()).toBeGreaterThan(1);
  };

  await compare();
  tests = 'second';
  await compare();
  await compare();
  expect(seen).toEqual([{ about: 'folder', id: 'endpoint' }]);
  expect(warnings).toEqual(['changes of the state of the container engine cannot be read']);
  isBroken = false;
  await compare();
  isBroken = true;
  await compare();
  await compare();
  expect(warnings).toHaveLength(2);
  leave();
});

test('a follower learns when outer facts have been read once, and each change after that is reported', async () => {
  const clock = createFakeClock();
  const files = { isThere: true };
  let read = (): void => undefined;
  const wasAsked = new Promise<void>((resolve) => (read = resolve));
  let answer = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  const all = async () => {
    const { isThere: available } = files;
    read();
    await mayAnswer;
    return [{ id: 'endpoint', available }];
  };
  const execution = {
    readiness: { all },
    containers: { find: async () => 'No container engine answers.', facts: async () => null },
    folders: { testsVersions: async () => new Map(), changedInputs: () => [] },
  };
  const feed = createChangeFeed({
    clock,
    logger: silentLogger,
    changes: createChanges(clock),
    execution: execution as unknown as ChangeFeedParts['execution'],
    facts: async () => ({ notices: [], disk: { full: null, freeBytes: 1 }, backup: null }) as never,
  });
  const seen: StateChange[] = [];
  const { leave, compared } = feed.follow((changes) => seen.push(...changes));
  const other = feed.follow(() => undefined);
  const order: string[] = [];
  const both = Promise.all([compared.then(() => order.push('first')), other.compared.then(() => order.push('second'))]);
  await wasAsked;
  order.push('read');
  answer();
  await both;
  expect(order).toEqual(['read', 'first', 'second']);
  files.isThere = false;
  await expect
    .poll(() => {
      clock.advance(COMPARE_MS);
      return seen;
    })
    .toContainEqual({ about: 'endpoint', id: 'endpoint' });
  leave();
  other.leave();
});
