import { expect, test } from 'vitest';
import { codeTokens, type CodeLanguage } from './codeTokens.ts';

const textsOf = (language: CodeLanguage, code: string, kind: string) =>
  codeTokens(language, code)
    .filter((token) => token.kind?.split(' ').includes(kind))
    .map(({ text }) => text);

test('a command has its program, its flags, its variables and its strings', () => {
  const code = `curl -sS 'http://x/run' \\\n  -H "Authorization: Bearer $KEY" \\\n\n  -d '{\n  "input": 1\n}'`;
  expect(textsOf('curl', code, 'builtin')).toEqual(['curl']);
  expect(textsOf('curl', code, 'attribute')).toEqual(['-sS', '-H', '-d']);
  expect(textsOf('curl', code, 'def')).toEqual(['$KEY']);
  expect(textsOf('curl', code, 'string').join('\n')).toContain('"input": 1');
});

test.each([
  ['Python', 'import runpod\n\nrunpod.api_key = os.environ["KEY"]  # the key\n', 'import'],
  ['JavaScript', 'import sdk from "runpod-sdk";\n\nconst key = `${process.env.KEY}`; // the key\n', 'const'],
] as const)('%s has its keywords, strings and comments, and nothing is lost', (language, code, keyword) => {
  expect(textsOf(language, code, 'keyword')).toContain(keyword);
  expect(textsOf(language, code, 'comment')).toHaveLength(1);
  expect(textsOf(language, code, 'string')).not.toEqual([]);
  expect(
    codeTokens(language, code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
});
