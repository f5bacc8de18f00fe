import { describe, expect, it } from 'vitest';
import { javascriptLiteral } from './literals.ts';
import { languagesFor, makeSnippet, snippetLanguages, type SnippetClient } from './snippets.ts';

const hostile = '{"input": {"t": "it\'s `a` ${b} \\\\ \\"\\"\\" $HOME"}}';
const request = { address: 'http://127.0.0.1:47800', endpointId: 'ep1', mode: 'run' as const, body: hostile };
const clients: SnippetClient[] = Object.values(snippetLanguages).flat();

describe('code for a request', () => {
  it.each(clients)('for %s names the address and the endpoint, and the key by its variable', (client) => {
    const code = makeSnippet(client, request);
    expect(code).toContain('http://127.0.0.1:47800/v2');
    expect(code).toContain('ep1');
    expect(code).toContain('HANGAR_API_KEY');
  });

  it.each(['fetch', 'runpod-sdk'] as const)('for %s has its input as JavaScript writes it', async (client) => {
    const body = '{\n    "input": {\n        "a": [true, null],\n        "b-c": "it\'s \\"x\\" \\/"\n    }\n}';
    const code = makeSnippet(client, { ...request, body });
    expect(code).toContain("const body = {\n  input: {\n    a: [true, null],\n    'b-c': 'it\\'s \"x\" /',\n  },\n};");
  });

  it.each([
    hostile,
    '{"a": 12345678901234567890}',
    '{"__proto__": {"a": 1}}',
    '{"input": {\n"a": [-0.5, 1e5, true, {}], "b": "\\u2028 \\n \u{1f600}"}}',
    '[]',
  ])('for %s reads the same in JavaScript as in JSON', async (body) => {
    const module = `data:text/javascript,${encodeURIComponent(`export default ${javascriptLiteral({ text: body, files: [] })}`)}`;
    const loaded: { default: unknown } = await import(/* @vite-ignore */ module);
    expect(JSON.stringify(loaded.default)).toBe(JSON.stringify(JSON.parse(body)));
  });

  it.each(['runpod', 'requests'] as const)('for %s is indented by four spaces', (client) => {
    const code = makeSnippet(client, { ...request, body: '{\n  "input": {\n    "a": [\n      1\n    ]\n  }\n}' });
    expect(code).toContain('body = {\n    "input": {\n        "a": [\n            1,\n        ],\n    },\n}\n');
  });

  it.each([
    ['runpod', '# Needs: pip install runpod'],
    ['runpod-sdk', '// Needs: npm install runpod-sdk, and a file name that ends in .mjs'],
  ] as const)('for %s says first what to install', (client, line) => {
    expect(makeSnippet(client, request).split('\n')[0]).toBe(line);
  });

  it('in curl quotes the body for a shell', () => {
    expect(makeSnippet('curl', request)).toContain(`-d '{"input": {"t": "it'\\''s`);
  });

  it.each(['runpod', 'requests', 'openai-python'] as const)('for %s has its input as Python writes it', (client) => {
    const body = '{\n  "input": {\n    "a": [true, null],\n    "b": "true \\/ \\"x\\""\n  }\n}';
    const code = makeSnippet(client, { ...request, body });
    expect(code).toContain('"a": [True, None],');
    expect(code).toContain('"b": "true / \\"x\\""');
    expect(code).not.toContain('json.loads');
  });

  it.each(['runpod', 'requests', 'openai-python'] as const)(
    'for %s leaves to the JSON parser what is no JSON yet, and escapes what would end its text',
    (client) => {
      const code = makeSnippet(client, { ...request, body: '{"a": "\\"\\"\\""' });
      expect(code).toContain('import json\nimport os\n');
      expect(code).toContain('json.loads("""{"a": "\\\\"\\\\"\\\\"\\"""")');
    },
  );

  it('in curl reads the chunks and the result by the id that the answer names', () => {
    const code = makeSnippet('curl', { ...request, yields: true });
    expect(code).toContain(`'http://127.0.0.1:47800/v2/ep1/stream/'"$id"`);
    expect(code).toContain(`'http://127.0.0.1:47800/v2/ep1/status/'"$id"`);
    expect(code).toContain(String.raw`sed 's/.*"id": *"\([^"]*\)".*/\1/')`);
  });

  it.each([
    ['curl', '/v2/ep1/runsync', '/run '],
    ['fetch', '/v2/ep1/runsync', '/status/'],
    ['requests', '/v2/ep1/runsync', '/status/'],
    ['runpod', 'run_sync(', 'stream('],
    ['runpod-sdk', 'runSync(', 'stream('],
  ] as const)('for %s that waits for the result asks once', (client, has, lacks) => {
    const code = makeSnippet(client, { ...request, mode: 'runsync' });
    expect(code).toContain(has);
    expect(code).not.toContain(lacks);
  });

  it.each([
    ['curl', '/stream/'],
    ['fetch', '/stream/'],
    ['requests', '/stream/'],
    ['runpod', 'job.stream('],
    ['runpod-sdk', '.stream('],
  ] as const)('for %s reads chunks only where the handler is known to yield', (client, stream) => {
    expect(makeSnippet(client, request)).not.toContain(stream);
    expect(makeSnippet(client, { ...request, yields: true })).toContain(stream);
  });

  it.each([
    ['requests', 'time.sleep('],
    ['fetch', 'setTimeout('],
  ] as const)('for %s rests while there is nothing new', (client, pause) => {
    for (const yields of [false, true]) expect(makeSnippet(client, { ...request, yields })).toContain(pause);
  });

  it('is there for clients of the OpenAI kind where the input has messages', () => {
    expect(languagesFor({ mode: 'run', body: '{"input": {"messages": []}}' })).toContain('OpenAI');
    expect(languagesFor({ mode: 'run', body: '{"input": {}}' })).toEqual(['curl', 'Python', 'JavaScript']);
  });
});

