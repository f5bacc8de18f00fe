import { expect, test } from 'vitest';
import { codeLanguages, languageNamed, languageOfFile, type CodeLanguage } from './codeLanguages.ts';
import { loadCodeReader } from './codeTokens.ts';

async function textsOf(language: CodeLanguage, code: string) {
  const tokens = (await loadCodeReader(language))(code);
  return {
    all: tokens.map(({ text }) => text).join(''),
    of: (kind: string) => tokens.filter((token) => token.kind?.split(' ').includes(kind)).map(({ text }) => text),
  };
}

test('a command has its program, its flags, its variables and its strings', async () => {
  const code = `curl -sS 'http://x/run' \\\n  -H "Authorization: Bearer $KEY" \\\n\n  -d '{\n  "input": 1\n}'`;
  const { of } = await textsOf('curl', code);
  expect(of('builtin')).toEqual(['curl']);
  expect(of('attribute')).toEqual(['-sS', '-H', '-d']);
  expect(of('def')).toEqual(['$KEY']);
  expect(of('string').join('\n')).toContain('"input": 1');
});

test.each([
  ['Python', 'import runpod\n\nrunpod.api_key = os.environ["KEY"]  # the key\n', 'import'],
  ['JavaScript', 'import sdk from "runpod-sdk";\n\nconst key = `${process.env.KEY}`; // the key\n', 'const'],
] as const)('%s has its keywords, strings and comments, and nothing is lost', async (language, code, keyword) => {
  const { all, of } = await textsOf(language, code);
  expect(of('keyword')).toContain(keyword);
  expect(of('comment')).toHaveLength(1);
  expect(of('string')).not.toEqual([]);
  expect(all).toBe(code);
});

test.each(codeLanguages)('%s is read without loss, and has tokens', async (language) => {
  const code = 'FROM a\n\n  key: "text" # 1\n<p class="x">\n+ select 1 from t; { color: red }\n';
  const { all } = await textsOf(language, code);
  expect(all).toBe(code);
  expect((await loadCodeReader(language))(code).some(({ kind }) => kind !== null)).toBe(true);
});

test('a language is known by its other names, whatever stands behind them; an unknown one has no colours', () => {
  const infos = ['bash', 'PY', 'ts title="a.ts"', 'c++', 'json{1,3}', undefined, '', 'mermaid', 'constructor'];
  expect(infos.map(languageNamed)).toEqual(['curl', 'Python', 'TypeScript', 'C++', 'JSON', null, null, null, null]);
});

test('a language is known by the name of its file', () => {
  const files = {
    'train.py': 'Python',
    'RUN.SH': 'curl',
    '.bashrc': 'curl',
    '.env.local': 'curl',
    'conf.yml': 'YAML',
    'pyproject.toml': 'TOML',
    'app.tsx': 'TypeScript',
    Dockerfile: 'Dockerfile',
    'Dockerfile.gpu': 'Dockerfile',
    'data.jsonl': 'JSON',
    'kernel.cu': 'C++',
    'notes.txt': null,
    python: null,
    'a.': null,
    'weights.bin': null,
  };
  expect(Object.fromEntries(Object.keys(files).map((name) => [name, languageOfFile(name)]))).toEqual(files);
});
