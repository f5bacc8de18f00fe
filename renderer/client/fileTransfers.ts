/**
 * Transfers of files to and from volumes and Pods: one after the other, in pieces, so that no whole file is in memory.
 * They continue on every page.
 */
import { ORPCError } from '@orpc/client';
import { create } from 'zustand';
import * as z from 'zod';
import type { FileHolder } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { saveFile } from '../ui/files/saveFile.ts';
import { api, errorText, orpc, queryClient } from './transport/orpc.ts';
import { t } from '../language/text.ts';

export interface Place {
  accountId: string;
  holder: FileHolder;
  /** The path of the file itself. */
  path: string;
}

export interface Transfer extends Place {
  id: number;
  way: 'up' | 'down';
  name: string;
  sizeBytes: number;
  doneBytes: number;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Why the transfer failed. */
  problem: string | null;
  /** The possible way to continue with the same file; null if there is none. */
  remedy: 'replace' | 'start-over' | 'go-on' | null;
}

export const useTransfers = create<{ list: readonly Transfer[] }>(() => ({ list: [] }));

type Work = (transfer: Transfer, signal: AbortSignal) => Promise<void>;

let lastId = 0;
const works = new Map<number, { work: Work; abort: AbortController }>();
/** The files of uploads, for a retry. */
const files = new Map<number, File>();
let running = false;

const change = (id: number, fields: Partial<Transfer>): void =>
  useTransfers.setState(({ list }) => ({ list: list.map((one) => (one.id === id ? { ...one, ...fields } : one)) }));

/** A browser no longer reads a file that was changed or removed after the choice. */
class SourceGone extends Error {}

/** The details of a refused piece, beside the app's message. */
const refusalSchema = z.object({ status: z.number().optional(), startsOver: z.boolean().optional() });

function remedyFor(error: unknown): Transfer['remedy'] {
  if (error instanceof SourceGone) return null;
  if (!(error instanceof ORPCError)) return 'go-on';
  const { data } = refusalSchema.safeParse(error.data);
  if (data?.startsOver === true) return 'start-over';
  return error.code === 'CONFLICT' || data?.status === 412 ? 'replace' : 'go-on';
}

export const problemOf = (error: unknown): string => (error instanceof SourceGone ? error.message : errorText(error));

async function run(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = useTransfers.getState().list.find(({ state }) => state === 'waiting');
    const entry = next && works.get(next.id);
    if (!next || !entry) break;
    const { work, abort } = entry;
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
  /** Whether to start over instead of continuing an interrupted upload. */
  startsOver: boolean;
}

async function pieceOf(file: File, from: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(from, from + limits.page.pieceBytes).arrayBuffer()]);
  } catch {
    // A browser rejects only for a file that it can no longer read as it was chosen.
    throw new SourceGone(t`The file was changed or removed after it was chosen. Choose it again.`);
  }
}

/** Sends the file in pieces to an upload that has begun. A cancelled one is removed; any other can continue where it may. */
export async function sendPieces(
  begun: { uploadId: string },
  file: File,
  signal: AbortSignal,
  onProgress: (doneBytes: number) => void,
): Promise<void> {
  try {
    for (let from = 0; from < file.size; from += limits.page.pieceBytes) {
      signal.throwIfAborted();
      await api.files.putPiece({ ...begun, from, bytes: await pieceOf(file, from) });
      onProgress(Math.min(from + limits.page.pieceBytes, file.size));
    }
    signal.throwIfAborted();
    await api.files.endUpload(begun);
  } catch (error) {
    await api.files.cancelUpload({ ...begun, keeps: !signal.aborted }).catch(() => undefined);
    throw error;
  }
}

const sending =
  (file: File, how: Sending): Work =>
  async ({ id, accountId, holder, path }, signal) => {
    const source = { sizeBytes: file.size, modifiedAt: file.lastModified };
    const begun = await api.files.beginUpload({ accountId, holder, path, ...source, ...how });
    await sendPieces(begun, file, signal, (doneBytes) => change(id, { doneBytes }));
  };

function send(place: Place, file: File, how: Sending): void {
  files.set(add(place, 'up', file.size, sending(file, how)), file);
}

/** Uploads a file, or continues an interrupted upload of the same file to the same place. */
export function upload(place: Place, file: File): void {
  send(place, file, { replaces: false, startsOver: false });
}

/** Uploads the same file again, as `remedy` says. */
export function uploadAgain({ id, accountId, holder, path, remedy }: Transfer): void {
  const file = files.get(id);
  forgetTransfer(id);
  const how = { replaces: remedy === 'replace', startsOver: remedy === 'start-over' };
  if (file) send({ accountId, holder, path }, file, how);
}

/** This many pieces are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER = 64;

export function download(place: Place, sizeBytes: number): void {
  add(place, 'down', sizeBytes, async ({ id, accountId, holder, path, name }, signal) => {
    let parts: Blob[] = [];
    let from = 0;
    while (from < sizeBytes) {
      signal.throwIfAborted();
      const { bytes } = await api.files.read({ accountId, holder, path, from, sizeBytes });
      if (bytes.size === 0) break;
      parts.push(bytes);
      from += bytes.size;
      if (parts.length === TOGETHER) parts = [new Blob(parts)];
      change(id, { doneBytes: Math.min(from, sizeBytes) });
    }
    signal.throwIfAborted();
    saveFile(new Blob(parts, { type: 'application/octet-stream' }), name);
  });
}

export function cancelTransfer(id: number): void {
  const entry = works.get(id);
  entry?.abort.abort();
  if (useTransfers.getState().list.some((one) => one.id === id && one.state === 'waiting')) {
    works.delete(id);
    change(id, { state: 'cancelled' });
  }
}

export function forgetTransfer(id: number): void {
  files.delete(id);
  useTransfers.setState(({ list }) => ({ list: list.filter((one) => one.id !== id) }));
}
