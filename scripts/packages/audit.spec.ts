import { expect, test } from 'vitest';
import { seriousFaults } from './audit.mjs';

const fault = (name: string, severity: string, nodes = [`node_modules/${name}`]) => ({ name, severity, nodes });
const report = (...faults: ReturnType<typeof fault>[]) => ({
  vulnerabilities: Object.fromEntries(faults.map((one) => [one.name, one])),
});
const packages = {
  'node_modules/fastify': {},
  'node_modules/vite': { dev: true },
  'node_modules/electron': { dev: true },
  'node_modules/vite/node_modules/undici': { dev: true },
  'node_modules/undici': {},
};

test('a serious vulnerability counts in a package that ships, and not in a tool', () => {
  const faults = report(fault('vite', 'critical'), fault('undici', 'high'), fault('fastify', 'moderate'));
  expect(seriousFaults(faults, packages)).toEqual(['undici: high']);
});

test('Electron ships, although it is a package of development', () => {
  expect(seriousFaults(report(fault('electron', 'critical')), packages)).toEqual(['electron: critical']);
});

test('a package that only a tool has a copy of does not count', () => {
  const copy = fault('undici', 'critical', ['node_modules/vite/node_modules/undici']);
  expect(seriousFaults(report(copy), packages)).toEqual([]);
});
