/** The file with the history of GPUs: it stays small, and a damaged one is replaced. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GpuPiece } from '../../domain/gpus/history/ports.ts';
import { measure, newSums } from '../../domain/gpus/history/sums.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { createGpuHistoryStore, gpuHistoryFile } from './gpuHistory.ts';

const MINUTE = 60_000;
const NOW = 1_800_057_600_000;

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'hangar-gpus-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const openStore = () => createGpuHistoryStore(dataDir, silentLogger);

function piece(at: number, utilPercent: number, stepMs = 30_000): GpuPiece {
  const sums = newSums();
  const users = [{ kind: 'program' as const, id: 'game', name: 'game', memoryBytes: 5 }];
  measure(sums, { utilPercent, memoryBytes: 7, powerW: null, temperatureC: null, ownMemoryBytes: 0, users });
  return { key: 'GPU-a', stepMs, at, sums };
}

const loads = (store: ReturnType<typeof openStore>): number[] =>
  store.read('GPU-a', 30_000, 0).map(({ sums }) => sums.quantities.utilPercent.sum);

describe('the file with the history of GPUs', () => {
  it('is not made where nothing is recorded', () => {
    const store = openStore();
    expect(store.read('GPU-a', 30_000, 0)).toEqual([]);
    store.close();
    expect(existsSync(gpuHistoryFile(dataDir))).toBe(false);
  });

  it('adds measurements to those of the same span, and has them after it was closed', () => {
    const first = openStore();
    first.add([piece(NOW, 10)], NOW);
    first.close();
    const store = openStore();
    store.add([piece(NOW, 30), piece(NOW + 30_000, 5)], NOW + 40_000);
    const [span, next] = store.read('GPU-a', 30_000, NOW);
    expect(span?.sums.quantities.utilPercent).toEqual({ count: 2, sum: 40, most: 30 });
    expect(span?.sums.users).toEqual([{ kind: 'program', id: 'game', name: 'game', memoryBytes: 5 }]);
    expect(next?.at).toBe(NOW + 30_000);
    expect(store.read('GPU-b', 30_000, NOW)).toEqual([]);
    expect(store.notices()).toEqual([]);
    store.close();
  });

  it('forgets each step after its own time, and what a wrong clock wrote into the future', () => {
    const store = openStore();
    store.add([piece(NOW, 1), piece(NOW, 1, 5 * MINUTE), piece(NOW + 50 * MINUTE, 2)], NOW + 55 * MINUTE);
    store.add([piece(NOW + 48 * 60 * MINUTE, 3)], NOW + 48 * 60 * MINUTE);
    store.add([piece(NOW + 90 * MINUTE, 4)], NOW + 90 * MINUTE);
    expect(loads(store)).toEqual([4]);
    store.close();
  });

  it('does not grow once it has a day', () => {
    const store = openStore();
    const day = 24 * 60;
    const record = (from: number): void => {
      for (let minute = from; minute < from + day; minute += 5) {
        const at = NOW + minute * MINUTE;
        store.add([piece(at, 1), piece(at, 1, 2 * MINUTE), piece(at, 1, 5 * MINUTE)], at);
      }
    };
    record(0);
    store.close();
    const { size } = statSync(gpuHistoryFile(dataDir));
    record(day);
    store.close();
    expect(statSync(gpuHistoryFile(dataDir)).size).toBeLessThanOrEqual(size * 1.1);
  });

  it.each([
    ['is no database', (): void => writeFileSync(gpuHistoryFile(dataDir), 'x'.repeat(5000))],
    [
      'has a damaged page',
      (): void => {
        const content = readFileSync(gpuHistoryFile(dataDir));
        content.fill(0xff, 4096, 4600);
        writeFileSync(gpuHistoryFile(dataDir), content);
      },
    ],
  ])('that %s is replaced with a notice, and records again', (_, damage) => {
    const first = openStore();
    first.add([piece(NOW, 10)], NOW);
    first.close();
    damage();
    const store = openStore();
    expect(store.notices()).toEqual([expect.stringContaining('The history begins anew')]);
    expect(loads(store)).toEqual([]);
    expect(store.add([piece(NOW, 20)], NOW)).toBe(true);
    expect(loads(store)).toEqual([20]);
    store.close();
    const next = openStore();
    expect(next.notices()).toEqual([]);
    expect(loads(next)).toEqual([20]);
    next.close();
  });

  it('that cannot be made is told in a notice, until it can', () => {
    rmSync(dataDir, { recursive: true });
    const store = openStore();
    expect(store.add([piece(NOW, 10)], NOW)).toBe(false);
    expect(store.notices()).toEqual([expect.stringMatching(/^The history of the GPUs cannot be stored: /)]);
    mkdirSync(dataDir);
    expect(store.add([piece(NOW, 10)], NOW)).toBe(true);
    expect(store.notices()).toEqual([]);
    store.close();
  });
});
