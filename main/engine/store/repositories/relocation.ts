/**
 * Changes the paths that records store into the data folder, after the data was moved or imported from another folder.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { query } from '../sqlite/statements.ts';

/** The `file://` address below the new folder; null if the address is not below one of the old folders. */
export function relocatedAddress(address: string, movedFrom: readonly string[], dataDir: string): string | null {
  if (!address.startsWith('file://')) return null;
  let path: string;
  try {
    path = fileURLToPath(address);
  } catch {
    // It is no path of this system, for example after an import from another one.
    return null;
  }
  for (const from of movedFrom) {
    const inside = relative(from, path);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside))
      return pathToFileURL(join(dataDir, inside)).href;
  }
  return null;
}

/** Changes the folders of templates, such as those of the samples. Encrypted variables stay as they are. */
export function relocateTemplates(database: DatabaseSync, movedFrom: readonly string[], dataDir: string): void {
  if (movedFrom.length === 0) return;
  const update = database.prepare('UPDATE template SET record = ? WHERE id = ?');
  for (const { id, record } of query<{ id: string; record: string }>(
    database,
    'SELECT id, record FROM template',
  ).all()) {
    let template: unknown;
    try {
      template = JSON.parse(record);
    } catch {
      // The load of the templates reports a damaged record.
      continue;
    }
    if (typeof template !== 'object' || template === null || !('imageName' in template)) continue;
    const imageName = relocatedAddress(String(template.imageName), movedFrom, dataDir);
    if (imageName !== null) update.run(JSON.stringify({ ...template, imageName }), id);
  }
}
