/**
 * An app of its own with one terminal that puts out more than a program is to hold, so that its memory can be measured:
 * first to a viewer that shows nothing of it, then to one that shows all. Told what to reach by JSON in its first
 * argument; answers with JSON.
 */
import { limits } from '#contract/core/limits.ts';
import { openViewer, startSshGround, type TestPod } from './sshPods.ts';
import { standsStill, until } from '../core/until.ts';

export interface Flood {
  pod: TestPod;
  keyFile: string;
  fingerprint: string;
  host: { host: string; port: number };
  bytes: number;
}

export interface Flooded {
  /** That had come before anything was shown. */
  heldAt: number;
  came: number;
  /** What was in use beyond what was in use before, at its most; looked at again and again while it came. */
  inUse: number;
}

/**
 * Of what nobody uses any more nothing is counted: started with --expose-gc. What lies outside the heap is given back
 * beside the collection that found it unused, and is counted out by the next one.
 */
function usedBytes(): number {
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const LOOK_BYTES = 8 * 1024 * 1024;

const { pod, keyFile, fingerprint, host, bytes } = JSON.parse(process.argv[2]!) as Flood;
await using ground = await startSshGround([pod]);
await ground.ssh.change({ identity: { from: 'file', path: keyFile }, keepsShells: false });
const first = await openViewer(ground.ssh, pod.id);
await first.link('refused');
ground.ssh.trust(host, fingerprint);
first.say({ type: 'retry' });
await first.link('up');
first.say({ type: 'close' });
await first.hears('ended');

const before = usedBytes();
let most = 0;
let lookAt = 0;
const line = 'The quick brown fox jumps over the lazy dog, again and again.';
// Without the answers of a terminal that would be waited for: the line ends are translated, nothing else.
const command = ['sh', '-c', `yes '${line}' | head -c ${bytes}; echo; echo all of it`];
const viewer = await openViewer(ground.ssh, pod.id, { command }, { shows: false, keeps: 256 });
// On a slow machine the output may pause before, too.
await until(
  'as much output as may be ahead of the viewer',
  () => viewer.came(),
  (count) => count > limits.terminal.aheadBytes,
);
const heldAt = await standsStill('the output', viewer.came);
viewer.show();
await until('all of it', () => {
  if (viewer.came() >= lookAt) {
    lookAt = viewer.came() + LOOK_BYTES;
    most = Math.max(most, usedBytes());
  }
  return viewer.text().includes('all of it');
});
const flooded: Flooded = { heldAt, came: viewer.came(), inUse: most - before };
process.stdout.write(JSON.stringify(flooded));
