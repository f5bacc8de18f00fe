/** When writes are committed, and with which other writes. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { createGroupCommit, type GroupCommit } from './groupCommit.ts';

let database: DatabaseSync;
let commits: GroupCommit;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE entry (name TEXT UNIQUE)');
  commits = createGroupCommit(database, silentLogger);
});
afterEach(() => {
  commits.flush();
  database.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
    const soon = settledOf('first', 'soon');
    await settledOf('second');
    expect(names()).toEqual(['first', 'second']);
    expect(await soon).toBeNull();
  });

  test('a write that nobody waits for is committed by itself after 20 ms, each time', async () => {
    for (const name of ['alone', 'again']) {
      const before = names();
      const settled = settledOf(name, 'soon');
      vi.advanceTimersByTime(19);
      await turn();
      expect(names()).toEqual(before);
      vi.advanceTimersByTime(1);
      expect(await settled).toBeNull();
      expect(names()).toEqual([...before, name]);
    }
  });

  test('a write that nobody waits for is committed after 20 ms also where a commit came in between', async () => {
    void settledOf('first', 'soon');
    vi.advanceTimersByTime(15);
    await settledOf('second');
    const third = settledOf('third', 'soon');
    vi.advanceTimersByTime(19);
    await turn();
    expect(names()).toEqual(['first', 'second']);
    vi.advanceTimersByTime(1);
    expect(await third).toBeNull();
    expect(names()).toEqual(['first', 'second', 'third']);
  });

  test('a write that is put off is left out where it is no longer needed by then, and others do not bring it forward', async () => {
    let needed = true;
    const later = (name: string, stays: boolean): Promise<unknown> =>
      new Promise((resolve) => commits.writeLater(() => (stays || needed ? put(name) : null), resolve));
    const answers = Promise.all([later('gone', false), later('kept', true)]);
    await settledOf('now');
    expect(names()).toEqual(['now']);
    needed = false;
    vi.advanceTimersByTime(20);
    expect(await answers).toEqual([null, null]);
    expect(names()).toEqual(['now', 'kept']);
    const last = later('last', true);
    commits.flush();
    expect(names()).toEqual(['now', 'kept', 'last']);
    await last;
  });

  test('a write that is put off is answered once', () => {
    const answers: unknown[] = [];
    let prepared = 0;
    const later = (run: (() => void) | null): void =>
      commits.writeLater(
        () => {
          prepared++;
          return run;
        },
        (error) => answers.push(error),
      );
    later(put('a'));
    later(null);
    commits.flush();
    commits.flush();
    expect({ prepared, answers }).toEqual({ prepared: 2, answers: [null, null] });
    expect(names()).toEqual(['a']);
  });

  test('what is put off waits 20 ms, each time', async () => {
    for (const name of ['a', 'b']) {
      const before = names();
      const settled = new Promise((resolve) => commits.writeLater(() => put(name), resolve));
      vi.advanceTimersByTime(19);
      await turn();
      expect(names()).toEqual(before);
      vi.advanceTimersByTime(1);
      expect(await settled).toBeNull();
      expect(names()).toEqual([...before, name]);
    }
  });

  test('a commit has 256 writes at most', async () => {
    let made = 0;
    commits = createGroupCommit(database, silentLogger, undefined, () => made++);
    await Promise.all(Array.from({ length: 256 }, (_, n) => settledOf(`a${n}`)));
    expect(made).toBe(1);
    await Promise.all(Array.from({ length: 257 }, (_, n) => settledOf(`b${n}`)));
    expect(made).toBe(3);
    expect(names()).toHaveLength(513);
    expect(names().slice(-2)).toEqual(['b255', 'b256']);
  });

  test('256 writes that nobody waits for are committed at the end of the turn', async () => {
    for (let n = 0; n < 255; n++) void settledOf(`soon${n}`, 'soon');
    await turn();
    expect(names()).toEqual([]);
    void settledOf('soon255', 'soon');
    await turn();
    expect(names()).toHaveLength(256);
  });

  test('256 writes that are put off are committed at the end of the turn', async () => {
    let settled = 0;
    const later = (name: string): void =>
      commits.writeLater(
        () => put(name),
        () => settled++,
      );
    for (let n = 0; n < 255; n++) later(`later${n}`);
    await turn();
    expect(names()).toEqual([]);
    later('later255');
    await turn();
    expect(names()).toHaveLength(256);
    expect(settled).toBe(256);
  });

  test('under load, a commit waits for what comes in the next turns; with little to do it does not', async () => {
    let made = 0;
    commits = createGroupCommit(database, silentLogger, undefined, () => made++);
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
    // That commit was small again.
    expect(await overTwoTurns('after')).toBe(2);
  });

  test('a million characters of text are committed at the end of the turn', async () => {
    void settledOf('half', 'soon', 500_000);
    void settledOf('less than half', 'soon', 499_999);
    await turn();
    expect(names()).toEqual([]);
    void settledOf('one more', 'soon', 1);
    await turn();
    expect(names()).toEqual(['half', 'less than half', 'one more']);
    void settledOf('first of the next', 'soon', 999_999);
    await turn();
    expect(names()).toHaveLength(3);
  });

  test('a flush leaves nothing waiting', () => {
    void settledOf('a', 'soon');
    void settledOf('b');
    commits.flush();
    expect(names()).toEqual(['a', 'b']);
  });
});
