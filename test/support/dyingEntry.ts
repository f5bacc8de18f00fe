/**
 * An engine like any other, that ends at a chosen moment as if its power had gone: `{ type: 'die', at, nth }` ends it right before or
 * right after the n-th commit from then on. Its clock can be put forward too.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';

const dieSchema = z.object({
  type: z.literal('die'),
  at: z.enum(['before commit', 'after commit']),
  nth: z.int().min(1).default(1),
});

let plan: z.infer<typeof dieSchema> | null = null;
let commits = 0;

function dieIf(at: 'before commit' | 'after commit'): void {
  if (plan?.at === at && commits === plan.nth) process.kill(process.pid, 'SIGKILL');
}

function committing<T>(commit: () => T): T {
  commits++;
  dieIf('before commit');
  const result = commit();
  dieIf('after commit');
  return result;
}

// The engine's own code runs unchanged; what it runs on is Node's SQLite with these two functions wrapped.
const commitStatements = new WeakSet<StatementSync>();
const { prepare, exec } = DatabaseSync.prototype;
const { run } = StatementSync.prototype;
DatabaseSync.prototype.prepare = function (...given) {
  const statement = prepare.apply(this, given);
  if (given[0].trim() === 'COMMIT') commitStatements.add(statement);
  return statement;
};
DatabaseSync.prototype.exec = function (sql) {
  if (sql.includes('COMMIT')) committing(() => exec.call(this, sql));
  else exec.call(this, sql);
};
StatementSync.prototype.run = function (this: StatementSync, ...given: Parameters<typeof run>) {
  return commitStatements.has(this) ? committing(() => run.apply(this, given)) : run.apply(this, given);
} as typeof run;

process.on('message', (message: unknown) => {
  const asked = dieSchema.safeParse(message);
  if (!asked.success) return;
  plan = asked.data;
  commits = 0;
  process.send?.({ type: 'will die' });
});

await import('./clockedEntry.ts');
