/** Rules of making the sample endpoints, on real folders. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, EndpointCreate, Template, TemplateCreate } from '#contract/api/resources.ts';
import { listSamples, makeSampleAgain, makeSamples, type SampleManagement, type SamplesOptions } from './samples.ts';

let dir: string;
let templates: Template[];
let endpoints: Endpoint[];
let made: string[] | undefined;
/** How many more requests work; then the service is gone. */
let requestsLeft: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-samples-'));
  for (const name of ['one', 'two']) {
    mkdirSync(join(dir, 'from', 'examples', name), { recursive: true });
    writeFileSync(join(dir, 'from', 'examples', name, 'README.md'), `# ${name}\n`);
    writeFileSync(join(dir, 'from', 'examples', name, 'handler.mjs'), 'export default () => 1;\n');
  }
  [templates, endpoints, made, requestsLeft] = [[], [], undefined, Infinity];
});
afterEach(() => rmSync(dir, { recursive: true }));

function request<T>(answer: () => T): Promise<T> {
  requestsLeft -= 1;
  return requestsLeft < 0 ? Promise.reject(new Error('cut off')) : Promise.resolve(answer());
}

/** A service that keeps what it is given; only the fields that matter here. */
const management: SampleManagement = {
  templates: () => request(() => templates),
  endpoints: () => request(() => endpoints),
  createTemplate: (input: TemplateCreate) =>
    request(() => {
      const template = { id: `t${templates.length}`, ...input } as Template;
      templates.push(template);
      return template;
    }),
  createEndpoint: (input: EndpointCreate) =>
    request(() => {
      const endpoint = { id: `e${endpoints.length}`, ...input } as Endpoint;
      endpoints.push(endpoint);
      return endpoint;
    }),
};

const options = (): SamplesOptions => ({
  resourcesDir: join(dir, 'from'),
  targetDir: join(dir, 'to'),
  management,
  made: { read: () => made, write: (names) => (made = names) },
  logger: pino({ level: 'silent' }),
});

describe('the samples', () => {
  it('are copied, and each gets a template and an endpoint', async () => {
    await makeSamples(options());
    expect(readFileSync(join(dir, 'to', 'two', 'handler.mjs'), 'utf8')).toContain('export default');
    expect(templates).toMatchObject([
      { name: 'one', imageName: pathToFileURL(join(dir, 'to', 'one')).href, readme: '# one\n', isServerless: true },
      { name: 'two' },
    ]);
    expect(endpoints).toMatchObject([
      { name: 'one', templateId: 't0', workersMin: 0, workersMax: 3, idleTimeout: 60 },
      { name: 'two', templateId: 't1' },
    ]);
  });

  it('stay deleted when a person deletes them, and stay changed when a person changes them', async () => {
    await makeSamples(options());
    [templates, endpoints] = [[], []];
    writeFileSync(join(dir, 'to', 'one', 'handler.mjs'), 'mine');
    rmSync(join(dir, 'to', 'two'), { recursive: true });
    await makeSamples(options());
    expect([...templates, ...endpoints]).toEqual([]);
    expect(readFileSync(join(dir, 'to', 'one', 'handler.mjs'), 'utf8')).toBe('mine');
    expect(existsSync(join(dir, 'to', 'two'))).toBe(false);
  });

  it('are completed without duplicates by the next start, wherever the first one was cut off', async () => {
    for (let cut = 0; cut < 8; cut += 1) {
      [templates, endpoints, made, requestsLeft] = [[], [], undefined, cut];
      await expect(makeSamples(options())).rejects.toThrow('cut off');
      requestsLeft = Infinity;
      await makeSamples(options());
      expect(templates.map(({ name }) => name)).toEqual(['one', 'two']);
      expect(endpoints.map(({ name }) => name)).toEqual(['one', 'two']);
    }
  });

  it('are added by a later version that brings new ones', async () => {
    await makeSamples(options());
    mkdirSync(join(dir, 'from', 'examples', 'three'));
    writeFileSync(join(dir, 'from', 'examples', 'three', 'README.md'), '');
    await makeSamples(options());
    expect(endpoints.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  });

  it('are listed, the one to begin with first', async () => {
    mkdirSync(join(dir, 'from', 'examples', 'stream-words'));
    writeFileSync(join(dir, 'from', 'examples', 'stream-words', 'README.md'), '# words\n');
    expect((await listSamples(join(dir, 'from'))).map(({ name }) => name)).toEqual(['stream-words', 'one', 'two']);
  });

  it('are made again when a person asks, once', async () => {
    await makeSamples(options());
    [templates, endpoints] = [[], []];
    expect(await makeSampleAgain('two', options(), management)).toEqual({ endpointId: 'e0' });
    expect(await makeSampleAgain('two', options(), management)).toEqual({ endpointId: 'e0' });
    expect(endpoints.map(({ name }) => name)).toEqual(['two']);
  });

  it('are only those that came with Hangar', async () => {
    await expect(makeSampleAgain('../from', options(), management)).rejects.toThrow(
      'There is no example named "../from"',
    );
  });
});
