/** What the rules need from the world: time, ids, storage and worker drivers. Implemented outside, faked in specs. */
import type { VolumeFile, VolumeListing } from '#contract/local/files.ts';
import type { HandlerFacts } from '#contract/local/folder.ts';
import type { ApiKeyRecord, EndpointReadiness } from '#contract/local/engine.ts';
import type { KeptEndpoint, KeptTemplate, NetworkVolume, RegistryAuth, Template } from '#contract/api/resources.ts';
import type { SettingsChange } from '#contract/local/settings.ts';
import type { WebhookQuery } from '#contract/api/webhook.ts';
import type { JobRecord } from '../jobs/jobRecord.ts';
import type { OpenaiRequest } from '../jobs/payload/openaiRequest.ts';
import type { JobTerms } from '../jobs/payload/requestParser.ts';
import type { JsonParts, JsonText, StoredText } from '../jobs/payload/payloadRef.ts';
import type { WorkerResult } from '../jobs/payload/resultParser.ts';
import type { WebhookRecord } from '../webhooks/delivery.ts';

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
  /** A one-way digest of a secret, for comparing without keeping it. */
  digest(secret: string): string;
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
  'id' | 'name' | 'imageName' | 'dockerEntrypoint' | 'dockerStartCmd' | 'env' | 'containerDiskInGb'
>;

/** A GPU as a worker is given it. */
export interface GpuDevice {
  readonly uuid: string;
  readonly index: number;
  readonly vendor: 'nvidia' | 'amd';
  /** The GPU type: its product name. */
  readonly typeId: string;
  readonly memoryBytes: number;
}

/** What a worker or Pod may use; 0 for as much as there is. */
export interface ComputeLimits {
  vcpuCount: number;
  memoryInGb: number;
}

export interface WorkerStart {
  workerId: string;
  endpointId: string;
  template: WorkerTemplate;
  /**
   * The worker protocol's variables, expanded; they win over the template's own. Engine: base address at which the worker
   * reaches the engine, without a trailing slash; where it runs decides.
   */
  env(engine: string): Record<string, string>;
  /** The GPUs that are its own, or shared; empty on the CPU. */
  gpus: readonly GpuDevice[];
  /** Kept by containers. A process of this machine has none. */
  limits: ComputeLimits;
  /** Folders of this machine it is to see at `at`. */
  mounts: readonly { folder: string; at: string }[];
  /** For pulling a private image. */
  registryAuth: { username: string; password: string } | null;
  /** Ports it listens on for the engine, of a load-balancing endpoint: those of PORT and PORT_HEALTH. */
  ports: readonly number[];
}

/** What a worker and all it started use. Null where the system does not tell. */
export interface WorkerUsage {
  /** 100 is one core. */
  cpuPercent: number | null;
  memoryBytes: number | null;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** The last lines it wrote, oldest first; for telling a person why it died. */
  lastLines: string[];
  /** Set when it could not be started at all. */
  startError: string | null;
  /** It was killed because memory ran out: its container's, or the machine's. Undefined where that is not known. */
  outOfMemory?: boolean;
  /** How long it was given to end, in milliseconds, before Hangar killed it; undefined where it was not Hangar that did. */
  killedAfterMs?: number;
}

export interface WorkerProcess {
  readonly pid: number | null;
  /** Settles once the worker and everything it started is gone. Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Asks it to stop, and kills its whole process tree after `graceMs`. Settles when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** What it runs and with what, for a person: a line of its log. */
  readonly about?: string;
  /** The program of its Python; undefined where it has none. */
  readonly python?: string;
  /** What is still to be done before it runs, such as "Pulling me/image, 40 %"; null once it runs. */
  preparing?(): string | null;
  /** Settles once it runs, or has ended before that. Never rejects. Without it, it runs from the start. */
  readonly prepared?: Promise<void>;
  /** Where a port it listens on is reached from this machine; null while it is not. */
  reach?(port: number): { host: string; port: number } | null;
  /** Measured since the last call. */
  usage?(): Promise<WorkerUsage>;
}

/** Runs workers of one kind: as child processes, or as containers. */
export interface WorkerDriver {
  /** Which worker loop a template would get. */
  runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'];
  /** Null when it can run here, otherwise why not and what to do. */
  unavailable(template: WorkerTemplate): Promise<string | null>;
  /** What is known of a handler in a folder; null for what is none. */
  inspect(template: WorkerTemplate): Promise<HandlerFacts | null>;
  start(worker: WorkerStart): WorkerProcess;
  /** Ends what an earlier engine on this data folder left running. Called once, before any start. */
  sweep(): Promise<void>;
}

