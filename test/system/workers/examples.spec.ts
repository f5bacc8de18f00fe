import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHarness, type HarnessRun, type Runtime } from './harness.ts';
import { startWorkerService, type WorkerService } from './service.ts';
import { needsPython } from '../../support/core/skip.ts';

const read = (example: string, file: string): string =>
  readFileSync(new URL(`../../../resources/examples/${example}/${file}`, import.meta.url), 'utf8');

/** The sample input: the first fenced json block of the readme. */
const sampleOf = (example: string): { input: Record<string, unknown> } =>
  JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(read(example, 'README.md'))![1]!) as { input: Record<string, unknown> };

/** The size of a PNG with a palette, and how many colours its pixels have. */
function pictureOf(address: string): { width: number; height: number; colours: number } {
  const bytes = Buffer.from(/^data:image\/png;base64,(.*)$/.exec(address)![1]!, 'base64');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  expect(rows).toHaveLength((width + 1) * height);
  return { width, height, colours: new Set(rows).size };
}

describe('the sample endpoint', () => {
  let service: WorkerService;
  let run: HarnessRun | undefined;

  async function runExample(example: string, runtime: Runtime, input: Record<string, unknown>) {
    run = startHarness(runtime, read(example, runtime === 'node' ? 'handler.mjs' : 'handler.py'), service);
    service.give({ id: 'j1', input });
    const result = JSON.parse((await service.result('j1')).text) as { output?: unknown; error?: string };
    return {
      result,
      chunks: service.chunks('j1').map((line) => (JSON.parse(line) as { output: unknown }).output),
      error: result.error === undefined ? undefined : (JSON.parse(result.error) as Record<string, string>),
    };
  }

  beforeEach(async () => {
    service = await startWorkerService();
  });
  afterEach(async () => {
    await run?.dispose();
    await service.close();
  });

  it('stream-words streams its sample text word by word, slowly enough to be seen', async () => {
    const { input } = sampleOf('stream-words');
    expect(input['delayMs']).toBe(60);
    const { chunks } = await runExample('stream-words', 'node', { ...input, delayMs: 0 });
    expect(chunks.join('')).toBe(input['text']);
    expect(chunks.length).toBeGreaterThan(30);
  });

  it('stream-words says what is wrong with its input', async () => {
    const { error } = await runExample('stream-words', 'node', { text: 7 });
    expect(error?.['error_message']).toBe('input.text must be a string: the text to stream.');
  });

  it('fail-halfway streams some steps of its sample and then fails', async () => {
    const { chunks, error } = await runExample('fail-halfway', 'node', {
      ...sampleOf('fail-halfway').input,
      delayMs: 0,
    });
    expect(chunks).toHaveLength(6);
    expect(error).toMatchObject({ error_type: 'OutOfMemoryError' });
  });

  it('draw-fractal tells how far it is and ends with a picture of the size that was asked for', async () => {
    const { chunks } = await runExample('draw-fractal', 'node', { ...sampleOf('draw-fractal').input, width: 60 });
    expect(chunks.slice(0, -1).join('')).toBe('Drawing 60 × 40 pixels: 20% 40% 60% 80% 100%');
    const { width, height, colours } = pictureOf((chunks.at(-1) as { image: string }).image);
    expect([width, height]).toEqual([60, 40]);
    expect(colours).toBeGreaterThan(100);
  });

  it('draw-fractal describes the inputs that it takes', async () => {
    const { properties } = JSON.parse(read('draw-fractal', 'input_schema.json')) as {
      properties: Record<string, { default: number; minimum: number; maximum: number }>;
    };
    const { input } = sampleOf('draw-fractal');
    expect(input).toEqual(Object.fromEntries(Object.entries(properties).map(([name, rule]) => [name, rule.default])));
    expect(Object.keys((JSON.parse(read('draw-fractal', 'test_input.json')) as { input: object }).input)).toEqual(
      Object.keys(properties),
    );
    const { error } = await runExample('draw-fractal', 'node', { width: properties['width']!.maximum + 1 });
    expect(error?.['error_message']).toBe('input.width must be a whole number from 16 to 1024.');
  });

  it('prime-factors streams at least ten factors of its sample', needsPython(), async () => {
    const { input } = sampleOf('prime-factors');
    const { chunks } = await runExample('prime-factors', 'python', { ...input, delayMs: 0 });
    const factors = (chunks as { factor: number }[]).map(({ factor }) => factor);
    expect(factors.length).toBeGreaterThanOrEqual(10);
    expect(factors.reduce((product, factor) => product * factor, 1)).toBe(input['number']);
  });

  it('prime-factors takes numbers that JavaScript could not hold', needsPython(), async () => {
    const { chunks } = await runExample('prime-factors', 'python', {
      number: (2n ** 100n * 97n).toString(),
      delayMs: 0,
    });
    expect(chunks).toHaveLength(101);
    expect(chunks.at(-1)).toEqual({ factor: 97, rest: 1 });
  });

  it('prime-factors says what is wrong with its input', needsPython(), async () => {
    const { error } = await runExample('prime-factors', 'python', { number: 1 });
    expect(error?.['error_message']).toBe('input.number must be 2 or more; it is 1.');
  });
});
