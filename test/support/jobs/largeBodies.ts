import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * JSON of exactly this many bytes whose text says more than its parsed value: order, huge numbers, repeated keys,
 * escapes.
 */
export function largeJson(bytes: number): string {
  const head = '{"b":1,"2":9007199254740993,"a":1,"a":1.0,"e":1E+400,"s":"\\ud83d\\ude42é漢🙂","rows":[';
  const row = '{"n":-0,"t":"ä🙂\\u0000"},';
  const tail = '0],"pad":"';
  const end = '"}';
  const rows = Math.floor((bytes - Buffer.byteLength(head + tail + end)) / Buffer.byteLength(row));
  const text = head + row.repeat(rows) + tail;
  return text + 'x'.repeat(bytes - Buffer.byteLength(text + end)) + end;
}

/** Paths of the files in which the engine on this data folder keeps large bodies and outputs. */
export async function storedFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
