import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below the folder that holds the secret, as it is or in another spelling. */
export async function filesWith(folder: string, secret: string): Promise<string[]> {
  const spellings = [secret, Buffer.from(secret, 'utf16le'), Buffer.from(secret).toString('base64').slice(0, 20)];
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(path);
  }
  return found;
}
