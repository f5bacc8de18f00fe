/** The outcome of writes when the disk is full, the file fails, or a callback throws. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { createGroupCommit, type GroupCommit, type WriteKind } from './groupCommit.ts';
import { createStoreCondition, isOutcomeUnknown, sqlite } from './writeHealth.ts';

let database: DatabaseSync;
let commits: GroupCommit;
/** The state of the condition: a write has met a full disk. */
let full: boolean;
/** The error that `put` throws. */
let fault: number | null;
let failures: unknown[];
/** The number of transactions so far. */
let committed: number;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE entry (name TEXT UNIQUE)');
  full = false;
  fault = null;
  failures = [];
  committed = 0;
  const condition = createStoreCondition({
    onFull: () => (full = true),
    isFull: () => full,
    onFailure: (failure) => failures.push(failure),
  });
  commits = createGroupCommit(database, silentLogger, condition, () => committed++);
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

/** The outcome of a write. */
interface Answers {
  /** How often its statements were executed. */
  tries: number;
  /** Its results, one for each time: null after a commit. */
  errors: unknown[];
}

/** Writes a name. Its statements fail as `fault` determines at that time. */
function write(name: string, kind: WriteKind = 'other'): Answers {
  const answers: Answers = { tries: 0, errors: [] };
  commits.write(
    () => {
      answers.tries++;
      if (fault !== null) throw Object.assign(new Error('the disk'), { errcode: fault });
      database.prepare('INSERT INTO entry VALUES (?)').run(name);
    },
    (error) => answers.errors.push(error),
    'now',
    0,
    kind,
  );
  return answers;
}

const FULL = expect.objectContaining({ code: 'STORAGE_FULL' }) as unknown;

describe('on a full disk', () => {
  test('a removal is answered once: when there was room for it', () => {
    fault = sqlite.FULL;
    const removal = write('removal', 'removal');
    const other = write('other');
    commits.flush();
    expect([removal.errors, other.errors]).toEqual([[], [FULL]]);
    const refused = write('later');
    commits.flush();
    expect([removal.errors, refused.errors]).toEqual([[], [FULL]]);

    fault = null;
    full = false;
    const next = write('next');
    commits.flush();
    expect([removal.errors, next.errors]).toEqual([[null], [null]]);
    expect(names()).toEqual(['next', 'removal']);
    write('last');
    commits.flush();
    expect(removal.errors).toEqual([null]);
  });

  test('a removal that fails for another reason is answered with that', () => {
    fault = sqlite.CONSTRAINT;
    const removal = write('removal', 'removal');
    commits.flush();
    expect(removal.errors).toEqual([expect.objectContaining({ errcode: sqlite.CONSTRAINT })]);
  });

  test('what is new is refused untried, and all else is stored', () => {
    full = true;
    const fresh = write('new', 'new');
    const other = write('other');
    const removal = write('removal', 'removal');
    commits.flush();
    expect([fresh.errors, other.errors, removal.errors]).toEqual([[FULL], [null], [null]]);
    expect([fresh.tries, committed]).toEqual([0, 1]);
    expect(names()).toEqual(['other', 'removal']);
  });

  test('what is new is refused untried also where nothing else is written', () => {
    full = true;
    const fresh = write('new', 'new');
    commits.flush();
    expect([fresh.errors, fresh.tries, committed]).toEqual([[FULL], 0, 0]);
  });

  test('what was written with the first that finds it full is tried by itself in what was reserved, but for what is new', () => {
    const fresh = write('new', 'new');
    const removal = write('removal', 'removal');
    const other = write('other');
    let hasFailed = false;
    commits.write(
      () => {
        if (hasFailed) return;
        hasFailed = true;
        throw Object.assign(new Error('the disk'), { errcode: sqlite.FULL });
      },
      () => undefined,
    );
    commits.flush();
    expect([fresh.errors, removal.errors, other.errors]).toEqual([[FULL], [null], [null]]);
    expect([fresh.tries, removal.tries]).toEqual([1, 2]);
    expect(names()).toEqual(['removal', 'other']);
  });

  test('a single write that finds it full is tried once more in what was reserved', () => {
    let tries = 0;
    const errors: unknown[] = [];
    commits.write(
      () => {
        if (tries++ === 0) throw Object.assign(new Error('the disk'), { errcode: sqlite.FULL });
      },
      (error) => errors.push(error),
    );
    commits.flush();
    expect({ tries, errors }).toEqual({ tries: 2, errors: [null] });
  });
});

describe('a file that fails', () => {
  test('is not written to again, and nobody learns that a write was stored', () => {
    const before = write('before');
    commits.flush();
    fault = sqlite.CORRUPT;
    const [first, second] = [write('first'), write('second')];
    commits.flush();
    fault = null;
    const last = write('last');
    commits.flush();
    expect(before.errors).toEqual([null]);
    for (const { errors } of [first, second, last]) expect(errors.map(isOutcomeUnknown)).toEqual([true]);
    expect([first.tries, second.tries, last.tries]).toEqual([1, 0, 0]);
    expect(failures).toHaveLength(1);
  });
});

describe('one bad write', () => {
  test('is tried once where it is alone, and leaves no transaction open', () => {
    fault = sqlite.CONSTRAINT;
    const bad = write('bad');
    commits.flush();
    expect(bad.tries).toBe(1);
    expect(database.isTransaction).toBe(false);
  });

  test('whose callback throws leaves those of its neighbours to be called', () => {
    commits.write(
      () => undefined,
      () => {
        throw new Error('a callback');
      },
    );
    const other = write('other');
    commits.flush();
    expect(other.errors).toEqual([null]);
  });
});
