/** The id of a data folder: by it an engine knows which containers are its own, among those of other engines on this machine. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DataFolderId {
  get(): string;
  /** Whether a container was ever started from this data folder. */
  used(): boolean;
}

/** It is made with the first container. A copied folder is another one: the place counts too. */
export function createDataFolderId(dataDir: string): DataFolderId {
  const file = path.join(dataDir, 'containers', 'id');
  let data: string | null = null;
  return {
    get() {
      if (data !== null) return data;
      if (!existsSync(file)) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, randomBytes(16).toString('hex'));
      }
      const place = `${readFileSync(file, 'utf8')} ${realpathSync(dataDir)}`;
      return (data = createHash('sha256').update(place).digest('hex').slice(0, 32));
    },
    used: () => existsSync(file),
  };
}
