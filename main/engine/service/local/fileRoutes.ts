/** Files of network volumes under /local/v1/volumes/{id}/files: listed, read in ranges, written as they come, moved, deleted. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { volumeFolderRequestSchema, volumeMoveRequestSchema, volumePathQuerySchema } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { VolumeFiles } from '../../domain/resources/ports.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import type { RequiredScope } from '../http/auth.ts';
import { errorBody } from '../http/compat.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface FileRoutesOptions {
  volumes: Pick<Volumes, 'folderOf'>;
  files: VolumeFiles;
}

/** First byte and the one after the last; null where no such part is there. What is not understood means all of it. */
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

/** Never shown by a browser, whatever is in it: a page of somebody else must not act as one of the engine's. */
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

/** The body at the pace of who reads it; who sends nothing is cut off as with any other body. Giving it up leaves the request as it is. */
function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  // Whoever reads hears of it.
  body.on('error', () => undefined);
  request.once('close', () => {
    if (!request.complete) body.destroy(new AppError('BAD_REQUEST', 'The file was not sent to its end.'));
  });
  return request.pipe(body);
}

const idParams = z.object({ id: z.string() });
const pathQuery = z.object({ path: volumePathQuerySchema.shape.path });
const AT = '/local/v1/volumes/:id/files';

export function registerFileRoutes(api: Api, { volumes, files }: FileRoutesOptions): void {
  const onPath = (need: RequiredScope) => ({ ...needs(need), schema: { params: idParams, querystring: pathQuery } });

  api.get(AT, onPath('read'), async ({ params, query }) => files.list(volumes.folderOf(params.id), query.path));

  api.get(`${AT}/content`, { ...onPath('read'), exposeHeadRoute: false }, async ({ params, query, headers }, reply) => {
    const file = await files.open(volumes.folderOf(params.id), query.path);
    const { sizeBytes, modifiedAt } = file;
    const tag = `"${sizeBytes.toString(36)}-${Math.round(modifiedAt).toString(36)}"`;
    // The rest of another file would be of no use to who has the beginning of this one.
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
  });

  api.delete(`${AT}/content`, onPath('all'), async ({ params, query }, reply) => {
    await files.remove(volumes.folderOf(params.id), query.path);
    return reply.code(204).send();
  });
  api.post(
    `${AT}/folder`,
    { ...needs('all'), schema: { params: idParams, body: volumeFolderRequestSchema } },
    async ({ params, body }) => files.makeFolder(volumes.folderOf(params.id), body.path),
  );
  api.post(
    `${AT}/move`,
    { ...needs('all'), schema: { params: idParams, body: volumeMoveRequestSchema } },
    async ({ params, body }) => files.move(volumes.folderOf(params.id), body.from, body.to),
  );

  void api.register(async (scope) => {
    // Whatever type it says it has: a file is bytes, and read by who writes them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    (scope as unknown as Api).put(`${AT}/content`, onPath('all'), async ({ params, query, headers, raw }) => {
      const root = volumes.folderOf(params.id);
      try {
        const lengthBytes = announcedBytes(raw);
        return await files.write(root, query.path, bodyOf(raw), {
          mayReplace: headers['if-none-match'] !== '*',
          lengthBytes,
        });
      } catch (error) {
        // Who is still sending hears why only once that is read.
        raw.unpipe();
        raw.resume();
        throw error;
      }
    });
  });
}
