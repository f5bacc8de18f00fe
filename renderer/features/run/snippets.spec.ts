import { describe, expect, it } from 'vitest';
import { makeSnippet, snippetLanguages } from './snippets.ts';

const hostile = '{"input": {"t": "it\'s `a` ${b} \\\\ \\"\\"\\" $HOME"}}';
const request = { address: 'http://127.0.0.1:47800', endpointId: 'ep 1', mode: 'run' as const, body: hostile };

describe('code for a request', () => {
  it.each(snippetLanguages)('in %s names the address and the endpoint, and the key by its variable', (language) => {
    const code = makeSnippet(language, request);
    expect(code).toContain('http://127.0.0.1:47800/v2/ep%201');
    expect(code).toContain('HANGAR_API_KEY');
  });

  it('in JS carries the body unchanged', async () => {
    const literal = /const body = (`[\s\S]*?[^\\]`);/.exec(makeSnippet('JS', request))?.[1] ?? '';
    const module = `data:text/javascript,${encodeURIComponent(`export default ${literal}`)}`;
    const loaded: { default: unknown } = await import(/* @vite-ignore */ module);
    expect(loaded.default).toBe(hostile);
  });

  it('in curl quotes the body for a shell', () => {
    expect(makeSnippet('curl', request)).toContain(`-d '{"input": {"t": "it'\\''s`);
  });

  it('in Python escapes what would end its text', () => {
    const code = makeSnippet('Python', { ...request, body: '{"a": "\\"\\"\\""}' });
    expect(code).toContain('body = """{"a": "\\\\"\\\\"\\\\""}"""');
  });

  it('that waits for the result asks once', () => {
    expect(makeSnippet('JS', { ...request, mode: 'runsync' })).toContain("call('/runsync', body)");
    expect(makeSnippet('JS', { ...request, mode: 'runsync' })).not.toContain('/stream/');
  });
});
