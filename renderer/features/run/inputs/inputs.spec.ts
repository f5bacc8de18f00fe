import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSnippet } from '../code/snippets.ts';
import { curlBody } from './curlBody.ts';

describe('the body of a curl command', () => {
  it.each([
    [`curl -X POST https://a/v2/e/run -d '{"input": {}}'`, '{"input": {}}'],
    [`$ curl --data-raw "{\\"input\\": {\\"a\\": \\"b\\"}}" https://a`, '{"input": {"a": "b"}}'],
    [`curl https://a \\\n  -H 'A: b' \\\n  --json '{"input":\n {}}'`, '{"input":\n {}}'],
    [`curl https://a --data='{"a": 1}'`, '{"a": 1}'],
    [`curl https://a -d'{"a": 1}'`, '{"a": 1}'],
    [`curl 'https://a' --data-raw $'{"a": "it\\'s"}'`, `{"a": "it's"}`],
    [`curl https://a`, null],
    [`curl -d @body.json https://a`, null],
    [`{"input": "curl -d x"}`, null],
    [`wget -d '{"a": 1}'`, null],
    [`curl -d '{"unclosed`, '{"unclosed'],
  ])('%s', (command, body) => expect(curlBody(command)).toBe(body));

  it('comes back from the code that Run hands out', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const request = { address: 'http://127.0.0.1:1', endpointId: 'e', mode: 'run' as const, body };
        expect(curlBody(makeSnippet('curl', request))).toBe(body.trim());
      }),
    );
  });

  it('is sought in any text without an error', () => {
    fc.assert(fc.property(fc.string(), (text) => void curlBody(`curl ${text}`)));
  });
});
