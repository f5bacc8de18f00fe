/**
 * An engine like any other, that ends at a chosen moment as if its power had gone: `{ type: 'die', at, nth }` ends it
 * right before or right after the n-th commit from then on. Its clock can be put forward too. With HANGAR_TEST_DIE,
 * such as `before commit 2`, the count begins with the process.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';

const dieSchema = z.object({
  type: z.literal('die'),
  at: z.enum(['before commit', 'after commit']),
  nth: z.int().min(1).default(1),
});

const [, at, nth] = /^(.*) (\d+)$/.exec(process.env['HANGAR_TEST_DIE'] ?? '') ?? [];
let plan = at === undefined ? null : dieSchema.parse({ type: 'die', at, nth: Number(nth) });
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
DatabaseSync.prototype.prepare = function (...args) {
  const statement = prepare.apply(this, args);
  if (args[0].trim() === 'COMMIT') commitStatements.add(statement);
  return statement;
};
DatabaseSync.prototype.exec = function (sql) {
  const [before = '', ...after] = sql.split(/(?=COMMIT)/);
  exec.call(this, before);
  if (after.length > 0) committing(() => exec.call(this, after.join('')));
};
StatementSync.prototype.run = function (this: StatementSync, ...args: Parameters<typeof run>) {
  return commitStatements.has(this) ? committing(() => run.apply(this, args)) : run.apply(this, args);
} as typeof run;

process.on('message', (message: unknown) => {
  const order = dieSchema.safeParse(message);
  if (!order.success) return;
  plan = order.data;
  commits = 0;
  process.send?.({ type: 'will die' });
});

await import('./clockedEntry.ts');
