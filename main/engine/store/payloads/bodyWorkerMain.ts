/** The work of the body thread: checks one large body by the contract's rules, and writes what is to be kept of it to a file. */
import { isUtf8 } from 'node:buffer';
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { PolicyRanges } from '#contract/api/job.ts';
import { topLevelSpans, type Span } from '#contract/core/jsonScanner.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { notUtf8, parseRequest, type JobTerms } from '../../domain/jobs/payload/requestParser.ts';
import { checkChunk, splitChunk } from '../../domain/jobs/payload/chunkLog.ts';
import { openaiFrame, parseOpenaiRequest, type OpenaiRequest } from '../../domain/jobs/payload/openaiRequest.ts';
import { INLINE_BYTES, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import { readWorkerResult, type WorkerResult } from '../../domain/jobs/payload/resultParser.ts';
import { objectFields } from './jsonValidator.ts';
import { createSealing, PIECE_BYTES, piecePlace, type Sealing } from '../encryption/encryption.ts';

/** What each kind of body comes to. Of `s3Config` only that it is there is told: its text stays in the file. */
export interface BodyFacts {
  request: { terms: JobTerms; body: JsonText };
  openai: OpenaiRequest;
  result: WorkerResult;
  chunk: string[];
}
export type BodyKind = keyof BodyFacts;

export type CheckLimits = PolicyRanges & Pick<LimitSettings, 'chunkBytes'>;

export interface BodyTask {
  kind: BodyKind;
  /** Where an OpenAI client sent it; empty for all others. */
  route: string;
  /** The limits in force. */
  limits: CheckLimits;
  /** All of it is there, in order; as many bytes as `length` says. */
  pieces: MessagePort;
  length: number;
  /** The name and the path of the file that may be written. */
  file: string;
  path: string;
}

/** `wrote`: whether the facts refer to the file. */
export interface Checked<K extends BodyKind> {
  facts: BodyFacts[K];
  wrote: boolean;
}

export type BodyAnswer =
  | Checked<BodyKind>
  /** `code` is null for what nobody expected; `errno` names what the system said. */
  | { failure: { code: ErrorCode | null; message: string; errno: string | null } };

export interface BodyThreadData {
  /** Seals requests with storage credentials. */
  key: Uint8Array;
  /** Seals requests with the address of a webhook. */
  lastingKey: Uint8Array;
}

interface Sealings {
  sealing: Sealing;
  lasting: Sealing;
}

/**
 * Written data goes to the disk in steps of this size: the database shares the disk's journal, and a commit on the event loop
 * must not wait for 20 MB of somebody else's.
 */
const FLUSH_BYTES = 4 * 1024 * 1024;
const NICENESS = 5;
const QUOTE = 34;
const OPEN_ARRAY = 91;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

function syncFolder(path: string): void {
  // Windows has no such thing, and does not need it.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes a new file; it and its name are on disk when this returns. */
function writeFile(path: string, pieces: Iterable<Uint8Array>): void {
  const folder = dirname(path);
  if (mkdirSync(folder, { recursive: true }) !== undefined) syncFolder(dirname(folder));
  const file = openSync(path, 'wx', 0o600);
  try {
    let unflushed = 0;
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
      unflushed += piece.length;
      if (unflushed < FLUSH_BYTES) continue;
      fdatasyncSync(file);
      unflushed = 0;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(folder);
}

function* plainPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += FLUSH_BYTES) yield bytes.subarray(at, at + FLUSH_BYTES);
}

function* sealedPieces(bytes: Uint8Array, file: string, sealing: Sealing): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield sealing.sealPiece(bytes.subarray(at, at + PIECE_BYTES), piecePlace(file, at / PIECE_BYTES));
  }
}

/** Where a span of characters lies in the bytes of the text. */
function byteSpan(text: string, bytes: Uint8Array, { start, end }: Span): Span {
  if (text.length === bytes.length) return { start, end };
  const byteStart = Buffer.byteLength(text.slice(0, start));
  return { start: byteStart, end: byteStart + Buffer.byteLength(text.slice(start, end)) };
}

/** A value of the same type as the one that begins with this byte, small where that may be large. */
const standsFor = (first: number): string =>
  ({ [QUOTE]: '""', [OPEN_ARRAY]: '[]', [OPEN_BRACE]: '{}' })[first] ?? 'null';

/** The text of all but the payload, for which something small stands; null where the rest is large as well, or the bytes are not JSON. */
function besidePayload(bytes: Buffer, payload: string): { text: string; span: Span | null } | null {
  const fields = objectFields(bytes);
  if (fields === null) return null;
  let restBytes = 0;
  const parts: string[] = [];
  for (const [name, { start, end }] of fields) {
    const isPayload = name === payload;
    if (!isPayload) restBytes += end - start;
    if (restBytes > INLINE_BYTES) return null;
    parts.push(`${JSON.stringify(name)}:${isPayload ? standsFor(bytes[start]!) : bytes.toString('utf8', start, end)}`);
  }
  return { text: `{${parts.join(',')}}`, span: fields.get(payload) ?? null };
}

