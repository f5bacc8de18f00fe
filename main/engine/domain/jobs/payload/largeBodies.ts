/**
 * Bodies that are too large for the event loop. A thread checks them by the rules for all bodies, and stores them as
 * files. A check takes its body over; it rejects with AppError, and then nothing is left of the body.
 */
import type { OpenaiRequest } from './openaiRequest.ts';
import type { JobTerms } from './requestParser.ts';
import type { JsonText, StoredText } from './payloadRef.ts';
import type { WorkerResult } from './resultParser.ts';

/** A large body, as much of it as has arrived. */
export interface LargeBody {
  /** In bytes. */
  readonly length: number;
  /** Takes the part over: it cannot be used any more, unless it shares its memory with others. */
  add(part: Uint8Array): void;
  /** Forgets what came; for one that is not handed to a check, which forgets it by itself. */
  drop(): void;
}

export interface LargeTexts {
  /** A new body, of which nothing has come. */
  gather(): LargeBody;
  checkRequest(body: LargeBody): Promise<{ terms: JobTerms; body: JsonText }>;
  /** `route`: what was asked for. */
  checkOpenai(body: LargeBody, route: string): Promise<OpenaiRequest>;
  checkResult(body: LargeBody): Promise<WorkerResult>;
  /** Raw JSON of the chunks it is split into. */
  checkChunk(body: LargeBody): Promise<string[]>;
  /** Rejects, in words for a person, when `read` would. */
  probe(text: StoredText): Promise<void>;
  /**
   * The bytes of the text. Fails where its file is missing, damaged, or was sealed with a key that is gone. `over`:
   * memory that each piece is read into, over the one before.
   */
  read(text: StoredText, over?: Uint8Array): AsyncIterable<Uint8Array>;
  /** Removes a text that no job was made of. */
  discard(text: StoredText): void;
}
