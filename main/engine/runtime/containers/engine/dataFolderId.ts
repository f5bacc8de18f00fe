/** The id of a data folder. It marks the containers of this engine among those of other engines on the machine. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DataFolderId {
  get(): string;
  /** Whether this data folder ever started a container. */
  used(): boolean;
}

/**
 * Creates the id with the first container. A copied folder has another id, because its location is a part of the id.
 */
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
