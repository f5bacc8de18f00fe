import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { placeWindow, readWindows, writeWindows } from './bounds.ts';

const logger = pino({ level: 'silent' });
const display = { x: 0, y: 0, width: 1920, height: 1080 };
const saved = { x: 100, y: 80, width: 1000, height: 700 };

describe('bounds', () => {
  test('the one window that an earlier version has written is read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bounds-'));
    try {
      const file = join(folder, 'window.json');
      writeFileSync(file, JSON.stringify({ bounds: saved, maximized: true }));
      expect(readWindows(file, logger)).toEqual([{ bounds: saved, maximized: true, fullScreen: false, address: '' }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a window comes back where it was', () => {
    expect(placeWindow(saved, [display])).toEqual(saved);
  });

  test('a window on a display that is gone is centred again, with its size', () => {
    expect(placeWindow({ ...saved, x: 2500 }, [display])).toEqual({ width: 1000, height: 700 });
    expect(placeWindow({ ...saved, y: -200 }, [display])).toEqual({ width: 1000, height: 700 });
  });

  test('a window that is partly out of sight stays where a person can take hold of it', () => {
    expect(placeWindow({ ...saved, x: -800 }, [display])).toMatchObject({ x: -800 });
  });

  test('a size below the smallest is raised to it', () => {
    expect(placeWindow({ ...saved, width: 10, height: 10 }, [display])).toMatchObject({ width: 900, height: 600 });
  });

  test('what was written is read, and a damaged file counts as none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bounds-'));
    try {
      const file = join(folder, 'config', 'window.json');
      expect(readWindows(file, logger)).toEqual([]);
      const first = { bounds: saved, maximized: true, fullScreen: false, address: '#/jobs' };
      const second = { bounds: { ...saved, x: 0 }, maximized: false, fullScreen: true, address: '' };
      writeWindows(file, [first, second]);
      expect(readWindows(file, logger)).toEqual([first, second]);
      writeFileSync(file, '{"bounds":{"x":');
      expect(readWindows(file, logger)).toEqual([]);
      writeFileSync(file, JSON.stringify({ windows: [{ ...first, address: 'https://example.com' }] }));
      expect(readWindows(file, logger)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
