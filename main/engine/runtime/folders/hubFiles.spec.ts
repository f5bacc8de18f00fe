import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHub, readTests } from './hubFiles.ts';
import { parseLenientJson } from './lenientJson.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-hub-'));
  mkdirSync(path.join(folder, '.runpod'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): void => writeFileSync(path.join(folder, '.runpod', name), text);

test('hub.json fills a template and an endpoint', () => {
  const env = [
    { key: 'FIXED', value: 'a' },
    { key: 'TEXT', input: { name: 'Text', type: 'string', default: 'b' } },
    { key: 'NUMBER', input: { type: 'number', default: 0 } },
    { key: 'ON', input: { type: 'boolean', default: true, trueValue: 'yes', falseValue: 'no' } },
    { key: 'OFF', input: { type: 'boolean', default: false } },
    { key: 'LEFT_OUT', input: { type: 'string' } },
  ];
  const presets = [{ name: 'Fast', defaults: { ON: false, NUMBER: 8, TEXT: 'c' } }];
  const config = {
    runsOn: 'GPU',
    containerDiskInGb: 30,
    gpuCount: 2,
    gpuIds: 'ADA_24,ADA_48,-NVIDIA L4',
    env,
    presets,
  };
  write(
    'hub.json',
    JSON.stringify({ title: ' Whisper ', config: { ...config, allowedCudaVersions: ['12.8', '99.0'] } }),
  );
  expect(readHub(folder)).toEqual({
    template: {
      name: 'Whisper',
      containerDiskInGb: 30,
      env: { FIXED: 'a', TEXT: 'b', NUMBER: '0', ON: 'yes', OFF: 'false' },
    },
    endpoint: {
      computeType: 'GPU',
      gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
      gpuCount: 2,
      allowedCudaVersions: ['12.8'],
    },
    presets: [{ name: 'Fast', env: { ON: 'no', NUMBER: '8', TEXT: 'c' } }],
    notices: ['.runpod/hub.json names ADA_48, which is no pool of GPU types here.'],
  });
});

test('hub.json of a worker for the CPU asks for no GPU', () => {
  write(
    'hub.json',
    JSON.stringify({ title: 'A', config: { runsOn: 'CPU', cpuFlavor: 'cpu5c-4-8', gpuIds: 'ADA_24' } }),
  );
  expect(readHub(folder).endpoint).toEqual({ computeType: 'CPU', cpuFlavorIds: ['cpu5c'] });
});

test('a hub.json that cannot be read is told of, and fills nothing', () => {
  write('hub.json', '{"config": {"env": "none"}}');
  const { notices, ...filled } = readHub(folder);
  expect(filled).toEqual({ template: {}, endpoint: {}, presets: [] });
  expect(notices[0]).toMatch(/^\.runpod\/hub\.json cannot be read: .*config\.env/s);
});

test('files of the hub may have comments, and commas after the last item', () => {
  expect(parseLenientJson('{"a": "// no, ]", /* b */ "c": [1, 2,], // d\n}')).toEqual({ a: '// no, ]', c: [1, 2] });
  write('tests.json', '{"tests": [{"name": "one", "input": {"n": 1,},}]}');
  expect(readTests(folder)).toMatchObject({ tests: [{ name: 'one', input: { n: 1 } }] });
});
