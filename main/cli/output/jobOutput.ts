/** Prints what a job returned: its output, or the chunks of its stream. */
import type { JobEvent, LedgerEntry } from '#contract/app/ledger.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { outputText } from './job.ts';
import type { Output } from './output.ts';

/** Prints chunks as they arrive. A job that was queued again begins anew, and the person gets a note. */
export class ChunkPrinter {
  readonly #output: Output;
  #printed = 0;
  #retries = 0;
  /** Whether the last line has text that the next chunk continues. */
  #isInLine = false;

  constructor(output: Output) {
    this.#output = output;
  }

  get hasPrinted(): boolean {
    return this.#printed > 0;
  }

  take(event: JobEvent): void {
    if (event.type === 'snapshot') {
      if (event.entry.retries > this.#retries) {
        this.endLine();
        this.#output.note('The worker was lost: the stream starts again.');
      }
      this.#retries = event.entry.retries;
      this.#printed = 0;
    }
    if (event.type === 'entry') return;
    for (const { index, text } of event.chunks) {
      if (index < this.#printed) continue;
      this.#printed = index + 1;
      this.print(text);
    }
  }

  /**
   * `text`: raw JSON of a chunk. Texts are joined for a person; a program gets each chunk unchanged on its own line.
   */
  print(text: string): void {
    if (!this.#output.isForPerson) {
      this.#output.line(text);
    } else if (text.startsWith('"')) {
      this.#output.piece(outputText(text));
      this.#isInLine = true;
    } else {
      this.endLine();
      this.#output.line(outputText(text));
    }
  }

  endLine(): void {
    if (this.#isInLine) this.#output.line('');
    this.#isInLine = false;
  }
}

/** Chunks of one request. */
const CHUNKS = 1000;

/** The raw JSON of the chunks of a job. */
async function* chunksOf(client: CommandClient, entryId: string, count: number): AsyncIterable<string> {
  for (let from = 0; from < count;) {
    const chunks = await client.jobs.chunks({ entryId, from, limit: CHUNKS });
    if (chunks.length === 0) return;
    for (const { text } of chunks) yield text;
    from += chunks.length;
  }
}

/**
 * Prints the output unchanged, or the chunks of a job that only streamed: it has no output, or the empty list that a
 * generator leaves. A person reads the chunks as one text, a program as one list. Returns false if there is neither.
 */
export async function printOutput(
  client: CommandClient,
  printed: Output,
  { entryId, chunkCount }: LedgerEntry,
  output: string | null,
): Promise<boolean> {
  if (output !== null && (output !== '[]' || chunkCount === 0)) {
    printed.line(printed.isForPerson ? outputText(output) : output);
    return true;
  }
  if (chunkCount === 0) return false;
  const chunks = chunksOf(client, entryId, chunkCount);
  if (!printed.isForPerson) {
    const list: string[] = [];
    for await (const text of chunks) list.push(text);
    printed.line(`[${list.join(',')}]`);
    return true;
  }
  const printer = new ChunkPrinter(printed);
  for await (const text of chunks) printer.print(text);
  printer.endLine();
  return true;
}
