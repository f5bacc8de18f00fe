/** The page writes all dates and times of day in one place, so that its clocks agree. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const PLACE = 'renderer/ui/text/format.ts';

/** Whether a source formats a date or a time itself. */
const formatsTimes = (code: string): boolean => /\bDateTimeFormat\b|\.toLocale(Date|Time)?String\(/.test(code);

it('Only the file of formats writes dates and times of day', () => {
  const paths = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path))
    .map((path) => `renderer/${path.replaceAll('\\', '/')}`);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => formatsTimes(readFileSync(join(root, path), 'utf8')))).toEqual([PLACE]);
});
