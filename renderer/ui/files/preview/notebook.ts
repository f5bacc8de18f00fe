/** Reads a notebook (.ipynb): its cells as parts of an output, which the page shows without running anything in them. */
import * as z from 'zod';
import { readMedia } from '../../output/media.ts';
import type { OutputPart } from '../../output/readOutput.ts';

export interface NotebookCell {
  readonly kind: 'code' | 'markdown' | 'raw';
  readonly source: string;
  /** The name of the language of its code, as the notebook has it; absent for other cells. */
  readonly language?: string;
  /** The number that the notebook counts its runs with; null if it did not run. */
  readonly run: number | null;
  readonly outputs: readonly OutputPart[];
}

/** Texts are lists of lines, or one text. */
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]).catch('');
const bundle = z.record(z.string(), z.unknown()).catch({});
const outputSchema = z.object({
  output_type: z.string().catch(''),
  text: text.optional(),
  data: bundle.optional(),
  ename: z.string().catch('').optional(),
  evalue: z.string().catch('').optional(),
  traceback: text.optional(),
});
type Output = z.infer<typeof outputSchema>;

const cellSchema = z.object({
  cell_type: z.enum(['code', 'markdown', 'raw']).catch('raw'),
  source: text,
  execution_count: z.number().nullable().catch(null).optional(),
  outputs: z.array(outputSchema).catch([]).optional(),
});

/** Nearly all notebooks are in Python, also those that do not say so. */
const USUAL_LANGUAGE = 'python';
const languageSchema = z.object({ language_info: z.object({ name: z.string() }) });

const notebookSchema = z.object({
  cells: z.array(cellSchema),
  metadata: languageSchema.transform(({ language_info: { name } }) => name).catch(USUAL_LANGUAGE),
});

/** Colours and movements of a terminal, which programs write into their output. They begin with the sign ESC. */
const TERMINAL_SIGNS = /\u001b\[[0-9;?]*[A-Za-z]/g;

const plain = (value: string): OutputPart => ({ kind: 'text', text: value.replace(TERMINAL_SIGNS, '') });

/** The best form of an output that is safe: HTML and scripts are left out, the plain text beside them is there. */
function partOf(data: Record<string, unknown>): OutputPart | null {
  const textOf = (mime: string): string | null => (data[mime] === undefined ? null : text.parse(data[mime]));
  for (const mime of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
    const base64 = textOf(mime);
    const media = base64 === null ? null : readMedia(`data:${mime};base64,${base64.replaceAll(/\s/g, '')}`);
    if (media) return { kind: 'images', media: [media] };
  }
  const svg = textOf('image/svg+xml');
  const drawing = svg === null ? null : readMedia(svg);
  if (drawing) return { kind: 'images', media: [drawing] };
  const markdown = textOf('text/markdown');
  if (markdown !== null) return { kind: 'markdown', text: markdown };
  const words = textOf('text/plain');
  if (words !== null) return plain(words);
  const json = data['application/json'];
  return json === undefined ? null : { kind: 'tree', text: JSON.stringify(json), hasMedia: false };
}

function partsOf({ output_type: type, text: words, data, ename, evalue, traceback }: Output): OutputPart[] {
  if (type === 'stream') return words === undefined ? [] : [plain(words)];
  if (type === 'error') return [plain([traceback, `${ename}: ${evalue}`].find((one) => one) ?? '')];
  const part = data === undefined ? null : partOf(data);
  return part === null ? [] : [part];
}

/** The cells of a notebook; null if the text is not a notebook. */
export function readNotebook(json: string): readonly NotebookCell[] | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // No JSON: the caller shows it as a text.
    return null;
  }
  const { data } = notebookSchema.safeParse(value);
  if (!data) return null;
  return data.cells.map(({ cell_type: kind, source, execution_count: run = null, outputs = [] }) => ({
    kind,
    source,
    ...(kind === 'code' && { language: data.metadata }),
    run,
    outputs: outputs.flatMap(partsOf),
  }));
}
