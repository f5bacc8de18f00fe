/** The container engine of this machine: found, asked who it is, remembered while it answers, and looked for again when it has gone. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type Docker from 'dockerode';
import type { Machine } from '#contract/local/machine.ts';
import { dial } from './client.ts';
import { missing, unsupportedSocket, refused } from './installHints.ts';
import { isPipe, places, type EngineSocket, type Surroundings } from './sockets.ts';

/** An engine that answered. */
export interface ContainerEngine {
  docker: Docker;
  place: EngineSocket;
  name: 'Docker' | 'Podman';
  version: string;
  /** It runs in a virtual machine of its own: Docker Desktop, a Podman machine, or any on a system that is not Linux. */
  inMachine: boolean;
  /** It runs as a user, in a network of its own. */
  rootless: boolean;
  /** Runs containers of Linux, and not those of Windows. */
  linux: boolean;
  /** Labels of SELinux keep containers from the folders that they are given. */
  selinux: boolean;
  /** GPUs of NVIDIA are asked for by the names of the Container Device Interface, and not by its own kind of request. */
  cdi: boolean;
  /** Cores and memory of the machine that its containers run on. */
  cores: number;
  memoryBytes: number;
}

export interface EngineFinder {
  /** The engine, or what is missing and how to get it. Never rejects. */
  find(): Promise<ContainerEngine | string>;
  facts(): Promise<Machine['containers']>;
}

/** How long an engine may take to say who it is. One that is starting up takes the connection and says nothing. */
const ANSWER_MS = 4000;
/** For so long an answer counts: several endpoints are asked about together. */
const FRESH_MS = 3000;

/** What of `GET /info` is used, and is not in every engine's answer. */
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

/** The two questions, with a limit of time that the types of the client do not know. */
interface EngineClient {
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

/** The group whose members may use a socket; null where the system does not tell. */
async function groupOf(socketPath: string | null): Promise<string | null> {
  try {
    const { gid } = await stat(socketPath!);
    const groups = await readFile('/etc/group', 'utf8');
    return (
      groups
        .split('\n')
        .find((line) => line.split(':')[2] === String(gid))
        ?.split(':')[0] ?? null
    );
  } catch {
    return null;
  }
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
  let latest: { at: number; result: Promise<ContainerEngine | string> } | null = null;

  async function ask(place: EngineSocket): Promise<ContainerEngine> {
    const docker = await dial(place, surroundings);
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), ANSWER_MS);
    const options = { abortSignal: patience.signal };
    const client = docker as unknown as EngineClient;
    try {
      const [version, info] = await Promise.all([client.version({ ...options }), client.info({ ...options })]);
      return understood(place, docker, version, info, platform);
    } finally {
      clearTimeout(timer);
    }
  }

  async function search(): Promise<ContainerEngine | string> {
    if (engine) {
      const current = await ask(engine.place).catch(() => null);
      if (current) return (engine = { ...current, docker: engine.docker });
      engine = null;
    }
    let reason: string | null = null;
    for (const place of places(surroundings)) {
      const { socketPath } = place;
      const never = unsupportedSocket(place);
      if (never !== null) return never;
      if (socketPath !== null && !isPipe(socketPath) && !existsSync(socketPath)) continue;
      try {
        engine = await ask(place);
        return engine;
      } catch (error) {
        // Report the first socket that exists and does not answer.
        reason ??= refused(place, error as NodeJS.ErrnoException, await groupOf(socketPath));
      }
    }
    return reason ?? missing(surroundings);
  }

  function find(): Promise<ContainerEngine | string> {
    const now = performance.now();
    if (latest && now - latest.at < FRESH_MS) return latest.result;
    const result = search().catch((error: unknown) => `No container engine can be used: ${(error as Error).message}`);
    latest = { at: now, result };
    return result;
  }

  return {
    find,
    async facts() {
      const result = await find();
      if (typeof result === 'string') {
        return { available: false, name: null, version: null, address: null, problem: result };
      }
      const { name, version, place } = result;
      return { available: true, name, version, address: place.address, problem: null };
    },
  };
}
