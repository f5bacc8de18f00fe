import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { savedLimits, type SavedEvent, type SavedRef } from '#contract/app/saved/document.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { watchPlace } from '../bridge/saved/saved.ts';
import { createBatch } from '../ledger/groupCommit.ts';
import { createLedger } from '../ledger/ledger.ts';
import { MIGRATIONS } from '../ledger/migrations.ts';
import { createSql } from '../ledger/query.ts';
import { createSavedRows } from '../ledger/rows/saved.ts';
import { exportFolder } from '../storage/archive/exportFolder.ts';
import { acceptImport, finishImport, unpackExport } from '../storage/archive/importFolder.ts';
import { idleDatabases } from '../storage/archive/snapshots.ts';
import { createSavedDocuments } from './savedDocuments.ts';

const logger = pino({ level: 'silent' });
const clock = createFakeClock();
const place = { kind: 'input', accountId: 'a', endpointId: 'e' } as const;
let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-saved-'));
  mkdirSync(join(dir, 'data'));
  path = join(dir, 'data/ledger.db');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs on the ledger's file, which is closed afterwards. */
function withLedger<T>(run: (saved: ReturnType<typeof createSavedDocuments>) => T): T {
  const ledger = createLedger(path, logger, '1.2.3');
  try {
    return run(createSavedDocuments(ledger.saved, clock));
  } finally {
    ledger.stop();
  }
}
const names = (refs: readonly SavedRef[]): string[] => refs.map(({ name }) => name);

describe('a saved document', () => {
  it('is there after a restart, replaced by its name, and removed', () => {
    withLedger((saved) => {
      saved.save({ ...place, name: 'one', text: '1' });
      saved.save({ ...place, name: 'one', text: 'é' });
      saved.save({ ...place, name: 'two', text: '2' });
      saved.save({ ...place, endpointId: 'f', name: 'other', text: '3' });
    });
    withLedger((saved) => {
      expect(saved.list(place)).toMatchObject([
        { name: 'one', bytes: 2 },
        { name: 'two', bytes: 1 },
      ]);
      expect(saved.find({ ...place, name: 'one' })?.text).toBe('é');
      expect(
        saved.remove([
          { ...place, name: 'one' },
          { ...place, name: 'never' },
        ]),
      ).toBe(1);
    });
    withLedger((saved) => expect(names(saved.list())).toEqual(['two', 'other']));
  });

  it('is refused beyond each limit with a sentence that names it, and the earlier one stays', () => {
    withLedger((saved) => {
      const save = (name: string, text: string, endpointId = 'e') => saved.save({ ...place, endpointId, name, text });
      save('one', 'before');
      const tooLong = 'x'.repeat(savedLimits.documentBytes + 1);
      expect(() => save('one', tooLong)).toThrow(/^This has 10 MB\. One saved document has at most 10 MB/);
      expect(saved.find({ ...place, name: 'one' })?.text).toBe('before');

      for (let at = 1; at < savedLimits.perPlace; at += 1) save(`n${at}`, '');
      expect(() => save('one more', '')).toThrow('There are at most 300 saved inputs of this endpoint. Remove some');
      // One that is there can still be replaced.
      save('one', 'after');

      const large = 'x'.repeat(savedLimits.documentBytes);
      for (let at = 0; at < 6; at += 1) save(`large ${at}`, large, 'f');
      expect(() => save('last', large, 'f')).toThrow('All that is saved together has at most 64 MB');
      expect(saved.find({ ...place, endpointId: 'f', name: 'last' })).toBeUndefined();
    });
  });

  it('does not count against the size of the record of jobs', () => {
    const ledger = createLedger(path, logger, '1.2.3');
    const before = ledger.size().usedBytes;
    ledger.saved.save([{ ...place, name: 'large', text: 'x'.repeat(1_000_000), savedAt: 1 }]);
    expect(ledger.size().usedBytes - before).toBeLessThan(50_000);
    ledger.stop();
  });
});

