import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/core/until.ts';
import { startHarness, type HarnessOptions, type HarnessRun } from './harness.ts';
import { errorMessage, resultText, startWorkerService, type WorkerService } from './service.ts';
import { needsPython } from '../../support/core/skip.ts';

describe('the Python harness', needsPython(), () => {
  let service: WorkerService;
  let run: HarnessRun | undefined;

  const start = (handler: string, options?: HarnessOptions): HarnessRun => {
    run = startHarness('python', handler, service, options);
    return run;
  };

  beforeEach(async () => {
    service = await startWorkerService();
  });
  afterEach(async () => {
    await run?.dispose();
    await service.close();
  });

  it('runs a file that starts the SDK itself, unchanged, where the SDK is not installed', async () => {
    start(`
import runpod
from runpod.serverless.modules.rp_logger import RunPodLogger
from runpod.serverless.utils.rp_validator import validate

log = RunPodLogger()

def handler(job):
    checked = validate(job["input"], {"n": {"type": int, "required": True}, "by": {"type": float, "default": 2}})
    if "errors" in checked:
        return {"error": checked["errors"][0]}
    log.info("multiplying", job["id"])
    return checked["validated_input"]["n"] * checked["validated_input"]["by"]

if __name__ == "__main__":
    runpod.serverless.start({"handler": handler})
`);
    service.give({ id: 'j1', input: { n: 21 } }, { id: 'j2', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":42.0}');
    expect(await resultText(service, 'j2')).toBe('{"error":"n is a required input."}');
    await until(
      'the log line',
      () => run!.output(),
      (output) => output.includes('j1 | multiplying'),
    );
  });

  it('runs a handler of another folder and name, which imports what lies beside it and sees its arguments', async () => {
    start('import sys, beside, above\ndef handler(job): return [beside.WORD, above.WORD, sys.argv[1:]]', {
      file: 'src/rp_handler.py',
      args: ['src/rp_handler.py', '--fast'],
      files: { 'src/beside.py': 'WORD = "beside"', 'above.py': 'WORD = "above"' },
    });
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":["beside","above",["--fast"]]}');
  });

  it('prefers an SDK that is installed', async () => {
    start('import runpod.serverless\nrunpod.serverless.start({"handler": None})', {
      files: {
        'runpod/__init__.py': '',
        'runpod/serverless/__init__.py': 'def start(config): print("the installed one starts", config)',
      },
    });
    expect((await run!.ended).code).toBe(0);
    expect(run!.output()).toContain("the installed one starts {'handler': None}");
  });

  it('says what to install when a file needs more of the SDK than the stand-in has', async () => {
    start(
      'from runpod.serverless.utils import rp_download\nfrom runpod.serverless.utils.rp_upload import upload_image',
    );
    expect((await run!.ended).code).toBe(1);
    expect(run!.output()).toMatch(/cannot import name 'rp_download'|pip install runpod/);
  });

  it('runs a plain handler that only uses the SDK for its progress', async () => {
    start(`
from runpod import serverless
async def handler(job):
    serverless.progress_update(job, "half")
    return "whole"
`);
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"whole"}');
    expect(service.progress('j1')).toEqual(['{"status":"IN_PROGRESS","output":"half"}']);
  });

  it('ends after a job, and asks for a new worker, where the handler wants a fresh one for each', async () => {
    start(`
import runpod
runpod.serverless.start({"handler": lambda job: job["id"], "refresh_worker": True})
`);
    service.give({ id: 'j1', input: {} }, { id: 'j2', input: {} });
    expect((await run!.ended).code).toBe(0);
    expect(service.results().map(({ text }) => text)).toEqual(['{"output":"j1","stopPod":true}']);
  });

  it('hands large integers through unchanged', async () => {
    start('def handler(job):\n    return job["input"]["n"] + 1');
    service.giveText('{"id":"j1","input":{"n":123456789012345678901234567890}}');
    expect(await resultText(service, 'j1')).toBe('{"output":123456789012345678901234567891}');
  });

  it('refuses NaN, which is not JSON, and says so', async () => {
    start('def handler(job):\n    return {"loss": float("nan")}');
    service.give({ id: 'j1', input: {} });
    expect(await errorMessage(service, 'j1')).toMatch(/^The result cannot be sent as JSON: Out of range float values/);
  });

  it('names the chunk that is not JSON', async () => {
    start('def handler(job):\n    yield 1\n    yield {2, 3}');
    service.give({ id: 'j1', input: {} });
    expect(await errorMessage(service, 'j1')).toBe(
      'Chunk 1 cannot be sent as JSON: Object of type set is not JSON serializable',
    );
    expect(service.chunks('j1')).toEqual(['{"output":1}']);
  });

  it('sends half a surrogate pair as an escape', async () => {
    start('def handler(job):\n    return "\\ud83d half"');
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"\\ud83d half"}');
  });

  it('runs a plain function that returns something to await', async () => {
    start(`
import asyncio
async def work(job):
    await asyncio.sleep(0)
    return job["id"]
handler = lambda job: work(job)
`);
    service.give({ id: 'j1', input: {} }, { id: 'j2', input: {} });
    expect(await resultText(service, 'j2')).toBe('{"output":"j2"}');
  });

  it('lets a plain handler run an event loop of its own', async () => {
    start(`
import asyncio
async def work():
    return "worked"
def handler(job):
    return asyncio.run(work())
`);
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"worked"}');
  });

  it('keeps the event loop of an async handler running between its jobs', async () => {
    start(`
import asyncio
beats = 0
async def beat():
    global beats
    while True:
        beats += 1
        if beats == 50:
            print("fifty beats")
        await asyncio.sleep(0.001)
task = None
async def handler(job):
    global task
    task = task or asyncio.create_task(beat())
    return "started"
`);
    service.give({ id: 'j1', input: {} });
    expect(await resultText(service, 'j1')).toBe('{"output":"started"}');
    await until(
      'the task to go on',
      () => run!.output(),
      (output) => output.includes('fifty beats'),
    );
  });

  it('cancels an async generator that waits', async () => {
    start(`
import asyncio
async def handler(job):
    try:
        yield "waiting"
        await asyncio.sleep(600)
    finally:
        print("cleaned up")
`);
    service.give({ id: 'j1', input: {} });
    await until('a chunk', () => service.chunks('j1').length, 1);
    await service.cancel('j1');
    await until(
      'the clean-up',
      () => run!.output(),
      (output) => output.includes('cleaned up'),
    );
    await service.parked();
    expect(service.results()).toEqual([]);
  });
});
