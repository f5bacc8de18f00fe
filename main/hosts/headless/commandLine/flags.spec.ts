/** Rules of the headless host's flags. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FlagError, readFlags } from './flags.ts';

describe('the flags', () => {
  it('default to loopback, the usual ports and the usual folder', () => {
    expect(readFlags([], { HANGAR_HOME: '/h' })).toEqual({
      dataDir: resolve('/h'),
      namedBy: 'variable',
      movedFrom: [],
      port: 47_800,
      uiPort: 47_801,
      allowsHostShell: true,
      host: '127.0.0.1',
      json: false,
      logLevel: 'info',
      streamAnswer: null,
    });
  });

  it('are read as they are documented', () => {
    const args = '--data-dir d --port 0 --ui-port 5 --host 0.0.0.0 --allow-lan --json'.split(' ');
    expect(readFlags(args, { HANGAR_LOG_LEVEL: 'debug' })).toEqual({
      dataDir: resolve('d'),
      namedBy: 'flag',
      movedFrom: [],
      port: 0,
      uiPort: 5,
      allowsHostShell: true,
      host: '0.0.0.0',
      json: true,
      logLevel: 'debug',
      streamAnswer: null,
    });
    expect(() => readFlags([], { HANGAR_LOG_LEVEL: 'loud' })).toThrow('HANGAR_LOG_LEVEL must be one of debug, info');
    expect(readFlags(['--no-ui'], {})).toMatchObject({ uiPort: null });
    expect(readFlags(['--no-shell'], {})).toMatchObject({ allowsHostShell: false });
    expect(readFlags(['--stream-answer', 'envelope'], {})).toMatchObject({ streamAnswer: 'envelope' });
    expect(readFlags(['--help', '--port', '1'], {})).toBe('help');
  });

  it.each([
    [['--nope'], '--nope'],
    [['stray'], 'stray'],
    [['--port'], '--port'],
    [['--port', '70000'], '0 to 65535'],
    [['--port', '1e3'], '0 to 65535'],
    [['--host', 'example.com'], 'IP address'],
    [['--host', '0.0.0.0'], '--allow-lan'],
    [['--port', '5', '--ui-port', '5'], 'differ'],
    [['--stream-answer', 'list'], 'auto, array, envelope'],
  ])('%j are refused with one line', (args, part) => {
    expect(() => readFlags(args, {})).toThrow(FlagError);
    expect(() => readFlags(args, {})).toThrow(new RegExp(`^[^\\n]*${part}[^\\n]*$`));
  });
});