export interface HealthAnswer {
  /** Null when there was none. */
  status: number | null;
  /** Why there was none, as a part of a sentence. */
  error: string | null;
  /** Nothing came in time. */
  silent: boolean;
}

/** Asks load-balancing workers how they are. */
export interface HealthProbe {
  /** Tells the answer once, within `withinMs`; not any more once it was taken back. Never throws. */
  ask(at: { host: string; port: number; path: string }, withinMs: number, done: (answer: HealthAnswer) => void): Cancel;
}

/** Endpoints and templates, held in memory and written through. */
export interface ResourceStore {
  loadTemplates(): KeptTemplate[];
  saveTemplate(template: KeptTemplate): void;
  deleteTemplate(id: string): void;
  loadEndpoints(): KeptEndpoint[];
  saveEndpoint(endpoint: KeptEndpoint): void;
  deleteEndpoint(id: string): void;
}

/** A volume and the name of its folder. */
export interface StoredVolume extends NetworkVolume {
  folder: string;
}

export interface VolumeStore {
  load(): StoredVolume[];
  save(volume: StoredVolume): void;
  delete(id: string): void;
}

/** Folders of volumes, by their name below the one that holds them all. */
export interface VolumeFolders {
  path(folder: string): string;
  /** Makes one, named for the volume; answers its name. */
  make(name: string, id: string): string;
  /** Deletes it with what is in it. */
  remove(folder: string): Promise<void>;
}

