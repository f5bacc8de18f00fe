/** SFTP with promises, and its error codes as errors for a person. */
import { AppError, toAppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { Connection } from '../connection.ts';

/** Status codes of the protocol. */
const EOF = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const OP_UNSUPPORTED = 8;

const meanings: Record<number, [ErrorCode, (path: string) => string]> = {
  [NO_SUCH_FILE]: ['NOT_FOUND', (path) => `There is no ${path} in the Pod.`],
  [PERMISSION_DENIED]: ['FORBIDDEN', (path) => `The Pod does not let its user touch ${path}.`],
  [OP_UNSUPPORTED]: ['BAD_REQUEST', (path) => `The SFTP of the Pod cannot do that with ${path}.`],
};

/** Whether the error is an answer of the server. Any other error means that the connection is broken. */
export const isAnswer = (error: unknown): error is Error & { code: number } =>
  error instanceof Error && 'code' in error && typeof error.code === 'number';
const isAnswerOf = (error: unknown, code: number): boolean => isAnswer(error) && error.code === code;
export const isMissing = (error: unknown): boolean => isAnswerOf(error, NO_SUCH_FILE);

export function meaningOf(error: unknown, path: string): Error {
  if (!isAnswer(error)) return toAppError(error);
  const { code, message } = error;
  const [name, words] = meanings[code] ?? ['CONFLICT', (at: string) => `The Pod refuses that for ${at}: ${message}.`];
  return new AppError(name, words(path), { cause: error });
}

type Done<T> = (error: Error | null | undefined, value: T) => void;
const promised = <T>(begin: (done: Done<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    begin((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });

/** Bytes of one request, which every server accepts. Several requests run at the same time. */
const REQUEST_BYTES = 32 * 1024;

export interface Sftp {
  lstat(path: string): Promise<Stats>;
  stat(path: string): Promise<Stats>;
  /** The entries of a folder, in batches. */
  entries(path: string): AsyncGenerator<FileEntryWithStats[], void, void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Fails if a file of that name exists. */
  rename(from: string, to: string): Promise<void>;
  /** Replaces a file of that name. */
  replace(from: string, to: string): Promise<void>;
  open(path: string, flags: 'r' | 'wx' | 'r+'): Promise<Buffer>;
  close(handle: Buffer): Promise<void>;
  fstat(handle: Buffer): Promise<Stats>;
  /** Reads at most `most` bytes; fewer at the end of the file. */
  read(handle: Buffer, from: number, most: number): Promise<Buffer>;
  write(handle: Buffer, at: number, bytes: Uint8Array): Promise<void>;
  /** The first output of a shell command; empty if there is no shell, or if it was aborted. Never rejects. */
  run(command: string, signal: AbortSignal): Promise<string>;
}

/** Most characters of a command's output. */
const ANSWER_CHARACTERS = 1024;

function runIn(client: Client, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    client.exec(command, (error, channel) => {
      if (error) {
        resolve('');
        return;
      }
      let text = '';
      const giveUp = (): void => void channel.destroy();
      signal.addEventListener('abort', giveUp);
      channel.setEncoding('latin1');
      channel.on('data', (piece: string) => (text = (text + piece).slice(0, ANSWER_CHARACTERS)));
      channel.on('error', () => undefined);
      channel.once('close', () => {
        signal.removeEventListener('abort', giveUp);
        resolve(text);
      });
      channel.stderr.resume();
      // Ends the channel also if the server runs another program than requested.
      channel.end();
      if (signal.aborted) giveUp();
    });
  });
}

/** Rejects if the other side has no SFTP. */
export async function openSftp({ client }: Connection): Promise<Sftp> {
  const wrapper = await promised<SFTPWrapper>((done) => client.sftp(done));
  const nothing = (begin: (done: (error?: Error | null) => void) => unknown): Promise<void> =>
    promised<undefined>((done) => begin((error) => done(error, undefined)));

  return {
    lstat: (path) => promised((done) => wrapper.lstat(path, done)),
    stat: (path) => promised((done) => wrapper.stat(path, done)),
    async *entries(path) {
      const handle = await promised<Buffer>((done) => wrapper.opendir(path, done));
      try {
        for (;;) {
          try {
            yield await promised<FileEntryWithStats[]>((done) => wrapper.readdir(handle, done));
          } catch (error) {
            if (isAnswerOf(error, EOF)) return;
            throw error;
          }
        }
      } finally {
        await nothing((done) => wrapper.close(handle, done)).catch(() => undefined);
      }
    },
    mkdir: (path) => nothing((done) => wrapper.mkdir(path, done)),
    rmdir: (path) => nothing((done) => wrapper.rmdir(path, done)),
    unlink: (path) => nothing((done) => wrapper.unlink(path, done)),
    chmod: (path, mode) => nothing((done) => wrapper.chmod(path, mode, done)),
    rename: (from, to) => nothing((done) => wrapper.rename(from, to, done)),
    replace: (from, to) => nothing((done) => wrapper.ext_openssh_rename(from, to, done)),
    open: (path, flags) => promised((done) => wrapper.open(path, flags, done)),
    close: (handle) => nothing((done) => wrapper.close(handle, done)),
    fstat: (handle) => promised((done) => wrapper.fstat(handle, done)),
    async read(handle, from, most) {
      const bytes = Buffer.alloc(most);
      const pieces = Array.from({ length: Math.ceil(most / REQUEST_BYTES) }, async (_, index) => {
        const at = index * REQUEST_BYTES;
        const length = Math.min(REQUEST_BYTES, most - at);
        try {
          return await new Promise<number>((resolve, reject) => {
            wrapper.read(handle, bytes, at, length, from + at, (error, count) =>
              error ? reject(error) : resolve(count),
            );
          });
        } catch (error) {
          if (isAnswerOf(error, EOF)) return 0;
          throw error;
        }
      });
      const counts = await Promise.all(pieces);
      // A short answer is the end of the file, or a partial read: the bytes after it are requested again.
      const short = counts.findIndex((count, index) => count < Math.min(REQUEST_BYTES, most - index * REQUEST_BYTES));
      return short === -1 ? bytes : bytes.subarray(0, short * REQUEST_BYTES + (counts[short] ?? 0));
    },
    async write(handle, at, bytes) {
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const writes: Promise<void>[] = [];
      for (let done = 0; done < data.length; done += REQUEST_BYTES) {
        const length = Math.min(REQUEST_BYTES, data.length - done);
        const from = done;
        writes.push(nothing((callback) => wrapper.write(handle, data, from, length, at + from, callback)));
      }
      // Waits for all writes, so that none is still running when the piece is tried again.
      const failed = (await Promise.allSettled(writes)).find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    run: (command, signal) => runIn(client, command, signal),
  };
}
