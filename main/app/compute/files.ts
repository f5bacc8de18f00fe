/**
 * The files of volumes and containers of an account that is an engine of Hangar: list, read in pieces, upload as a
 * stream.
 */
import { AppError } from '#contract/core/errors.ts';
import {
  folderChangeSchema,
  volumeListingSchema,
  type FileHolder,
  type FolderChange,
  type VolumeListing,
} from '#contract/local/files.ts';
import { localVolumeSchema } from '#contract/api/resources.ts';
import * as z from 'zod';
import { followLocal, SILENCE_MS } from './http/localEvents.ts';
import { readJson } from './http/parsers.ts';
import type { Outbound, Upload } from './http/outbound.ts';

const NOT_REPORTED = 'This Hangar does not report changes of that folder.';

/** A volume, or the container of a Pod. */
type Holder = Extract<FileHolder, { in: 'volume' | 'container' }>;

export interface FilesApi {
  /** The folder of each volume on that machine, by volume id. */
  folders(): Promise<Map<string, string>>;
  list(holder: Holder, path: string): Promise<VolumeListing>;
  makeFolder(holder: Holder, path: string): Promise<void>;
  move(holder: Holder, from: string, to: string): Promise<void>;
  /** `onlyEmpty`: a folder that has something in it is refused. */
  remove(holder: Holder, path: string, onlyEmpty?: boolean): Promise<void>;
  read(holder: Holder, path: string, from: number, most: number): Promise<Uint8Array>;
  write(holder: Holder, path: string, file: Omit<Upload, 'path'>): Promise<void>;
  /**
   * Yields once the changes of a folder are followed, then after each change. Ends when the folder is removed or replaced.
   * Throws UNSUPPORTED where they are not reported: in containers, on network drives, and by an older Hangar.
   */
  changes(holder: Holder, path: string, signal: AbortSignal): AsyncGenerator<FolderChange, void, void>;
}

export function createFilesApi(outbound: Outbound): FilesApi {
  const at = ({ in: kind, id }: Holder): string =>
    `/local/v1/${kind === 'volume' ? 'volumes' : 'pods'}/${encodeURIComponent(id)}/files`;
  const content = (holder: Holder, path: string): string => `${at(holder)}/content?path=${encodeURIComponent(path)}`;
  const post = async (path: string, body: object): Promise<void> => {
    await outbound.send({ method: 'POST', path, body: JSON.stringify(body) });
  };

  return {
    async folders() {
      const text = await outbound.send({ method: 'GET', path: '/local/v1/volumes' });
      return new Map(readJson('volumes', text, z.array(localVolumeSchema)).map(({ id, folder }) => [id, folder]));
    },
    async list(holder, path) {
      const text = await outbound.send({ method: 'GET', path: `${at(holder)}?path=${encodeURIComponent(path)}` });
      return readJson('files', text, volumeListingSchema);
    },
    makeFolder: (holder, path) => post(`${at(holder)}/folder`, { path }),
    move: (holder, from, to) => post(`${at(holder)}/move`, { from, to }),
    async remove(holder, path, onlyEmpty) {
      const more = onlyEmpty === true ? '&onlyEmpty=true' : '';
      await outbound.send({ method: 'DELETE', path: `${content(holder, path)}${more}` });
    },
    read: (holder, path, from, most) => outbound.bytes({ path: content(holder, path), from, most }),
    async write(holder, path, file) {
      await outbound.upload({ path: content(holder, path), ...file });
    },
    async *changes({ in: kind, id }, path, signal) {
      if (kind === 'container') throw new AppError('UNSUPPORTED', 'Changes inside a container are not reported.');
      const at = `volumes/${encodeURIComponent(id)}/files/events?path=${encodeURIComponent(path)}`;
      yield* followLocal(
        outbound,
        { path: at, signal, silenceMs: SILENCE_MS, tooOld: NOT_REPORTED },
        folderChangeSchema,
      );
    },
  };
}
