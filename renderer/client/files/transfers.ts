/**
 * Transfers of files to and from volumes and Pods: one after the other, and no whole file is in memory. They continue
 * on every page.
 */
import { ORPCError } from '@orpc/client';
import { create } from 'zustand';
import * as z from 'zod';
import type { FileHolder } from '#contract/local/files.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { api, errorText, orpc, queryClient } from '../transport/orpc.ts';
import { piecesFrom } from './reading.ts';
import { sendFile, type GrantedFile } from './sending.ts';
import { TransferRefused } from './transferRefused.ts';
import { withPoint, type ProgressPoint } from './speed.ts';
import { t } from '../../language/text.ts';

export interface Place {
  accountId: string;
  holder: FileHolder;
  /** The path of the file itself. */
  path: string;
}

export interface Transfer extends Place {
  id: number;
  /** `copy` and `move`: from another volume or Pod, or from this computer. */
  way: 'up' | 'down' | 'copy' | 'move';
  name: string;
  sizeBytes: number;
  doneBytes: number;
  /** `count`: its size is not known yet. `compare`: the copy is compared with the original. */
  stage: 'count' | 'send' | 'compare';
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Why the transfer failed. */
  problem: string | null;
  /** The possible way to continue with the same file; null if there is none. */
  remedy: 'replace' | 'start-over' | 'go-on' | null;
  /** The progress of the last seconds, for its speed; empty before it runs. */
  progress: readonly ProgressPoint[];
}

export const useTransfers = create<{ list: readonly Transfer[] }>(() => ({ list: [] }));

/** `signal` is aborted when the transfer is cancelled. */
export type Work = (transfer: Transfer, signal: AbortSignal) => Promise<void>;

/** How to send a file. */
export interface Sending {
  replaces: boolean;
  /** Whether to start over instead of continuing an interrupted upload. */
  startsOver: boolean;
}

const asNew: Sending = { replaces: false, startsOver: false };

let lastId = 0;
/** What each transfer does that can still run, also again. */
const works = new Map<number, (how: Sending) => Work>();
/** Of the transfers that wait or run. */
const aborts = new Map<number, { abort: AbortController; how: Sending }>();
let running = false;

/** Notes facts about a transfer that runs. */
export const change = (id: number, fields: Partial<Pick<Transfer, 'sizeBytes' | 'stage'>>): void => note(id, fields);

const note = (id: number, fields: Partial<Transfer>): void =>
  useTransfers.setState(({ list }) => ({ list: list.map((one) => (one.id === id ? { ...one, ...fields } : one)) }));

/** Notes that so many bytes are done. */
export function noteDone(id: number, doneBytes: number): void {
  const point = { at: Date.now(), doneBytes };
  useTransfers.setState(({ list }) => ({
    list: list.map((one) => (one.id === id ? { ...one, doneBytes, progress: withPoint(one.progress, point) } : one)),
  }));
}

/** The details of a refused piece, beside the app's message. */
const refusalSchema = z.object({ status: z.number().optional(), startsOver: z.boolean().optional() });

/** Whether a transfer was refused because its place is taken. */
export const isTaken = (error: unknown): boolean =>
  error instanceof ORPCError && (error.code === 'CONFLICT' || refusalSchema.safeParse(error.data).data?.status === 412);

function remedyFor(error: unknown, way: Transfer['way']): Transfer['remedy'] {
  if (error instanceof TransferRefused) return null;
  if (way === 'down' || !(error instanceof ORPCError)) return 'go-on';
  const { data } = refusalSchema.safeParse(error.data);
  if (data?.startsOver === true) return 'start-over';
  return isTaken(error) ? 'replace' : 'go-on';
}

export const problemOf = (error: unknown): string =>
  error instanceof TransferRefused ? error.message : errorText(error);

const sizeOf = (id: number): number => useTransfers.getState().list.find((one) => one.id === id)?.sizeBytes ?? 0;

async function runOne(next: Transfer, work: (how: Sending) => Work): Promise<void> {
  const { abort, how } = aborts.get(next.id) ?? { abort: new AbortController(), how: asNew };
  note(next.id, { state: 'running' });
  noteDone(next.id, 0);
  try {
    await work(how)(next, abort.signal);
    note(next.id, { state: 'done', doneBytes: sizeOf(next.id) });
    works.delete(next.id);
  } catch (error) {
    if (abort.signal.aborted) note(next.id, { state: 'cancelled', remedy: 'go-on' });
    else note(next.id, { state: 'failed', problem: problemOf(error), remedy: remedyFor(error, next.way) });
  }
  aborts.delete(next.id);
  if (next.way !== 'down') void queryClient.invalidateQueries({ queryKey: orpc.files.key() });
}

