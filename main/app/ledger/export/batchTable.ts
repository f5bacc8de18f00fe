/** Exports a batch as a CSV table for people: a line for each input, with its fields, its state and its result. */
import { setImmediate as turn } from 'node:timers/promises';
import { csvRow, type CsvField } from '#contract/core/csv.ts';
import { parseJsonOrNull, rawField, topLevelSpans } from '#contract/core/jsonScanner.ts';
import { costAtPrice } from '#contract/app/jobs/cost.ts';
import { readError } from '#contract/api/readError.ts';
import { statusWords } from '#contract/app/jobs/statusWords.ts';
import type { ExportPiece } from '#contract/app/jobs/exportPiece.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { BatchRow } from '#contract/bridge/batch/batches.ts';
import type { Ledger } from '../port.ts';
import { createCells, type Cells } from './cells.ts';
import type { Source } from './entries.ts';
import { createPieces } from './pieces.ts';

const ROWS_AT_ONCE = 200;
const CHUNKS_AT_ONCE = 500;
/** With more fields than these, inputs or outputs have one column in all. */
const MOST_FIELDS = 200;
/** The table has exactly these columns between those of the input and those of the output. */
const FACTS = ['State', 'Error', 'Waited (s)', 'Ran (s)', 'Cost (USD)', 'Sent (UTC)'] as const;

type TableSource = Source & Pick<Ledger, 'batches'>;

/** One line before it is written: the texts are raw JSON, or null. */
interface Line {
  row: BatchRow;
  entry: LedgerEntry | undefined;
  input: string | null;
  output: string | null;
}

/** The columns of inputs or of outputs. `whole`: what has no fields, and all if there are too many fields. */
interface Columns {
  names: string[];
  hasWhole: boolean;
}

const isObject = (raw: string): boolean => raw.startsWith('{') && parseJsonOrNull(raw) !== null;

/** The chunks of a stream without another output, as one value: texts joined, other values in a list. */
function chunksOf(source: TableSource, entryId: string): string | null {
  const texts: string[] = [];
  for (;;) {
    const chunks = source.chunks(entryId, texts.length, CHUNKS_AT_ONCE);
    if (chunks.length === 0) break;
    texts.push(...chunks.map(({ text }) => text));
  }
  const values = texts.map(parseJsonOrNull);
  if (texts.length === 0) return null;
  return values.every((value) => typeof value === 'string') ? JSON.stringify(values.join('')) : `[${texts.join(',')}]`;
}

function inputOf(body: string | null): string | null {
  if (body === null || !isObject(body)) return body;
  return rawField(body, 'input') ?? null;
}

function lineOf(source: TableSource, batchId: string, row: BatchRow): Line {
  if (row.status === 'UNSENT') {
    const body = source.batches.input(batchId, row.number - 1)?.body ?? null;
    return { row, entry: undefined, input: inputOf(body), output: null };
  }
  const entry = source.find(row.entryId);
  if (entry === undefined) return { row, entry, input: null, output: null };
  const { body, output } = source.detail(entry.entryId);
  const isStream = entry.chunkCount > 0 && (output === null || output === '[]');
  return { row, entry, input: inputOf(body), output: isStream ? chunksOf(source, entry.entryId) : output };
}

async function* linesOf(source: TableSource, batchId: string, signal: AbortSignal): AsyncGenerator<Line, void, void> {
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = source.batches.rows(batchId, offset, ROWS_AT_ONCE);
    for (const row of rows) {
      if (signal.aborted) return;
      yield lineOf(source, batchId, row);
      // Other work runs between two lines, whose texts may be large.
      await turn();
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Collects the fields of many texts. */
function collectColumns(): { see(raw: string | null): void; columns(): Columns } {
  const names = new Set<string>();
  let hasWhole = false;
  return {
    see(raw) {
      if (raw === null || raw === 'null') return;
      if (!isObject(raw)) hasWhole = true;
      else if (names.size <= MOST_FIELDS) for (const name of topLevelSpans(raw).keys()) names.add(name);
    },
    columns: () => (names.size > MOST_FIELDS ? { names: [], hasWhole: true } : { names: [...names], hasWhole }),
  };
}

/** The cells of one text below its columns. */
function cellsOf(raw: string | null, { names, hasWhole }: Columns, cells: Cells): CsvField[] {
  const isSpread = raw !== null && names.length > 0 && isObject(raw);
  const spans = isSpread ? topLevelSpans(raw) : null;
  const fields = names.map((name) => {
    const span = spans?.get(name);
    return raw !== null && span ? cells.value(raw.slice(span.start, span.end)) : null;
  });
  return hasWhole ? [...fields, isSpread ? null : cells.value(raw)] : fields;
}

/** The name of a field; with the word of its side if another column has the same name. */
const headOf = (word: string, { names, hasWhole }: Columns, others: readonly string[]): string[] => [
  ...names.map((name) => (others.includes(name) ? `${word.toLowerCase()}.${name}` : name)),
  ...(hasWhole ? [word] : []),
];

const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
/** "2026-11-29 05:06:04", which table programs read as a time. */
const momentOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** US dollars with nine decimals, which are enough for a table. */
function roundedCost(entry: LedgerEntry): number | null {
  const cost = costAtPrice(entry);
  return cost === null ? null : Number(cost.toFixed(9));
}

function factsOf({ row, entry }: Line, cells: Cells): CsvField[] {
  return [
    statusWords[row.status],
    entry?.error ? cells.text(readError(entry.error).headline) : null,
    secondsOf(entry?.delayTime ?? null),
    secondsOf(entry?.executionTime ?? null),
    entry ? roundedCost(entry) : null,
    entry ? momentOf(entry.sentAt) : null,
  ];
}

/**
 * The pieces of the file, in order. The batch is read twice: first for the names of its columns. Throws NOT_FOUND if
 * there is no such batch.
 */
export async function* exportBatchTable(
  source: TableSource,
  batchId: string,
  signal: AbortSignal,
): AsyncGenerator<ExportPiece, void, void> {
  const seenInputs = collectColumns();
  const seenOutputs = collectColumns();
  for await (const { input, output } of linesOf(source, batchId, signal)) {
    seenInputs.see(input);
    seenOutputs.see(output);
  }
  const inputs = seenInputs.columns();
  const outputs = seenOutputs.columns();
  const cells = createCells();
  const pieces = createPieces(cells);
  const head = [
    'No.',
    ...headOf('Input', inputs, [...FACTS, 'No.', ...outputs.names]),
    ...FACTS,
    ...headOf('Output', outputs, [...FACTS, 'No.', ...inputs.names]),
  ];
  yield* pieces.add(csvRow(head.map(cells.text)));
  for await (const line of linesOf(source, batchId, signal)) {
    yield* pieces.add(
      csvRow([
        line.row.number,
        ...cellsOf(line.input, inputs, cells),
        ...factsOf(line, cells),
        ...cellsOf(line.output, outputs, cells),
      ]),
    );
    pieces.countJob();
  }
  if (!signal.aborted) yield pieces.last();
}
