/**
 * Programs named like those of the GPU makers, in a folder for PATH: real processes that print what the real ones
 * print.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, '../../fixtures/gpu');
export const gpuFixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8');

export interface FakedGpu {
  utilPercent: number;
  usedMib: number;
  temperatureC: number;
  powerW: number;
  processes: readonly { pid: number; name: string; mib: number }[];
}

/** The table and the report of as many NVIDIA L4 with 23034 MiB, whose uuids are GPU-0, GPU-1 and so on. */
export function gpusOf(gpus: readonly FakedGpu[]): { table: string; report: string } {
  const busId = (index: number): string => `00000000:0${index + 1}:00.0`;
  const processOf = ({ pid, name, mib }: FakedGpu['processes'][number]): string =>
    `        Process ID : ${pid}\n            Type : C\n            Name : ${name}\n            Used GPU Memory : ${mib} MiB\n`;
  const reportOf = ({ utilPercent, usedMib, temperatureC, powerW, processes }: FakedGpu, index: number): string =>
    `GPU ${busId(index)}
    FB Memory Usage
        Total : 23034 MiB
        Used : ${usedMib} MiB
    Utilization
        Gpu : ${utilPercent} %
    Temperature
        GPU Current Temp : ${temperatureC} C
    GPU Power Readings
        Power Draw : ${powerW} W
    Processes
${processes.map(processOf).join('')}`;
  return {
    table: gpus
      .map((_, index) => `${index}, GPU-${index}, ${busId(index)}, NVIDIA L4, 23034, 570.86.15, [N/A]\n`)
      .join(''),
    report: `\n==============NVSMI LOG==============\n\n${gpus.map(reportOf).join('')}\n`,
  };
}

/** The report of the fixture desktop535, while no program computes. */
export const idleDesktopReport = (): string =>
  gpuFixture('desktop535.txt')
    .replace(/(Gpu +: )78 %/, '$12 %')
    .replace(/(Used +: )17632 MiB/, '$11655 MiB');

/** Answers each kind of question with the file for it, again and again where it is asked to; notes each start. */
const NVIDIA = `
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const at = (name) => require('node:path').join(__dirname, name);
const args = process.argv.slice(2);
appendFileSync(at('starts'), args.join(' ') + '\\n');
const end = (code, text) => { process.stderr.write(text); process.exitCode = code; };
const question = args[0].startsWith('--query-gpu') ? 'table' : args[0] === '-L' ? 'list' : 'report';
const loop = args.indexOf('-l');
if (existsSync(at('broken'))) end(9, readFileSync(at('broken'), 'utf8'));
else if (question === 'table' && args[0].includes('mig') && existsSync(at('withoutMig'))) end(2, readFileSync(at('withoutMig'), 'utf8'));
else {
  const print = () => {
    if (existsSync(at('broken'))) process.exit(15);
    process.stdout.write(readFileSync(at(question), 'utf8'));
  };
  print();
  if (loop > 0) setInterval(print, Number(args[loop + 1]) * 1000);
}
`;
const ROCM = `
const { appendFileSync, readFileSync } = require('node:fs');
const at = (name) => require('node:path').join(__dirname, name);
appendFileSync(at('starts'), process.argv.slice(2).join(' ') + '\\n');
process.stdout.write(readFileSync(at('rocm'), 'utf8'));
`;

export interface GpuPrograms extends Disposable {
  /** To be put before PATH. */
  readonly folder: string;
  /**
   * `table`, `list`, `report` or `rocm`: what is printed from now on. `broken`, `withoutMig`: what goes wrong; null:
   * nothing.
   */
  says(what: 'table' | 'list' | 'report' | 'rocm' | 'broken' | 'withoutMig', text: string | null): void;
  /**
   * Adds the hook of the NVIDIA Container Toolkit, which does nothing. A Docker that finds it as it starts takes
   * requests for GPUs, notes them in the container, and starts it without a GPU in it.
   */
  addContainerHook(): void;
  /** The arguments of each start so far. */
  starts(): string[];
  remove(): void;
}

export function createGpuPrograms(name: 'nvidia-smi' | 'rocm-smi'): GpuPrograms {
  const root = mkdtempSync(join(tmpdir(), 'hangar-gpu-'));
  const folder = join(root, 'bin');
  mkdirSync(folder);
  const program = join(folder, name);
  writeFileSync(program, `#!${process.execPath}\n${name === 'rocm-smi' ? ROCM : NVIDIA}`);
  chmodSync(program, 0o755);
  const starts = join(folder, 'starts');
  return {
    folder,
    says(what, text) {
      if (text === null) rmSync(join(folder, what), { force: true });
      else writeFileSync(join(folder, what), text);
    },
    addContainerHook() {
      const hook = join(folder, 'nvidia-container-runtime-hook');
      // The runtime of containers writes their state to it.
      writeFileSync(hook, '#!/bin/sh\ncat > /dev/null\n');
      chmodSync(hook, 0o755);
    },
    starts: () => (existsSync(starts) ? readFileSync(starts, 'utf8').trimEnd().split('\n') : []),
    remove: () => rmSync(root, { recursive: true, force: true }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
