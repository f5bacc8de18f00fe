/** Sends webhooks over HTTP and HTTPS: one POST. It follows no redirect and stores no response. */
import { Agent, request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import type { WebhookOutcome, WebhookPost, WebhookPoster } from '../../domain/webhooks/ports.ts';
import { isStored, type JsonParts } from '../../domain/jobs/payload/payloadRef.ts';
import { createNameLookup } from './dnsCache.ts';
import { explainFailure } from './failure.ts';

const { timeoutMs, answerBytes } = limits.webhook;

/**
 * Idle connections: how many for each receiver, and for how long in milliseconds. Most servers close theirs after 5 s.
 */
const idle = { keepAlive: true, maxFreeSockets: 2, scheduling: 'lifo', timeout: 4_000 } as const;

/** The message for a status other than 2xx; null for a successful delivery. */
function refusal(status: number, location: string | undefined): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400 && location !== undefined) {
    return `The receiver answered ${status} and points elsewhere; redirects are not followed.`;
  }
  return `The receiver answered ${status}; only 2xx counts as delivered.`;
}

const bytesOf = (payload: JsonParts): number =>
  payload.reduce((sum, part) => sum + (isStored(part) ? part.part.end - part.part.start : Buffer.byteLength(part)), 0);

/** Resolves once the socket no longer needs the bytes, or is closed. */
const written = (request: ClientRequest, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      request.off('close', done);
      resolve();
    };
    request.on('close', done);
    request.write(bytes, done);
  });

/** Sends a payload with parts in files, as fast as the receiver reads it. */
async function sendParts(request: ClientRequest, payload: JsonParts, texts: Pick<LargeTexts, 'read'>): Promise<void> {
  for (const part of payload) {
    if (!isStored(part)) {
      request.write(part);
      continue;
    }
    for await (const bytes of texts.read(part)) {
      await written(request, bytes);
      if (request.destroyed) return;
    }
  }
  request.end();
}

export interface WebhookPosterOptions {
  /** The version of Hangar, for the user agent. */
  version: string;
  texts: Pick<LargeTexts, 'read'>;
}

export function createWebhookPoster({ version, texts }: WebhookPosterOptions): WebhookPoster {
  const lookup = createNameLookup();
  const agent = new Agent(idle);
  const secureAgent = new SecureAgent(idle);
  const underWay = new Set<() => void>();

  function open(url: URL, { payload, deliveryId, attempt }: WebhookPost, fresh: boolean): ClientRequest {
    const secure = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      lookup,
      agent: fresh ? false : secure ? secureAgent : agent,
      headers: {
        'content-type': 'application/json',
        'content-length': bytesOf(payload),
        'user-agent': `Hangar/${version}`,
        'x-hangar-delivery': deliveryId,
        'x-hangar-attempt': attempt,
      },
    };
    return secure ? httpsRequest(url, options) : httpRequest(url, options);
  }

  function post(call: WebhookPost, done: (outcome: WebhookOutcome) => void): void {
    let request: ClientRequest | null = null;
    let status: number | null = null;
    let error: string | null = null;
    const finish = (): void => {
      if (!underWay.delete(cut)) return;
      clearTimeout(timer);
      done({ status, error });
    };
    const fail = (reason: string): void => {
      // A received status counts, even if the rest of the response fails.
      if (status === null) error = reason;
      request?.destroy();
      finish();
    };
    // A file of the job is unreadable. An AppError of its reader has a message for a person.
    const unreadable = (cause: unknown): void =>
      fail(cause instanceof AppError ? cause.message : `What was to be sent could not be read: ${String(cause)}.`);
    const cut = (): void => {
      underWay.delete(cut);
      clearTimeout(timer);
      request?.destroy();
    };
    const timer = setTimeout(() => fail(`The receiver did not answer within ${timeoutMs / 1000} s.`), timeoutMs);
    underWay.add(cut);

    function send(url: URL, fresh: boolean): void {
      const sent = open(url, call, fresh);
      request = sent;
      sent.on('response', (answer) => {
        status = answer.statusCode ?? 0;
        error = refusal(status, answer.headers.location);
        let bytes = 0;
        answer.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > answerBytes) fail('');
        });
        answer.on('error', () => undefined);
        answer.on('close', finish);
      });
      sent.on('error', (cause: NodeJS.ErrnoException) => {
        // The receiver closed the idle connection at this moment, so it did not read the request: send it again.
        if (
          sent.reusedSocket &&
          status === null &&
          underWay.has(cut) &&
          /^(ECONNRESET|EPIPE)$/.test(cause.code ?? '')
        ) {
          send(url, true);
        } else fail(explainFailure(cause, url));
      });
      const [only, ...more] = call.payload;
      if (typeof only === 'string' && more.length === 0) sent.end(only);
      else sendParts(sent, call.payload, texts).catch(unreadable);
    }

    const url = new URL(call.url);
    try {
      send(url, false);
    } catch (cause) {
      // The address is invalid, for example its user name cannot be decoded. Report this asynchronously like other
      // outcomes.
      setImmediate(() => fail(explainFailure(cause, url)));
    }
  }

  return {
    post,
    stop() {
      for (const cut of underWay) cut();
      agent.destroy();
      secureAgent.destroy();
    },
  };
}
