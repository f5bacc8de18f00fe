/** The files of an account's volumes, if it is an engine of Hangar: list, read in pieces, upload as a stream. */
import { volumeListingSchema, type VolumeListing } from '#contract/local/files.ts';
import { localVolumeSchema } from '#contract/api/resources.ts';
import * as z from 'zod';
import { readJson } from './http/parsers.ts';
import type { Outbound, Upload } from './http/outbound.ts';

export interface FilesApi {
  /** The folder of each volume on that machine, by volume id. */
  folders(): Promise<Map<string, string>>;
  list(volumeId: string, path: string): Promise<VolumeListing>;
  makeFolder(volumeId: string, path: string): Promise<void>;
  move(volumeId: string, from: string, to: string): Promise<void>;
  /** `onlyEmpty`: a folder that has something in it is refused. */
  remove(volumeId: string, path: string, onlyEmpty?: boolean): Promise<void>;
  read(volumeId: string, path: string, from: number, most: number): Promise<Uint8Array>;
  write(volumeId: string, path: string, file: Omit<Upload, 'path'>): Promise<void>;
}

export function createFilesApi(outbound: Outbound): FilesApi {
  const at = (volumeId: string): string => `/local/v1/volumes/${encodeURIComponent(volumeId)}/files`;
  const content = (volumeId: string, path: string): string =>
    `${at(volumeId)}/content?path=${encodeURIComponent(path)}`;
  const post = async (path: string, body: object): Promise<void> => {
    await outbound.send({ method: 'POST', path, body: JSON.stringify(body) });
  };

  return {
    async folders() {
      const text = await outbound.send({ method: 'GET', path: '/local/v1/volumes' });
      return new Map(readJson('volumes', text, z.array(localVolumeSchema)).map(({ id, folder }) => [id, folder]));
    },
    async list(volumeId, path) {
      const text = await outbound.send({ method: 'GET', path: `${at(volumeId)}?path=${encodeURIComponent(path)}` });
      return readJson('files', text, volumeListingSchema);
    },
    makeFolder: (volumeId, path) => post(`${at(volumeId)}/folder`, { path }),
    move: (volumeId, from, to) => post(`${at(volumeId)}/move`, { from, to }),
    async remove(volumeId, path, onlyEmpty) {
      const more = onlyEmpty === true ? '&onlyEmpty=true' : '';
      await outbound.send({ method: 'DELETE', path: `${content(volumeId, path)}${more}` });
    },
    read: (volumeId, path, from, most) => outbound.bytes({ path: content(volumeId, path), from, most }),
    async write(volumeId, path, file) {
      await outbound.upload({ path: content(volumeId, path), ...file });
    },
  };
}
