/**
 * Files: of network volumes, and of the own volumes of Pods by the id of the Pod, under /local/v1/volumes/{id}/files; of the containers
 * of Pods under /local/v1/pods/{podId}/files. They are listed, read in ranges, written, moved and deleted.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import {
  volumeFileSchema,
  volumeFolderRequestSchema,
  volumeListingSchema,
  volumeMoveRequestSchema,
  volumePathQuerySchema,
  volumePathSchema,
} from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { FileSystem } from '../../../files/ports.ts';
import { errorBody } from '../http/compat.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface FileRoutesOptions {
  /** Which routes: those of volumes, or those of containers. */
  kind: FileKind;
  /** The root of the files, by the id in the path of a request. Throws NOT_FOUND for an unknown id. */
  rootOf: (id: string) => string;
  files: FileSystem;
}

/** What the routes of volumes and those of containers do not share. */
interface FileKind {
  readonly at: string;
  readonly params: z.ZodType<{ id: string }>;
  /** The middle of the names of operations. */
  readonly noun: string;
  /** What is read, for the descriptions. */
  readonly holder: string;
  /** The same with its second name. */
  readonly listed: string;
  readonly pathWords: string;
  /** The scope that reading needs. */
  readonly readNeed: 'read' | 'all';
  readonly refusals: readonly ErrorCode[];
}

export const VOLUME_FILES: FileKind = {
  at: '/local/v1/volumes/:id/files',
  params: z.object({ id: z.string() }),
  noun: 'Volume',
  holder: 'a network volume',
  listed: 'a network volume, or of the own volume of a Pod by its id',
  pathWords: 'From the volume on, with "/" between names.',
  readNeed: 'read',
  refusals: [],
};

/** Secrets of a Pod are in its container, so that reading its files needs a full key, as a terminal does. */
export const CONTAINER_FILES: FileKind = {
  at: '/local/v1/pods/:podId/files',
  params: z.object({ podId: z.string() }).transform(({ podId }) => ({ id: podId })),
  noun: 'Pod',
  holder: 'the running container of a Pod',
  listed: 'the running container of a Pod',
  pathWords: 'From the root of the container on, with "/" between names.',
  readNeed: 'all',
  refusals: ['FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'],
};

/** The first byte and the one after the last; null for a part beyond the file. An unknown form of the header means the whole file. */
function rangeOf(header: string | undefined, sizeBytes: number): { start: number; end: number } | null {
  const all = { start: 0, end: sizeBytes };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return all;
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes } : null;
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== '' && Number(last) < start) return all;
  return start < sizeBytes ? { start, end } : null;
}

/** Headers that keep a browser from showing the file: a page in a volume must not act as a page of the engine. */
const SAVED = {
  'content-type': 'application/octet-stream',
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
  'cache-control': 'no-store',
};

function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

function announcedBytes({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  if (length === undefined) return null;
  const most = limits.volumeFiles.uploadBytes;
  if (Number(length) > most) {
    throw new AppError(
      'TOO_LARGE',
      `The file is too large: at most ${most} bytes are taken, ${length} were announced.`,
    );
  }
  return Number(length);
}

/** The body at the speed of its reader. A reader that stops leaves the request as it is. */
async function* bodyOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void, void> {
  const pieces: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    yield* pieces;
  } catch (thrown) {
    throw new AppError('BAD_REQUEST', 'The file was not sent to its end.', { cause: thrown });
  }
}

const BYTES = 'application/octet-stream';
const { uploadBytes, entries: mostEntries } = limits.volumeFiles;

// One document has one schema of each name: both kinds of routes share these.
const fileShape = named('VolumeFile', volumeFileSchema);
const listingShape = named('VolumeListing', volumeListingSchema);
const folderShape = named('VolumeFolder', volumeFolderRequestSchema);
const moveShape = named('VolumeMove', volumeMoveRequestSchema);
const rangeShape = named('RangeRefused', z.looseObject({ message: z.string() }));
const bytesShape = named('Bytes', z.string().meta({ format: 'binary' }));
/** The parts that descriptions of operations on one path share. */
const onPath = ({ params, pathWords }: FileKind) => ({
  group: 'files',
  params,
  querystring: z.object({ path: volumePathQuerySchema.shape.path }),
  query: { path: { schema: volumePathSchema, words: pathWords } },
});

