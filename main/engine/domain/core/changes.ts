/** Tells followers what has changed, and collects what changes often. */
import type { ChangeKind, StateChange } from '#contract/local/changes/stateChange.ts';
import type { Cancel, Clock } from './ports.ts';

/** Who reports that something has changed. Each is called often, and costs one comparison while nobody follows. */
export interface ChangeNotes {
  /** An endpoint, one of its jobs or of its workers. */
  endpoint(id: string): void;
  /** The folder of this endpoint: its tests, their results, or its environment. */
  folder(endpointId: string): void;
  /** Null: any Pod may have changed. */
  pod(id: string | null): void;
  pause(): void;
  /** A template, a network volume or a registry credential, or what uses one. */
  resource(): void;
  key(): void;
  settings(): void;
  /** The files that declare the input of this endpoint. */
  input(endpointId: string): void;
  image(): void;
  /** The facts of the engine itself: its notices, its disk and its backup. */
  service(): void;
}

type WithoutId = Exclude<ChangeKind, 'endpoint' | 'folder' | 'input' | 'pod'>;

export interface Changes extends ChangeNotes {
  /**
   * Calls `listener` with what has changed, each endpoint and Pod once: at once after a calm time, `CHANGE_BURST` times
   * at most, and then once in `CHANGE_PACE_MS`.
   */
  follow(listener: (changes: readonly StateChange[]) => void): Cancel;
}

/** While changes keep coming, the time from one report to the next, in milliseconds. */
export const CHANGE_PACE_MS = 100;
/**
 * So many reports in a row do not wait. What a person does makes a few changes within a second, and each wait of a
 * follower adds to this one.
 */
export const CHANGE_BURST = 5;

export function createChanges(clock: Pick<Clock, 'after' | 'elapsed'>): Changes {
  const listeners = new Set<(changes: readonly StateChange[]) => void>();
  const endpoints = new Set<string>();
  const folders = new Set<string>();
  const inputs = new Set<string>();
  const pods = new Set<string | null>();
  const others = new Set<WithoutId>();
  let nextReport: Cancel | null = null;
  /** When the next report would be due at an even pace. */
  let paceAt = -Infinity;

  function forget(): void {
    endpoints.clear();
    folders.clear();
    inputs.clear();
    pods.clear();
    others.clear();
  }

  function report(): void {
    nextReport = null;
    paceAt = Math.max(paceAt, clock.elapsed()) + CHANGE_PACE_MS;
    const changes: StateChange[] = [
      ...[...endpoints].map((id) => ({ about: 'endpoint' as const, id })),
      ...[...folders].map((id) => ({ about: 'folder' as const, id })),
      ...[...inputs].map((id) => ({ about: 'input' as const, id })),
      ...[...pods].map((id) => ({ about: 'pod' as const, id })),
      ...[...others].map((about) => ({ about, id: null })),
    ];
    forget();
    for (const listener of [...listeners]) listener(changes);
  }

  function arm(): void {
    nextReport ??= clock.after(Math.max(0, paceAt - (CHANGE_BURST - 1) * CHANGE_PACE_MS - clock.elapsed()), report);
  }

  const noteOf = (kind: WithoutId) => () => {
    if (listeners.size === 0) return;
    others.add(kind);
    arm();
  };

  return {
    endpoint(id) {
      if (listeners.size === 0) return;
      endpoints.add(id);
      if (nextReport === null) arm();
    },
    folder(endpointId) {
      if (listeners.size === 0) return;
      folders.add(endpointId);
      arm();
    },
    pod(id) {
      if (listeners.size === 0) return;
      pods.add(id);
      arm();
    },
    pause: noteOf('pause'),
    resource: noteOf('resource'),
    key: noteOf('key'),
    settings: noteOf('settings'),
    input(endpointId) {
      if (listeners.size === 0) return;
      inputs.add(endpointId);
      arm();
    },
    image: noteOf('image'),
    service: noteOf('service'),
    follow(listener) {
      const own: typeof listener = (changes) => listener(changes);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        nextReport?.();
        nextReport = null;
        forget();
      };
    },
  };
}
