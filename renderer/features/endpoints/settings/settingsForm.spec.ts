import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointDetail, FolderCheck } from '#contract/app/endpointReadModels.ts';
import type { FolderReading } from '#contract/local/folder.ts';
import { endpointDetail, folderReading } from '../../../../test/support/page/endpoints.ts';
import { joinCommand, splitCommand } from '../../../ui/form/commandText.ts';
import {
  copyOf,
  newSettings,
  problemsOf,
  settingsForm,
  suggestedBy,
  toCopy,
  toNewEndpoint,
  valuesOf,
  withPreset,
  withSuggestions,
  type SettingsValues,
} from './settingsForm.ts';

const { changesOf } = settingsForm;

const values = (change: Partial<SettingsValues> = {}): SettingsValues => ({
  ...newSettings,
  name: 'mine',
  imageName: 'file:///home/me/mine',
  ...change,
});

describe('a command', () => {
  it('is the same words after it was a line of text, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitCommand(joinCommand(words))).toEqual(words);
      }),
    );
  });

  it.each([
    ['python  -u  serve.py', ['python', '-u', 'serve.py']],
    [`sh -c 'a "b" c'`, ['sh', '-c', 'a "b" c']],
    ['a\\ b ""', ['a b', '']],
    ['  ', []],
  ])('%s is taken apart', (text, words) => expect(splitCommand(text)).toEqual(words));
});

describe('the settings of a new endpoint', () => {
  it('are sent in the units and names of the service', () => {
    const { template, endpoint } = toNewEndpoint(
      values({
        command: 'node serve.js',
        env: [
          { name: 'A', value: '1' },
          { name: '', value: 'x' },
        ],
        executionTimeoutS: 90,
      }),
    );
    expect(template).toMatchObject({ name: 'mine', dockerStartCmd: ['node', 'serve.js'], env: { A: '1' } });
    expect(endpoint).toMatchObject({ name: 'mine', workersMax: 3, executionTimeoutMs: 90_000, type: 'QB' });
  });

  it('have nothing wrong as they begin, but for what a person must give', () => {
    expect(problemsOf(values()).size).toBe(0);
    expect([...problemsOf(newSettings).keys()]).toEqual(['name', 'imageName']);
  });

  it.each([
    [{ workersMax: 2000 }, 'workersMax', 'From 0 to 1\u202f000.'],
    [{ idleTimeout: '' }, 'idleTimeout', 'From 1 to 3\u202f600.'],
    [{ executionTimeoutS: 1 }, 'executionTimeoutMs', 'From 5 s to 7 d.'],
    [
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      'env',
      'A is listed twice. A variable can have only one value.',
    ],
  ])('are told what is wrong in the words of the service: %j', (fields, field, words) => {
    expect(problemsOf(values(fields)).get(field)).toContain(words);
  });
});

describe('changed settings', () => {
  it('send the changed fields alone, to the endpoint or its template', () => {
    const { change, list } = changesOf(values(), values({ workersMax: 5, command: 'node x.js', type: 'LB' }));
    expect(change).toEqual({ template: { dockerStartCmd: ['node', 'x.js'] }, endpoint: { workersMax: 5 } });
    expect(list.map(({ before, after }) => [before, after])).toEqual([
      ['3', '5'],
      ['as built in', 'node x.js'],
    ]);
  });

  it('are none where nothing changed, whatever was typed in between', () => {
    expect(changesOf(values(), values({ name: ' mine ', env: [{ name: '', value: '' }] })).list).toEqual([]);
  });

  it('show the names of variables, never what they hold', () => {
    const env = (entries: Record<string, string>) => ({
      env: Object.entries(entries).map(([name, value]) => ({ name, value })),
    });
    const { list } = changesOf(values(env({ A: 's1', B: 's2', C: 's3' })), values(env({ A: 's1', B: 's4', D: 's5' })));
    expect(list.map(({ before, after }) => [before, after])).toEqual([['B (old value), C', 'B (new value), D']]);
  });

  it('are those of the endpoint that is edited', () => {
    const { template, endpoint } = toNewEndpoint(values({ command: 'a "b c"', workersMin: 1 }));
    const detail = { endpoint, template } as unknown as EndpointDetail;
    expect(changesOf(valuesOf(detail), values({ command: 'a "b c"', workersMin: 1 })).list).toEqual([]);
  });
});