describe('code for a request with files', () => {
  const picture = `iVBORw0KGgo${'A'.repeat(3000)}A`;
  const withPicture = (more: string) => ({ ...request, body: `{"input": {"picture": "${picture}"${more}}}` });

  it.each(clients.filter((client) => !client.startsWith('openai')))(
    'for %s reads them instead of holding them',
    (client) => {
      const code = makeSnippet(client, withPicture(`, "again": "data:image/png;base64,${picture}"`));
      expect(code.length).toBeLessThan(1600);
      expect(code.split('picture.png').length - 1).toBe(2);
      expect(code).toContain('data:image/png;base64,');
      expect(code).not.toContain('<file');
    },
  );

  it('names a file as the person who gave it does, and others by what they are', () => {
    const files = [{ name: "it's me.png", sizeBytes: (picture.length * 3) / 4 }];
    const code = makeSnippet('requests', { ...withPicture(`, "voice": "SUQzBAAA${'B'.repeat(4000)}"`), files });
    expect(code).toContain(`open("it's me.png", "rb")`);
    expect(code).toContain('open("sound.mp3", "rb")');
  });

  it.each([
    ['short', picture.slice(0, 400)],
    ['no whole base64', picture.slice(0, -1)],
    ['written by another encoder', `${picture.slice(0, -4)}AAB=`],
    ['words', 'Lorem ipsum '.repeat(300)],
  ])('holds a text that is %s as it is', (_, text) => {
    const code = makeSnippet('requests', { ...request, body: JSON.stringify({ input: { text } }) });
    expect(code).toContain(JSON.stringify(text));
    expect(code).not.toContain('base64');
  });
});

describe('code for a chat', () => {
  const chat = { ...request, mode: 'chat' as const, body: '{"model": "m", "messages": [], "stream": true}' };

  it('is for curl and the clients of the OpenAI kind', () => expect(languagesFor(chat)).toEqual(['curl', 'OpenAI']));

  it('in curl streams from the address of these clients', () => {
    const code = makeSnippet('curl', chat);
    expect(code).toContain("curl -sS -N 'http://127.0.0.1:47800/v2/ep1/openai/v1/chat/completions'");
    expect(code).toContain(`-d '${chat.body}'`);
    expect(code).not.toContain('/status/');
  });

  it.each([
    ['openai-python', 'create(**request)'],
    ['openai-javascript', 'create(request)'],
  ] as const)('for %s sends the whole request', (client, call) => {
    const code = makeSnippet(client, chat);
    expect(code).toContain(call);
    expect(code).toContain('/v2/ep1/openai/v1');
    expect(code).not.toMatch(/\["input"\]|\.input/);
  });
});
