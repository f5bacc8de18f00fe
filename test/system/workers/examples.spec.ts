import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHarness, type HarnessRun, type Runtime } from './harness.ts';
import { startWorkerService, type WorkerService } from './service.ts';
import * as z from 'zod';
import { needsPython, skipFor } from '../../support/core/skip.ts';

const readResource = (path: string): string =>
  readFileSync(new URL(`../../../resources/${path}`, import.meta.url), 'utf8');
const read = (example: string, file: string): string => readResource(`examples/${example}/${file}`);

const choiceSchema = z.object({
  delta: z.object({ content: z.string().optional() }).optional(),
  message: z.object({ content: z.string() }).optional(),
  finish_reason: z.string().nullable(),
});
const completionSchema = z.object({
  choices: z.array(choiceSchema),
  usage: z.record(z.string(), z.number()).optional(),
});

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

  let jobs = 0;
  const runExample = (example: string, runtime: Runtime, input: Record<string, unknown>) =>
    runCode(read(example, runtime === 'node' ? 'handler.mjs' : 'handler.py'), runtime, input);

  async function runCode(code: string, runtime: Runtime, input: Record<string, unknown>) {
    run ??= startHarness(runtime, code, service);
    jobs += 1;
    const id = `j${jobs}`;
    service.give({ id, input });
    const result = JSON.parse((await service.result(id)).text) as { output?: unknown; error?: string };
    return {
      result,
      chunks: service.chunks(id).map((line) => (JSON.parse(line) as { output: unknown }).output),
      error: result.error === undefined ? undefined : (JSON.parse(result.error) as Record<string, string>),
    };
  }

  beforeEach(async () => {
    service = await startWorkerService();
  });
  afterEach(async () => {
    await run?.dispose();
    run = undefined;
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

  describe.each([
    ['small-chat', 'node', read('small-chat', 'handler.mjs'), skipFor(null)],
    ['the template of a chat in Python', 'python', readResource('handlers/python/chat.py'), needsPython()],
  ] as const)('%s', (_name, runtime, code, needs) => {
    const say = (...messages: string[]) => messages.map((content) => ({ role: 'user', content }));
    const ask = (openai_route: string, openai_input?: object) =>
      runCode(code, runtime, { openai_route, ...(openai_input && { openai_input }) });

    it('lists its model', needs, async () => {
      const { chunks } = await ask('/v1/models');
      expect(chunks).toMatchObject([{ object: 'list', data: [{ id: 'rules' }] }]);
    });

    it('streams the answer as server-sent events, with its tokens', needs, async () => {
      const { chunks } = await ask('/v1/chat/completions', {
        ...sampleOf('small-chat').input['openai_input']!,
        stream_options: { include_usage: true },
      });
      const events = chunks.map((chunk) => /^data: (.*)\n\n$/.exec(String(chunk))![1]!);
      expect(events.at(-1)).toBe('[DONE]');
      const answers = events.slice(0, -1).map((text) => completionSchema.parse(JSON.parse(text)));
      expect(answers.map(({ choices: [choice] }) => choice?.delta?.content ?? '').join('')).toBe('6 × 7 = **42**');
      expect(answers.at(-2)?.choices[0]?.finish_reason).toBe('stop');
      expect(answers.at(-1)?.usage).toEqual({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 });
    });

    it.each([
      [say('Count my words please'), /^Your message has 4 words\. It is message 1 /],
      [say('The sky is green', 'What did I say?'), 'Before this, you wrote: The sky is green'],
      [[{ role: 'user', content: [{ type: 'text', text: '10.5 - 4' }] }], '10.5 - 4 = **6.5**'],
      [say('Write a poem'), /^You wrote 3 words\. I am no language model/],
    ])('answers %j in one piece where no stream is asked for', needs, async (messages, words) => {
      const { chunks } = await ask('/v1/chat/completions', { messages });
      const [answer] = chunks.map((chunk) => completionSchema.parse(chunk));
      expect(answer?.choices[0]?.message?.content).toMatch(words);
    });

    it('ends at the most tokens', needs, async () => {
      const { chunks } = await ask('/v1/chat/completions', { messages: say('Hello'), max_tokens: 2 });
      expect(chunks).toMatchObject([{ choices: [{ message: { content: 'Hello! I' }, finish_reason: 'length' }] }]);
    });

    it('says what it takes where it gets something else', needs, async () => {
      const { error } = await runCode(code, runtime, { text: 'Hello' });
      expect(error?.['error_message']).toMatch(/^This handler answers OpenAI requests\./);
      expect((await ask('/v1/embeddings')).result.error).toContain('This handler has no route /v1/embeddings.');
    });
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
