/** Network volumes of a host, made as a script makes them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from './handlers.ts';
import type { Host } from './host.ts';

/** Makes a volume with these files; answers its id and its folder. */
export async function makeVolume(host: Host, name: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const volume = { name, size: 10, dataCenterId: 'EU-RO-1' };
  const { id } = await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', volume);
  const volumes = await call<{ id: string; folder: string }[]>(host, 'GET', '/local/v1/volumes');
  const folder = volumes.find((one) => one.id === id)?.folder ?? '';
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { id, folder };
}
