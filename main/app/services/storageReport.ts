/** Where everything is kept on this computer, and how much it is: the data folder, entry by entry. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaceKind, Places } from '#contract/bridge/host.ts';
import { limits } from '#contract/core/limits.ts';

/** By the beginning of the name of an entry: a database has files beside it. */
const kindOfName: readonly (readonly [RegExp, PlaceKind])[] = [
  [/^ledger\b/, 'ledger'],
  [/^engine\.db/, 'engine'],
  [/^blobs$/, 'bodies'],
  [/^volumes$/, 'volumes'],
  [/^pods$/, 'pods'],
  [/^examples$/, 'examples'],
  [/^accounts\b/, 'accounts'],
  [/^(backups|.*backup.*)$/, 'backups'],
  [/^logs$/, 'logs'],
  [/^disk-reserve$/, 'reserve'],
];

interface Amount {
  bytes: number;
  files: number;
  whole: boolean;
}

/** Everything below `path`, without following links; entries that go away meanwhile are not counted. */
async function amountOf(path: string, budget: { left: number }): Promise<Amount> {
  const total: Amount = { bytes: 0, files: 0, whole: true };
  const folders = [path];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((reason: unknown) => {
      if ((reason as NodeJS.ErrnoException).code !== 'ENOENT') total.whole = false;
      return [];
    });
    for (const entry of entries) {
      if (budget.left-- <= 0) return { ...total, whole: false };
      const inside = join(at, entry.name);
      if (entry.isDirectory()) folders.push(inside);
      else if (entry.isFile()) {
        total.bytes += await sizeOf(inside);
        total.files += 1;
      }
    }
  }
  return total;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

export async function findPlaces(dataDir: string): Promise<Places> {
  const budget = { left: limits.page.countedFiles };
  const byKind = new Map<PlaceKind, { path: string } & Amount>();
  const entries = await readdir(dataDir, { withFileTypes: true });
  // The large ones last: what is left of the budget is theirs.
  for (const entry of entries.toSorted((one, other) => Number(one.isDirectory()) - Number(other.isDirectory()))) {
    const kind = kindOfName.find(([name]) => name.test(entry.name))?.[1] ?? 'other';
    const path = join(dataDir, entry.name);
    const amount = entry.isDirectory()
      ? await amountOf(path, budget)
      : { bytes: await sizeOf(path), files: 1, whole: true };
    const before = byKind.get(kind);
    byKind.set(kind, {
      path: kind === 'other' ? dataDir : (before?.path ?? path),
      bytes: amount.bytes + (before?.bytes ?? 0),
      files: amount.files + (before?.files ?? 0),
      whole: amount.whole && (before?.whole ?? true),
    });
  }
  const disk = await statfs(dataDir).catch(() => null);
  return {
    dataDir,
    freeBytes: disk && disk.bavail * disk.bsize,
    places: [...byKind].map(([kind, place]) => ({ kind, ...place })),
  };
}
