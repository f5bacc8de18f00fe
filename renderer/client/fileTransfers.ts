/**
 * Files on their way into and out of volumes and Pods: one after the other, in pieces, so that no file is ever in memory whole. They go on
 * while another page is looked at.
 */
import { ORPCError } from '@orpc/client';
import { create } from 'zustand';
import type { FileHolder } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, queryClient } from './transport/orpc.ts';

export interface Place {
  accountId: string;
  holder: FileHolder;
  /** Of the file itself. */
  path: string;
}

export interface Transfer extends Place {
  id: number;
  way: 'up' | 'down';
  name: string;
  sizeBytes: number;
  doneBytes: number;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Why it failed. */
  problem: string | null;
  /** What may be done about it, with the same file again; null where nothing may. */
  remedy: 'replace' | 'start-over' | 'go-on' | null;
}

export const useTransfers = create<{ list: readonly Transfer[] }>(() => ({ list: [] }));

type Work = (transfer: Transfer, signal: AbortSignal) => Promise<void>;

let lastId = 0;
const works = new Map<number, { work: Work; abort: AbortController }>();
/** What goes up again when the person wants that. */
const files = new Map<number, File>();
let running = false;

const change = (id: number, given: Partial<Transfer>): void =>
  useTransfers.setState(({ list }) => ({ list: list.map((one) => (one.id === id ? { ...one, ...given } : one)) }));

/** A browser no longer reads a file that was changed or removed after it was chosen. */
class SourceGone extends Error {}

function remedyFor(error: unknown): Transfer['remedy'] {
  if (error instanceof SourceGone) return null;
  if (!(error instanceof ORPCError)) return 'go-on';
  const data = error.data as { status?: number; startsOver?: boolean } | null;
  if (data?.startsOver === true) return 'start-over';
  return error.code === 'CONFLICT' || data?.status === 412 ? 'replace' : 'go-on';
}

const problemOf = (error: unknown): string => (error instanceof SourceGone ? error.message : errorText(error));

async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = useTransfers.getState().list.find(({ state }) => state === 'waiting');
    const found = next && works.get(next.id);
    if (!next || !found) break;
    const { work, abort } = found;
    change(next.id, { state: 'running' });
    try {
      await work(next, abort.signal);
      change(next.id, { state: 'done', doneBytes: next.sizeBytes });
      files.delete(next.id);
    } catch (error) {
      if (abort.signal.aborted) change(next.id, { state: 'cancelled' });
      else {
        const remedy = next.way === 'up' ? remedyFor(error) : null;
        change(next.id, { state: 'failed', problem: problemOf(error), remedy });
      }
    }
    works.delete(next.id);
    if (next.way === 'up') void queryClient.invalidateQueries({ queryKey: orpc.files.key() });
  }
  running = false;
}

function add(place: Place, way: Transfer['way'], sizeBytes: number, work: Work): number {
  const id = (lastId += 1);
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  works.set(id, { work, abort: new AbortController() });
  const more = { id, way, name, sizeBytes, doneBytes: 0, state: 'waiting', problem: null, remedy: null } as const;
  useTransfers.setState(({ list }) => ({ list: [...list, { ...place, ...more }] }));
  void run();
  return id;
}

interface Sending {
  replaces: boolean;
  /** Rather than going on with what was broken off. */
  startsOver: boolean;
}

async function pieceOf(file: File, from: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(from, from + limits.page.pieceBytes).arrayBuffer()]);
  } catch {
    throw new SourceGone('The file was changed or removed after it was chosen. Choose it again.');
  }
}

const sending =
  (file: File, how: Sending): Work =>
  async ({ id, accountId, holder, path }, signal) => {
    const source = { sizeBytes: file.size, modifiedAt: file.lastModified };
    const begun = await api.files.beginUpload({ accountId, holder, path, ...source, ...how });
    try {
      for (let from = 0; from < file.size; from += limits.page.pieceBytes) {
        signal.throwIfAborted();
        await api.files.putPiece({ ...begun, from, bytes: await pieceOf(file, from) });
        change(id, { doneBytes: Math.min(from + limits.page.pieceBytes, file.size) });
      }
      signal.throwIfAborted();
      await api.files.endUpload(begun);
    } catch (error) {
      // Only what a person gives up is not gone on with; where the app is away it sees to that itself.
      await api.files.cancelUpload({ ...begun, keeps: !signal.aborted }).catch(() => undefined);
      throw error;
    }
  };

function send(place: Place, file: File, how: Sending): void {
  files.set(add(place, 'up', file.size, sending(file, how)), file);
}

/** Goes on where it was, if the same file was on its way to that place before. */
export function upload(place: Place, file: File): void {
  send(place, file, { replaces: false, startsOver: false });
}

/** The same file again, with what `remedy` says. */
export function uploadAgain({ id, accountId, holder, path, remedy }: Transfer): void {
  const file = files.get(id);
  forgetTransfer(id);
  const how = { replaces: remedy === 'replace', startsOver: remedy === 'start-over' };
  if (file) send({ accountId, holder, path }, file, how);
}

/** So many pieces are put together into one, which the browser keeps on disk when it is large. */
const TOGETHER = 64;
/** A browser has taken the file by then. */
const SAVED_MS = 60_000;

export function download(place: Place, sizeBytes: number): void {
  add(place, 'down', sizeBytes, async ({ id, accountId, holder, path, name }, signal) => {
    let parts: Blob[] = [];
    let from = 0;
    while (from < sizeBytes) {
      signal.throwIfAborted();
      const { bytes } = await api.files.read({ accountId, holder, path, from });
      if (bytes.size === 0) break;
      parts.push(bytes);
      from += bytes.size;
      if (parts.length === TOGETHER) parts = [new Blob(parts)];
      change(id, { doneBytes: Math.min(from, sizeBytes) });
    }
    signal.throwIfAborted();
    const address = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
  });
}

export function cancelTransfer(id: number): void {
  const found = works.get(id);
  found?.abort.abort();
  if (useTransfers.getState().list.some((one) => one.id === id && one.state === 'waiting')) {
    works.delete(id);
    change(id, { state: 'cancelled' });
  }
}

export function forgetTransfer(id: number): void {
  files.delete(id);
  useTransfers.setState(({ list }) => ({ list: list.filter((one) => one.id !== id) }));
}
