import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '#contract/core/systemCode.ts';

/** How a secret may be spelt: as it is, in an address, in JSON, in two bytes a character, and in base64 wherever it begins there. */
function spellings(secret: string): (string | Buffer)[] {
  const inBase64 = [0, 1, 2].map((ahead) => {
    const text = Buffer.concat([Buffer.alloc(ahead), Buffer.from(secret)]).toString('base64');
    return text.slice(ahead === 0 ? 0 : ahead + 1).slice(0, 20);
  });
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), escaped, Buffer.from(secret, 'utf16le'), ...inBase64];
}

/** Whether the secret is in there, in whatever spelling. */
export const holds = (text: string | Buffer, secret: string): boolean => {
  const bytes = Buffer.from(text);
  return spellings(secret).some((spelling) => bytes.includes(spelling));
};

/** The content of a file; null where a program that runs on has removed it since the folder was listed. */
async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

/** Every file below the folder that holds the secret, as it is or in another spelling. A program may write there meanwhile. */
export async function filesWith(folder: string, secret: string): Promise<string[]> {
  const matches: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await contentOf(path);
    if (content && holds(content, secret)) matches.push(path);
  }
  return matches;
}
