/** A disk as it may look after the power went: what was synced is there, of the rest any part may be. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Random } from '../../core/random.ts';
import type { TraceEvent } from './trace.ts';

/** What becomes of writes that were not synced: none, some, or pieces of some. */
export const survivals = ['drop', 'random', 'torn'] as const;
export type Survival = (typeof survivals)[number];

/** What a disk writes as one. */
const SECTOR_BYTES = 512;

type Change = { at: number } & ({ offset: number; data: Buffer } | { length: number });
interface File {
  durable: Content;
  pending: Change[];
  /** Where the last write without an offset ended. */
  position: number;
}
/** A name that came or went; it is durable once its folder was synced. */
type NameChange = { at: number } & (
  | { add: string; file: File | 'folder' }
  | { remove: string }
  | { from: string; to: string; file: File }
);

/** The bytes of a file, which grow in place. */
class Content {
  #bytes = Buffer.alloc(0);
  length = 0;

  apply(change: Change): void {
    const end = 'length' in change ? change.length : change.offset + change.data.length;
    if (end > this.#bytes.length) {
      const wider = Buffer.alloc(end * 2);
      this.#bytes.copy(wider, 0, 0, this.length);
      this.#bytes = wider;
    }
    if ('length' in change) {
      // What is cut off and comes back later is empty then.
      if (end < this.length) this.#bytes.fill(0, end, this.length);
      this.length = end;
      return;
    }
    change.data.copy(this.#bytes, change.offset);
    this.length = Math.max(this.length, end);
  }

  with(changes: readonly Change[]): Buffer {
    const copy = new Content();
    copy.#bytes = Buffer.from(this.#bytes);
    copy.length = this.length;
    for (const change of changes) copy.apply(change);
    return copy.#bytes.subarray(0, copy.length);
  }
}

export interface PowerLossDisk {
  play(event: TraceEvent): void;
  /** Writes the folder as it may have been found, had the power gone now. */
  image(target: string, survival: Survival, random: Random): void;
}

function applyName(names: Map<string, File | 'folder'>, change: NameChange): void {
  if ('add' in change) names.set(change.add, change.file);
  else if ('remove' in change) names.delete(change.remove);
  else {
    names.delete(change.from);
    names.set(change.to, change.file);
  }
}

function survivors({ pending }: File, survival: Survival, random: Random): Change[] {
  if (survival === 'drop') return [];
  const survives = (): boolean => random.below(2) === 0;
  if (survival === 'random') return pending.filter(survives);
  return pending.flatMap((change): Change[] => {
    if ('length' in change) return survives() ? [change] : [];
    const { offset, data, at } = change;
    const pieces: Change[] = [];
    for (let from = 0; from < data.length; from += SECTOR_BYTES) {
      if (survives()) pieces.push({ at, offset: offset + from, data: data.subarray(from, from + SECTOR_BYTES) });
    }
    return pieces;
  });
}

/** A disk below `folder`, which is there and empty at first. What `ignore` names is left out. */
export function createPowerLossDisk(folder: string, ignore: (path: string) => boolean): PowerLossDisk {
  const live = new Map<string, File>();
  const durableNames = new Map<string, File | 'folder'>();
  const nameChanges = new Map<string, NameChange[]>();
  const open = new Map<number, { path: string; file: File | null }>();
  const concerns = (path: string): boolean => path.startsWith(`${folder}/`) && !ignore(relative(folder, path));

  function note(path: string, change: NameChange): void {
    const parent = dirname(path);
    const changes = nameChanges.get(parent);
    if (changes) changes.push(change);
    else nameChanges.set(parent, [change]);
  }

  function sync(path: string, file: File | null, startedAt: number): void {
    if (file) {
      const covered = file.pending.filter(({ at }) => at < startedAt);
      for (const change of covered) file.durable.apply(change);
      file.pending = file.pending.filter(({ at }) => at >= startedAt);
      return;
    }
    const changes = nameChanges.get(path) ?? [];
    for (const change of changes) if (change.at < startedAt) applyName(durableNames, change);
    nameChanges.set(
      path,
      changes.filter(({ at }) => at >= startedAt),
    );
  }

  return {
    play(event) {
      switch (event.kind) {
        case 'open': {
          open.delete(event.fd);
          if (event.path !== folder && !concerns(event.path)) return;
          let file = live.get(event.path) ?? null;
          if (!file && event.creates) {
            file = { durable: new Content(), pending: [], position: 0 };
            live.set(event.path, file);
            note(event.path, { at: event.at, add: event.path, file });
          } else if (file && event.truncates) file.pending.push({ at: event.at, length: 0 });
          if (file) file.position = 0;
          open.set(event.fd, { path: event.path, file });
          return;
        }
        case 'close':
          open.delete(event.fd);
          return;
        case 'write': {
          const file = open.get(event.fd)?.file;
          if (!file) return;
          const offset = event.offset ?? file.position;
          file.position = offset + event.data.length;
          file.pending.push({ at: event.at, offset, data: event.data });
          return;
        }
        case 'truncate':
          open.get(event.fd)?.file?.pending.push({ at: event.at, length: event.length });
          return;
        case 'sync': {
          const target = open.get(event.fd);
          if (target) sync(target.path, target.file, event.startedAt);
          return;
        }
        case 'rename': {
          const file = live.get(event.from);
          if (!file) return;
          live.delete(event.from);
          live.set(event.to, file);
          note(event.to, { at: event.at, from: event.from, to: event.to, file });
          return;
        }
        case 'unlink':
          if (live.delete(event.path)) note(event.path, { at: event.at, remove: event.path });
          return;
        case 'mkdir':
          if (concerns(event.path)) note(event.path, { at: event.at, add: event.path, file: 'folder' });
          return;
        case 'read':
      }
    },
    image(target, survival, random) {
      const names = new Map(durableNames);
      // The names of a folder come and go in order, as a journal keeps them; how far it got is open.
      for (const changes of nameChanges.values()) {
        const reached = survival === 'drop' ? 0 : random.below(changes.length + 1);
        for (const change of changes.slice(0, reached)) applyName(names, change);
      }
      for (const [path, file] of names) {
        if (file === 'folder') mkdirSync(join(target, relative(folder, path)), { recursive: true });
      }
      for (const [path, file] of names) {
        const parent = dirname(path);
        if (file === 'folder' || (parent !== folder && names.get(parent) !== 'folder')) continue;
        writeFileSync(join(target, relative(folder, path)), file.durable.with(survivors(file, survival, random)));
      }
    },
  };
}
