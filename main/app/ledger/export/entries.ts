/** Exports jobs of the ledger as text for a file: JSON Lines with all fields, or a CSV table. Secrets are masked. */
import { setImmediate as turn } from 'node:timers/promises';
import { csvRow, type CsvField } from '#contract/core/csv.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import type { ExportPiece } from '#contract/app/jobs/exportPiece.ts';
import type { LedgerEntry, LedgerExport } from '#contract/app/ledger.ts';
import { redact } from '../../platform/redaction.ts';
import type { Ledger } from '../port.ts';
import type { Walked } from '../search.ts';
import { createCells, type Cells } from './cells.ts';
import { createPieces } from './pieces.ts';

export type Source = Pick<Ledger, 'walk' | 'find' | 'detail' | 'chunks' | 'requests' | 'webhooks'>;

const CHUNKS_AT_ONCE = 500;

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
  pricePerHour: false,
  chunkGap: false,
  waiting: false,
  trouble: false,
  retryOf: false,
  webhookProblem: false,
};
const columns = keysOf(isColumn).filter((name) => isColumn[name]);

const times: ReadonlySet<string> = new Set(['sentAt', 'startedAt', 'finishedAt']);

/** The value of a column; a time is an ISO string. */
function csvField(entry: LedgerEntry, name: keyof LedgerEntry): CsvField {
  const value = entry[name];
  if (Array.isArray(value)) return value.join(', ');
  return times.has(name) && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function csvLine(source: Source, entry: LedgerEntry, cells: Cells): string {
  const { body, output } = source.detail(entry.entryId);
  const facts = columns.map((name) => cells.text(csvField(entry, name)));
  return csvRow([...facts, cells.json(body), cells.json(output)]);
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
): AsyncGenerator<ExportPiece, void, void> {
  const cells = createCells();
  const pieces = createPieces(cells);
  if (options.format === 'csv') yield* pieces.add(csvRow([...columns, 'request', 'output']));
  for await (const entry of entriesOf(source, options)) {
    if (signal.aborted) return;
    for (const line of options.format === 'csv' ? [csvLine(source, entry, cells)] : jsonLine(source, entry)) {
      yield* pieces.add(line);
    }
    pieces.countJob();
  }
  yield pieces.last();
}
