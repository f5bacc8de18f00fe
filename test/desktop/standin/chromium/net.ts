/**
 * Requests of the main process over Node's own HTTP: Chromium's network stack, its proxies and its caches are not
 * represented.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:http';
import { represented } from './represented.ts';

type Options = RequestOptions & { session?: unknown; redirect?: string; url?: string };

/** Errors have the names of Chromium; that of an abort stays. */
const named = (error: unknown): unknown =>
  error instanceof DOMException ? error : new Error('net::ERR_CONNECTION_CLOSED', { cause: error });

/** Only what a program that follows redirections by itself asks for. */
export const net = represented<Electron.Net>('net', {
  request(options) {
    const { session: _session, redirect, ...rest } = options as Options;
    if (redirect !== undefined && redirect !== 'manual') throw new Error('the stand-in follows no redirections');
    const request = rest.protocol === 'http:' ? httpRequest(rest) : httpsRequest(rest);
    // Node ends a response that was cut off by `error` as Electron does, and the request by `abort`.
    return request as unknown as Electron.ClientRequest;
  },
  async fetch(input, init) {
    const answer = await fetch(input as string, init).catch((error: unknown) => {
      throw named(error);
    });
    const reader = answer.body?.getReader();
    const body = new ReadableStream({
      async pull(controller) {
        const piece = await reader?.read().catch((error: unknown) => {
          throw named(error);
        });
        if (piece === undefined || piece.done) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    });
    const { status, statusText, headers } = answer;
    return new Response(body, { status, statusText, headers });
  },
});
