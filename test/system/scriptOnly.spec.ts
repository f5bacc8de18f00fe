import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { isTerminal, streamEnvelopeSchema } from '#contract/api/job.ts';
import { createHttp, type Http } from '../support/http/client.ts';
import { accepted } from '../support/resources/resources.ts';
import { until } from '../support/core/until.ts';
import { needsPython } from '../support/core/skip.ts';

const repository = resolve(import.meta.dirname, '../..');

/** The file that fixed-points.md promises as first line of standard output. */
const readySchema = z.object({
  event: z.literal('ready'),
  api: z.url(),
  ui: z.string().nullable(),
  apiKey: z.string(),
  dataDir: z.string(),
  pid: z.int(),
});

const handler = `
import os, time

def handler(job):
    """Streams the paragraphs of a text, each once the one before it was read: there is a file of its number then."""
    for number, paragraph in enumerate(job["input"]["text"].split("\\n\\n")):
        yield {"number": number, "words": len(paragraph.split()), "text": paragraph}
        while not os.path.exists(os.path.join(job["input"]["folder"], str(number))):
            time.sleep(0.005)
`;

let serve: ChildProcess;
let ready: z.infer<typeof readySchema>;
let http: Http;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-script-'));
  const dataDir = join(folder, 'data');
  const flags = ['--json', '--data-dir', dataDir, '--port', '0', '--ui-port', '0'];
  serve = spawn(process.execPath, [join(repository, 'scripts/hangar.mjs'), 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: serve.stdout ?? process.stdin });
  const [first] = (await once(lines, 'line')) as [string];
  ready = readySchema.parse(JSON.parse(first));
  http = createHttp(ready.api, ready.apiKey);
  expect(ready.dataDir).toBe(dataDir);
});

afterAll(async () => {
  http.stop();
  const exited = once(serve, 'exit');
  serve.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  await rm(folder, { recursive: true, force: true });
  expect(code, 'serve ends by SIGTERM with exit code 0').toBe(0);
});

test(
  'a script with nothing but serve --json runs a Python generator on a real text and reads its chunks as they come',
  needsPython(),
  async () => {
    const source = join(folder, 'paragraphs');
    await mkdir(source);
    await writeFile(join(source, 'handler.py'), handler);
    const readFolder = join(folder, 'read');
    await mkdir(readFolder);
    const text = await readFile(join(repository, 'LICENSE'), 'utf8');

    const template = z
      .looseObject({ id: z.string() })
      .parse(accepted(await http.post('/v1/templates', { name: 'paragraphs', imageName: pathToFileURL(source).href })));
    const endpoint = z
      .looseObject({ id: z.string() })
      .parse(accepted(await http.post('/v1/endpoints', { name: 'paragraphs', templateId: template.id })));
    const path = `/v2/${endpoint.id}`;
    const { id } = z
      .looseObject({ id: z.string(), status: z.literal('IN_QUEUE') })
      .parse(accepted(await http.post(`${path}/run`, { input: { text, folder: readFolder } })));

    const read: unknown[] = [];
    await until('the stream to end', async () => {
      const answer = accepted(await http.get(`${path}/stream/${id}?envelope=true`));
      const { status, stream } = streamEnvelopeSchema.parse(answer);
      for (const { output } of stream) {
        expect(status, 'the status while a chunk is read').toBe('IN_PROGRESS');
        read.push(output);
        await writeFile(join(readFolder, String(z.looseObject({ number: z.int() }).parse(output).number)), '');
      }
      return isTerminal(status) && stream.length === 0;
    });

    const paragraphs = text.split('\n\n');
    expect(read).toEqual(
      paragraphs.map((paragraph, number) => ({
        number,
        words: paragraph.split(/\s+/).filter(Boolean).length,
        text: paragraph,
      })),
    );
    const view = accepted(await http.get(`${path}/status/${id}`));
    expect(view).toMatchObject({
      id,
      status: 'COMPLETED',
      delayTime: expect.any(Number),
      executionTime: expect.any(Number),
      workerId: expect.stringMatching(/./),
    });
  },
);
