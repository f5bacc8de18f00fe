/** SFTP by promises, and what its refusals mean for a person. */
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { Connection } from '../connection.ts';

/** Numbers of the protocol's answers. */
const EOF = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const OP_UNSUPPORTED = 8;

const meanings: Record<number, [ErrorCode, (path: string) => string]> = {
  [NO_SUCH_FILE]: ['NOT_FOUND', (path) => `There is no ${path} in the Pod.`],
  [PERMISSION_DENIED]: ['FORBIDDEN', (path) => `The Pod does not let its user touch ${path}.`],
  [OP_UNSUPPORTED]: ['BAD_REQUEST', (path) => `The SFTP of the Pod cannot do that with ${path}.`],
};

/** An answer to a request; anything else means that the connection is gone. */
export const isAnswer = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'number';
export const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === NO_SUCH_FILE;

export function meaningOf(error: unknown, path: string): Error {
  if (!isAnswer(error)) return error as Error;
  const { code, message } = error as { code: number; message: string };
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

/** Bytes of one request: what every server takes. Several are under way at once. */
const REQUEST_BYTES = 32 * 1024;

export interface Sftp {
  lstat(path: string): Promise<Stats>;
  stat(path: string): Promise<Stats>;
  /** Pieces of a folder, as they come. */
  entries(path: string): AsyncGenerator<FileEntryWithStats[], void, void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Refuses where something has that name. */
  rename(from: string, to: string): Promise<void>;
  /** Replaces what has that name. */
  replace(from: string, to: string): Promise<void>;
  open(path: string, flags: 'r' | 'wx' | 'r+'): Promise<Buffer>;
  close(handle: Buffer): Promise<void>;
  fstat(handle: Buffer): Promise<Stats>;
  /** As many as there are. */
  read(handle: Buffer, from: number, most: number): Promise<Buffer>;
  write(handle: Buffer, at: number, bytes: Uint8Array): Promise<void>;
  /** The beginning of what a shell beside it answers; nothing where there is none, or it was broken off. Never rejects. */
  run(command: string, signal: AbortSignal): Promise<string>;
}

/** Of what a command answers. */
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
      // A server that runs something else than what it was asked for ends with this.
      channel.end();
      if (signal.aborted) giveUp();
    });
  });
}

/** Rejects where the other side has no SFTP. */
export async function openSftp({ client }: Connection): Promise<Sftp> {
  const wrapper = await promised<SFTPWrapper>((done) => client.sftp(done));
  const nothing = (begin: (done: Done<unknown>) => unknown): Promise<void> =>
    promised<unknown>(begin).then(() => undefined);

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
            if ((error as { code?: unknown }).code === EOF) return;
            throw error;
          }
        }
      } finally {
        await nothing((done) => wrapper.close(handle, done as () => void)).catch(() => undefined);
      }
    },
    mkdir: (path) => nothing((done) => wrapper.mkdir(path, done as () => void)),
    rmdir: (path) => nothing((done) => wrapper.rmdir(path, done as () => void)),
    unlink: (path) => nothing((done) => wrapper.unlink(path, done as () => void)),
    chmod: (path, mode) => nothing((done) => wrapper.chmod(path, mode, done as () => void)),
    rename: (from, to) => nothing((done) => wrapper.rename(from, to, done as () => void)),
    replace: (from, to) => nothing((done) => wrapper.ext_openssh_rename(from, to, done as () => void)),
    open: (path, flags) => promised((done) => wrapper.open(path, flags, done)),
    close: (handle) => nothing((done) => wrapper.close(handle, done as () => void)),
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
          if ((error as { code?: unknown }).code === EOF) return 0;
          throw error;
        }
      });
      const counts = await Promise.all(pieces);
      // A short answer is the end, or as much as there was: what comes behind it is asked for again.
      const short = counts.findIndex((count, index) => count < Math.min(REQUEST_BYTES, most - index * REQUEST_BYTES));
      return short === -1 ? bytes : bytes.subarray(0, short * REQUEST_BYTES + counts[short]!);
    },
    async write(handle, at, bytes) {
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const writes: Promise<void>[] = [];
      for (let done = 0; done < data.length; done += REQUEST_BYTES) {
        const length = Math.min(REQUEST_BYTES, data.length - done);
        const from = done;
        writes.push(
          nothing((callback) => wrapper.write(handle, data, from, length, at + from, callback as () => void)),
        );
      }
      // All of them are waited for, so that none is still under way when the piece is tried again.
      const failed = (await Promise.allSettled(writes)).find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    run: (command, signal) => runIn(client, command, signal),
  };
}
