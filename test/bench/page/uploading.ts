/** UPLOAD: a file from the browser into a volume of the own engine, beside the same file over a bare socket. */
import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../e2e/support/handlers.ts';
import { interleave } from '../measuring/rounds.ts';
import { atLeast } from '../report.ts';
import type { PageBench } from './goals.ts';
import { onPage } from './hostPage.ts';

const MB = 1024 * 1024;
const program = join(import.meta.dirname, '../programs/socketCopy.ts');
const putProgram = join(import.meta.dirname, '../programs/filePut.ts');

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`A program that copies the file ended with ${code}`);
}

/** Seconds for the copy by two processes; their start does not count. */
async function copySeconds(from: string, to: string): Promise<number> {
  const receiver = spawn(process.execPath, [program, 'receive', to], { stdio: ['ignore', 'pipe', 'inherit'] });
  const received = ended(receiver);
  const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
  const begun = performance.now();
  await Promise.all([ended(spawn(process.execPath, [program, 'send', from, String(port).trim()])), received]);
  return (performance.now() - begun) / 1000;
}

/** Megabytes per second into a volume: from the page, by one request to the engine, and of a copy over a socket. */
export async function uploading({ board, rounds, hostPage, uploadMb }: PageBench): Promise<void> {
  const { host } = hostPage;
  const dir = await mkdtemp(join(tmpdir(), 'hangar-bench-upload-'));
  try {
    const file = join(dir, 'large.bin');
    await writeFile(file, randomFillSync(Buffer.alloc(uploadMb * MB)));
    const { id } = await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', {
      name: 'uploads',
      size: 10,
      dataCenterId: 'EU-RO-1',
    });
    const content = `/local/v1/volumes/${id}/files/content?path=large.bin`;
    const removed = () => call(host, 'DELETE', content);

    const { page, direct, copy } = await interleave('UPLOAD', rounds, {
      page: () =>
        onPage(hostPage.newContext(), `/#/resources/volumes/${id}`, async (opened) => {
          const region = opened.getByRole('region', { name: 'Resources' });
          const field = region.getByLabel('Files to upload');
          await field.waitFor({ state: 'attached' });
          const begun = performance.now();
          await field.setInputFiles(file);
          const transfer = region.getByRole('list', { name: 'Transfers' }).getByRole('listitem');
          await transfer.filter({ hasText: 'Done' }).waitFor();
          const seconds = (performance.now() - begun) / 1000;
          await removed();
          return uploadMb / seconds;
        }),
      direct: async () => {
        const begun = performance.now();
        await ended(
          spawn(process.execPath, [putProgram, file, `${host.api}${content}`], {
            stdio: ['ignore', 'inherit', 'inherit'],
            env: { ...process.env, KEY: host.apiKey },
          }),
        );
        const seconds = (performance.now() - begun) / 1000;
        await removed();
        return uploadMb / seconds;
      },
      copy: async () => {
        const to = join(dir, 'copy.bin');
        const seconds = await copySeconds(file, to);
        await rm(to);
        return uploadMb / seconds;
      },
    });
    const peer = { name: 'cp over a socket', values: copy };
    const what = `a file of ${uploadMb} MB into a volume`;
    board.add({
      goal: 'UPLOAD',
      what: `${what}, from the page`,
      unit: 'MB/s',
      engine: page,
      peer,
      floor: atLeast(0.5),
    });
    board.add({ goal: 'UPLOAD', what: `${what}, by one request`, unit: 'MB/s', engine: direct, peer });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
