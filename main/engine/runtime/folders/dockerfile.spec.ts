import { expect, test } from 'vitest';
import { readDockerfile } from './dockerfile.ts';

const python = 'FROM python:3.11-slim\n';

test.each([
  ['a list', 'CMD ["python3", "-u", "/handler.py"]', ['handler.py'], []],
  ['a line', 'CMD python -u handler.py --a "b c"', ['handler.py'], ['--a', 'b c']],
  ['a list around a shell', 'CMD ["bash", "-c", "exec python3.11 -X dev src/main.py"]', ['src/main.py', 'main.py'], []],
  ['a line after another', 'CMD cd /app && python app.py', ['app.py'], []],
  ['a module', 'CMD ["python", "-m", "src.handler"]', ['src/handler.py', 'handler.py'], []],
  ['an entrypoint', 'ENTRYPOINT ["python"]\nCMD ["serve.py"]', ['serve.py'], []],
  ['lines that go on', 'CMD \\\n  python \\\n  # a word\n  handler.py', ['handler.py'], []],
])('the Python file that %s starts is found', (_what, text, pythonFiles, args) => {
  expect(readDockerfile(python + text)).toMatchObject({ pythonFiles, args });
});

test('a file of the image is looked for where its folder was copied from', () => {
  const text = `${python}WORKDIR /app\nCOPY --chown=1 builder/src/ .\nADD https://a.example/x /x\nCMD python -u /app/run.py`;
  const { pythonFiles } = readDockerfile(text);
  expect(pythonFiles).toContain('builder/src/run.py');
  expect(pythonFiles.every((file) => !file.startsWith('/') && !file.includes('..'))).toBe(true);
});

test('only the last stage counts', () => {
  const text = 'FROM a AS builder\nCMD python early.py\nFROM b\nCMD ["/start.sh"]';
  expect(readDockerfile(text)).toEqual({ command: ['/start.sh'], pythonFiles: [], args: [] });
});

test.each(['CMD ["python", "-c", "print(1)"]', 'CMD python ../../outside.py', 'CMD echo "open', 'RUN python x.py', ''])(
  'no Python file of the folder is found in %j',
  (text) => {
    expect(readDockerfile(python + text).pythonFiles).toEqual([]);
  },
);
