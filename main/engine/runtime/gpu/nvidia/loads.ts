/** Parses the load reports of nvidia-smi: memory, utilization, temperature, power and programs. */
import type { GpuLoad } from '#contract/local/machine.ts';
import { busKey, mibOf, numberOf } from '../reportValues.ts';

/** The parts of the report (`-q -d`) about load. */
export const loadParts = 'MEMORY,UTILIZATION,TEMPERATURE,POWER,PIDS';

type GpuProcess = GpuLoad['processes'][number];

/** One report about a GPU, or about a part of it. */
export interface NvidiaLoad {
  memoryUsedBytes: number | null;
  memoryTotalBytes: number | null;
  utilPercent: number | null;
  temperatureC: number | null;
  powerW: number | null;
  processes: GpuProcess[];
  /** By the index of the part. */
  parts: Map<number, Pick<NvidiaLoad, 'memoryUsedBytes' | 'memoryTotalBytes' | 'processes'>>;
}

const noLoad = (): NvidiaLoad => ({
  memoryUsedBytes: null,
  memoryTotalBytes: null,
  utilPercent: null,
  temperatureC: null,
  powerW: null,
  processes: [],
  parts: new Map(),
});

/** The name of a program. Windows reports the whole path, and hides the programs of other users. */
function programName(name: string): string {
  if (/^(\[.*\]|insufficient permissions|n\/a|unknown error|)$/i.test(name)) return 'a program without a name';
  const [program = name] = name.split(' --');
  return program.split(/[\\/]/).at(-1) || name;
}

/** Sorts by memory, largest first. A program with both computing and graphics memory is listed once. */
function inOrder(processes: readonly GpuProcess[]): GpuProcess[] {
  const byPid = new Map<number, GpuProcess>();
  for (const process of processes) {
    const before = byPid.get(process.pid);
    if (!before || (process.memoryBytes ?? -1) > (before.memoryBytes ?? -1)) byPid.set(process.pid, process);
  }
  return [...byPid.values()].sort((a, b) => (b.memoryBytes ?? -1) - (a.memoryBytes ?? -1));
}

/** The names of the power field in different driver versions; the first one with a number counts. */
const powerNames = ['power draw', 'instantaneous power draw', 'average power draw'];

interface ReportedProcess {
  readonly pid: number;
  /** The instance of a divided GPU that it uses. */
  readonly instance: string;
  name: string;
  memory: string;
}

interface ReportedPart {
  readonly index: number;
  instance: string;
  used: number | null;
  total: number | null;
}

/** The report about one GPU while it is parsed. */
interface Open {
  readonly load: NvidiaLoad;
  readonly power: Map<string, number | null>;
  readonly processes: ReportedProcess[];
  readonly parts: ReportedPart[];
  /** The instance of the processes that follow. */
  instance: string;
}

/** Takes one line. `path`: the headings above the line, outermost first, in lower case. */
function take(open: Open, path: readonly string[], key: string, value: string): void {
  const [section, inner] = path;
  if (section === 'fb memory usage') {
    if (key === 'used') open.load.memoryUsedBytes = mibOf(value);
    if (key === 'total') open.load.memoryTotalBytes = mibOf(value);
  } else if (section === 'utilization') {
    if (key === 'gpu') open.load.utilPercent = numberOf(value);
  } else if (section === 'temperature') {
    if (key === 'gpu current temp') open.load.temperatureC = numberOf(value);
  } else if (section === 'power readings' || section === 'gpu power readings') {
    open.power.set(key, numberOf(value));
  } else if (section === 'mig device') {
    if (key === 'index') open.parts.push({ index: Number(value), instance: '', used: null, total: null });
    const part = open.parts.at(-1);
    if (!part) return;
    if (key === 'gpu instance id') part.instance = value;
    if (inner === 'fb memory usage' && key === 'used') part.used = mibOf(value);
    if (inner === 'fb memory usage' && key === 'total') part.total = mibOf(value);
  } else if (section === 'processes') {
    if (key === 'gpu instance id') open.instance = value;
    if (key === 'process id')
      open.processes.push({ pid: Number(value), instance: open.instance, name: '', memory: '' });
    const current = open.processes.at(-1);
    if (current && key === 'name') current.name = value;
    if (current && key === 'used gpu memory') current.memory = value;
  }
}

function closed({ load, power, processes, parts }: Open): NvidiaLoad {
  const toProcesses = (of: readonly ReportedProcess[]): GpuProcess[] =>
    inOrder(of.map(({ pid, name, memory }) => ({ pid, name: programName(name), memoryBytes: mibOf(memory) })));
  return {
    ...load,
    powerW: powerNames.map((name) => power.get(name) ?? null).find((watts) => watts !== null) ?? null,
    processes: toProcesses(processes),
    parts: new Map(
      parts.map(({ index, instance, used, total }) => [
        index,
        {
          memoryUsedBytes: used,
          memoryTotalBytes: total,
          processes: toProcesses(processes.filter((process) => process.instance === instance)),
        },
      ]),
    ),
  };
}

/** Parses the output of `-q -d` with `loadParts`, by bus id. Of several reports the newest counts. */
export function readLoads(text: string): Map<string, NvidiaLoad> {
  const loads = new Map<string, NvidiaLoad>();
  let open: Open | null = null;
  let busId = '';
  let path: { indent: number; heading: string }[] = [];
  const close = (): void => {
    if (open) loads.set(busId, closed(open));
    open = null;
  };
  for (const line of text.split(/\r?\n/)) {
    const gpu = /^GPU ([0-9A-Fa-f]{4,}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f])\s*$/.exec(line)?.[1];
    if (gpu !== undefined) {
      close();
      busId = busKey(gpu);
      path = [];
      open = { load: noLoad(), power: new Map(), processes: [], parts: [], instance: '' };
      continue;
    }
    if (open === null || line.trim() === '') continue;
    const indent = line.length - line.trimStart().length;
    // A line without an indent does not belong to a GPU: it is the head of the next report.
    if (indent === 0) {
      close();
      continue;
    }
    const [, name = '', value] = /^\s+(.*?)(?:\s+: ?(.*))?$/.exec(line) ?? [];
    path = path.filter((above) => above.indent < indent);
    if (value === undefined) path.push({ indent, heading: name.trim().toLowerCase() });
    else {
      const headings = path.map(({ heading }) => heading);
      take(open, headings, name.trim().toLowerCase(), value.trim());
    }
  }
  close();
  return loads;
}
