import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHarness, type HarnessRun, type Runtime } from './harness.ts';
import { startWorkerService, type WorkerService } from './service.ts';
import { needsPython } from '../../support/core/skip.ts';

const read = (example: string, file: string): string =>
  readFileSync(new URL(`../../../resources/examples/${example}/${file}`, import.meta.url), 'utf8');

/** The sample input: the first fenced json block of the readme. */
const sampleOf = (example: string): { input: Record<string, unknown> } =>
  JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(read(example, 'README.md'))![1]!) as { input: Record<string, unknown> };

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
