/**
 * Sends files in requests of Node instead of undici's: Node tells when the system has taken the bytes, so that their memory
 * is free at once. See `releaseBytes`.
 */
import { Agent, request as requestHttp, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { errors } from 'undici';
import { releaseBytes } from '../../../files/releaseBytes.ts';

export interface FileRequest {
  url: string;
  headers: Record<string, string>;
  /** The next bytes are read only after the system has taken the ones before, which are empty from then on. */
  body: AsyncIterable<Uint8Array>;
  lengthBytes: number;
  /** Aborts the request. There is no other limit on its time once it is connected. */
  signal: AbortSignal;
}

export interface FileAnswer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: { text(): Promise<string> };
}

export interface FileRequests {
  /** Resolves with the answer, also if it comes before all of the file was sent. Rejects with the error of the connection. */
  put(file: FileRequest): Promise<FileAnswer>;
  stop(): void;
}

/** An idle connection is closed after this time. */
const IDLE_MS = 30_000;

/** Sends `body` to its end. Rejects with the error of `body` or of the request. */
async function sendBody(request: ClientRequest, { body, lengthBytes }: FileRequest): Promise<void> {
  let fail = (): void => undefined;
  // Node does not call back for bytes that wait in a request while its connection closes.
  request.once('close', () => fail());
  let sentBytes = 0;
  for await (const bytes of body) {
    sentBytes += bytes.length;
    await new Promise<void>((resolve, reject) => {
      fail = () => reject(new Error('The request is closed.'));
      request.write(bytes, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    releaseBytes(bytes);
  }
  if (sentBytes !== lengthBytes) throw new Error(`The file has ${sentBytes} bytes instead of ${lengthBytes}.`);
  request.end();
}

/** `connectMs`: how long a connection may take to open. */
export function createFileRequests(connectMs: number): FileRequests {
  const options = { keepAlive: true, timeout: IDLE_MS };
  const agent = new Agent(options);
  const secureAgent = new SecureAgent(options);

  function open({ url, headers, lengthBytes, signal }: FileRequest): ClientRequest {
    const all = { ...headers, 'content-length': String(lengthBytes) };
    const isSecure = url.startsWith('https:');
    const request = isSecure
      ? requestHttps(url, { method: 'PUT', headers: all, signal, agent: secureAgent })
      : requestHttp(url, { method: 'PUT', headers: all, signal, agent });
    request.once('socket', (socket) => {
      if (request.reusedSocket) return;
      const timer = setTimeout(() => request.destroy(new errors.ConnectTimeoutError()), connectMs);
      const stop = (): void => clearTimeout(timer);
      socket.once(isSecure ? 'secureConnect' : 'connect', stop).once('close', stop);
    });
    return request;
  }

  return {
    put: (file) =>
      new Promise((resolve, reject) => {
        const request = open(file);
        request.on('error', reject);
        request.once('response', (answer) => {
          // Nobody needs the rest of a file that was refused.
          answer.once('end', () => {
            if (!request.writableFinished) request.destroy();
          });
          const { statusCode = 0, headers } = answer;
          resolve({ statusCode, headers, body: { text: () => text(answer) } });
        });
        sendBody(request, file).catch((error: unknown) =>
          request.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      }),
    stop() {
      agent.destroy();
      secureAgent.destroy();
    },
  };
}
