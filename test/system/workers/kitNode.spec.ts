import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/core/until.ts';
import { startHarness, type HarnessOptions, type HarnessRun } from './harness.ts';
import { errorMessage, resultText, startWorkerService, type WorkerService } from './service.ts';

describe('the Node harness', () => {
  let service: WorkerService;
  let run: HarnessRun | undefined;

  const start = (handler: string, options?: HarnessOptions): HarnessRun => {
    run = startHarness('node', handler, service, options);
    return run;
  };

  beforeEach(async () => {
    service = await startWorkerService();
  });
  afterEach(async () => {
    await run?.dispose();
    await service.close();
  });

  it('runs a handler written in TypeScript', async () => {
    start('interface Job { id: string }\nexport default (job: Job): string => job.id;', { file: 'handler.ts' });
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"j1"}');
  });

  it('runs a handler written as a CommonJS module', async () => {
    start('module.exports = async (job) => job.id;', { file: 'handler.js' });
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"j1"}');
  });

  it('says what a file without a handler must export', async () => {
    start('export const handle = () => 1;');
    expect((await run!.ended).code).toBe(1);
    expect(run!.output()).toContain(
      'handler.mjs must export its handler: export default function handler(job, context)',
    );
  });

  it('says that a BigInt is not JSON', async () => {
    start('export default () => ({ n: 1n });');
    service.give({ id: 'j1', input: {} });
    expect(await errorMessage(service, 'j1')).toBe(
      'The result cannot be sent as JSON: Do not know how to serialize a BigInt',
    );
  });

  it('says that a function is not JSON', async () => {
    start('export default () => () => 1;');
    service.give({ id: 'j1', input: {} });
    expect(await errorMessage(service, 'j1')).toBe('The result cannot be sent as JSON: it is a function.');
  });

  it('fails the job and ends when something is thrown outside of the handler', async () => {
    start(`export default () => new Promise(() => setTimeout(() => { throw new Error('Nobody catches me.'); }, 1));`);
    service.give({ id: 'j1', input: {} });
    expect(await errorMessage(service, 'j1')).toBe('Nobody catches me.');
    expect((await run!.ended).code).toBe(1);
  });

  it('sends the chunks of a generator that computes without a pause while it computes', async () => {
    const { open } = start(`
      import { existsSync } from 'node:fs';
      export default function* () {
        for (let i = 0; !existsSync('gate'); i++) {
          const until = performance.now() + 5;
          while (performance.now() < until);
          yield i;
        }
      }`);
    service.give({ id: 'j1', input: {} });
    await until(
      'some chunks',
      () => service.chunks('j1'),
      ({ length }) => length > 10,
    );
    open('gate');
    await service.result('j1');
  });
});
