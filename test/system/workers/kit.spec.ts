import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/core/until.ts';
import { handlers } from './handlers.ts';
import { isAlive, startHarness, type HarnessRun, type Runtime } from './harness.ts';
import { startWorkerService, type WorkerService } from './service.ts';
import { needsPosix, needsPython } from '../../support/core/skip.ts';

interface HandlerError {
  error_type: string;
  error_message: string;
  error_traceback: string;
  worker_id: string;
}

const runtimes: Runtime[] = ['node', 'python'];

for (const runtime of runtimes) {
  describe(`a worker of the ${runtime} harness`, runtime === 'python' ? needsPython() : {}, () => {
    let service: WorkerService;
    let run: HarnessRun | undefined;

    const start = (name: string, options?: Parameters<typeof startHarness>[3]): HarnessRun => {
      run = startHarness(runtime, handlers[runtime][name]!, service, options);
      return run;
    };
    const bodyOf = async (jobId: string): Promise<Record<string, unknown>> =>
      JSON.parse((await service.result(jobId)).text) as Record<string, unknown>;
    beforeEach(async () => {
      service = await startWorkerService();
    });
    afterEach(async () => {
      await run?.dispose();
      await service.close();
    });

    it('gives the handler the job as it was sent and posts what it returns', async () => {
      start('echo');
      service.give({ id: 'j1', input: { text: 'schön "quoted"', n: 1.5, deep: [[null]] }, webhook: 'http://x/y' });
      expect(await bodyOf('j1')).toEqual({
        output: { input: { text: 'schön "quoted"', n: 1.5, deep: [[null]] }, webhook: 'http://x/y', text: 'grün ✓' },
      });
      const { query } = await service.result('j1');
      expect([query.get('isStream'), query.get('gpu')]).toEqual(['false', 'none']);
    });

    it('takes the next job from the answer to a result, without asking again', async () => {
      start('echo');
      await service.parked();
      const jobs = Array.from({ length: 20 }, (_, i) => ({ id: `j${i}`, input: { i } }));
      service.give(...jobs);
      await service.result('j19');
      expect(service.results().map(({ jobId }) => jobId)).toEqual(jobs.map(({ id }) => id));
      await service.parked();
      expect(service.takes()).toBe(2);
    });

    it('runs as many jobs at once as the handler says, and fewer once it says so', async () => {
      start('several');
      await service.parked(3);
      service.give(...['a', 'b', 'c', 'd'].map((id) => ({ id, input: {} })));
      await until('three jobs to run', () => run!.output().match(/begins/g)?.length, 3);
      const named = (): string[] => (service.pings.at(-1)?.get('job_id') ?? '').split(',').sort();
      await until('a ping that names them', () => named().join(), 'a,b,c');
      // Another lane may have one that the service has just handed out: no ask says that there is none.
      expect(service.inProgress).toEqual([true, true, true]);
      run!.open('fewer');
      for (const id of ['a', 'b', 'c']) run!.open(id);
      await service.result('c');
      await until(
        'the last one to begin',
        () => run!.output(),
        (output) => output.includes('begins d'),
      );
      run!.open('d');
      await service.result('d');
      service.give({ id: 'e', input: {} }, { id: 'f', input: {} });
      await until(
        'the next to begin',
        () => run!.output(),
        (output) => output.includes('begins e'),
      );
      await until('a ping that names it alone', () => service.pings.at(-1)?.get('job_id'), 'e');
      expect(run!.output()).not.toContain('begins f');
    });

    it('stops one of several jobs and lets go of it at once, and the others go on', async () => {
      start('several', { env: { RUNPOD_PING_INTERVAL: '60000' } });
      await service.parked(3);
      service.give({ id: 'a', input: {} }, { id: 'b', input: {} });
      await until('both to run', () => run!.output().match(/begins/g)?.length, 2);
      await service.cancel('a');
      await until('a ping without it', () => service.pings.at(-1)?.get('job_id'), 'b');
      run!.open('b');
      expect(await bodyOf('b')).toEqual({ output: 'b' });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['b']);
    });

    it('sends each chunk while the handler still runs, all over one request', async () => {
      start('gated');
      service.give({ id: 'j1', input: {} });
      for (let i = 0; i < 3; i += 1) {
        expect(service.chunks('j1')).toHaveLength(i);
        run!.open(`gate${i}`);
        await until(`chunk ${i}`, () => service.chunks('j1').length, i + 1);
      }
      const result = await service.result('j1');
      expect(service.chunks('j1').map((line) => JSON.parse(line) as unknown)).toEqual(
        [0, 1, 2].map((i) => ({ output: { i } })),
      );
      expect([result.text, result.query.get('isStream'), service.streams('j1')]).toEqual(['{"output":[]}', 'true', 1]);
    });

    it('sends many chunks in order', async () => {
      start('many');
      service.give({ id: 'j1', input: { n: 5000 } });
      await service.result('j1');
      expect(service.chunks('j1')).toEqual(Array.from({ length: 5000 }, (_, i) => `{"output":${i}}`));
    });

    it('also posts the chunks as the result where the handler asks for it', async () => {
      start('aggregate');
      service.give({ id: 'j1', input: {} });
      expect(await bodyOf('j1')).toEqual({ output: [1, { two: 2 }] });
      expect(service.chunks('j1')).toHaveLength(2);
    });

    it('ends a stream without chunks without opening one', async () => {
      start('many');
      service.give({ id: 'j1', input: { n: 0 } });
      expect((await service.result('j1')).query.get('isStream')).toBe('true');
      expect(service.streams('j1')).toBe(0);
    });

    it('reports what a handler throws, with a stack that shows only its own lines', async () => {
      start('throws');
      service.give({ id: 'j1', input: {} });
      const { error } = await bodyOf('j1');
      const facts = JSON.parse(error as string) as HandlerError;
      expect(facts.error_type).toContain('RangeError');
      expect(facts).toMatchObject({ error_message: 'The dice fell off the table.', worker_id: 'worker-1' });
      expect(facts.error_traceback).toContain(runtime === 'node' ? 'handler.mjs' : 'handler.py');
      expect(facts.error_traceback).not.toMatch(/worker-kit/);
    });

    it('keeps the chunks of a handler that fails later', async () => {
      start('throwsLate');
      service.give({ id: 'j1', input: {} });
      const { error } = await bodyOf('j1');
      expect((JSON.parse(error as string) as HandlerError).error_message).toBe('Ran out of ink.');
      expect(service.chunks('j1')).toEqual(['{"output":"first"}']);
    });

    it('moves a returned error to the top level', async () => {
      start('returnsError');
      service.give({ id: 'j1', input: {} });
      expect(await bodyOf('j1')).toEqual({ output: { tried: ['a'] }, error: 'no such model' });
    });

    it('fails the job when a generator yields an error, and does not stream it', async () => {
      start('yieldsError');
      service.give({ id: 'j1', input: {} });
      expect(await bodyOf('j1')).toEqual({ error: 'broken' });
      expect(service.chunks('j1')).toEqual(['{"output":"fine"}']);
    });

    it('posts null for a handler that returns nothing', async () => {
      start('nothing');
      service.give({ id: 'j1', input: {} });
      expect(await bodyOf('j1')).toEqual({ output: null });
    });

    it('says so when a result is not JSON', async () => {
      start('circular');
      service.give({ id: 'j1', input: {} });
      const { error } = await bodyOf('j1');
      const facts = JSON.parse(error as string) as HandlerError;
      expect(facts.error_message).toMatch(/^The result cannot be sent as JSON: .*circular/i);
      expect(facts.error_traceback).not.toMatch(/worker-kit|json\b.*line/);
    });

    it('reports progress before the result', async () => {
      start('progress');
      service.give({ id: 'j1', input: {} });
      expect(await bodyOf('j1')).toEqual({ output: 'done' });
      expect(service.progress('j1').map((text) => JSON.parse(text) as unknown)).toEqual([
        { status: 'IN_PROGRESS', output: { percent: 10 } },
        { status: 'IN_PROGRESS', output: { percent: 90 } },
      ]);
    });

    it('stops a cancelled handler, answers nothing for its job and goes on', async () => {
      const { output } = start('waits');
      service.give({ id: 'j1', input: {} });
      await until(
        'the handler to wait',
        () => output(),
        (output) => output.includes('handler waits'),
      );
      await service.cancel('j1');
      await until(
        'the handler to see the stop',
        () => output(),
        (output) => output.includes('handler saw the stop'),
      );
      service.give({ id: 'j2', input: { quick: true } });
      expect(await bodyOf('j2')).toEqual({ output: 'quick' });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['j2']);
    });

    it('does not begin a job whose stop came before it', async () => {
      const { output } = start('waits');
      await service.cancel('j1');
      // It listens again, so it has read the first.
      await service.cancel('nothing it has');
      service.give({ id: 'j1', input: {} }, { id: 'j2', input: { quick: true } });
      expect(await bodyOf('j2')).toEqual({ output: 'quick' });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['j2']);
      expect(output()).not.toContain('handler waits');
    });

    it('stops a cancelled generator between two chunks', async () => {
      start('endless');
      service.give({ id: 'j1', input: {} });
      await until(
        'some chunks',
        () => service.chunks('j1'),
        ({ length }) => length > 2,
      );
      await service.cancel('j1');
      service.give({ id: 'j2', input: { quick: true } });
      expect(await bodyOf('j2')).toEqual({ output: 'quick' });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['j2']);
    });

    it('pings, and names the job it works on', async () => {
      const { open } = start('finishing');
      await until(
        'an idle ping',
        () => service.pings,
        (pings) => pings.some((ping) => !ping.has('job_id')),
      );
      service.give({ id: 'j1', input: {} });
      await until(
        'a busy ping',
        () => service.pings,
        (pings) => pings.some((ping) => ping.get('job_id') === 'j1'),
      );
      open('gate');
      await service.result('j1');
    });

    it('goes on pinging while the handler blocks', async () => {
      const { output } = start('blocking');
      service.give({ id: 'j1', input: {} });
      await until(
        'the handler to block',
        () => output(),
        (output) => output.includes('handler blocks'),
      );
      const before = service.pings.length;
      await until(
        'two more pings',
        () => service.pings,
        ({ length }) => length >= before + 2,
      );
    });

    it('holds a result back while the service is away, and hands it in when it returns', async () => {
      const { output, open } = start('finishing');
      service.give({ id: 'j1', input: {} });
      await until(
        'the handler to run',
        () => output(),
        (output) => output.includes('handler runs'),
      );
      service.goAway();
      open('gate');
      await until(
        'a few vain tries',
        () => service.refused(),
        (count) => count >= 5,
      );
      service.comeBack();
      expect(await bodyOf('j1')).toEqual({ output: 'finished' });
      service.give({ id: 'j2', input: {} });
      expect(await bodyOf('j2')).toEqual({ output: 'finished' });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['j1', 'j2']);
    });

    it('ends at once on SIGTERM while it waits for a job', needsPosix, async () => {
      const { child, ended } = start('echo');
      await service.parked();
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
    });

    it('finishes its job on SIGTERM, takes no other and exits 0', needsPosix, async () => {
      const { child, output, open, ended } = start('finishing');
      service.give({ id: 'j1', input: {} }, { id: 'j2', input: {} });
      await until(
        'the handler to run',
        () => output(),
        (output) => output.includes('handler runs'),
      );
      child.kill('SIGTERM');
      await until(
        'it to notice',
        () => output(),
        (output) => output.includes('told to stop'),
      );
      open('gate');
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(service.results().map(({ jobId }) => jobId)).toEqual(['j1']);
    });

    it('finishes its job when its parent writes "stop"', async () => {
      const { child, output, open, ended } = start('finishing');
      service.give({ id: 'j1', input: {} });
      await until(
        'the handler to run',
        () => output(),
        (output) => output.includes('handler runs'),
      );
      child.stdin!.write('stop\n');
      open('gate');
      expect((await ended).code).toBe(0);
      expect(service.results()).toHaveLength(1);
    });

    it('ends with all it started when its parent is gone', needsPosix, async () => {
      const { child, output, ended } = start('spawning');
      service.give({ id: 'j1', input: {} });
      const pid = await until('the child', () => Number(/child (\d+) of/.exec(output())?.[1]));
      child.stdin!.end();
      // Its standard output is shared with its child, so this waits for both.
      await ended;
      await until('the child to be gone', () => !isAlive(pid));
    });

    it('ends when its parent is gone although the handler blocks', async () => {
      const { child, output, ended } = start('blocking');
      service.give({ id: 'j1', input: {} });
      await until(
        'the handler to block',
        () => output(),
        (output) => output.includes('handler blocks'),
      );
      child.stdin!.end();
      const { code } = await ended;
      expect(code).not.toBe(0);
    });

    it('exits with the reason on standard error when the handler cannot be loaded', async () => {
      const { output, ended } = start('broken');
      expect((await ended).code).toBe(1);
      expect(output()).toMatch(/no.such.package/);
    });

    it('leaves what the handler prints as it is', async () => {
      const { output } = start('chatty');
      service.give({ id: 'j1', input: {} });
      await service.result('j1');
      await until('both lines', () => output().includes('to stdout\n') && output().includes('to stderr\n'));
    });

    it('exits when the service does not know it', async () => {
      const { ended } = start('echo', { env: { RUNPOD_AI_API_KEY: 'another' } });
      expect((await ended).code).toBe(1);
    });
  });
}
