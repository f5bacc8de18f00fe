/** Parses the JSON output of rocm-smi: the AMD GPUs of this machine and their load. */
import * as z from 'zod';
import type { GpuLoad } from '#contract/local/machine.ts';
import { numberOf, wordOf } from '../reportValues.ts';

/** The arguments of the query. */
export const rocmQuestions = [
  '--showproductname',
  '--showuniqueid',
  '--showbus',
  '--showdriverversion',
  '--showmeminfo',
  'vram',
  '--showuse',
  '--showtemp',
  '--showpower',
  '--showpids',
  '--json',
];

/** A GPU inside of a processor has less memory of its own, and ROCm does not support it. */
const SMALLEST_BYTES = 2 * 2 ** 30;

export interface RocmGpu {
  readonly uuid: string;
  readonly index: number;
  readonly typeId: string;
  readonly memoryBytes: number;
  readonly driverVersion: string | null;
  readonly load: GpuLoad;
}

const reportSchema = z.record(z.string(), z.record(z.string(), z.string()));
type Fields = Record<string, string>;

/** The value of a field whose name differs between versions, in letter case or in words. */
function field(fields: Fields, ...names: RegExp[]): string | undefined {
  for (const name of names) {
    const match = Object.entries(fields).find(([key, value]) => name.test(key) && wordOf(value) !== null);
    if (match) return match[1].trim();
  }
  return undefined;
}

/** The name of the product. Some products report the name of their chip, with the product in brackets. */
function productName(fields: Fields): string {
  const reported = field(fields, /^card series$/i, /^device name$/i) ?? 'AMD GPU';
  return /\[([^/\]]+)/.exec(reported)?.[1]?.trim() ?? reported;
}

/**
 * The id in the format of ROCm's runtime, which can restrict a process to this GPU; the bus id for a GPU without one.
 */
function uuidOf(fields: Fields, index: number): string {
  const unique = field(fields, /^unique id$/i);
  if (unique !== undefined) return `GPU-${unique.replace(/^0x/i, '').toLowerCase().padStart(16, '0')}`;
  return field(fields, /^pci bus$/i) ?? `card${index}`;
}

/** Parses `PID4211`: `python3, 1, 921600000, 0, 17`, with the name, the number of GPUs, and the bytes of GPU memory. */
function processesOf(system: Fields): GpuLoad['processes'] {
  return Object.entries(system)
    .flatMap(([key, value]) => {
      const pid = /^PID(\d+)$/.exec(key)?.[1];
      const [name = '', , memory] = value.split(',').map((part) => part.trim());
      const memoryBytes = numberOf(memory);
      if (pid === undefined || !memoryBytes) return [];
      return [{ pid: Number(pid), name: name === 'UNKNOWN' ? 'a program without a name' : name, memoryBytes }];
    })
    .sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** Null when the text is no such report. Warnings may precede the JSON. `at`: the time of the report. */
export function readRocm(text: string, at: string): RocmGpu[] | null {
  let json: unknown;
  try {
    json = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    // The caller reports an output that it cannot read.
    return null;
  }
  const report = reportSchema.safeParse(json);
  if (!report.success) return null;
  const system = report.data['system'] ?? {};
  const cards = Object.entries(report.data).filter(([name]) => /^card\d+$/.test(name));
  const gpus = cards.flatMap(([name, fields]): RocmGpu[] => {
    const index = Number(name.slice('card'.length));
    const memoryBytes = numberOf(field(fields, /^vram total memory/i));
    if (memoryBytes === null || memoryBytes < SMALLEST_BYTES) return [];
    return [
      {
        uuid: uuidOf(fields, index),
        index,
        typeId: productName(fields),
        memoryBytes,
        driverVersion: field(system, /^driver version$/i) ?? null,
        load: {
          at,
          utilPercent: numberOf(field(fields, /^gpu use/i)),
          memoryUsedBytes: numberOf(field(fields, /^vram total used memory/i)),
          temperatureC: numberOf(field(fields, /sensor edge/i, /sensor junction/i)),
          powerW: numberOf(field(fields, /graphics package power/i)),
          processes: [],
        },
      },
    ];
  });
  // The report does not tell which GPU a program uses. With one GPU this is clear.
  const [only] = gpus;
  if (only && gpus.length === 1) gpus[0] = { ...only, load: { ...only.load, processes: processesOf(system) } };
  return gpus;
}
