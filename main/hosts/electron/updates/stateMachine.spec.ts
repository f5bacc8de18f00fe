import { expect, test } from 'vitest';
import { updateStates } from '#contract/bridge/updates.ts';
import { nextState, updateEvents } from './stateMachine.ts';

/**
 * Rows: states. Columns: check, none, found, download, downloaded, fail, wait, postpone, install, reset. A dot: nothing
 * changes.
 */
const expected = `
  idle         checking  .     .          .            .      .       .        .      .           idle
  checking     .         idle  available  .            .      failed  .        .      .           idle
  available    checking  .     .          downloading  .      .       .        .      .           idle
  downloading  .         .     .          .            ready  failed  .        .      .           idle
  ready        .         .     .          .            .      .       waiting  .      installing  idle
  waiting      .         .     .          .            .      .       .        ready  installing  idle
  installing   .         .     .          .            .      failed  .        .      .           .
  failed       checking  .     .          .            .      .       .        .      .           idle`;

test('each event leads each state where the table says, and nowhere else', () => {
  const rows = updateStates.map((state) => [state, ...updateEvents.map((event) => nextState(state, event) ?? '.')]);
  const table = expected
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  expect(rows).toEqual(table);
});

test('a version is installed only from a state in which it is downloaded', () => {
  const from = updateStates.filter((state) => nextState(state, 'install') !== null);
  expect(from).toEqual(['ready', 'waiting']);
});
