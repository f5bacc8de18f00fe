/** Answers that hold texts from files: their length is told, and they are sent piece by piece as fast as the reader takes them. */
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type JsonParts, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import { sendError } from './errorMapper.ts';
import type { JobResponse } from './types.ts';

export const textBytes = (text: JsonText): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.part.end - text.part.start;

/** Sends a piece; settles once the socket no longer holds it, or is gone. */
export const written = (response: JobResponse, bytes: Uint8Array | string): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    response.write(bytes, done);
  });

/** A new piece of memory for each piece of text would call for a garbage collection every few texts. */
const PIECE_BYTES = 256 * 1024;

async function send(response: JobResponse, parts: JsonParts, texts: LargeTexts): Promise<void> {
  const over = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (const part of parts) {
    if (typeof part === 'string') {
      response.write(part);
      continue;
    }
    for await (const bytes of texts.read(part, over)) {
      await written(response, bytes);
      if (response.destroyed) return;
    }
  }
  response.end();
}

/** Sends JSON made of `parts`. Where a file turns out to be unreadable, that is the answer; once begun, the connection is cut. */
export async function sendParts(
  response: JobResponse,
  status: number,
  parts: JsonParts,
  texts: LargeTexts,
  logger: Logger,
): Promise<void> {
  try {
    for (const part of parts) if (isStored(part)) await texts.probe(part);
    if (response.destroyed || response.headersSent) return;
    const length = parts.reduce((sum, part) => sum + textBytes(part), 0);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
    await send(response, parts, texts);
  } catch (error) {
    if (response.headersSent) {
      logger.error({ err: error }, 'an answer could not be sent to its end');
      response.destroy();
    } else sendError(response, error, logger);
  }
}
