import { join } from 'node:path';
import { startEngine, type EngineOptions, type TestEngine } from './engine.ts';

/** A real engine in a process of its own, whose clock runs on and can be put forward. */
export interface ClockedEngine extends TestEngine {
  /** Puts its clock forward; whatever falls due meanwhile runs in order, at its time. Settles when that is done. */
  advance(ms: number): Promise<void>;
  /** Stops its clock: from now on it moves by `advance` alone, however slow the machine is, and so do its timers. */
  hold(): Promise<void>;
}

export async function startClockedEngine(options: Omit<EngineOptions, 'entry'> = {}): Promise<ClockedEngine> {
  const engine = await startEngine({ ...options, entry: join(import.meta.dirname, 'clockedEntry.ts') });
  const advance = async (ms: number): Promise<void> => {
    await engine.tell({ type: 'advance', ms });
  };
  const hold = async (): Promise<void> => {
    await engine.tell({ type: 'hold' });
  };
  return Object.assign(engine, { advance, hold });
}
