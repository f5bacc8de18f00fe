import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placeWindow, readBounds, writeBounds } from './bounds.ts';

const display = { x: 0, y: 0, width: 1920, height: 1080 };
const saved = { x: 100, y: 80, width: 1000, height: 700 };

describe('bounds', () => {
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
      expect(readBounds(file)).toBeNull();
      writeBounds(file, { bounds: saved, maximized: true });
      expect(readBounds(file)).toEqual({ bounds: saved, maximized: true });
      writeFileSync(file, '{"bounds":{"x":');
      expect(readBounds(file)).toBeNull();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
