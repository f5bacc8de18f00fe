/**
 * Files of an input: each becomes base64 in the request, or is uploaded to the bucket and becomes an address. Uploads go
 * on while the person is on another page.
 */
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import * as z from 'zod';
import { sendFile } from '../../../client/files/sending.ts';
import { problemOf } from '../../../client/files/transfers.ts';
import { api } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatBytes } from '../../../ui/text/format.ts';
import { base64Of, fitsAsBase64 } from '../inputs/fileText.ts';
import { t } from '../../../language/text.ts';

export const fileWays = ['auto', 'base64', 'bucket'] as const;
export type FileWay = (typeof fileWays)[number];

/** How files become part of an input. `auto`: base64 if they fit, otherwise the bucket. */
export const filesAs = personalSetting('run.files-as', z.enum(fileWays), 'auto');

export interface InputFile {
  readonly id: number;
  readonly draftKey: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly way: 'base64' | 'bucket';
  /** Why this way, as a part of a sentence. */
  readonly why: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'removed';
  readonly doneBytes: number;
  /** The average since its beginning; null before the first piece. */
  readonly bytesPerS: number | null;
  readonly problem: string | null;
  /** Whether a bucket, or its secret, has to be set up first. */
  readonly needsBucket: boolean;
  /** Its address in the bucket, once it is there. */
  readonly link: { readonly path: string; readonly url: string; readonly expiresAt: number } | null;
  /** Whether its address was written into the input. */
  readonly isWritten: boolean;
}

export const useInputFiles = create<{ list: readonly InputFile[] }>(() => ({ list: [] }));

/** What is done with files that a person gave to an input. */
export interface DroppedFiles {
  readonly draftKey: string;
  readonly files: readonly File[];
  /** Bytes of the body beside the files. */
  readonly usedBytes: number;
  /** Most bytes of the whole body. */
  readonly limitBytes: number;
  /** Writes base64 at once; answers false where the input has no place for it. */
  readonly writeNow: (values: readonly string[]) => boolean;
  /** The text with the addresses in it; null if their place is gone. `now`: the text as it is after the upload. */
  readonly writeLater: (now: string, values: readonly string[]) => string | null;
}

/** The inputs on the page, by draft key. Addresses are written only into these, not into inputs that the person has left. */
const inputs = new Map<string, { text: () => string; write: (text: string) => void }>();

/** While the component is there, addresses are written into its text. */
export function useAttendedInput(draftKey: string, text: string, onText: (text: string) => void): void {
  const current = useEffectEvent(() => text);
  const write = useEffectEvent(onText);
  useEffect(() => {
    const input = { text: () => current(), write: (next: string) => write(next) };
    inputs.set(draftKey, input);
    return () => {
      if (inputs.get(draftKey) === input) inputs.delete(draftKey);
    };
  }, [draftKey]);
}

/** Why the input cannot be sent yet, for a person; null if no file of it is being uploaded. */
export function useUploading(draftKey: string): string | null {
  const name = useInputFiles(({ list }) => list.find((one) => one.draftKey === draftKey && isOpen(one))?.name);
  return name === undefined ? null : t`${name} is still being uploaded. Run when its link is in the input.`;
}

interface Upload {
  dropped: DroppedFiles;
  file: File;
  abort: AbortController;
}
const uploads = new Map<number, Upload>();
let lastId = 0;

const change = (id: number, fields: Partial<InputFile>): void =>
  useInputFiles.setState(({ list }) => ({ list: list.map((one) => (one.id === id ? { ...one, ...fields } : one)) }));

function add(dropped: DroppedFiles, way: InputFile['way'], why: string, fields: Partial<InputFile> = {}): number[] {
  const rows = dropped.files.map(({ name, size }): InputFile => ({
    id: (lastId += 1),
    draftKey: dropped.draftKey,
    name,
    sizeBytes: size,
    way,
    why,
    state: 'waiting',
    doneBytes: 0,
    bytesPerS: null,
    problem: null,
    needsBucket: false,
    link: null,
    isWritten: false,
    ...fields,
  }));
  // Earlier notes about base64 go. Rows with a link stay, because their files in the bucket can still be removed.
  useInputFiles.setState(({ list }) => ({
    list: [...list.filter((one) => one.draftKey !== dropped.draftKey || isOpen(one) || one.link !== null), ...rows],
  }));
  return rows.map(({ id }) => id);
}

export const isOpen = ({ state }: Pick<InputFile, 'state'>): boolean => state === 'waiting' || state === 'running';

