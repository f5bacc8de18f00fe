/**
 * Finds the container engine of this machine, reads its facts, caches it while it answers, and searches again when it
 * is gone.
 */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type Docker from 'dockerode';
import type { Machine } from '#contract/local/machine.ts';
import { messageOf } from '#contract/core/errors.ts';
import { expectCode } from '#contract/core/systemCode.ts';
import { dial, within } from './client.ts';
import { statusOf } from './errorMessages.ts';
import { isStopped, missing, unsupportedSocket, refused } from './installHints.ts';
import { isPipe, places, type EngineSocket, type Surroundings } from './sockets.ts';

/** A container engine that answers. */
export interface ContainerEngine {
  docker: Docker;
  place: EngineSocket;
  name: 'Docker' | 'Podman';
  version: string;
  /** It runs in a virtual machine: Docker Desktop, a Podman machine, or any engine on a system other than Linux. */
  inMachine: boolean;
  /** It runs as a user, in its own network. */
  rootless: boolean;
  /** It runs containers of Linux, not those of Windows. */
  linux: boolean;
  /** SELinux labels restrict the access of containers to mounted folders. */
  selinux: boolean;
  /** It takes requests for NVIDIA GPUs in the names of the Container Device Interface, and not in its own format. */
  cdi: boolean;
  /** CPU cores and memory of the machine that runs its containers. */
  cores: number;
  memoryBytes: number;
}

export interface EngineFinder {
  /** The engine, or a sentence that names the missing part and how to get it. Never rejects. */
  find(): Promise<ContainerEngine | string>;
  facts(): Promise<Machine['containers']>;
}

/** The time limit of a request, milliseconds. An engine that starts up accepts the connection but does not answer. */
const ANSWER_MS = 4000;
/**
 * The time limit for its facts, milliseconds. Podman first runs other programs to get their versions, which takes
 * seconds on a busy machine.
 */
const FACTS_MS = 30_000;
/** How long the facts of an engine that answers stay valid, milliseconds. */
const KNOWN_MS = 60_000;
/** How long an answer stays valid, milliseconds: several endpoints check the engine together. */
const FRESH_MS = 3000;

/** The used fields of `GET /info` that some engines omit. */
interface Info {
  OSType?: string;
  OperatingSystem?: string;
  SecurityOptions?: string[] | null;
  NCPU?: number;
  MemTotal?: number;
  Runtimes?: Record<string, unknown>;
  CDISpecDirs?: string[] | null;
  DiscoveredDevices?: { ID?: string }[] | null;
}

interface Version {
  Version: string;
  Components?: { Name: string; Version: string }[];
}

/** The three requests, with a time limit that the types of the client omit. */
interface EngineClient {
  ping(options: { abortSignal: AbortSignal }): Promise<unknown>;
  version(options: { abortSignal: AbortSignal }): Promise<Version>;
  info(options: { abortSignal: AbortSignal }): Promise<Info>;
}

function understood(
  place: EngineSocket,
  docker: Docker,
  version: Version,
  info: Info,
  platform: string,
): ContainerEngine {
  const podman = version.Components?.find(({ Name }) => Name.startsWith('Podman'));
  const options = (info.SecurityOptions ?? []).join(' ');
  const nvidiaNamed = (info.DiscoveredDevices ?? []).some(({ ID }) => ID?.startsWith('nvidia.com/gpu') === true);
  return {
    docker,
    place,
    name: podman ? 'Podman' : 'Docker',
    version: podman?.Version ?? version.Version,
    inMachine: platform !== 'linux' || info.OperatingSystem === 'Docker Desktop',
    rootless: options.includes('rootless'),
    linux: (info.OSType ?? 'linux') === 'linux',
    selinux: options.includes('selinux'),
    cdi: podman !== undefined || (nvidiaNamed && info.Runtimes?.['nvidia'] === undefined),
    cores: info.NCPU ?? 0,
    memoryBytes: info.MemTotal ?? 0,
  };
}

