/** Rules of the reports of crashes: what is in them, who may read them, how many are kept; and of the notices. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { neverWrite } from '../platform/redaction.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { createCrashes, type Crashes } from './crashes.ts';
import { MOST_REPORTS, reportsFolder } from './report.ts';

const killed = { code: null, signal: 'SIGKILL' };
const engine = { part: 'engine', cause: 'The engine ended unexpectedly (signal SIGKILL).', exit: killed } as const;
const OUTPUT_MS = 1000;
const reportSchema = z.looseObject({
  part: z.string(),
  program: z.looseObject({ version: z.string() }),
  logs: z.record(z.string(), z.array(z.string())),
});

describe('crashes', () => {
  let dataDir: string;
  let crashes: Crashes;
  const clock = createFakeClock();

  const startRun = (): Crashes =>
    createCrashes({
      dataDir,
      logsDir: join(dataDir, 'logs'),
      version: '1.2.3',
      host: 'headless',
      secrets: ['the key of this run'],
      clock,
      logger: pino({ level: 'silent' }),
    });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hangar-crashes-'));
    mkdirSync(join(dataDir, 'logs'));
    crashes = startRun();
  });
  afterEach(() => {
    crashes.stop();
    rmSync(dataDir, { recursive: true });
  });

  const log = (name: string, ...lines: string[]): void =>
    writeFileSync(join(dataDir, 'logs', name), lines.map((line) => `${line}\n`).join(''));
  const reports = (): string[] => readdirSync(reportsFolder(dataDir)).toSorted();
  function crash(facts: Parameters<Crashes['record']>[0] = engine): void {
    crashes.record(facts);
    clock.advance(OUTPUT_MS);
  }
  const read = (part: 'engine' | 'page' | 'main'): z.infer<typeof reportSchema> =>
    reportSchema.parse(JSON.parse(crashes.report(part)));

  it('a report has the part, the version and the last lines of its logs, and only its owner can read it', () => {
    log('engine.log', 'before', 'the last words');
    crash();
    const [notice] = crashes.notices();
    expect(notice).toMatchObject({ part: 'engine', count: 1, cause: engine.cause });
    expect(notice?.report).toBe(join(reportsFolder(dataDir), reports()[0] ?? ''));
    expect(read('engine')).toMatchObject({ part: 'engine', program: { version: '1.2.3' }, exit: killed });
    expect(read('engine').logs['engine.log']).toEqual(['before', 'the last words']);
    if (process.platform === 'win32') return;
    expect(statSync(notice?.report ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(reportsFolder(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('a report waits for the last output of the process', () => {
    crashes.record(engine);
    log('engine.log', 'written after the news of the end');
    clock.advance(OUTPUT_MS);
    expect(read('engine').logs['engine.log']).toEqual(['written after the news of the end']);
  });

  it('a report has at most 100 lines of a log, the newest', () => {
    log('engine.log', ...Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(50)}`));
    crash();
    const lines = read('engine').logs['engine.log'] ?? [];
    expect(lines).toHaveLength(100);
    expect(lines.at(-1)).toMatch(/^line 4999 /);
  });

  it('a report has no secrets and no environment', () => {
    neverWrite('a-key-in-use-1234');
    process.env['HANGAR_SPEC_MARK'] = 'a-variable-of-the-environment';
    log('app.log', 'the key of this run', '{"apiKey":"abcdefgh"}', 'https://x/?api_key=qwertyui', 'a-key-in-use-1234');
    try {
      crash({ ...engine, part: 'page', cause: 'It said rpa_ABCDEFGHIJKLMNOPQRSTUVWXYZ.' });
    } finally {
      delete process.env['HANGAR_SPEC_MARK'];
    }
    const text = crashes.report('page');
    for (const secret of [
      'the key of this run',
      'abcdefgh',
      'qwertyui',
      'a-key-in-use-1234',
      'rpa_ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      'a-variable-of-the-environment',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('only the newest reports are kept', () => {
    for (let index = 0; index < MOST_REPORTS + 5; index += 1) crash();
    expect(reports()).toHaveLength(MOST_REPORTS);
    expect(crashes.notices()[0]?.report).toBe(join(reportsFolder(dataDir), reports().at(-1) ?? ''));
  });

  it('crashes of one part are one notice, which counts them until it is dismissed', () => {
    let changes = 0;
    const unsubscribe = crashes.onChange(() => (changes += 1));
    crash();
    crash({ ...engine, part: 'page' });
    crash();
    expect(crashes.notices().map(({ part, count }) => ({ part, count }))).toEqual([
      { part: 'page', count: 1 },
      { part: 'engine', count: 2 },
    ]);
    crashes.dismiss('engine');
    expect(crashes.notices().map(({ part }) => part)).toEqual(['page']);
    expect(changes).toBe(4);
    unsubscribe();
    crash();
    expect(crashes.notices().find(({ part }) => part === 'engine')?.count).toBe(1);
    expect(changes).toBe(4);
    expect(reports()).toHaveLength(4);
  });

  describe('of this process', () => {
    const exit = { code: null, signal: null };
    const main = {
      part: 'main',
      cause: 'Nothing handled this error: Error: no luck.',
      error: 'Error: no luck',
      exit,
    } as const;

    it('has its report at once, with the error, and its notice in the next run, until it is dismissed', () => {
      crashes.recordNow({ ...main, error: 'Error: no luck of the key of this run\n    at code.ts' });
      expect(read('main')).toMatchObject({ error: ['Error: no luck of •••', '    at code.ts'] });
      const notices = crashes.notices();
      expect(notices).toMatchObject([{ part: 'main', count: 1, cause: main.cause }]);
      crashes = startRun();
      expect(crashes.notices()).toEqual(notices);
      expect(crashes.report('main')).toContain('no luck');
      crashes.dismiss('main');
      expect(startRun().notices()).toEqual([]);
      expect(reports()).toHaveLength(1);
    });

    it('that occurs again at once is counted in the same report, and later has its own', () => {
      crashes.recordNow(main);
      crashes.recordNow(main);
      expect(crashes.notices()).toMatchObject([{ count: 2 }]);
      const files = (): number => reports().filter((name) => name.endsWith('-main.json')).length;
      expect(files()).toBe(1);
      clock.advance(60_000);
      crashes.recordNow(main);
      crashes.recordNow({ ...main, cause: 'Nothing handled this error: another.' });
      expect(crashes.notices()).toMatchObject([{ count: 4 }]);
      expect(files()).toBeGreaterThan(1);
    });

    it('does not count as a report that is kept', () => {
      crashes.recordNow(main);
      for (let index = 0; index < MOST_REPORTS; index += 1) crash();
      crashes.dismiss('main');
      expect(reports()).toHaveLength(MOST_REPORTS);
    });

    it('whose notice cannot be read is none in the next run', () => {
      crashes.recordNow(main);
      writeFileSync(join(reportsFolder(dataDir), 'undismissed.json'), '{"part":');
      expect(startRun().notices()).toEqual([]);
    });
  });

  it('a run that was killed while jobs ran has a notice without a report, unless its own crash is told already', () => {
    crashes.recordKilled(0);
    expect(crashes.notices()).toEqual([]);
    crashes.recordKilled(2);
    expect(crashes.notices()).toMatchObject([
      { part: 'last-run', cause: expect.stringMatching(/while 2 jobs ran on this computer\.$/), report: null },
    ]);
    crashes.dismiss('last-run');
    crashes.recordNow({ part: 'main', cause: 'Nothing handled this error: x.', exit: killed });
    crashes.recordKilled(2);
    expect(crashes.notices().map(({ part }) => part)).toEqual(['main']);
  });

  it('an end that was requested is no crash', () => {
    crash({ ...engine, exit: { code: 0, signal: null } });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) crash({ ...engine, exit: { code: null, signal } });
    expect(crashes.notices()).toEqual([]);
  });

  it('a stop writes the report that is due, and notes no later crash', () => {
    crashes.record(engine);
    crashes.stop();
    crashes.record(engine);
    clock.advance(OUTPUT_MS);
    expect(reports()).toHaveLength(1);
  });

  it('a crash is a notice also where its report cannot be written', () => {
    writeFileSync(reportsFolder(dataDir), 'a file in the way');
    crash();
    expect(crashes.notices()).toMatchObject([{ part: 'engine', report: null }]);
    expect(() => crashes.report('engine')).toThrow('There is no report');
  });

  it('a report that a person removed is said to be gone', () => {
    crash();
    rmSync(crashes.notices()[0]?.report ?? '');
    expect(() => crashes.report('engine')).toThrow('may have been removed');
  });
});
