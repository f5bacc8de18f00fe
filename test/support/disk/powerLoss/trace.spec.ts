import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { createPowerLossDisk } from './disk.ts';
import { readTrace } from './trace.ts';

const hex = (text: string): string =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;

/** The files that survive the loss of power after these lines of a trace, whose paths begin with `folder`. */
async function survivingFile(place: string, name: string, lines: (path: string) => string[]): Promise<string> {
  const folder = join(place, 'data');
  const trace = join(place, 'trace');
  const image = join(place, 'image');
  await writeFile(trace, `${lines(folder).join('\n')}\n`);
  const disk = createPowerLossDisk(place, () => false);
  for (const event of await readTrace(trace)) disk.play(event);
  disk.image(image, 'drop', createRandom(1));
  return readFile(join(image, 'data', name), 'utf8');
}

test('the file that a thread opens keeps its writes, where another thread is closing the connection that had its number', async () => {
  const place = await mkdtemp(join(tmpdir(), 'hangar-trace-'));
  try {
    const lines = (folder: string): string[] => [
      `1 mkdir(${hex(folder)}, 0700) = 0`,
      `1 openat(AT_FDCWD, ${hex(place)}, O_RDONLY|O_CLOEXEC) = 20`,
      `1 fsync(20) = 0`,
      `1 close(25 <unfinished ...>`,
      `2 openat(AT_FDCWD, ${hex(`${folder}/body`)}, O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0600) = 25`,
      `1 <... close resumed>)             = 0`,
      `2 write(25, ${hex('all of it')}, 9) = 9`,
      `2 fsync(25) = 0`,
      `2 close(25) = 0`,
      `2 openat(AT_FDCWD, ${hex(folder)}, O_RDONLY|O_CLOEXEC) = 25`,
      `2 fsync(25) = 0`,
    ];
    expect(await survivingFile(place, 'body', lines)).toBe('all of it');
  } finally {
    await rm(place, { recursive: true });
  }
});
