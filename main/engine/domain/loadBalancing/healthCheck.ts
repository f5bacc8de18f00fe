/**
 * The health of one load-balancing worker, from the answers of its health check. The check runs often during the start, and rarely
 * once the worker is ready.
 *
 * starting: until it answers 200. → ready; → hopeless when it answers neither 200 nor 204 for too long.
 * ready: gets requests. → starting when it answers 204 or a request cannot reach it; → hopeless when several checks in a row fail.
 * hopeless: reported once, with the reason; no more checks.
 */
import { limits } from '#contract/core/limits.ts';
import type { BalancedPorts } from '../autoscaling/listenPorts.ts';
import type { Cancel, Clock } from '../core/ports.ts';
import type { HealthAnswer, HealthProbe } from './ports.ts';
import type { WorkerProcess } from '../autoscaling/ports.ts';

export interface HealthWatchOptions {
  clock: Clock;
  probe: HealthProbe;
  process: WorkerProcess;
  ports: BalancedPorts;
  /** Whether the worker has a request: then it may be too busy to answer. */
  busy(): boolean;
  onReady(ready: boolean): void;
  /** `reason`: for a person, without a full stop. */
  onHopeless(reason: string): void;
}

export interface HealthWatch {
  /** The result of the last check, as a clause after "its health check"; null before the first check. */
  lastResult(): string | null;
  /** A request could not reach the worker: it is not ready until the next check, which runs at once, succeeds. */
  doubt(): void;
  stop(): void;
}

const { health } = limits.balancing;

export function watchHealth(options: HealthWatchOptions): HealthWatch {
  const { clock, probe, process, ports, busy, onReady, onHopeless } = options;
  const check = `GET ${ports.healthPath} on port ${ports.healthPort}`;
  const startedAt = clock.elapsed();
  let ready = false;
  let failures = 0;
  let lastSignAt = startedAt;
  let lastResult: string | null = null;
  let cancel: Cancel = () => undefined;
  let over = false;

  function again(): void {
    if (over) return;
    const quick = clock.elapsed() - startedAt < health.quickForMs;
    cancel = clock.after(ready ? health.readyMs : quick ? health.quickMs : health.startingMs, ask);
  }

  function ask(): void {
    // A worker that is being prepared cannot answer yet.
    const at = (process.preparing?.() ?? null) === null ? (process.reach?.(ports.healthPort) ?? null) : null;
    if (at === null) {
      lastSignAt = clock.elapsed();
      again();
      return;
    }
    cancel = probe.ask({ ...at, path: ports.healthPath }, health.answerMs, (answer) => {
      hear(answer);
      again();
    });
  }

  function become(now: boolean): void {
    failures = 0;
    lastSignAt = clock.elapsed();
    if (ready === now) return;
    ready = now;
    onReady(now);
  }

  function hear(answer: HealthAnswer): void {
    const { status, error } = answer;
    lastResult = status === null ? `${check} failed: ${error}` : `${check} answers ${status}`;
    if (status === 200 || status === 204) {
      become(status === 200);
      return;
    }
    if (!ready) {
      if (clock.elapsed() - lastSignAt > health.startWithinMs) {
        end(`not ready within ${health.startWithinMs / 60_000} min; its health check ${lastResult}`);
      }
      return;
    }
    // A worker with one thread cannot answer while it works.
    if (answer.silent && busy()) return;
    failures++;
    if (failures >= health.failures) end(`${failures} health checks in a row failed; the last one: ${lastResult}`);
  }

  function end(reason: string): void {
    stop();
    if (ready) onReady(false);
    onHopeless(reason);
  }

  function stop(): void {
    over = true;
    cancel();
  }

  function doubt(): void {
    if (over || !ready) return;
    cancel();
    become(false);
    ask();
  }

  ask();
  return { lastResult: () => lastResult, doubt, stop };
}
