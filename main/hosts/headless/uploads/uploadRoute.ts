/** Takes files that a paired page sends in one request, for uploads that it has begun over the bridge. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_TOKEN_HEADER, UPLOAD_PATH } from '#contract/app/pageSession.ts';
import { errorStatus, toAppError } from '#contract/core/errors.ts';
import type { App } from '../../../app/compose.ts';
import { hostOf, isOurOrigin } from '../guards.ts';
import type { Pairing } from '../pairing.ts';

export interface UploadRouteOptions {
  receive: App['receiveUpload'];
  /** Null while the host is starting. */
  pairing: () => Pick<Pairing, 'isPage'> | null;
}

/** How long a page that sends to a failed upload has to end its request itself, before the connection is closed. */
const ABORT_MS = 5000;

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  // Without this, Node would read the rest of a refused file.
  reply.header('connection', 'close').code(status).type('text/plain').send(`${message}\n`);

/** Resolves when the request is over, at the latest after `ABORT_MS`. */
const whenOver = (request: FastifyRequest['raw']): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ABORT_MS);
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * The session of the cookie has been checked before. A browser adds an Origin to each PUT, and only the page knows its
 * token, so a page of another origin, also under the same host name, sends nothing here.
 */
function guard(
  request: FastifyRequest,
  reply: FastifyReply,
  pairing: Pick<Pairing, 'isPage'> | null,
): FastifyReply | null {
  const { origin, cookie, [PAGE_TOKEN_HEADER]: token } = request.headers;
  if (!isOurOrigin(origin, hostOf(request.raw))) {
    return refuse(reply, 403, 'Only the page of Hangar can upload a file here.');
  }
  if (pairing === null || !pairing.isPage(cookie, typeof token === 'string' ? token : '')) {
    return refuse(reply, 401, 'This page is not paired with Hangar.');
  }
  return null;
}

/**
 * The bridge says how the upload ended (`followUpload`); the answer says only whether all of the file was taken. Nothing
 * of a body is read before origin, token, upload and length are checked.
 */
export function registerUploadRoute(server: FastifyInstance, { receive, pairing }: UploadRouteOptions): void {
  void server.register(async (scope: FastifyInstance) => {
    // A file is bytes, of whatever type; the route reads them itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.put<{ Params: { id: string } }>(
      `${UPLOAD_PATH}:id`,
      { onRequest: async (request, reply) => guard(request, reply, pairing()) ?? undefined },
      async ({ params, headers, raw }, reply) => {
        const length = headers['content-length'];
        if (length === undefined) return refuse(reply, 411, 'The request does not say how many bytes the file has.');
        let refusal = { status: 409, message: 'The upload failed; the page of Hangar says why.' };
        try {
          // The iterator leaves the request open, so that the page learns from the bridge why its upload failed.
          if (await receive(params.id, Number(length), raw.iterator({ destroyOnReturn: false }))) {
            return await reply.code(204).send();
          }
        } catch (thrown) {
          const { code, message } = toAppError(thrown);
          // The upload may have failed before its request arrived.
          refusal = { status: errorStatus[code], message };
        }
        await whenOver(raw);
        return refuse(reply, refusal.status, refusal.message);
      },
    );
  });
}