/**
 * What `parse` makes of a body, which never looks into its payload, and where that lies. What is refused is read as a whole, so that
 * the words are the same for bodies of any size.
 */
function read<T>(bytes: Buffer, payload: string, parse: (text: string) => T): { value: T; span: Span | null } {
  const brief = besidePayload(bytes, payload);
  if (brief) {
    try {
      return { value: parse(brief.text), span: brief.span };
    } catch {
      // Whatever is wrong with it is told below.
    }
  }
  const text = bytes.toString('utf8');
  const value = parse(text);
  const span = topLevelSpans(text).get(payload);
  return { value, span: span ? byteSpan(text, bytes, span) : null };
}

function checkRequest(bytes: Buffer, { limits, file, path }: BodyTask, sealings: Sealings): Checked<'request'> {
  const { value, span } = read(bytes, 'input', (text) => parseRequest(text, limits));
  const { policy, webhook, s3Config } = value;
  // White space after the object is no part of it.
  const end = bytes.lastIndexOf(CLOSE_BRACE) + 1;
  const hasStorage = s3Config !== undefined;
  const sealed = hasStorage || webhook !== undefined;
  const sealing = hasStorage ? sealings.sealing : sealings.lasting;
  const objectBytes = bytes.subarray(0, end);
  writeFile(path, sealed ? sealedPieces(objectBytes, file, sealing) : plainPieces(objectBytes));
  const body = { file, bytes: end, sealed, part: { start: 0, end }, input: span };
  return { facts: { terms: { policy, webhook, s3Config: hasStorage ? {} : undefined }, body }, wrote: true };
}

function checkOpenai(bytes: Buffer, { route, file, path }: BodyTask): Checked<'openai'> {
  const { streamed } = parseOpenaiRequest(bytes.toString('utf8'));
  const { before, after } = openaiFrame(route);
  const pieces = [Buffer.from(before), ...plainPieces(bytes), Buffer.from(after)];
  writeFile(path, pieces);
  const end = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const input = { start: '{"input":'.length, end: end - 1 };
  return {
    facts: { streamed, body: { file, bytes: end, sealed: false, part: { start: 0, end }, input } },
    wrote: true,
  };
}

function checkResult(bytes: Buffer, { file, path }: BodyTask): Checked<'result'> {
  const { value, span } = read(bytes, 'output', readWorkerResult);
  const { output, ...rest } = value;
  if (output === null || span === null) return { facts: { ...rest, output: null }, wrote: false };
  const { start, end } = span;
  if (end - start <= INLINE_BYTES) {
    return { facts: { ...rest, output: bytes.toString('utf8', start, end) }, wrote: false };
  }
  writeFile(path, plainPieces(bytes.subarray(start, end)));
  const length = end - start;
  const stored = { file, bytes: length, sealed: false, part: { start: 0, end: length }, input: null };
  return { facts: { ...rest, output: stored }, wrote: true };
}

const checks: { [K in BodyKind]: (bytes: Buffer, task: BodyTask, sealings: Sealings) => Checked<K> } = {
  request: checkRequest,
  openai: checkOpenai,
  result: checkResult,
  chunk: (bytes, { limits }) => ({
    facts: splitChunk(checkChunk(bytes.toString('utf8')), limits.chunkBytes),
    wrote: false,
  }),
};

/** Checks one body. Throws AppError for what is wrong with it, and system errors as they are. */
function checkBody(task: BodyTask, bytes: Buffer, sealings: Sealings): Checked<BodyKind> {
  if (!isUtf8(bytes)) throw notUtf8();
  return checks[task.kind](bytes, task, sealings);
}

function failureOf(error: unknown): BodyAnswer {
  const { message, code } = error as { message: string; code?: string };
  if (error instanceof AppError) return { failure: { code: error.code, message, errno: null } };
  return { failure: { code: null, message, errno: code ?? null } };
}

/** Holds one body after the other: what is new for each is garbage for each. It goes with the thread, which ends when it is idle. */
let room = new Uint8Array(0);

function joined({ pieces, length }: BodyTask): Buffer {
  if (room.length < length) {
    room.buffer.transfer(0);
    room = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  }
  let at = 0;
  for (let got = receiveMessageOnPort(pieces); got; got = receiveMessageOnPort(pieces)) {
    const piece = got.message as Uint8Array<ArrayBuffer>;
    room.set(piece, at);
    at += piece.length;
    // Its memory is given back at once, not at some collection of garbage.
    piece.buffer.transfer(0);
  }
  pieces.close();
  return Buffer.from(room.buffer, 0, length);
}

/** Runs in the thread: one task at a time, one answer each. */
export function serveBodies(): void {
  const { key, lastingKey } = workerData as BodyThreadData;
  const sealings = { sealing: createSealing(key), lasting: createSealing(lastingKey) };
  // On Linux each thread has a priority of its own; elsewhere this would slow the whole engine down.
  if (process.platform === 'linux') setPriority(NICENESS);
  parentPort!.on('message', (task: BodyTask) => {
    let answer: BodyAnswer;
    try {
      answer = checkBody(task, joined(task), sealings);
    } catch (error) {
      answer = failureOf(error);
    }
    parentPort!.postMessage(answer);
  });
}