describe('a document that two pages change', () => {
  const one = { ...place, kind: 'chat', name: 'one' } as const;

  it('is replaced only by a text that was made from its newest version', () => {
    withLedger((saved) => {
      const first = saved.save({ ...one, text: 'first' }, null);
      const second = saved.save({ ...one, text: 'second' }, first.savedAt);
      // Both in one millisecond, and still told apart.
      expect(second.savedAt).toBeGreaterThan(first.savedAt);
      expect(() => saved.save({ ...one, text: 'other' }, first.savedAt)).toThrow('changed in another window');
      expect(() => saved.save({ ...one, text: 'other' }, null)).toThrow('changed in another window');
      expect(saved.find(one)).toEqual(second);
      // The answer to the first try was lost.
      expect(saved.save({ ...one, text: 'second' }, first.savedAt)).toEqual(second);
      expect(saved.save({ ...one, text: 'replaced' })).toMatchObject({ text: 'replaced' });
    });
  });

  it('is removed only in the version that the page knows', () => {
    withLedger((saved) => {
      const first = saved.save({ ...one, text: 'first' }, null);
      saved.save({ ...place, name: 'beside', text: '' });
      const second = saved.save({ ...one, text: 'second' }, first.savedAt);
      const beside = { ...place, name: 'beside' };
      for (const base of [first.savedAt, null]) {
        expect(() => saved.remove([beside, { ...one, base }])).toThrow('changed in another window');
        expect([saved.find(one)?.text, saved.find(beside)?.text]).toEqual(['second', '']);
      }
      expect(saved.remove([{ ...one, base: second.savedAt }])).toBe(1);
      // Another page has removed it already.
      expect(saved.remove([{ ...one, base: second.savedAt }])).toBe(0);
      saved.save({ ...one, text: 'third' });
      expect(saved.remove([one])).toBe(1);
    });
  });

  it('is saved again after another page removed it', () => {
    withLedger((saved) => {
      const first = saved.save({ ...one, text: 'first' }, null);
      saved.remove([one]);
      expect(saved.save({ ...one, text: 'more' }, first.savedAt)).toMatchObject({ text: 'more' });
    });
  });
});

describe('documents of a browser', () => {
  it('are taken over once, without replacing any', () => {
    withLedger((saved) => {
      saved.save({ ...place, name: 'same', text: 'same' });
      saved.save({ ...place, name: 'mine', text: 'of the app' });
      const documents = [
        { name: 'same', text: 'same' },
        { name: 'mine', text: 'of the browser' },
        { name: 'new', text: 'new' },
      ];
      // The browser may have been closed before it removed what was taken over.
      for (let turn = 0; turn < 2; turn += 1) saved.adopt(place, documents);
      expect(saved.list(place).map(({ name }) => [name, saved.find({ ...place, name })?.text])).toEqual([
        ['mine', 'of the app'],
        ['mine (2)', 'of the browser'],
        ['new', 'new'],
        ['same', 'same'],
      ]);
    });
  });

  it('keep apart where a new name is one of theirs', () => {
    withLedger((saved) => {
      saved.save({ ...place, name: 'a', text: 'of the app' });
      saved.adopt(place, [
        { name: 'a', text: 'first' },
        { name: 'a (2)', text: 'second' },
      ]);
      expect(saved.list(place).map(({ name }) => saved.find({ ...place, name })?.text)).toEqual([
        'of the app',
        'first',
        'second',
      ]);
    });
  });

  it('can be replaced, also where they are more than a place takes', () => {
    withLedger((saved) => {
      const documents = Array.from({ length: savedLimits.perPlace + 1 }, (_, at) => ({ name: `${at}`, text: '' }));
      saved.adopt(place, documents);
      saved.save({ ...place, name: '0', text: 'more' });
      expect(saved.find({ ...place, name: '0' })?.text).toBe('more');
      expect(() => saved.save({ ...place, name: 'new', text: '' })).toThrow('There are at most 300');
    });
  });

  it('are all taken over, or none', () => {
    withLedger((saved) => {
      const text = 'x'.repeat(savedLimits.documentBytes);
      const documents = Array.from({ length: 7 }, (_, at) => ({ name: `${at}`, text }));
      expect(() => saved.adopt(place, documents)).toThrow('at most 64 MB');
      expect(saved.list()).toEqual([]);
      const many = Array.from({ length: savedLimits.perPlace + 1 }, (_, at) => ({ name: `${at}`, text: '' }));
      saved.adopt(place, many);
      expect(saved.list()).toHaveLength(many.length);
      expect(() => saved.save({ ...place, name: 'one more', text: '' })).toThrow('at most 300');
    });
  });
});