describe('a folder of the hub', () => {
  const folder = (reading: Partial<FolderReading>): FolderCheck => ({
    imageName: 'file:///home/me/mine',
    handler: 'handler.py',
    problem: null,
    isEmpty: false,
    folderOfFile: null,
    readme: null,
    reading: { ...folderReading, ...reading },
  });
  const mine = suggestedBy(
    'mine',
    folder({
      template: { env: { MODE: 'fast' }, containerDiskInGb: 20 },
      endpoint: { computeType: 'GPU', gpuTypeIds: ['NVIDIA L4'], gpuCount: 2 },
    }),
  );

  it('suggests a name, variables, disk and GPUs', () => {
    expect(mine).toMatchObject({
      name: 'mine',
      imageName: 'file:///home/me/mine',
      env: [{ name: 'MODE', value: 'fast' }],
      containerDiskInGb: 20,
      gpuTypeIds: ['NVIDIA L4'],
      gpuCount: 2,
    });
  });

  it('leaves what a person has entered', () => {
    const env = [{ name: 'MINE', value: '1' }];
    const entered = { ...newSettings, env, gpuCount: 3 };
    expect(withSuggestions(entered, newSettings, mine)).toEqual({ ...mine, env, gpuCount: 3 });
  });

  it('takes back what the folder before it suggested', () => {
    const other = suggestedBy('other', folder({}));
    expect(withSuggestions(mine, mine, other)).toEqual(other);
    expect(withSuggestions({ ...mine, name: 'entered' }, mine, other)).toEqual({ ...other, name: 'entered' });
    expect(withSuggestions({ ...mine, name: '' }, mine, other)).toEqual(other);
    expect(withSuggestions(mine, mine, suggestedBy('none', null))).toEqual(newSettings);
  });

  it('for the CPU asks for the processor', () => {
    expect(suggestedBy('mine', folder({ endpoint: { computeType: 'CPU' } })).gpuTypeIds).toEqual(['CPU']);
  });

  it('has presets, whose variables take the place of those of the same name', () => {
    const env = [
      { name: 'MODE', value: 'fast' },
      { name: 'MINE', value: '1' },
    ];
    expect(withPreset(values({ env }), { MODE: 'good', MORE: '2' }).env).toEqual([
      { name: 'MINE', value: '1' },
      { name: 'MODE', value: 'good' },
      { name: 'MORE', value: '2' },
    ]);
  });
});

describe('the copy of an endpoint', () => {
  const cloud = { computeType: 'CPU', cpuFlavorIds: ['cpu3c'], dataCenterIds: ['EU-RO-1', 'MOON-1'], flashboot: true };
  const like = endpointDetail({ MODE: 'fast' });
  like.endpoint = { ...like.endpoint, ...cloud, workersMin: 1, workersMax: 4, executionTimeoutMs: 5000 } as never;

  it('has its settings and a name that is free', () => {
    expect(copyOf(like, ['greeter', 'greeter-2'])).toMatchObject({
      name: 'greeter-3',
      imageName: 'file:///handlers/greeter',
      env: [{ name: 'MODE', value: 'fast' }],
      workersMin: 1,
      workersMax: 4,
      executionTimeoutS: 5,
    });
  });

  it('of a paused one is not paused', () => {
    const paused = { ...like, endpoint: { ...like.endpoint, workersMin: 0, workersMax: 0 } };
    expect(copyOf(paused, [])).toMatchObject({ workersMin: 0, workersMax: 3 });
  });

  it('is requested with what the form does not show, as far as a request can have it', () => {
    const { endpoint, template } = toCopy(like, copyOf(like, []));
    expect(endpoint).toMatchObject({ computeType: 'CPU', cpuFlavorIds: ['cpu3c'], flashboot: true, workersMax: 4 });
    expect(endpoint).not.toHaveProperty('dataCenterIds');
    expect(template).toMatchObject({ name: 'greeter', env: { MODE: 'fast' }, category: 'NVIDIA', isServerless: true });
    expect(template).not.toHaveProperty('isPublic');
  });
});
