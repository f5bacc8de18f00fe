import type { Runtime } from './harness.ts';

/** The same handlers in both languages, so that one rule is stated once. */
export const handlers: Record<Runtime, Record<string, string>> = {
  node: {
    echo: `export default (job) => ({ input: job.input, webhook: job.webhook, text: 'grün ✓' });`,
    // Yields the next number when its file appears, so that the test decides when.
    gated: `
      import { existsSync } from 'node:fs';
      import { setTimeout as later } from 'node:timers/promises';
      export default async function* (job) {
        for (let i = 0; i < 3; i++) {
          while (!existsSync('gate' + i)) await later(5);
          yield { i };
        }
      }`,
    // Several at once; each ends when its file appears.
    several: `
      import { existsSync } from 'node:fs';
      import { setTimeout as later } from 'node:timers/promises';
      export const concurrency = (now) => (existsSync('fewer') ? 1 : 3);
      export default async (job, { signal }) => {
        console.log('begins ' + job.id);
        while (!existsSync(job.id)) await later(5, undefined, { signal });
        return job.id;
      };`,
    many: `export default async function* (job) { for (let i = 0; i < job.input.n; i++) yield i; }`,
    aggregate: `
      export const aggregateStream = true;
      export default function* () { yield 1; yield { two: 2 }; }`,
    throws: `export default async function () { throw new RangeError('The dice fell off the table.'); }`,
    badModule: `import { load } from './weights.mjs'; load(); export default () => 1;`,
    noSyntax: `export default ( => 1;`,
    noHandler: `export const name = 'x';`,
    throwsLate: `export default async function* () { yield 'first'; throw new Error('Ran out of ink.'); }`,
    returnsError: `export default () => ({ error: 'no such model', tried: ['a'] });`,
    yieldsError: `export default function* () { yield 'fine'; yield { error: 'broken' }; }`,
    nothing: `export default () => undefined;`,
    circular: `export default () => { const a = {}; a.a = a; return a; };`,
    progress: `
      export default async (job, context) => {
        await context.progress({ percent: 10 });
        await context.progress({ percent: 90 });
        return 'done';
      };`,
    waits: `
      export default (job, { signal }) => new Promise((resolve, reject) => {
        if (job.input.quick) return resolve('quick');
        console.log('handler waits');
        signal.addEventListener('abort', () => { console.log('handler saw the stop'); reject(signal.reason); });
      });`,
    endless: `
      import { setTimeout as later } from 'node:timers/promises';
      export default function (job) {
        if (job.input.quick) return 'quick';
        return (async function* () { for (let i = 0; ; i++) { yield i; await later(5); } })();
      }`,
    finishing: `
      import { existsSync } from 'node:fs';
      import { setTimeout as later } from 'node:timers/promises';
      export default async () => {
        process.once('SIGTERM', () => console.log('told to stop'));
        console.log('handler runs');
        while (!existsSync('gate')) await later(5);
        return 'finished';
      };`,
    spawning: `
      import { spawn } from 'node:child_process';
      const child = spawn('sleep', ['600']);
      console.log('child ' + child.pid + ' of');
      export default () => new Promise(() => undefined);`,
    blocking: `export default () => { console.log('handler blocks'); for (;;); };`,
    broken: `import 'no-such-package'; export default () => 1;`,
    chatty: `export default () => { console.log('to stdout'); console.error('to stderr'); return 1; };`,
  },
  python: {
    echo: `
def handler(job):
    return {"input": job["input"], "webhook": job.get("webhook"), "text": "grün ✓"}`,
    gated: `
import os, time
def handler(job):
    for i in range(3):
        while not os.path.exists("gate" + str(i)):
            time.sleep(0.005)
        yield {"i": i}`,
    several: `
import asyncio, os

def concurrency(now):
    return 1 if os.path.exists("fewer") else 3

async def handler(job):
    print("begins " + job["id"])
    while not os.path.exists(job["id"]):
        await asyncio.sleep(0.005)
    return job["id"]
`,
    many: `
async def handler(job):
    for i in range(job["input"]["n"]):
        yield i`,
    aggregate: `
import runpod
def handler(job):
    yield 1
    yield {"two": 2}
runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})`,
    throws: `
class RangeError(Exception): pass
async def handler(job):
    raise RangeError("The dice fell off the table.")`,
    badModule: `
import runpod
import weights
weights.load()
runpod.serverless.start({"handler": print})`,
    noSyntax: 'def handler(job:\n',
    noHandler: `name = "x"`,
    throwsLate: `
def handler(job):
    yield "first"
    raise Exception("Ran out of ink.")`,
    returnsError: `
def handler(job):
    return {"error": "no such model", "tried": ["a"]}`,
    yieldsError: `
def handler(job):
    yield "fine"
    yield {"error": "broken"}`,
    nothing: `
def handler(job):
    pass`,
    circular: `
def handler(job):
    a = {}
    a["a"] = a
    return a`,
    progress: `
import runpod
def handler(job):
    runpod.serverless.progress_update(job, {"percent": 10})
    runpod.serverless.progress_update(job, {"percent": 90})
    return "done"`,
    waits: `
import asyncio
async def handler(job):
    if job["input"].get("quick"):
        return "quick"
    print("handler waits")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        print("handler saw the stop")
        raise`,
    endless: `
import time
def numbers():
    i = 0
    while True:
        yield i
        i += 1
        time.sleep(0.005)
def handler(job):
    return "quick" if job["input"].get("quick") else numbers()`,
    finishing: `
import os, signal, time
def handler(job):
    harness = signal.getsignal(signal.SIGTERM)
    def told(*facts):
        print("told to stop")
        harness(*facts)
    signal.signal(signal.SIGTERM, told)
    print("handler runs")
    while not os.path.exists("gate"):
        time.sleep(0.005)
    return "finished"`,
    spawning: `
import subprocess, threading
child = subprocess.Popen(["sleep", "600"])
print(f"child {child.pid} of")
def handler(job):
    threading.Event().wait()`,
    blocking: `
def handler(job):
    print("handler blocks")
    while True:
        pass`,
    broken: `
import no_such_package
def handler(job):
    return 1`,
    chatty: `
import sys
def handler(job):
    print("to stdout")
    print("to stderr", file=sys.stderr)
    return 1`,
  },
};
