import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handlers } from './handlers.ts';
import { startHarness, type HarnessOptions, type HarnessRun, type Runtime } from './harness.ts';
import { startWorkerService, type WorkerService } from './service.ts';
import { needsPython } from '../../support/core/skip.ts';

const runtimes: Runtime[] = ['node', 'python'];

/** A module of the handler that fails while it is loaded, for a reason. */
const badModule: Record<Runtime, Pick<HarnessOptions, 'files'>> = {
  node: {
    files: {
      'weights.mjs': `
        export function load() {
          try { throw new TypeError('no such file'); } catch (cause) { throw new Error('no such weights', { cause }); }
        }`,
    },
  },
  python: {
    files: {
      'weights.py': `
def load():
    try:
        raise TypeError("no such file")
    except TypeError as error:
        raise ValueError("no such weights") from error`,
    },
  },
};

for (const runtime of runtimes) {
  describe(
    `a worker of the ${runtime} harness that cannot load its handler`,
    runtime === 'python' ? needsPython() : {},
    () => {
      let service: WorkerService;
      let run: HarnessRun;

      beforeEach(async () => {
        service = await startWorkerService();
      });
      afterEach(async () => {
        await run.dispose();
        await service.close();
      });
      /** What a worker with this handler writes until it ends. */
      async function outputOf(name: string, options?: Pick<HarnessOptions, 'files'>): Promise<string> {
        run = startHarness(runtime, handlers[runtime][name]!, service, options);
        expect(await run.ended).toEqual({ code: 1, signal: null });
        return run.output();
      }

      it('writes why, with the lines of the handler and its modules only', async () => {
        const output = await outputOf('badModule', badModule[runtime]);
        expect(output).toMatch(/no such weights/);
        expect(output).toMatch(runtime === 'node' ? /handler\.mjs:\d/ : /handler\.py", line \d/);
        expect(output).toMatch(runtime === 'node' ? /weights\.mjs:\d/ : /weights\.py", line \d/);
        expect(output).toMatch(/no such file/);
        expect(output).not.toMatch(/worker-kit|harness|runpy|importlib|node:/);
      });

      it('shows the line of a syntax error, and none of its own', async () => {
        const output = await outputOf('noSyntax');
        expect(output).toMatch(/SyntaxError/);
        expect(output).toMatch(runtime === 'node' ? /handler\.mjs:1/ : /handler\.py", line 1/);
        expect(output).not.toMatch(/worker-kit|harness|ast\.py|\[SyntaxError/);
      });

      it('says in one line that the file has no handler', async () => {
        expect((await outputOf('noHandler')).trim()).toMatch(/^.*handler\.\w+ must .*handler.*$/);
      });
    },
  );
}
