/** What the rules need from the world: time, ids, storage and worker drivers. Implemented outside, faked in specs. */
import type { EndpointReadiness } from '#contract/local.ts';
import type { Endpoint, Template } from '#contract/resources.ts';

/** Cancels what was scheduled; calling it twice, or late, does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never run backwards; for elapsed time only. */
  elapsed(): number;
  /** Calls `run` once after `ms` milliseconds (any length up to years). */
  after(ms: number, run: () => void): Cancel;
}

export interface Ids {
  /** `bytes` random bytes as lower-case hexadecimal. */
  random(bytes: number): string;
}

export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Where a worker's handler comes from. */
export type WorkerTemplate = Pick<
  Template,
  'id' | 'name' | 'imageName' | 'dockerEntrypoint' | 'dockerStartCmd' | 'env'
>;

export interface WorkerStart {
  workerId: string;
  endpointId: string;
  template: WorkerTemplate;
  /** The worker protocol's variables, expanded; they win over the template's own. */
  env: Record<string, string>;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** The last lines it wrote, oldest first; for telling a person why it died. */
  lastLines: string[];
  /** Set when it could not be started at all. */
  startError: string | null;
}

export interface WorkerProcess {
  readonly pid: number | null;
  /** Settles once the worker and everything it started is gone. Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Asks it to stop, and kills its whole process tree after `graceMs`. Settles when it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** Runs workers of one kind: as child processes, or as containers. */
export interface WorkerDriver {
  /** Which worker loop a template would get. */
  runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'];
  /** Null when it can run here, otherwise why not and what to do. */
  unavailable(template: WorkerTemplate): Promise<string | null>;
  start(worker: WorkerStart): WorkerProcess;
  /** Ends what an earlier engine on this data folder left running. Called once, before any start. */
  sweep(): Promise<void>;
}

/** Endpoints and templates, held in memory and written through. */
export interface ResourceStore {
  loadTemplates(): Template[];
  saveTemplate(template: Template): void;
  deleteTemplate(id: string): void;
  loadEndpoints(): Endpoint[];
  saveEndpoint(endpoint: Endpoint): void;
  deleteEndpoint(id: string): void;
}