async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = useTransfers.getState().list.find(({ state }) => state === 'waiting');
    const work = next && works.get(next.id);
    if (!next || !work) break;
    await runOne(next, work);
  }
  running = false;
}

function queue(id: number, how: Sending): void {
  aborts.set(id, { abort: new AbortController(), how });
  void run();
}

/** Adds a transfer of `sizeBytes` bytes to those that wait. Null: its work counts them. */
export function add(place: Place, way: Transfer['way'], size: number | null, work: (how: Sending) => Work): void {
  const id = (lastId += 1);
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  works.set(id, work);
  const stage = size === null ? 'count' : 'send';
  const fixed = { id, way, name, sizeBytes: size ?? 0, stage } as const;
  const fresh = { doneBytes: 0, state: 'waiting', problem: null, remedy: null, progress: [] } as const;
  useTransfers.setState(({ list }) => ({ list: [...list, { ...place, ...fixed, ...fresh }] }));
  queue(id, asNew);
}

/** Runs a transfer again that failed or was cancelled, as `remedy` says. */
export function transferAgain({ id, remedy }: Transfer): void {
  if (!works.has(id)) return;
  note(id, { state: 'waiting', doneBytes: 0, problem: null, remedy: null, progress: [] });
  queue(id, { replaces: remedy === 'replace', startsOver: remedy === 'start-over' });
}

/** Creates the folders above the files of one dropped folder, each once. */
export type FolderMaker = (place: Place) => Promise<void>;

/** `folder`: the folder that was there before. */
export function createFolderMaker(folder: string): FolderMaker {
  const made = new Set<string>();
  return async ({ accountId, holder, path }) => {
    const base = folder === '' ? 0 : folder.length + 1;
    for (let end = path.indexOf('/', base); end !== -1; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end);
      if (made.has(above)) continue;
      try {
        await api.files.makeFolder({ accountId, holder, path: above });
      } catch (error) {
        // It is there already.
        if (!(error instanceof ORPCError) || error.code !== 'CONFLICT') throw error;
      }
      made.add(above);
    }
  };
}

/**
 * Uploads a file, or continues an interrupted upload of the same file to the same place. `makeFolders` makes the
 * folders that the path needs; without it they exist.
 */
export function upload(place: Place, file: File | GrantedFile, makeFolders: FolderMaker | null = null): void {
  add(place, 'up', file.size, (how) => async ({ id, accountId, holder, path }, signal) => {
    await makeFolders?.(place);
    signal.throwIfAborted();
    const source = { sizeBytes: file.size, modifiedAt: file.lastModified };
    const begun = await api.files.beginUpload({ accountId, holder, path, ...source, ...how });
    await sendFile(begun, file, signal, (doneBytes) => noteDone(id, doneBytes));
  });
}

/** This many pieces are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER = 64;

/**
 * Downloads a file into the folder of the browser's downloads, as large as it is when its end is reached. `sizeBytes`:
 * its size when it was listed. A file that became shorter meanwhile is refused.
 */
export function download(place: Place, sizeBytes: number): void {
  add(place, 'down', sizeBytes, () => async ({ id, accountId, holder, path, name }, signal) => {
    let parts: Blob[] = [];
    let doneBytes = 0;
    for await (const piece of piecesFrom({ accountId, holder, path, sizeBytes }, 0, signal)) {
      parts.push(piece);
      doneBytes += piece.size;
      if (parts.length === TOGETHER) parts = [new Blob(parts)];
      noteDone(id, Math.min(doneBytes, sizeBytes));
    }
    signal.throwIfAborted();
    if (doneBytes < sizeBytes)
      throw new TransferRefused(t`The file became shorter while it was read. Download it again.`);
    saveFile(new Blob(parts, { type: 'application/octet-stream' }), name);
  });
}

/** Cancels a transfer that waits or runs. It can run again. */
export function cancelTransfer(id: number): void {
  aborts.get(id)?.abort.abort();
  if (useTransfers.getState().list.some((one) => one.id === id && one.state === 'waiting')) {
    aborts.delete(id);
    note(id, { state: 'cancelled', remedy: 'go-on' });
  }
}

/** Takes transfers that are over from the list. */
export function forgetTransfers(ids: readonly number[]): void {
  for (const id of ids) works.delete(id);
  useTransfers.setState(({ list }) => ({ list: list.filter((one) => !ids.includes(one.id)) }));
}
