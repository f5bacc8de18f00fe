/** The workflows of the repository: what they run exists, and they may do no more than they need. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const step = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });
const job = z.looseObject({
  'timeout-minutes': z.number(),
  permissions: z.record(z.string(), z.string()).optional(),
  needs: z.array(z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});
const workflows = new Map(
  readdirSync(folder).map((name) => [name, workflow.parse(parse(readFileSync(join(folder, name), 'utf8')))] as const),
);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const stepsOf = (name: string): z.infer<typeof step>[] =>
  Object.values(workflows.get(name)?.jobs ?? {}).flatMap(({ steps }) => steps);
const commands = (name: string): string =>
  stepsOf(name)
    .map(({ run = '' }) => run)
    .join('\n');

test.each([...workflows.keys()])('%s names its actions with a version, and scripts that are there', (name) => {
  const steps = stepsOf(name);
  expect(steps.map(({ uses }) => uses).filter((uses) => uses !== undefined && !/@v\d+$/.test(uses))).toEqual([]);
  const called = [...commands(name).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script]) => script ?? '');
  expect(called.filter((script) => !(script in scripts))).toEqual([]);
  expect(workflows.get(name)?.permissions).toEqual({ contents: 'read' });
});

test('the tests run on all three systems, and the desktop suite on real Electron', () => {
  const text = readFileSync(join(folder, 'ci.yml'), 'utf8');
  for (const system of ['ubuntu-latest', 'macos-latest', 'windows-latest']) expect(text).toContain(system);
  expect(commands('ci.yml')).toContain('./.ci/run');
  expect(commands('ci.yml')).toContain('npm test -- desktop');
});

test('what ships is audited with each change and each week', () => {
  for (const name of ['ci.yml', 'audit.yml']) expect(commands(name)).toMatch(/^node scripts\/packages\/audit\.mjs$/m);
  expect(workflows.get('audit.yml')?.on).toHaveProperty('schedule');
});

const release = workflows.get('release.yml');
const releaseJob = (name: string): z.infer<typeof job> => job.parse(release?.jobs[name]);
const usesOf = (name: string): (string | undefined)[] => releaseJob(name).steps.map(({ uses }) => uses?.split('@')[0]);
const runsOf = (name: string): string =>
  releaseJob(name)
    .steps.map(({ run = '' }) => run)
    .join('\n');

test('a release builds every package, names where each comes from, and is published', () => {
  expect(release?.on).toEqual({ push: { tags: ['v*'] } });
  expect(Object.keys(release?.jobs ?? {})).toEqual(['desktop', 'headless', 'release', 'npm', 'container', 'tags']);
  expect(releaseJob('release').needs).toEqual(['desktop', 'headless']);
  expect(runsOf('desktop')).toMatch(/^npm run dist$/m);
  expect(runsOf('headless')).toMatch(/^npm run dist -- headless$/m);
  expect(runsOf('release')).toContain('sha256sum');
  expect(runsOf('release')).toContain('gh release create');
  expect(runsOf('release')).not.toContain('--draft');
  for (const built of ['desktop', 'headless', 'container']) {
    expect(usesOf(built)).toContain('actions/attest-build-provenance');
    expect(releaseJob(built).permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
  }
  // The right to write is that of the one job that makes the release.
  const writers = Object.entries(release?.jobs ?? {}).filter(([, one]) => one.permissions?.['contents'] === 'write');
  expect(writers.map(([name]) => name)).toEqual(['release']);
});

test('the npm package is published with its provenance, where there is a token, and with the tag of its channel', () => {
  expect(releaseJob('npm').needs).toEqual(['release']);
  expect(releaseJob('npm').permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(runsOf('npm')).toMatch(/-z "\$NPM_TOKEN".*exit 0.*npm publish .*--provenance.*--tag/s);
});

test('the container image is published for both processors, where the repository names a place', () => {
  expect(releaseJob('container')).toMatchObject({ needs: ['release'], if: "${{ vars.CONTAINER_IMAGE != '' }}" });
  expect(runsOf('container')).toMatch(/docker build -f packaging\/container\/Dockerfile .*docker push/s);
  expect(existsSync(join(root, 'packaging/container/Dockerfile'))).toBe(true);
  expect(releaseJob('tags').needs).toEqual(['container']);
  expect(runsOf('tags')).toMatch(/imagetools create .*-amd64.*-arm64/);
});
