/**
 * The files of the disk of a running Pod's container: a shell in the container lists, reads and writes them, with the
 * rights of the user of the container. The archive requests of container engines are not used: Docker locks a container
 * until an archive is read to its end, so a slow reader would keep the Pod from being looked at and stopped.
 */
import type { Container } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { VolumeFile } from '#contract/local/files.ts';
import type { Ids } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { FileSystem } from '../../../files/ports.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { limitUpload } from '../../../files/fileWriting.ts';
import { isPart, namesOf, partName } from '../../../files/pathRules.ts';
import { failureOf, readFacts, readListing, toFile } from './answers.ts';
import { feedScript, openScript, runScript, type ScriptPlace } from './run.ts';
import {
  BLOCK_BYTES,
  CODES,
  COMMIT,
  DISCARD,
  LIST,
  MAKE_FOLDER,
  MOVE,
  OPEN,
  READ,
  RECEIVE,
  REMOVE,
} from './scripts.ts';

export interface ContainerFilesOptions {
  containers: Pick<RunningContainers, 'ofPod'>;
  pods: Pick<Pods, 'get'>;
  ids: Ids;
}

const inOrder = (one: VolumeFile, other: VolumeFile): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') || (one.name < other.name ? -1 : 1);

/** A path in a container. A `/` at its beginning or end changes nothing. */
interface Place {
  /** From the root on. */
  absolute: string;
  name: string;
  /** The absolute path of its folder, with a `/` at the end. */
  folder: string;
}

/** Throws BAD_REQUEST for a path with `.` or `..`, and one that is too long. */
function placeOf(path: string): Place {
  const names = namesOf(path.replace(/^\/+|\/+$/g, ''), 'linux');
  const folders = names.slice(0, -1);
  return {
    absolute: `/${names.join('/')}`,
    name: names.at(-1) ?? '',
    folder: `/${folders.map((name) => `${name}/`).join('')}`,
  };
}

/** As `placeOf`. Throws BAD_REQUEST for the root itself. */
function belowRoot(path: string): Place {
  const place = placeOf(path);
  if (place.name !== '') return place;
  throw new AppError('BAD_REQUEST', 'The path names the root of the container; name a file or a folder in it.');
}

/** Reads the bytes of a file from `start` up to `end`. Rejects where it has become shorter. */
async function* readBytes(
  place: ScriptPlace,
  absolute: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  if (end <= start) return;
  const first = Math.floor(start / BLOCK_BYTES);
  const count = Math.ceil(end / BLOCK_BYTES) - first;
  const program = await openScript(place, READ, [absolute, String(first), String(count)]);
  program.errors?.resume();
  const output: AsyncIterable<Buffer> = program.output;
  let at = first * BLOCK_BYTES;
  try {
    for await (const piece of output) {
      const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += piece.length;
      if (wanted.length > 0) yield wanted;
    }
  } finally {
    // A reader that left, or an end: then there is nothing to hang up.
    if (at < end) program.hangUp();
  }
  if (at < end) throw new Error('The file became shorter while it was read.');
}

/** The root of all methods is the id of a Pod. They reject with CONFLICT while its container does not run. */
export function createContainerFiles({ containers, pods, ids }: ContainerFilesOptions): FileSystem {
  /** The parts that are being written. Others are of an engine that was killed. */
  const parts = new Set<string>();

  async function containerOf(podId: string): Promise<Container> {
    const container = await containers.ofPod(podId);
    if (container) return container;
    const { name } = pods.get(podId);
    throw new AppError(
      'CONFLICT',
      `The container of the Pod ${JSON.stringify(name)} is not running. The files on its disk can be read only while it runs: start the Pod. Those of its volume are also reached while it is stopped.`,
    );
  }

  const placeIn = (container: Container): ScriptPlace => ({ container, id: ids.random(8) });

  /** Runs a script to its end and returns its output. Rejects with an AppError about `path` unless it succeeds. */
  async function run(container: Container, script: string, args: readonly string[], path: string): Promise<Buffer> {
    const { code, output, errors } = await runScript(placeIn(container), script, args);
    if (code !== 0) throw failureOf(code, errors, path);
    return output;
  }

  /** Deletes parts. One that stays is deleted when its folder is listed. */
  const discard = (container: Container, paths: readonly string[]): Promise<unknown> =>
    runScript(placeIn(container), DISCARD, paths).catch(() => undefined);

  return {
    async list(podId, path) {
      const container = await containerOf(podId);
      const { absolute } = placeOf(path);
      const { entries: most } = limits.volumeFiles;
      const { entries, truncated } = readListing(await run(container, LIST, [absolute, String(most)], absolute));
      const orphans = entries.filter(({ name }) => isPart(name) && !parts.has(name));
      if (orphans.length > 0) {
        const folder = absolute === '/' ? '' : absolute;
        await discard(
          container,
          orphans.map(({ name }) => `${folder}/${name}`),
        );
      }
      const visible = entries.filter(({ name }) => !isPart(name));
      return {
        path,
        entries: visible.slice(0, most).sort(inOrder),
        truncated: truncated || visible.length > most,
      };
    },

    async open(podId, path) {
      const container = await containerOf(podId);
      const place = belowRoot(path);
      const { sizeBytes, modifiedAt } = readFacts(await run(container, OPEN, [place.absolute], place.absolute));
      return {
        sizeBytes,
        modifiedAt,
        read: (start, end) => readBytes(placeIn(container), place.absolute, start, end),
        close: () => Promise.resolve(),
      };
    },

    async write(podId, path, body, { mayReplace }) {
      const container = await containerOf(podId);
      const { absolute, folder, name } = belowRoot(path);
      const part = partName(ids.random(8));
      const partPath = `${folder}${part}`;
      const replaces = mayReplace ? 'yes' : 'no';
      parts.add(part);
      let isDone = false;
      try {
        const { code, errors, bytes } = await feedScript(
          placeIn(container),
          RECEIVE,
          [absolute, partPath, replaces],
          limitUpload(body),
        );
        if (code !== 0) throw failureOf(code, errors, absolute);
        const args = [absolute, partPath, replaces, String(bytes)];
        const facts = readFacts(await run(container, COMMIT, args, absolute));
        isDone = true;
        return toFile(name, facts);
      } finally {
        if (!isDone) await discard(container, [partPath]);
        parts.delete(part);
      }
    },

    async remove(podId, path, onlyEmpty) {
      const container = await containerOf(podId);
      const { absolute } = belowRoot(path);
      await run(container, REMOVE, [absolute, onlyEmpty ? 'yes' : 'no'], absolute);
    },

    async makeFolder(podId, path) {
      const container = await containerOf(podId);
      const { absolute, name } = belowRoot(path);
      return toFile(name, readFacts(await run(container, MAKE_FOLDER, [absolute], absolute)));
    },

    async move(podId, from, to) {
      const container = await containerOf(podId);
      const [source, target] = [belowRoot(from), belowRoot(to)];
      if (`${target.absolute}/`.startsWith(`${source.absolute}/`)) {
        throw new AppError('BAD_REQUEST', `${JSON.stringify(source.absolute)} cannot be moved into itself.`);
      }
      const args = [target.absolute, source.absolute];
      const { code, output, errors } = await runScript(placeIn(container), MOVE, args);
      // One path is missing, or the other one is taken.
      if (code !== 0) throw failureOf(code, errors, (code === CODES.missing ? source : target).absolute);
      return toFile(target.name, readFacts(output));
    },
  };
}
