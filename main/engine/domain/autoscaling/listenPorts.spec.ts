/** The ports in the variables of a template, and the worker in the header of a request. */
import { expect, test } from 'vitest';
import { affinityOf } from '../loadBalancing/affinity.ts';
import { balancedEnv, balancedPorts, portsOf, type BalancedPorts } from './listenPorts.ts';

test.each<[Record<string, string>, BalancedPorts]>([
  [{}, { port: 80, healthPort: 80, healthPath: '/ping' }],
  [{ PORT: '8000' }, { port: 8000, healthPort: 8000, healthPath: '/ping' }],
  [
    { PORT: ' 8000 ', PORT_HEALTH: '' },
    { port: 8000, healthPort: 8000, healthPath: '/ping' },
  ],
  [{ PORT_HEALTH: '9000' }, { port: 80, healthPort: 9000, healthPath: '/ping' }],
  [{ HEALTH_CHECK_PATH: 'up?deep=1' }, { port: 80, healthPort: 80, healthPath: '/up?deep=1' }],
])('%j listens at %j', (env, ports) => {
  expect(balancedPorts(env)).toEqual(ports);
  expect(balancedPorts(balancedEnv(ports))).toEqual(ports);
  expect(portsOf(ports)).toEqual([...new Set([ports.port, ports.healthPort])]);
});

test.each<[Record<string, string>, RegExp]>([
  [{ PORT: 'eighty' }, /^PORT .*"eighty"/],
  [{ PORT: '0' }, /^PORT .*1 to 65535/],
  [{ PORT: '65536' }, /^PORT /],
  [{ PORT_HEALTH: '-1' }, /^PORT_HEALTH /],
  [{ HEALTH_CHECK_PATH: '/a b' }, /^HEALTH_CHECK_PATH /],
])('%j is told what is wrong with it', (env, reason) => {
  expect(balancedPorts(env)).toMatch(reason);
});

test.each<[string | undefined, ReturnType<typeof affinityOf>]>([
  [undefined, null],
  [' ', null],
  ['w1', { workerId: 'w1', strict: false }],
  ['strict w1', { workerId: 'w1', strict: true }],
  ['Strict-Resume  w1', { workerId: 'w1', strict: true }],
  ['lenient w1', null],
  ['strict w1 w2', null],
])('the affinity header %j asks for %j', (header, affinity) => {
  expect(affinityOf(header)).toEqual(affinity);
});
