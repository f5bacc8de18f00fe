import { expect, it } from 'vitest';
import type { AccountPreset } from '#contract/bridge/account.ts';
import { usualName } from './accountForm.ts';

const preset = (kind: AccountPreset['kind'], title: string, jobs: string | null = null): AccountPreset => ({
  id: kind === 'engine' ? 'engine' : 'addresses',
  title,
  about: '',
  kind,
  dialect: 'v1',
  addresses: { jobs, management: null, graphql: null },
  fields: [],
  keyHint: '',
});
const service = preset('cloud', 'Another service with this API');
const engine = preset('engine', 'An engine on another machine');

it.each([
  ['a service by its host', service, 'https://gpu.example/v2', [], 'gpu.example'],
  ['a service on this computer by its host and port', service, 'http://127.0.0.1:8000/v2', [], '127.0.0.1:8000'],
  ['a service without an address by its kind', service, '', [], 'Another service with this API'],
  ['no engine, which tells the name of its machine itself', engine, 'http://127.0.0.1:47800', [], null],
  [
    'a service with addresses of its own by its name',
    preset('cloud', 'RunPod', 'https://a.example'),
    'https://b.example',
    [],
    'RunPod',
  ],
  ['the second one of a name with a number', service, 'https://gpu.example/v2', ['GPU.example'], 'gpu.example 2'],
])('names %s', (_, kind, jobs, taken, name) => {
  expect(usualName(kind, { jobs, management: '', graphql: '' }, taken)).toBe(name);
});
