import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../test/support/core/fakeClock.ts';
import { createFolderWatcher } from './folderWatch.ts';
import { partName } from './pathRules.ts';

/** The parent folder of the volume. */
let around: string;
let root: string;
let clock: FakeClock;
/** What was reported, in order. */
let reports: string[];
let stops: (() => void)[];
const inside = (...names: string[]): string => path.join(root, ...names);
beforeEach(() => {
  around = mkdtempSync(path.join(tmpdir(), 'hangar-watch-'));
  root = path.join(around, 'volume');
  mkdirSync(inside('models', 'deep'), { recursive: true });
  clock = createFakeClock();
  reports = [];
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  expect(clock.pending()).toBe(0);
  rmSync(around, { recursive: true, force: true });
});

async function follow(at: string, word = 'change'): Promise<() => void> {
  const stop = await createFolderWatcher({ clock }).watch(root, at, {
    onChange: () => void reports.push(word),
    onEnd: () => void reports.push('end'),
  });
  stops.push(stop);
  return stop;
}
/** The check of the path waits always; a report waits only after a change. */
const untilNoticed = () => expect.poll(() => clock.pending()).toBe(2);

describe('a folder is reported', () => {
  it.each<[string, () => void]>([
    ['a file is written', () => writeFileSync(inside('models', 'a'), 'more')],
    ['a file is added', () => writeFileSync(inside('models', 'new'), '')],
    ['a file is removed', () => rmSync(inside('models', 'a'))],
    ['a folder is renamed', () => renameSync(inside('models', 'deep'), inside('models', 'deeper'))],
  ])('when %s', async (_, act) => {
    writeFileSync(inside('models', 'a'), 'text');
    await follow('models');
    act();
    await untilNoticed();
    expect(reports).toEqual([]);
    clock.advance(200);
    await expect.poll(() => reports).toEqual(['change']);
  });

  it('once for 10,000 writes within 200 ms, and again for what follows', async () => {
    await follow('');
    for (let n = 0; n < 10_000; n++) writeFileSync(inside(`file${n % 100}`), String(n));
    await untilNoticed();
    clock.advance(200);
    await expect.poll(() => reports).toContain('change');
    // The system reported the rest of the writes meanwhile: they are one more report at most.
    clock.advance(200);
    await expect.poll(() => clock.pending()).toBe(1);
    expect(reports.length).toBeLessThanOrEqual(2);
  });

  it('through a link inside of the volume', async () => {
    symlinkSync('models', inside('latest'));
    await follow('latest');
    writeFileSync(inside('models', 'new'), '');
    await untilNoticed();
  });
});

describe('the watch ends', () => {
  it.each<[string, () => void]>([
    ['the folder is removed', () => rmSync(inside('models'), { recursive: true })],
    ['the folder is moved', () => renameSync(inside('models'), inside('others'))],
  ])('soon after %s', async (_, act) => {
    await follow('models');
    act();
    await untilNoticed();
    clock.advance(200);
    await expect.poll(() => reports).toEqual(['end']);
    expect(clock.pending()).toBe(0);
  });

  it('within 5 seconds after a folder above it gives way to another one', async () => {
    await follow('models/deep');
    renameSync(inside('models'), inside('before'));
    mkdirSync(inside('models', 'deep'), { recursive: true });
    clock.advance(5000);
    await expect.poll(() => reports).toEqual(['end']);
  });

  it('when it is stopped: nothing is reported after that', async () => {
    const stop = await follow('models');
    writeFileSync(inside('models', 'new'), '');
    await untilNoticed();
    stop();
    clock.advance(10_000);
    expect(clock.pending()).toBe(0);
    expect(reports).toEqual([]);
  });
});

it('a file that Hangar is still writing is not reported', async () => {
  await follow('models');
  await follow('models/deep', 'later change');
  writeFileSync(inside('models', partName('0123456789abcdef')), 'half');
  // The system reports in order: with this, it has reported the part.
  writeFileSync(inside('models', 'deep', 'whole'), '');
  await expect.poll(() => clock.pending()).toBeGreaterThan(2);
  clock.advance(200);
  await expect.poll(() => reports).toContain('later change');
  expect(reports).toEqual(['later change']);
});

it('what is no folder, is missing or lies outside is refused', async () => {
  writeFileSync(inside('a'), '');
  symlinkSync('..', inside('out'));
  const refused = (at: string) => expect(follow(at)).rejects;
  await refused('none').toMatchObject({ code: 'NOT_FOUND' });
  await refused('a').toMatchObject({ code: 'BAD_REQUEST' });
  await refused('out').toMatchObject({ code: 'BAD_REQUEST' });
  await refused('../volume').toMatchObject({ code: 'BAD_REQUEST' });
});
