/** The first start of another version, as after an update: both databases are copied before it writes to them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newDataDir, startHost } from './headlessHost.ts';

const OLD_VERSION = '"0.0.1-old"';
/** Each database, the column of its facts' names, and the names of its copies of a first start. */
const DATABASES = [
  { name: 'engine', column: 'name', copy: /^engine-.*-before-.*\.db$/ },
  { name: 'ledger', column: 'key', copy: /^ledger-before-.*\.db$/ },
] as const;

/** Reads or sets, in a file that nobody has open, the version that wrote it. */
function writtenBy(file: string, column: string, version?: string): unknown {
  const database = new DatabaseSync(file);
  try {
    if (version !== undefined) {
      database.prepare(`UPDATE meta SET value = ? WHERE ${column} = 'writtenBy'`).run(version);
    }
    return database.prepare(`SELECT value FROM meta WHERE ${column} = 'writtenBy'`).get()?.['value'];
  } finally {
    database.close();
  }
}

test('the first start of another version copies the database of the engine and the ledger as they were, and a later start does not', async () => {
  await using folder = await newDataDir();
  const args = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', folder.path];
  async function startOnce(): Promise<void> {
    await using host = startHost(args);
    await host.ready();
  }
  const backups = join(folder.path, 'backups');
  const copies = (): string[] => readdirSync(backups).filter((name) => DATABASES.some(({ copy }) => copy.test(name)));

  await startOnce();
  expect(copies()).toEqual([]);
  for (const { name, column } of DATABASES) writtenBy(join(folder.path, `${name}.db`), column, OLD_VERSION);
  await startOnce();
  for (const { name, column, copy } of DATABASES) {
    const [file, ...others] = copies().filter((one) => copy.test(one));
    expect(file, name).toBeDefined();
    expect(others).toEqual([]);
    expect(writtenBy(join(backups, file ?? ''), column), `the copy of ${name}`).toBe(OLD_VERSION);
    expect(writtenBy(join(folder.path, `${name}.db`), column), name).not.toBe(OLD_VERSION);
  }
  const first = copies();
  await startOnce();
  expect(copies()).toEqual(first);
});
