/** The program of the body thread: it checks one large body by the rules of the API and writes it to a file. */
import { isUtf8 } from 'node:buffer';
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { AppError, messageOf, type ErrorCode } from '#contract/core/errors.ts';
import { topLevelSpans, type Span } from '#contract/core/jsonScanner.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { jobTermNames, notUtf8, parseRequest, type JobTerms } from '../../domain/jobs/payload/requestParser.ts';
import { checkChunk, splitChunk } from '../../domain/jobs/payload/chunkLog.ts';
import { openaiFrame, parseOpenaiRequest, type OpenaiRequest } from '../../domain/jobs/payload/openaiRequest.ts';
import { INLINE_BYTES, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import { readWorkerResult, type WorkerResult } from '../../domain/jobs/payload/resultParser.ts';
import { objectFields } from './jsonValidator.ts';
import { createSealing, PIECE_BYTES, piecePlace, type Sealing } from '../encryption/encryption.ts';

/** The result for each kind of body. `s3Config` is only marked as present: its text stays in the file. */
export interface BodyFacts {
  request: { terms: JobTerms; body: JsonText };
  openai: OpenaiRequest;
  result: WorkerResult;
  chunk: string[];
}
export type BodyKind = keyof BodyFacts;

export interface BodyTask {
  kind: BodyKind;
  /** The path of an OpenAI request; empty for all others. */
  route: string;
  /** The current limits. */
  limits: LimitSettings;
  /** All pieces in their order; their sizes add up to `length`. */
  pieces: MessagePort;
  length: number;
  /** The name and the path of the file that the thread may write. */
  file: string;
  path: string;
}

/** `wrote`: whether the result refers to the file. */
export interface Checked<K extends BodyKind> {
  facts: BodyFacts[K];
  wrote: boolean;
}

export type BodyAnswer =
  | Checked<BodyKind>
  /** `code` is null for an unexpected error; `errno` is the error code of the system. */
  | { failure: { code: ErrorCode | null; message: string; errno: string | null } };

export interface BodyThreadData {
  /** Encrypts requests with storage credentials. */
  key: Uint8Array;
  /** Encrypts requests with the address of a webhook. */
  lastingKey: Uint8Array;
}

interface Sealings {
  sealing: Sealing;
  lasting: Sealing;
}

/**
 * The file is synced after each this many bytes. The database shares the journal of the disk, so a commit on the event
 * loop would otherwise wait for 20 MB of this file.
 */
const FLUSH_BYTES = 4 * 1024 * 1024;
const NICENESS = 5;
const QUOTE = 34;
const OPEN_ARRAY = 91;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

function syncFolder(path: string): void {
  // Windows has no such call and needs none.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes a new file. The file and its folder entry are synced when this returns. */
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

/** Converts a span of characters to a span of bytes. */
function byteSpan(text: string, bytes: Uint8Array, { start, end }: Span): Span {
  if (text.length === bytes.length) return { start, end };
  const byteStart = Buffer.byteLength(text.slice(0, start));
  return { start: byteStart, end: byteStart + Buffer.byteLength(text.slice(start, end)) };
}

/** A short value with the same type as the value that begins with this byte. */
const placeholderOf = (first: number): string =>
  ({ [QUOTE]: '""', [OPEN_ARRAY]: '[]', [OPEN_BRACE]: '{}' })[first] ?? 'null';

/**
 * The text of the body with a short value in place of the payload. Null where the rest is large too, or the bytes are
 * no JSON object.
 */
function withoutPayload(bytes: Buffer, payload: string): { text: string; span: Span | null } | null {
  const fields = objectFields(bytes);
  if (fields === null) return null;
  let restBytes = 0;
  const parts: string[] = [];
  for (const [name, { start, end }] of fields) {
    const isPayload = name === payload;
    if (!isPayload) restBytes += end - start;
    if (restBytes > INLINE_BYTES) return null;
    parts.push(
      `${JSON.stringify(name)}:${isPayload ? placeholderOf(bytes.readUInt8(start)) : bytes.toString('utf8', start, end)}`,
    );
  }
  return { text: `{${parts.join(',')}}`, span: fields.get(payload) ?? null };
}

/**
 * Parses a body and locates its payload, without parsing the payload. When `parse` throws, it parses the whole body, so
 * that the message is the same for bodies of any size.
 */
function read<T>(bytes: Buffer, payload: string, parse: (text: string) => T): { value: T; span: Span | null } {
  const brief = withoutPayload(bytes, payload);
  if (brief) {
    try {
      return { value: parse(brief.text), span: brief.span };
    } catch {
      // Parsing the whole text below reports the error.
    }
  }
  const text = bytes.toString('utf8');
  const value = parse(text);
  const span = topLevelSpans(text).get(payload);
  return { value, span: span ? byteSpan(text, bytes, span) : null };
}

function checkRequest(bytes: Buffer, { limits, file, path }: BodyTask, sealings: Sealings): Checked<'request'> {
  const { value, span } = read(bytes, 'input', (text) => parseRequest(text, limits));
  const terms: JobTerms = Object.fromEntries(jobTermNames.map((name) => [name, value[name]]));
  // The object ends before the trailing white space.
  const end = bytes.lastIndexOf(CLOSE_BRACE) + 1;
  const hasStorage = terms.s3Config !== undefined;
  const sealed = hasStorage || terms.webhook !== undefined;
  const sealing = hasStorage ? sealings.sealing : sealings.lasting;
  const objectBytes = bytes.subarray(0, end);
  writeFile(path, sealed ? sealedPieces(objectBytes, file, sealing) : plainPieces(objectBytes));
  const body = { file, bytes: end, sealed, part: { start: 0, end }, input: span };
  return { facts: { terms: hasStorage ? { ...terms, s3Config: {} } : terms, body }, wrote: true };
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

/** Checks one body. Throws AppError for an invalid body, and system errors unchanged. */
function checkBody(task: BodyTask, bytes: Buffer, sealings: Sealings): Checked<BodyKind> {
  if (!isUtf8(bytes)) throw notUtf8();
  return checks[task.kind](bytes, task, sealings);
}

function failureOf(error: unknown): BodyAnswer {
  if (error instanceof AppError) return { failure: { code: error.code, message: error.message, errno: null } };
  return { failure: { code: null, message: messageOf(error), errno: systemCode(error) ?? null } };
}

/**
 * A buffer for one body after the other, because a new buffer for each would become garbage. It is freed with the
 * thread.
 */
let bodyBuffer = new Uint8Array(0);

function joined({ pieces, length }: BodyTask): Buffer {
  if (bodyBuffer.length < length) {
    bodyBuffer.buffer.transfer(0);
    bodyBuffer = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  }
  let at = 0;
  for (let received = receiveMessageOnPort(pieces); received; received = receiveMessageOnPort(pieces)) {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the other end of this port sends only pieces
    const piece = received.message as Uint8Array<ArrayBuffer>;
    bodyBuffer.set(piece, at);
    at += piece.length;
    // Frees the memory of the piece now, without a garbage collection.
    piece.buffer.transfer(0);
  }
  pieces.close();
  return Buffer.from(bodyBuffer.buffer, 0, length);
}

/** Runs in the thread: handles one task at a time and answers each once. */
export function serveBodies(): void {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- bodyWorker.ts starts this thread with data of this type
  const { key, lastingKey } = workerData as BodyThreadData;
  const port = requireValue(parentPort, 'the port of the thread');
  const sealings = { sealing: createSealing(key), lasting: createSealing(lastingKey) };
  // On Linux each thread has its own priority. On other systems this call would slow down the whole engine.
  if (process.platform === 'linux') setPriority(NICENESS);
  port.on('message', (task: BodyTask) => {
    let answer: BodyAnswer;
    try {
      answer = checkBody(task, joined(task), sealings);
    } catch (error) {
      answer = failureOf(error);
    }
    port.postMessage(answer);
  });
}
