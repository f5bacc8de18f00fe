/**
 * Files on their way into and out of volumes and Pods: one after the other, in pieces, so that no file is ever in memory whole. They go on
 * while another page is looked at.
 */
import { ORPCError } from '@orpc/client';
import { create } from 'zustand';
import type { FileHolder } from '#contract/files.ts';
import { limits } from '#contract/limits.ts';
import { api, errorText, orpc, queryClient } from './orpc.ts';

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
  /** Whether it failed because something has that name already. */
  taken: boolean;
}

export const useTransfers = create<{ list: readonly Transfer[] }>(() => ({ list: [] }));

type Work = (transfer: Transfer, signal: AbortSignal) => Promise<void>;

let lastId = 0;
const works = new Map<number, { work: Work; abort: AbortController }>();
/** What goes up again when the person wants to replace. */
const files = new Map<number, File>();
let running = false;

const change = (id: number, given: Partial<Transfer>): void =>
  useTransfers.setState(({ list }) => ({ list: list.map((one) => (one.id === id ? { ...one, ...given } : one)) }));

const isTaken = (error: unknown): boolean =>
  error instanceof ORPCError &&
  (error.code === 'CONFLICT' || (error.data as { status?: number } | null)?.status === 412);

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
      else change(next.id, { state: 'failed', problem: errorText(error), taken: next.way === 'up' && isTaken(error) });
    }
    works.delete(next.id);
    if (next.way === 'up') void queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  }
  running = false;
}

function add(place: Place, way: Transfer['way'], sizeBytes: number, work: Work): number {
  const id = (lastId += 1);
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  works.set(id, { work, abort: new AbortController() });
  const more = { id, way, name, sizeBytes, doneBytes: 0, state: 'waiting', problem: null, taken: false } as const;
  useTransfers.setState(({ list }) => ({ list: [...list, { ...place, ...more }] }));
  void run();
  return id;
}

const sending =
  (file: File, replaces: boolean): Work =>
  async ({ id, accountId, holder, path }, signal) => {
    const begun = await api.files.beginUpload({ accountId, holder, path, sizeBytes: file.size, replaces });
    try {
      for (let from = 0; from < file.size; from += limits.page.pieceBytes) {
        signal.throwIfAborted();
        await api.files.putPiece({ ...begun, from, bytes: file.slice(from, from + limits.page.pieceBytes) });
        change(id, { doneBytes: Math.min(from + limits.page.pieceBytes, file.size) });
      }
      signal.throwIfAborted();
      await api.files.endUpload(begun);
    } catch (error) {
      // Nothing of it stays; where the app is away it sees to that itself.
      await api.files.cancelUpload(begun).catch(() => undefined);
      throw error;
    }
  };

export function upload(place: Place, file: File): void {
  files.set(add(place, 'up', file.size, sending(file, false)), file);
}

/** The same file again, in place of what has its name. */
export function replace({ id, accountId, holder, path }: Transfer): void {
  const file = files.get(id);
  forgetTransfer(id);
  if (file) files.set(add({ accountId, holder, path }, 'up', file.size, sending(file, true)), file);
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
