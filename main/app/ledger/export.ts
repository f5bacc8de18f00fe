/** What the ledger holds of jobs as text for a file: JSON Lines with everything, or a table of CSV. Nothing that looks like a secret is in it. */
import { setImmediate as turn } from 'node:timers/promises';
import { csvRow, type CsvField } from '#contract/core/csv.ts';
import type { LedgerEntry, LedgerExport } from '#contract/app/ledger.ts';
import { redact } from '../platform/redaction.ts';
import type { Ledger } from './port.ts';
import type { Walked } from './search.ts';

type Source = Pick<Ledger, 'walk' | 'find' | 'detail' | 'chunks' | 'requests' | 'webhooks'>;

/** Most characters of one piece: what crosses to the page at once. */
const PIECE_LENGTH = 512 * 1024;
const CHUNKS_AT_ONCE = 500;
/** What programs that show tables take in one cell; the whole is in JSON Lines. */
const CELL_LENGTH = 32_000;
const CUT = '… (cut; the whole is in an export as JSON Lines)';

const columns: readonly (keyof LedgerEntry)[] = [
  'entryId',
  'jobId',
  'accountId',
  'accountName',
  'endpointId',
  'endpointName',
  'mode',
  'status',
  'sentAt',
  'startedAt',
  'finishedAt',
  'delayTime',
  'executionTime',
  'workerId',
  'retries',
  'chunkCount',
  'inputBytes',
  'outputBytes',
  'error',
];

function cell(value: CsvField): CsvField {
  if (typeof value !== 'string') return value;
  const clean = redact(value);
  return clean.length > CELL_LENGTH ? clean.slice(0, CELL_LENGTH) + CUT : clean;
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const times: ReadonlySet<string> = new Set(['sentAt', 'startedAt', 'finishedAt']);

function csvLine(source: Source, entry: LedgerEntry): string {
  const { body, output } = source.detail(entry.entryId);
  const facts = columns.map((name) => (times.has(name) ? moment(entry[name] as number | null) : entry[name]));
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
    // Everything else has its turn between two stretches, however long the ledger is.
    await turn();
  } while (below !== null);
}

/** The pieces of the file, in order; the next one is made once the one before was taken. */
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
