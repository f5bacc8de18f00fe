import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SelectionError, checkable, select, specFiles, stageOf, vitestRuns } from './selection.mjs';
import { FULL_STAGES, QUICK_STAGES } from './stages.mjs';

const refusal = (argv: string[]): string => {
  try {
    select(argv);
  } catch (error) {
    if (error instanceof SelectionError) return error.message;
    throw error;
  }
  return 'it was not refused';
};

describe('the arguments of npm test', () => {
  test('that are empty choose the quick tier, and --full chooses everything', () => {
    expect(select([])).toMatchObject({ tier: 'quick', stages: QUICK_STAGES, files: [], related: [] });
    expect(select(['--full'])).toMatchObject({ tier: 'full', stages: FULL_STAGES });
  });

  test('run published clients in the full tier only: registries are slow, and not always reached', () => {
    expect(select(['--full']).stages).toContain('clients');
    expect(select([]).stages).not.toContain('clients');
  });

  test('that name a stage choose all of it, and nothing else', () => {
    expect(select(['lint', 'unit'])).toMatchObject({ stages: ['lint', 'unit'], files: [] });
  });

  test('that name a file choose the spec files with that in their path', () => {
    expect(select(['streams/rateBudget']).files).toEqual(['main/app/streams/rateBudget.spec.ts']);
    expect(select(['./main/app/streams/rateBudget.spec.ts']).files).toEqual(['main/app/streams/rateBudget.spec.ts']);
    expect(select(['rateBudget', 'streams/rateBudget', 'unit'])).toMatchObject({ stages: ['unit'] });
  });

  test('that name nothing there is are refused with the stages that there are', () => {
    expect(refusal(['nosuch'])).toMatch(/no stage nosuch.*conformance/);
    expect(refusal(['--nosuch'])).toContain('--nosuch');
  });

  test('that contradict each other are refused', () => {
    expect(refusal(['--full', 'unit'])).toContain('--full goes with no other choice');
    expect(refusal(['--full', '--changed'])).toContain('--changed goes with no other choice');
    expect(refusal(['--changed=nosuchcommit'])).toContain('nosuchcommit');
  });

  test('that give a seed pass it on, and one that is no number is refused', () => {
    expect(select(['--seed', '17']).seed).toBe(17);
    expect(refusal(['--seed', 'x'])).toContain('--seed takes a whole number');
  });
});

test('every spec file that is found exists and belongs to a stage', () => {
  const files = specFiles();
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((path) => !existsSync(path) || !FULL_STAGES.includes(stageOf(path)))).toEqual([]);
});

test('a spec file belongs to the stage that its folder and its ending say', () => {
  expect(stageOf('main/app/log.spec.ts')).toBe('unit');
  expect(stageOf('renderer/features/gpus/GpusPage.spec.tsx')).toBe('page');
  expect(stageOf('test/conformance/containers/pods.spec.ts')).toBe('containers');
  expect(stageOf('test/system/containers/pods.spec.ts')).toBe('containers');
  expect(stageOf('test/system/ssh/keys.spec.ts')).toBe('system');
  expect(stageOf('test/clients/workers.spec.ts')).toBe('clients');
  expect(stageOf('test/e2e/run.spec.ts')).toBe('e2e');
  expect(stageOf('test/e2e/containers/pods.spec.ts')).toBe('e2eContainers');
  expect(stageOf('test/desktop/life.spec.ts')).toBe('desktop');
});

test('only the linter and the formatter are given the changed files; every other check reads all there is', () => {
  const changed = ['renderer/App.tsx', 'README.md'];
  expect(checkable('lint', changed)).toEqual(['renderer/App.tsx']);
  expect(checkable('format', changed)).toEqual(changed);
  expect(['build', 'types', 'knip'].flatMap((check) => checkable(check, changed))).toEqual([]);
});

test('each changed spec runs once: with the specs that import what changed, or by its name where none imports it', () => {
  const files = ['main/app/a.spec.ts', 'renderer/b.spec.tsx', 'test/conformance/c.spec.ts', 'test/system/d.spec.ts'];
  const related = [...files, 'main/app/a.ts'];
  expect(vitestRuns({ stages: [], files, related }, ['unit', 'page', 'architecture', 'conformance', 'system'])).toEqual(
    [
      { stages: ['system'], files: ['test/system/d.spec.ts'] },
      { stages: ['unit', 'page', 'conformance'], related },
    ],
  );
  const names = ['conformance', 'system'];
  expect(vitestRuns({ stages: ['conformance'], files, related }, names)).toEqual([
    { stages: ['conformance'] },
    { stages: ['system'], files: ['test/system/d.spec.ts'] },
  ]);
  expect(vitestRuns({ stages: [], files, related: [] }, names)).toEqual([{ stages: names, files: files.slice(2) }]);
});
