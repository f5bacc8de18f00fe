/** Answers with texts from files: with their length, piece by piece, at the speed of the reader. */
import type { Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type JsonParts, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import { sendError } from './errorMapper.ts';
import type { JobResponse } from './types.ts';

export const textBytes = (text: JsonText): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.part.end - text.part.start;

/** Sends a piece. Settles once the system has it, or the connection is closed. */
export const written = (response: JobResponse, bytes: Uint8Array | string): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    response.write(bytes, done);
  });

/**
 * The size of the one buffer of an answer: a buffer for each piece would cause a garbage collection every few texts.
 */
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

/** Sends JSON made of `parts`. An unreadable file makes an error; after the first bytes it closes the connection. */
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