/** The group whose members may use a socket; null where the system does not report it. */
async function groupOf(socketPath: string | null): Promise<string | null> {
  if (socketPath === null) return null;
  try {
    const { gid } = await stat(socketPath);
    const groups = await readFile('/etc/group', 'utf8');
    return (
      groups
        .split('\n')
        .find((line) => line.split(':')[2] === String(gid))
        ?.split(':')[0] ?? null
    );
  } catch (error) {
    // The socket was removed in the meantime, or the system has no list of groups.
    expectCode(error, 'ENOENT', 'ENOTDIR', 'EACCES');
    return null;
  }
}

/** The requests with an abort signal. The client accepts it, but its types omit it. */
const clientOf = (docker: Docker): EngineClient => docker;

/** Resolves once the engine answers, with any answer. */
async function checkAnswers(docker: Docker): Promise<void> {
  const client = clientOf(docker);
  await within(ANSWER_MS, (options) => client.ping(options)).catch((error: unknown) => {
    if (statusOf(error) === null) throw error;
  });
}

export function createEngineFinder(overrides: Partial<Surroundings> = {}): EngineFinder {
  const surroundings: Surroundings = {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    uid: process.getuid?.() ?? null,
    ...overrides,
  };
  const { platform } = surroundings;
  let engine: ContainerEngine | null = null;
  /** Why the last search found none. */
  let obstacle: Machine['containers']['obstacle'] = 'refused';
  /** When the facts were last read, monotonic milliseconds. */
  let askedAt = 0;
  let latest: { at: number; result: Promise<ContainerEngine | string> } | null = null;

  async function ask(place: EngineSocket, docker: Docker): Promise<ContainerEngine> {
    const client = clientOf(docker);
    const [version, info] = await within(FACTS_MS, (options) =>
      Promise.all([client.version({ ...options }), client.info({ ...options })]),
    );
    askedAt = performance.now();
    return understood(place, docker, version, info, platform);
  }

  /** Returns the cached engine with current facts, or null when it no longer answers. */
  async function searchAgain({ place, docker }: ContainerEngine): Promise<ContainerEngine | null> {
    try {
      await checkAnswers(docker);
    } catch {
      // `search` dials every socket anew next, and reports why none answers.
      return null;
    }
    if (performance.now() - askedAt < KNOWN_MS) return engine;
    return ask(place, docker).catch(() => null);
  }

  async function search(): Promise<ContainerEngine | string> {
    if (engine) engine = await searchAgain(engine);
    if (engine) return engine;
    let reason: string | null = null;
    for (const place of places(surroundings)) {
      const { socketPath } = place;
      const never = unsupportedSocket(place);
      if (never !== null) return never;
      if (socketPath !== null && !isPipe(socketPath) && !existsSync(socketPath)) continue;
      try {
        const docker = await dial(place, surroundings);
        await checkAnswers(docker);
        engine = await ask(place, docker);
        return engine;
      } catch (error) {
        // Report the first socket that exists but does not answer.
        reason ??= refused(place, error, await groupOf(socketPath));
      }
    }
    obstacle = reason !== null ? 'refused' : isStopped(surroundings) ? 'stopped' : 'missing';
    return reason ?? missing(surroundings);
  }

  function find(): Promise<ContainerEngine | string> {
    const now = performance.now();
    if (latest && now - latest.at < FRESH_MS) return latest.result;
    const result = search().catch((error: unknown) => `No container engine can be used: ${messageOf(error)}`);
    latest = { at: now, result };
    return result;
  }

  return {
    find,
    async facts() {
      const result = await find();
      if (typeof result === 'string') {
        return { available: false, name: null, version: null, address: null, problem: result, obstacle };
      }
      const { name, version, place } = result;
      return { available: true, name, version, address: place.address, problem: null, obstacle: null };
    },
  };
}