/** A file that is being read; what it is stays the same, whatever takes its place meanwhile. */
export interface OpenedFile {
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Fails where the file has become shorter. */
  read(startByte: number, endByte: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Files below a folder of this machine, by paths as the contract has them. Nothing outside of it is read or written, whatever
 * links lie in it. All of it rejects with AppError: NOT_FOUND, CONFLICT where something is there already, STORAGE_FULL.
 */
export interface VolumeFiles {
  list(root: string, path: string): Promise<VolumeListing>;
  /** To be closed by who asked. */
  open(root: string, path: string): Promise<OpenedFile>;
  /** The file is there as a whole or not at all. `lengthBytes`: as announced. */
  write(
    root: string,
    path: string,
    body: AsyncIterable<Uint8Array>,
    options: { mayReplace: boolean; lengthBytes: number | null },
  ): Promise<VolumeFile>;
  /** A folder goes with everything in it. */
  remove(root: string, path: string): Promise<void>;
  makeFolder(root: string, path: string): Promise<VolumeFile>;
  move(root: string, from: string, to: string): Promise<VolumeFile>;
}

export interface RegistryAuthStore {
  load(): RegistryAuth[];
  /** The credentials are encrypted before they are written. */
  save(auth: RegistryAuth, credentials: { username: string; password: string }): void;
  delete(id: string): void;
  /** Null where they were sealed with a key that is gone. */
  credentials(id: string): { username: string; password: string } | null;
}

/** Called once a write is committed, or with what prevented it. */
export type Settled = (error: unknown) => void;

/** `now`: somebody waits for the commit. `soon`: with the next commit, or a few milliseconds later; nobody is told of it. */
export type Urgency = 'now' | 'soon';

/**
 * Jobs on disk. Writes are collected and committed together at the end of the event loop's turn, in the order they were
 * asked for, with the values they had then; `settled` is called after the commit. Reads see what is committed.
 */
export interface JobStore {
  /** Every record, oldest first; for the start. Read as it is asked for, so that a million of them are never held twice. */
  load(): Iterable<JobRecord>;
  /** Where the chunks of each job lie; for the start. */
  loadChunkRows(): { seq: number; firstRow: number; lastRow: number; readRow: number; total: number }[];
  /** One record as it is on disk; null when there is none. */
  reload(seq: number): JobRecord | null;
  nextSeq(): number;
  /** `sealed` bodies carry secrets and are encrypted. Should the commit fail, the file of a stored body is removed. */
  insert(record: JobRecord, body: JsonText, sealed: boolean, settled: Settled, urgency?: Urgency): void;
  update(record: JobRecord, settled: Settled, urgency?: Urgency): void;
  /** The record as it is a few milliseconds later, unless it has left its state by then: nobody waits for this. */
  updateLater(record: JobRecord, settled: Settled): void;
  /** The record and its output together. `alongside` runs its own statements in the same transaction. */
  finish(record: JobRecord, output: JsonText | null, settled: Settled, alongside?: (() => void) | null): void;
  /** Records that ended without an output, together. */
  finishAll(records: readonly JobRecord[], settled: Settled): void;
  /** The record, back in the queue; what its attempts wrote is gone with the same commit. */
  restart(record: JobRecord, chunkRows: { firstRow: number; lastRow: number } | null, settled: Settled): void;
  /** Row of the first of `texts`; the others follow it without gaps. */
  appendChunks(seq: number, texts: string[], settled: Settled, urgency?: Urgency): number;
  remove(seq: number, chunkRows: { firstRow: number; lastRow: number } | null, settled: Settled): void;
  /** The request body. Throws when it was sealed with a key that is gone. */
  body(seq: number): JsonText;
  output(seq: number): JsonText | null;
  /** Keeps a progress report for as long as the job runs, or until the next one. */
  hold(seq: number, progress: StoredText): void;
  /** Removes a text that no row will refer to. */
  discard(text: StoredText): void;
  /** Oldest first: at most `limit`. */
  chunks(seq: number, fromRow: number, toRow: number, limit: number): { row: number; text: string }[];
}

/**
 * Bodies that are too large for the event loop: checked by a thread of their own, by the rules for all bodies, and kept in files.
 * Checks take bodies over, and reject with AppError; then nothing is left of the body.
 */
/** A body that is not for the event loop: what came of it so far. */
export interface LargeBody {
  /** In bytes. */
  readonly length: number;
  /** Takes the part over: it cannot be used any more, unless it shares its memory with others. */
  add(part: Uint8Array): void;
  /** Forgets what came; for one that is not handed to a check, which forgets it by itself. */
  drop(): void;
}

export interface LargeTexts {
  /** A new body, of which nothing has come. */
  gather(): LargeBody;
  checkRequest(body: LargeBody): Promise<{ terms: JobTerms; body: JsonText }>;
  /** `route`: what was asked for. */
  checkOpenai(body: LargeBody, route: string): Promise<OpenaiRequest>;
  checkResult(body: LargeBody): Promise<WorkerResult>;
  /** Raw JSON of the chunks it is split into. */
  checkChunk(body: LargeBody): Promise<string[]>;
  /** Rejects, in words for a person, when `read` would. */
  probe(text: StoredText): Promise<void>;
  /**
   * The bytes of the text. Fails where its file is missing, damaged, or was sealed with a key that is gone. `over`: memory that
   * each piece is read into, over the one before.
   */
  read(text: StoredText, over?: Uint8Array): AsyncIterable<Uint8Array>;
  /** Removes a text that no job was made of. */
  discard(text: StoredText): void;
}

/** Webhook deliveries on disk, written as jobs are: collected, committed together, told after the commit. */
export interface WebhookStore {
  /** Those with an attempt to come, for the start. */
  loadPending(): WebhookRecord[];
  /** The others in the order of their end, for the start. */
  loadEnded(): { seq: number; finishedAt: number; payloadLength: number }[];
  nextSeq(): number;
  /** `write` makes the rows of a new delivery, inside a transaction of somebody else; `failed` is for when that did not succeed. */
  inserting(record: WebhookRecord, payload: JsonParts): { write(): void; failed(error: unknown): void };
  update(record: WebhookRecord, settled: Settled, urgency?: Urgency): void;
  /** Forgets what was sent; the delivery stays listed. */
  dropPayloads(seqs: number[], settled: Settled): void;
  remove(seqs: number[], settled: Settled): void;
  find(seq: number): WebhookRecord | null;
  /** Newest first. */
  list(query: WebhookQuery): WebhookRecord[];
  /** Null when it was dropped. */
  payload(seq: number): JsonParts | null;
}

export interface WebhookPost {
  url: string;
  payload: JsonParts;
  deliveryId: string;
  /** Counts from 1 over all attempts of the delivery. */
  attempt: number;
}

/** `status`: what was answered, null when nothing was. `error`: why it does not count as delivered, for a person. */
export interface WebhookOutcome {
  status: number | null;
  error: string | null;
}

/** Calls the receivers of webhooks. */
export interface WebhookPoster {
  /** Makes one attempt and tells its outcome once, within the time an attempt may take. Never throws. */
  post(post: WebhookPost, done: (outcome: WebhookOutcome) => void): void;
  /** Cuts all that is under way; its outcome is not told. */
  stop(): void;
}

/** API keys at rest: never the key, only its digest. */
export interface ApiKeyStore {
  load(): { record: ApiKeyRecord; digest: string }[];
  save(record: ApiKeyRecord, digest: string): void;
  /** The same for a record of which only its last use is new: with the next commit, and nobody waits for it. */
  saveUse(record: ApiKeyRecord, digest: string): void;
  delete(id: string): void;
  /** True the first time it is called on a data folder, and never again. */
  claimFirstStart(): boolean;
}

/** The settings at rest: only what was changed. */
export interface SettingsStore {
  /** Null before the first change; checked by whoever asks. */
  load(): unknown;
  save(changes: SettingsChange): void;
}
