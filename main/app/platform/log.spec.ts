/** Rules of the log files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, openLogFile } from './log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-log-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('log files', () => {
  it('rotate at their size, five of them at most, the newest first', () => {
    const file = openLogFile({ dir, name: 'app', secrets: [], fileBytes: 100 });
    for (let i = 0; i < 100; i += 1) file.write(`line ${i} ${'x'.repeat(40)}`);
    expect(readdirSync(dir).toSorted()).toEqual(['app.1.log', 'app.2.log', 'app.3.log', 'app.4.log', 'app.log']);
    expect(readFileSync(join(dir, 'app.log'), 'utf8')).toContain('line 99 ');
    expect(readFileSync(join(dir, 'app.1.log'), 'utf8')).toContain('line 97 ');
  });

  it('hold no known secret and no key, in whatever field of a line it stands', () => {
    const secrets = ['sesame-open'];
    const file = openLogFile({ dir, name: 'app', secrets });
    const logger = createLogger({ file, level: 'info', stderrLevel: null, secrets });
    logger.error(
      { err: new Error('got sesame-open'), deep: { apiKey: 'zzzzzzzz' }, url: 'x?api_key=yyyyyyyy' },
      'rpa_1234567890',
    );
    const text = readFileSync(join(dir, 'app.log'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ level: 50, err: { message: 'got •••' }, msg: '•••' });
    expect(text).not.toMatch(/sesame-open|zzzzzzzz|yyyyyyyy|rpa_1234567890/);
  });
});
