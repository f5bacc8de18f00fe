import { join } from 'node:path';
import { startEngine, type EngineOptions, type TestEngine } from './engine.ts';

/**
 * A real engine in a process of its own, whose clock runs on and can be put forward. It stays ahead over a restart: a
 * clock that goes back makes the engine delete what it measured "in the future".
 */
export interface ClockedEngine extends TestEngine {
  /** Puts its clock forward; whatever falls due meanwhile runs in order, at its time. Settles when that is done. */
  advance(ms: number): Promise<void>;
  /**
   * Puts its clock forward as one of a computer that was asleep: whatever fell due meanwhile runs once, late. For days,
   * in which `advance` runs the timers of every few seconds many thousand times.
   */
  sleep(ms: number): Promise<void>;
  /** Stops its clock: from now on it moves by `advance` alone, however slow the machine is, and so do its timers. */
  hold(): Promise<void>;
}

export async function startClockedEngine(options: Omit<EngineOptions, 'entry'> = {}): Promise<ClockedEngine> {
  // Each start reads it again.
  const env = { ...options.env };
  const engine = await startEngine({ ...options, env, entry: join(import.meta.dirname, 'clockedEntry.ts') });
  let aheadMs = 0;
  const putForward = async (type: 'advance' | 'sleep', ms: number): Promise<void> => {
    await engine.tell({ type, ms });
    aheadMs += ms;
    env['HANGAR_TEST_CLOCK_AHEAD_MS'] = String(aheadMs);
  };
  const hold = async (): Promise<void> => {
    await engine.tell({ type: 'hold' });
  };
  return Object.assign(engine, {
    advance: (ms: number) => putForward('advance', ms),
    sleep: (ms: number) => putForward('sleep', ms),
    hold,
  });
}
