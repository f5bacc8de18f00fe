/**
 * The power goes. What the real engine writes and syncs under load is traced, and the disk is put together as it may
 * have been found at any moment: with what was synced, and none, some, or pieces of what was not.
 *
 * HANGAR_TEST_SEED=17 repeats a run's moments; HANGAR_POWER_RUNS=20 and HANGAR_POWER_CUTS=500 do it at length.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIANT } from '../../bench/programs/variant.ts';
import { startEngine, type EngineOptions } from '../../support/engine/engine.ts';
import { createPowerLossDisk, survivals } from '../../support/disk/powerLoss/disk.ts';
import { inspect, putLoadOn, type Load } from '../../support/disk/powerLoss/load.ts';
import { acknowledgements, readTrace, TRACED, type TraceEvent } from '../../support/disk/powerLoss/trace.ts';
import { createRandom, SEED_VARIABLE, testSeed } from '../../support/core/random.ts';
import { skipFor } from '../../support/core/skip.ts';

const RUNS = Number(process.env['HANGAR_POWER_RUNS'] ?? 1);
const CUTS = Number(process.env['HANGAR_POWER_CUTS'] ?? 20);
const JOBS = 90;

/** Why programs cannot be traced here; null when they can. */
function whyNoTrace(): string | null {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error) return 'strace is not installed (Linux only; on Debian: apt-get install -y strace)';
  return status === 0 ? null : `strace cannot trace programs here: ${stderr.trim().split('\n')[0]}`;
}
const noTrace = whyNoTrace();

interface Traced {
  folder: string;
  events: TraceEvent[];
  load: Load;
}

async function traceEngine(options: EngineOptions = {}): Promise<Traced> {
  const place = await mkdtemp(join(tmpdir(), 'hangar-power-'));
  const folder = join(place, 'data');
  const trace = join(place, 'trace');
  const names = `trace=${TRACED.join(',')}`;
  try {
    const under = [
      'strace',
      '-f',
      '--seccomp-bpf',
      '-qq',
      '-xx',
      '-s',
      '4000000',
      '-e',
      'signal=none',
      '-e',
      names,
      '-o',
      trace,
    ];
    await using engine = await startEngine({ dataDir: folder, under: under as [string, ...string[]], ...options });
    const load = await putLoadOn(engine, JOBS);
    // A stop that is not waited for in the images: a cut may come before it, or in it.
    expect(await engine.stop()).toBe(0);
    return { folder: place, events: await readTrace(trace), load };
  } finally {
    await rm(place, { recursive: true });
  }
}

const outside = (path: string): boolean => /^data\/(handler-|workers|disk-reserve)/.test(path);

/** Looks at the disk as it was at `count` moments. */
async function lookAtImages(
  { folder, events, load }: Traced,
  seed: number,
  count = CUTS,
): Promise<{ lost: string[]; damaged: string[] }> {
  const random = createRandom(seed);
  const acknowledged = acknowledgements(events);
  // From the first answer on: before that nobody was promised anything. Half of the moments are just before and after a
  // sync.
  const begin = events.findIndex(({ at }) => at >= acknowledged[0]!.at);
  const syncs = events.flatMap(({ kind }, index) => (kind === 'sync' && index > begin ? [index, index + 1] : []));
  const cuts = new Set(
    Array.from({ length: count }, (_, i) =>
      i % 2 === 0 ? syncs[random.below(syncs.length)]! : begin + random.below(events.length - begin),
    ),
  );
  const disk = createPowerLossDisk(folder, outside);
  const lost: string[] = [];
  const damaged: string[] = [];
  for (const [index, event] of events.entries()) {
    if (cuts.has(index)) {
      for (const survival of survivals) {
        const image = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hangar-image-'));
        disk.image(image, survival, random);
        const state = inspect(
          join(image, 'data'),
          load,
          acknowledged.filter(({ at }) => at < event.at),
        );
        await rm(image, { recursive: true });
        if (state.lost.length > 0) lost.push(`${survival} at ${index}: ${state.lost.join(', ')}`);
        if (state.damaged !== null) damaged.push(`${survival} at ${index}: ${state.damaged}`);
      }
    }
    disk.play(event);
  }
  return { lost, damaged };
}

describe('fault 8: the power goes', skipFor(noTrace), () => {
  test('whatever an engine has acknowledged is on a disk that keeps what it was told to sync', async () => {
    for (let run = 0; run < RUNS; run++) {
      const seed = testSeed + run;
      const traced = await traceEngine();
      expect(acknowledgements(traced.events).length).toBeGreaterThan(JOBS);
      expect(await lookAtImages(traced, seed), `${SEED_VARIABLE}=${seed}`).toEqual({ lost: [], damaged: [] });
    }
  });

  test('an engine that leaves the syncs to the system is caught by these images', async () => {
    const traced = await traceEngine({
      entry: resolve(import.meta.dirname, '../../bench/programs/engineVariant.ts'),
      env: { [VARIANT]: JSON.stringify({ synchronous: 'NORMAL' }) },
    });
    const { lost, damaged } = await lookAtImages(traced, testSeed, 10);
    expect(lost.length).toBeGreaterThan(0);
    expect(damaged).toEqual([]);
  });
});