/** Takes the files in the way that the person chose, and says in a row for each which way and why. */
export async function takeFiles(dropped: DroppedFiles): Promise<void> {
  const { files, usedBytes, limitBytes } = dropped;
  if (files.length === 0) return;
  const chosen = filesAs.get();
  const fits = fitsAsBase64(files, usedBytes, limitBytes);
  const tooLarge = t`too large for a request of ${formatBytes(limitBytes)} as base64`;
  if (chosen === 'base64' && !fits) {
    const problem = t`It is too large for a request of ${formatBytes(limitBytes)} as base64. Choose the bucket for files.`;
    add(dropped, 'base64', t`as you chose`, { state: 'failed', problem });
    return;
  }
  if (chosen === 'base64' || (chosen === 'auto' && fits)) {
    await writeBase64(dropped, chosen === 'auto' ? t`it fits into the request` : t`as you chose`);
    return;
  }
  const ids = add(dropped, 'bucket', chosen === 'auto' ? tooLarge : t`as you chose`);
  for (const [index, file] of files.entries()) {
    const id = ids[index];
    if (id !== undefined) uploads.set(id, { dropped, file, abort: new AbortController() });
  }
  await uploadAll(ids);
}

async function writeBase64(dropped: DroppedFiles, why: string): Promise<void> {
  try {
    if (!dropped.writeNow(await Promise.all(dropped.files.map(base64Of)))) {
      const problem = t`There is no place for it here. Drop it on a text in quotes, or write "" where it should be.`;
      add(dropped, 'base64', why, { state: 'failed', problem });
      return;
    }
    add(dropped, 'base64', why, { state: 'done', isWritten: true });
    announce(t`Wrote ${dropped.files.map(({ name }) => name).join(', ')} as base64`);
  } catch (error) {
    add(dropped, 'base64', why, { state: 'failed', problem: problemOf(error) });
  }
}

/** Why no file can be uploaded yet; null if one can. */
async function bucketProblem(): Promise<string | null> {
  const { settings, keptIn } = await api.bucket.state();
  if (settings === null) return t`No bucket is set up yet. A bucket takes files that are too large for a request.`;
  return keptIn === null ? t`Enter the secret of the bucket again.` : null;
}

/** Uploads one after the other, then writes the addresses of those that arrived, all at one place. */
async function uploadAll(ids: readonly number[]): Promise<void> {
  const arrived: { id: number; url: string }[] = [];
  for (const id of ids) {
    const upload = uploads.get(id);
    if (upload === undefined) continue;
    try {
      const problem = await bucketProblem();
      if (problem !== null) {
        change(id, { state: 'failed', problem, needsBucket: true });
        continue;
      }
      if (upload.abort.signal.aborted) continue;
      arrived.push({ id, url: await uploadOne(id, upload) });
    } catch (error) {
      if (upload.abort.signal.aborted) change(id, { state: 'cancelled' });
      else change(id, { state: 'failed', problem: problemOf(error) });
    }
  }
  const [first] = arrived;
  const dropped = first && uploads.get(first.id)?.dropped;
  if (dropped === undefined) return;
  const input = inputs.get(dropped.draftKey);
  const values = arrived.map(({ url }) => url);
  const text = input === undefined ? null : dropped.writeLater(input.text(), values);
  if (input !== undefined && text !== null) input.write(text);
  for (const { id } of arrived) {
    change(id, { isWritten: text !== null });
    uploads.delete(id);
  }
  announce(t`Uploaded ${arrived.length} of ${ids.length} files to the bucket`);
}

async function uploadOne(id: number, { file, abort }: Upload): Promise<string> {
  const { name, size: sizeBytes, type } = file;
  change(id, { state: 'running', doneBytes: 0, bytesPerS: null, problem: null, needsBucket: false });
  const { path, uploadId } = await api.bucket.beginUpload({ name, sizeBytes, type });
  const beganAt = performance.now();
  await sendFile({ uploadId }, file, abort.signal, (doneBytes) =>
    change(id, { doneBytes, bytesPerS: doneBytes / Math.max(0.001, (performance.now() - beganAt) / 1000) }),
  );
  const link = await api.bucket.link({ path });
  change(id, { state: 'done', doneBytes: sizeBytes, link: { ...link, path } });
  return link.url;
}

export function cancelInputFile(id: number): void {
  uploads.get(id)?.abort.abort();
  change(id, { state: 'cancelled' });
}

/** Uploads a failed or cancelled file again. */
export function uploadInputFileAgain(id: number): void {
  const upload = uploads.get(id);
  if (upload === undefined) return;
  uploads.set(id, { ...upload, abort: new AbortController() });
  change(id, { state: 'waiting', problem: null, needsBucket: false });
  void uploadAll([id]);
}

/** Removes the file from the bucket; its address then reads nothing. */
export async function removeInputFile({ id, link }: InputFile): Promise<void> {
  if (link === null) return;
  try {
    await api.bucket.discard({ path: link.path });
    change(id, { state: 'removed', problem: null });
  } catch (error) {
    change(id, { problem: problemOf(error) });
  }
}

/** Takes the row away; a file in the bucket stays there. */
export function forgetInputFile(id: number): void {
  uploads.delete(id);
  useInputFiles.setState(({ list }) => ({ list: list.filter((one) => one.id !== id) }));
}
