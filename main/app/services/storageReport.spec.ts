import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPlaces } from './storageReport.ts';

describe('where everything is kept', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hangar-places-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const write = (path: string, bytes: number) => {
    mkdirSync(join(dataDir, path, '..'), { recursive: true });
    writeFileSync(join(dataDir, path), 'x'.repeat(bytes));
  };

  it('counts every file once, with a database as one place with what lies beside it', async () => {
    write('ledger.db', 100);
    write('ledger.db-wal', 20);
    write('engine.db', 300);
    write('volumes/a/b/c.bin', 5000);
    write('instance.json', 7);
    const { places, freeBytes } = await findPlaces(dataDir);
    const found = Object.fromEntries(places.map(({ kind, bytes, files }) => [kind, { bytes, files }]));
    expect(found).toEqual({
      ledger: { bytes: 120, files: 2 },
      engine: { bytes: 300, files: 1 },
      volumes: { bytes: 5000, files: 1 },
      other: { bytes: 7, files: 1 },
    });
    expect(places.find(({ kind }) => kind === 'ledger')?.path).toBe(join(dataDir, 'ledger.db'));
    expect(freeBytes).toBeGreaterThan(0);
  });

  it('does not follow links out of the folder, nor in a circle', async () => {
    write('volumes/a.bin', 10);
    symlinkSync(dataDir, join(dataDir, 'volumes/round'));
    const { places } = await findPlaces(dataDir);
    expect(places).toMatchObject([{ kind: 'volumes', bytes: 10, files: 1, whole: true }]);
  });
});
