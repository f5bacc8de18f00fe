import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { Jobs } from '../../support/jobs/jobs.ts';
import type { OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startWorkedEndpoint } from '../../support/workers/workedEndpoint.ts';

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  ({ engine, jobs, worker } = await startWorkedEndpoint());
});
afterAll(() => engine.close());

/** JSON of exactly so many bytes; the letters take two bytes each where `wide`. */
function sized(bytes: number, before: string, after: string, wide = false): string {
  const left = bytes - before.length - after.length;
  return `${before}${wide ? 'é'.repeat(left / 2) + 'x'.repeat(left % 2) : 'x'.repeat(left)}${after}`;
}

const chunked = { headers: { 'transfer-encoding': 'chunked' } };

describe.each([
  ['run', '10 MB', 10 * 1024 * 1024],
  ['runsync', '20 MB', 20 * 1024 * 1024],
] as const)('/%s takes a body of %s', (operation, limitText, limitBytes) => {
  const path = () => `${jobs.path}/${operation}`;

  test.each([
    ['with content-length', {}],
    ['without content-length', chunked],
  ])('%s, and refuses one byte more with a 413 that names both', async (_, options) => {
    const body = sized(limitBytes, '{"input":{"a":"', '"}}', options === chunked);
    const answering = engine.http.post(path(), body, options);
    const taken = await worker.take();
    expect(JSON.stringify({ input: taken?.input }) === body).toBe(true);
    await worker.done(taken?.id ?? '', { output: 'read' });
    expect((await answering).status).toBe(200);

    const before = await jobs.health();
    const refused = await engine.http.post(path(), sized(limitBytes + 1, '{"input":{"a":"', '"}}'), options);
    expect(refused.status).toBe(413);
    const { message } = z.object({ message: z.string() }).parse(refused.json);
    expect(message).toContain(limitText);
    expect(message).toContain(String(limitBytes));
    expect(message).toContain(String(limitBytes + 1));
    expect(await jobs.health()).toEqual(before);
  });
});

describe('a stream chunk', () => {
  /** The chunks that readers get of what the worker sends as one. */
  async function chunksOf(text: string): Promise<{ output: unknown }[]> {
    const id = await jobs.run({});
    await worker.take();
    expect((await worker.stream(id, text)).status).toBe(200);
    const chunks: { output: unknown }[] = [];
    for (;;) {
      const answer = await engine.http.get(`${jobs.path}/stream/${id}?wait=1000`);
      const read = z.array(z.object({ output: z.unknown() })).parse(answer.json);
      for (const chunk of read) {
        expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(1_000_000);
        chunks.push(chunk);
      }
      if (chunks.length > 0) break;
    }
    await worker.done(id, { output: [] }, '&isStream=true');
    for (;;) {
      const read = (await engine.http.get(`${jobs.path}/stream/${id}`)).json as { output: unknown }[];
      if (read.length === 0) return chunks;
      chunks.push(...read);
    }
  }

  test.each([
    ['letters of one byte', false],
    ['letters of two bytes', true],
  ])('of exactly 1,000,000 bytes is one chunk, one byte more makes two: %s', async (_, wide) => {
    const whole = sized(1_000_000, '{"output":"', '"}', wide);
    expect(await chunksOf(whole)).toEqual([JSON.parse(whole)]);
    const larger = sized(1_000_000 + 1, '{"output":"', '"}', wide);
    const pieces = await chunksOf(larger);
    expect(pieces).toHaveLength(2);
    expect(pieces.map(({ output }) => output).join('')).toBe((JSON.parse(larger) as { output: string }).output);
  });

  test('of more than 1 MB that is no text is split into texts that together are its JSON', async () => {
    const output = { rows: Array.from({ length: 60_000 }, (_, n) => ({ n, name: `row "${n}" é` })) };
    const pieces = await chunksOf(JSON.stringify({ output }));
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(pieces.map(({ output: text }) => z.string().parse(text)).join(''))).toEqual(output);
  });
});

test('an output of 20 MB comes back whole, byte for byte', async () => {
  const id = await jobs.run({});
  await worker.take();
  const text = sized(20 * 1024 * 1024, '{"output":"', '"}', true);
  expect((await worker.done(id, text)).status).toBe(200);
  const answer = await engine.http.get(`${jobs.path}/status/${id}`);
  expect(answer.text.slice(answer.text.indexOf(',"output":') + 1, -1) === text.slice(1, -1)).toBe(true);
});

test.each(['gzip', 'deflate', 'br', 'gzip, identity', 'x-unknown'])(
  'a body in the encoding "%s" is not unpacked: a 400 that says so',
  async (encoding) => {
    const answer = await engine.http.post(`${jobs.path}/run`, '{"input":{}}', {
      headers: { 'content-encoding': encoding },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Content-Encoding');
  },
);
