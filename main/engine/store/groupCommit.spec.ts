/** When writes are committed, and with which others. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../test/support/core/fakes.ts';
import { createGroupCommit, type GroupCommit } from './groupCommit.ts';

let database: DatabaseSync;
let commits: GroupCommit;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE entry (name TEXT UNIQUE)');
  commits = createGroupCommit(database, silentLogger);
});
afterEach(() => {
  commits.flush();
  database.close();
});

const names = (): unknown[] =>
  database
    .prepare('SELECT name FROM entry ORDER BY rowid')
    .all()
    .map((row) => row.name);
const put = (name: string) => () => void database.prepare('INSERT INTO entry VALUES (?)').run(name);
const settledOf = (...args: [name: string, urgency?: 'now' | 'soon', length?: number]): Promise<unknown> =>
  new Promise((resolve) => {
    commits.write(put(args[0]), resolve, args[1], args[2]);
  });

describe('the group commit', () => {
  test('commits what was written in one turn together, in order, and tells each', async () => {
    expect(await Promise.all([settledOf('a'), settledOf('b')])).toEqual([null, null]);
    expect(names()).toEqual(['a', 'b']);
  });

  test('one bad write does not fail its neighbours', async () => {
    const [first, again, last] = await Promise.all([settledOf('a'), settledOf('a'), settledOf('b')]);
    expect([first, last]).toEqual([null, null]);
    expect(again).toMatchObject({ message: expect.stringContaining('UNIQUE') });
    expect(names()).toEqual(['a', 'b']);
  });

  test('a write that nobody waits for goes with the next one that somebody does, before it', async () => {
    const startedAt = performance.now();
    const soon = settledOf('first', 'soon');
    await settledOf('second');
    expect(names()).toEqual(['first', 'second']);
    await soon;
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('a write that nobody waits for is committed by itself soon after', async () => {
    const settled = settledOf('alone', 'soon');
    await new Promise(setImmediate);
    expect(names()).toEqual([]);
    expect(await settled).toBeNull();
    expect(names()).toEqual(['alone']);
  });

  test('a write that is put off is left out where it is no longer needed by then, and others do not bring it forward', async () => {
    let needed = true;
    const later = (name: string, stays: boolean): Promise<unknown> =>
      new Promise((resolve) => commits.writeLater(() => (stays || needed ? put(name) : null), resolve));
    const told = Promise.all([later('gone', false), later('kept', true)]);
    await settledOf('now');
    expect(names()).toEqual(['now']);
    needed = false;
    expect(await told).toEqual([null, null]);
    expect(names()).toEqual(['now', 'kept']);
    const last = later('last', true);
    commits.flush();
    expect(names()).toEqual(['now', 'kept', 'last']);
    await last;
  });

  test('under load, a commit waits for what comes in the next turns; with little to do it does not', async () => {
    let made = 0;
    commits = createGroupCommit(database, silentLogger, undefined, () => made++);
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const overTwoTurns = async (name: string): Promise<number> => {
      const before = made;
      const first = settledOf(`${name}1`);
      await turn();
      await Promise.all([first, settledOf(`${name}2`)]);
      return made - before;
    };
    await Promise.all(Array.from({ length: 15 }, (_, n) => settledOf(`few${n}`)));
    expect(await overTwoTurns('quiet')).toBe(2);
    await Promise.all(Array.from({ length: 16 }, (_, n) => settledOf(`many${n}`)));
    expect(await overTwoTurns('busy')).toBe(1);
    // That commit was a small one again.
    expect(await overTwoTurns('after')).toBe(2);
  });

  test('more text than should be held is committed at the end of the turn', async () => {
    void settledOf('large', 'soon', 2_000_000);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(names()).toEqual(['large']);
  });

  test('a flush leaves nothing waiting', () => {
    void settledOf('a', 'soon');
    void settledOf('b');
    commits.flush();
    expect(names()).toEqual(['a', 'b']);
  });
});
