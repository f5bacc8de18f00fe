/** Exports jobs of the ledger as text for a file: JSON Lines with all fields, or a CSV table. Secrets are masked. */
import { setImmediate as turn } from 'node:timers/promises';
import { csvRow, type CsvField } from '#contract/core/csv.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import type { LedgerEntry, LedgerExport } from '#contract/app/ledger.ts';
import { redact } from '../platform/redaction.ts';
import type { Ledger } from './port.ts';
import type { Walked } from './search.ts';

type Source = Pick<Ledger, 'walk' | 'find' | 'detail' | 'chunks' | 'requests' | 'webhooks'>;

/** Most characters of one piece, which travels to the page as one message. */
const PIECE_LENGTH = 512 * 1024;
const CHUNKS_AT_ONCE = 500;
/** Most characters that table programs accept in one cell. JSON Lines contain the whole text. */
const CELL_LENGTH = 32_000;
const CUT = '… (cut; the whole is in an export as JSON Lines)';

/** The fields of an entry in the order of the table, and whether the table has them. JSON Lines have all of them. */
const isColumn: { readonly [Field in keyof LedgerEntry]: boolean } = {
  entryId: true,
  jobId: true,
  accountId: true,
  accountName: true,
  endpointId: true,
  endpointName: true,
  mode: true,
  source: true,
  client: true,
  keyName: true,
  preview: true,
  tags: true,
  status: true,
  sentAt: true,
  startedAt: true,
  finishedAt: true,
  delayTime: true,
  executionTime: true,
  workerId: true,
  retries: true,
  chunkCount: true,
  inputBytes: true,
  outputBytes: true,
  error: true,
  queuedAt: false,
  workerStartedAt: false,
  chunkGap: false,
  waiting: false,
  trouble: false,
  retryOf: false,
  webhookProblem: false,
};
const columns = keysOf(isColumn).filter((name) => isColumn[name]);

function cell(value: CsvField): CsvField {
  if (typeof value !== 'string') return value;
  const clean = redact(value);
  return clean.length > CELL_LENGTH ? clean.slice(0, CELL_LENGTH) + CUT : clean;
}

const times: ReadonlySet<string> = new Set(['sentAt', 'startedAt', 'finishedAt']);

/** The value of a column; a time is an ISO string. */
function csvField(entry: LedgerEntry, name: keyof LedgerEntry): CsvField {
  const value = entry[name];
  if (Array.isArray(value)) return value.join(', ');
  return times.has(name) && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function csvLine(source: Source, entry: LedgerEntry): string {
  const { body, output } = source.detail(entry.entryId);
  const facts = columns.map((name) => csvField(entry, name));
  return csvRow([...facts, body, output].map(cell));
}

/** Stored JSON is written unchanged; other text is written as a JSON string. */
function raw(text: string | null): string {
  if (text === null) return 'null';
  const clean = redact(text);
  try {
    JSON.parse(clean);
    return clean.replaceAll(/[\r\n]+/g, ' ');
  } catch {
    // The text is not JSON: it becomes a JSON string.
    return JSON.stringify(clean);
  }
}

function* jsonLine(source: Source, entry: LedgerEntry): Generator<string> {
  const { entryId } = entry;
  const { body, output } = source.detail(entryId);
  const facts = redact(JSON.stringify(entry)).slice(0, -1);
  yield `${facts},"request":${raw(body)},"output":${raw(output)},"chunks":[`;
  let from = 0;
  for (;;) {
    const chunks = source.chunks(entryId, from, CHUNKS_AT_ONCE);
    if (chunks.length === 0) break;
    const texts = chunks.map(({ at, text }) => `{"at":${at},"output":${raw(text)}}`);
    yield (from === 0 ? '' : ',') + texts.join(',');
    from += chunks.length;
  }
  const requests = redact(JSON.stringify(source.requests(entryId)));
  const webhooks = redact(JSON.stringify(source.webhooks(entryId).webhooks));
  yield `],"requests":${requests},"webhooks":${webhooks}}\n`;
}

async function* entriesOf(source: Source, { filter, entryIds }: LedgerExport): AsyncGenerator<LedgerEntry> {
  if (entryIds !== undefined) {
    for (const entryId of entryIds) {
      const entry = source.find(entryId);
      if (entry) yield entry;
    }
    return;
  }
  let below: number | null = null;
  do {
    const walked: Walked = source.walk(filter, below);
    yield* walked.entries;
    below = walked.below;
    // Other work runs between two stretches, even for a long ledger.
    await turn();
  } while (below !== null);
}

/** The pieces of the file, in order. Each piece is created on demand. */
export async function* exportEntries(
  source: Source,
  options: LedgerExport,
  signal: AbortSignal,
): AsyncGenerator<{ text: string; jobs: number }, void, void> {
  let text = options.format === 'csv' ? csvRow([...columns, 'request', 'output']) : '';
  let jobs = 0;
  for await (const entry of entriesOf(source, options)) {
    if (signal.aborted) return;
    const lines = options.format === 'csv' ? [csvLine(source, entry)] : jsonLine(source, entry);
    for (const line of lines) {
      text += line;
      for (; text.length >= PIECE_LENGTH; text = text.slice(PIECE_LENGTH)) {
        yield { text: text.slice(0, PIECE_LENGTH), jobs };
      }
    }
    jobs += 1;
  }
  yield { text, jobs };
}