describe('a fault of the disk', () => {
  it('that is full is said, and leaves all earlier documents as they were', () => {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    for (const step of MIGRATIONS) db.exec(step);
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    db.exec(`PRAGMA max_page_count = ${pages + 20}`);
    const saved = createSavedDocuments(createSavedRows(createSql(db), createBatch(db, logger)), clock);
    saved.save({ ...place, name: 'one', text: 'before' });
    expect(() => saved.save({ ...place, name: 'one', text: 'x'.repeat(500_000) })).toThrow(
      'The disk is full: the ledger cannot be written. Free some space and try again.',
    );
    const documents = [
      { name: 'small', text: 'small' },
      { name: 'large', text: 'x'.repeat(500_000) },
    ];
    expect(() => saved.adopt(place, documents)).toThrow('The disk is full');
    saved.save({ ...place, name: 'two', text: 'after' });
    expect(saved.list().map(({ name }) => [name, saved.find({ ...place, name })?.text])).toEqual([
      ['one', 'before'],
      ['two', 'after'],
    ]);
    db.close();
  });

  it('or a kill between two writes loses nothing that was answered', async () => {
    const module = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href);
    const program = `
      import { pino } from 'pino';
      import { createLedger } from ${module('../ledger/ledger.ts')};
      import { createSavedDocuments } from ${module('./savedDocuments.ts')};
      const ledger = createLedger(${JSON.stringify(path)}, pino({ level: 'silent' }), '1.2.3');
      const saved = createSavedDocuments(ledger.saved, { now: () => 1 });
      for (let at = 0; at < 290; at += 1) {
        saved.save({ kind: 'input', accountId: 'a', endpointId: 'e', name: String(at), text: 'x'.repeat(20_000) + at });
        process.stdout.write(at + '\\n');
      }
      process.stdout.write('all\\n');
      setInterval(() => undefined, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const answered: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      answered.push(line);
      if (answered.length === 40) child.kill('SIGKILL');
    }
    await closed;
    expect(answered.length).toBeGreaterThanOrEqual(40);
    withLedger((saved) => {
      for (const name of answered.filter((one) => one !== 'all')) {
        expect(saved.find({ ...place, name })?.text).toBe('x'.repeat(20_000) + name);
      }
    });
  });
});

describe('a page', () => {
  it('reads the documents of its place in pieces, then those that change, and no others', async () => {
    const ledger = createLedger(path, logger, '1.2.3');
    const saved = createSavedDocuments(ledger.saved, clock);
    for (const name of ['a', 'b', 'c']) saved.save({ ...place, name, text: name.repeat(300_000) });
    const life = new AbortController();
    const events = watchPlace(saved, place, clock, life.signal);
    const next = async (): Promise<SavedEvent> => {
      const event = events.next();
      clock.advance(100);
      const { value } = await event;
      if (!value) throw new Error('The events ended.');
      return value;
    };
    expect(names((await next()).documents)).toEqual(['a', 'b']);
    expect(await next()).toMatchObject({ documents: [{ name: 'c' }], isComplete: true });

    saved.save({ ...place, endpointId: 'f', name: 'elsewhere', text: '' });
    saved.save({ ...place, name: 'b', text: 'new' });
    saved.remove([{ ...place, name: 'a' }]);
    const event = await next();
    expect([names(event.documents), event.removed, event.isComplete]).toEqual([['b'], ['a'], true]);
    life.abort();
    expect((await events.next()).done).toBe(true);
    ledger.stop();
  });
});

it('is in an export of all data, and there after its import elsewhere', async () => {
  withLedger((saved) => saved.save({ ...place, name: 'one', text: '1' }));
  const file = join(dir, 'all.tar.gz');
  const { signal } = new AbortController();
  const work = { file, version: '1.2.3', onProgress: () => undefined, signal };
  const dataDir = join(dir, 'data');
  await exportFolder({ ...work, dataDir, databases: idleDatabases(dataDir) });
  const elsewhere = join(dir, 'elsewhere');
  mkdirSync(elsewhere);
  await unpackExport({ ...work, dataDir: elsewhere });
  acceptImport(elsewhere);
  finishImport(elsewhere);
  path = join(elsewhere, 'ledger.db');
  withLedger((saved) => expect(saved.find({ ...place, name: 'one' })?.text).toBe('1'));
});