function registerReads(api: Api, { kind, rootOf, files }: FileRoutesOptions): void {
  const { at, noun, readNeed: need, refusals } = kind;
  const shared = onPath(kind);
  api.get(
    at,
    operation({
      ...shared,
      id: `${noun.toLowerCase()}Files`,
      need,
      summary: `Lists a folder of ${kind.listed}: its folders, then what else is there, ${mostEntries} entries at most.`,
      answers: { 200: { words: 'The folder.', shape: listingShape } },
      refusals: ['BAD_REQUEST', ...refusals],
    }),
    async (request) => files.list(rootOf(request.params.id), request.query.path),
  );
  const content = operation({
    ...shared,
    id: `read${noun}File`,
    need,
    summary: `Reads a file of ${kind.holder}. \`Range\` asks for a part of it, \`If-Range\` for a part of the same file.`,
    answers: {
      200: { words: 'The file.', shape: bytesShape, type: BYTES },
      206: { words: 'The part of it.', shape: bytesShape, type: BYTES },
      416: {
        words: 'The file ends before that part.',
        shape: rangeShape,
      },
    },
    refusals: ['BAD_REQUEST', ...refusals],
  });
  api.get(
    `${at}/content`,
    { ...content, exposeHeadRoute: false },
    async ({ params: { id }, query, headers }, reply) => {
      const file = await files.open(rootOf(id), query.path);
      const { sizeBytes, modifiedAt } = file;
      const tag = `"${sizeBytes.toString(36)}-${Math.round(modifiedAt).toString(36)}"`;
      // A part of another file does not fit the beginning that the caller has.
      const same = headers['if-range'] === undefined || headers['if-range'] === tag;
      const range = rangeOf(same ? headers.range : undefined, sizeBytes);
      if (range === null) {
        await file.close();
        const message = `The file has ${sizeBytes} bytes; nothing of it is in the range that was asked for.`;
        void reply.header('content-range', `bytes */${sizeBytes}`).type('application/json');
        return reply.code(416).send(errorBody(416, message));
      }
      const { start, end } = range;
      const part = end - start < sizeBytes;
      const stream = Readable.from(file.read(start, end), { objectMode: false });
      stream.once('close', () => void file.close());
      void reply.headers({
        ...SAVED,
        'content-disposition': attachment(query.path),
        'content-length': end - start,
        'accept-ranges': 'bytes',
        etag: tag,
        ...(part ? { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` } : {}),
      });
      return reply.code(part ? 206 : 200).send(stream);
    },
  );
}

function registerChanges(api: Api, { kind, rootOf, files }: FileRoutesOptions): void {
  const { at, noun, holder, params, refusals } = kind;
  const shared = onPath(kind);
  api.delete(
    `${at}/content`,
    operation({
      ...shared,
      id: `delete${noun}File`,
      need: 'all',
      summary: `Deletes a file of ${holder}, or a folder with everything in it.`,
      querystring: shared.querystring.extend({ onlyEmpty: z.enum(['true', 'false']).default('false') }),
      query: {
        ...shared.query,
        onlyEmpty: {
          schema: z.enum(['true', 'false']),
          words: '"true" refuses a folder that has something in it. The default is "false".',
        },
      },
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST', 'CONFLICT', ...refusals],
    }),
    async (request, reply) => {
      const { path, onlyEmpty } = request.query;
      await files.remove(rootOf(request.params.id), path, onlyEmpty === 'true');
      return reply.code(204).send();
    },
  );
  api.post(
    `${at}/folder`,
    operation({
      id: `make${noun}Folder`,
      group: 'files',
      need: 'all',
      summary: `Makes a folder in ${holder}.`,
      params,
      body: folderShape,
      answers: { 200: { words: 'The folder.', shape: fileShape } },
      refusals: ['CONFLICT', 'STORAGE_FULL', ...refusals],
    }),
    async (request) => files.makeFolder(rootOf(request.params.id), request.body.path),
  );
  api.post(
    `${at}/move`,
    operation({
      id: `move${noun}File`,
      group: 'files',
      need: 'all',
      summary: `Moves or renames a file or a folder of ${holder}; nothing is replaced.`,
      params,
      body: moveShape,
      answers: { 200: { words: 'It, under its new name.', shape: fileShape } },
      refusals: ['CONFLICT', ...refusals],
    }),
    async ({ params: { id }, body }) => files.move(rootOf(id), body.from, body.to),
  );
}

/** Writes a file from the body of a request, of whatever type. */
function registerUpload(api: Api, { kind, rootOf, files }: FileRoutesOptions): void {
  const { at, noun, holder, refusals } = kind;
  const upload = operation({
    ...onPath(kind),
    id: `write${noun}File`,
    need: 'all',
    summary: `Writes a file of ${holder}, ${uploadBytes} bytes at most; it is there once all of it has come. With "If-None-Match: *" nothing is replaced.`,
    requestBody: { shape: bytesShape, type: BYTES },
    answers: { 200: { words: 'The file.', shape: fileShape } },
    refusals: ['CONFLICT', 'STORAGE_FULL', ...refusals],
  });
  void api.register(async (scope: Api) => {
    // A file is bytes, whatever type the request names; the route reads them itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    scope.put(`${at}/content`, upload, async ({ params: { id }, query, headers, raw }) => {
      const root = rootOf(id);
      try {
        const lengthBytes = announcedBytes(raw);
        return await files.write(root, query.path, bodyOf(raw), {
          mayReplace: headers['if-none-match'] !== '*',
          lengthBytes,
        });
      } catch (error) {
        // A caller that is still sending reads the answer only once its body was read.
        raw.resume();
        throw error;
      }
    });
  });
}

export function registerFileRoutes(api: Api, options: FileRoutesOptions): void {
  registerReads(api, options);
  registerChanges(api, options);
  registerUpload(api, options);
}
