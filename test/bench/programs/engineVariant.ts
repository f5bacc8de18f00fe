/**
 * The engine with one thing done otherwise, to see what that thing is worth: commits one by one, or syncs left to the
 * system. Tells on request what only its own process knows. Not an option of the product: a benchmark's entry.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runEngineProcess } from '../../../main/engine/entry.ts';
import { systemClock } from '../../../main/engine/runtime/host/systemClock.ts';
import { durably } from '../../../main/engine/store/engineStore.ts';
import { VARIANT, type InsideView, type Variant } from './variant.ts';

const { oneByOne, synchronous } = JSON.parse(process.env[VARIANT] ?? '{}') as Partial<Variant>;
let writes = 0;
let transactions = 0;

const open: typeof durably.open = (...args) => {
  const database = durably.open(...args);
  if (synchronous !== undefined) database.exec(`PRAGMA synchronous = ${synchronous}`);
  const prepare = database.prepare.bind(database);
  database.prepare = (sql, ...options) => {
    const statement = prepare(sql, ...options);
    if (sql !== 'COMMIT') return statement;
    const run: () => ReturnType<typeof statement.run> = statement.run.bind(statement);
    statement.run = () => {
      transactions++;
      return run();
    };
    return statement;
  };
  return database;
};

const commits: typeof durably.commits = (...args) => {
  const grouped = durably.commits(...args);
  const queue: Parameters<typeof grouped.write>[] = [];
  const next = (): void => {
    const write = queue.shift();
    if (!write) return;
    grouped.write(...write);
    if (oneByOne) grouped.flush();
  };
  return {
    ...grouped,
    write(...write) {
      writes++;
      if (!oneByOne) {
        grouped.write(...write);
        return;
      }
      queue.push(write);
      setImmediate(next);
    },
    writeLater(prepare, settled) {
      if (oneByOne) {
        this.write(prepare() ?? (() => undefined), settled);
        return;
      }
      grouped.writeLater(() => {
        const run = prepare();
        if (run) writes++;
        return run;
      }, settled);
    },
    flush() {
      while (queue.length > 0) next();
      grouped.flush();
    },
  };
};

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (message: { type: string }) => {
  if (message.type !== 'inside') return;
  // The histogram counts from one look to the next, not from when the look was due.
  const loopDelayMaxMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  const view: InsideView = { writes, transactions, loopDelayMaxMs };
  writes = transactions = 0;
  delay.reset();
  process.send?.(view);
});

runEngineProcess(systemClock, { open, commits });
