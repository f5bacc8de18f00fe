/**
 * Speaks with the system's keychain, in a process of its own: keytar's calls cannot be broken off, and one that hangs would hold
 * a thread of the app and keep it from ending. The only importer of keytar.
 */
import { keychainRequestSchema, type KeychainAnswer, type KeychainRequest } from './keychainMessages.ts';
import { keychainProblem } from './keychainTrouble.ts';

/** What Electron's utility process has in place of process.send. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}
type Keytar = typeof import('keytar');

/** An entry of ours that says nothing: whether it can be written tells an empty keyring from a locked one. */
const MARK = 'in-use';

/** Linux keyrings answer "no such entry" while they are locked and nobody unlocks them. Rejects where that is so. */
async function checkOpen(keytar: Keytar, service: string): Promise<void> {
  if (process.platform === 'linux') await keytar.setPassword(service, MARK, 'Hangar keeps keys here.');
}

async function carryOut(keytar: Keytar, request: KeychainRequest): Promise<string | null> {
  const { service, name } = request;
  if (request.op === 'set') {
    await keytar.setPassword(service, name, request.value);
    return null;
  }
  if (request.op === 'delete') {
    if (!(await keytar.deletePassword(service, name))) await checkOpen(keytar, service);
    return null;
  }
  const value = await keytar.getPassword(service, name);
  if (value === null) await checkOpen(keytar, service);
  return value;
}

/** Runs until its host is gone or ends it. */
export function runKeychainProcess(): void {
  const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;
  const send = (answer: KeychainAnswer): void => {
    if (parentPort) parentPort.postMessage(answer);
    else if (process.connected) process.send!(answer);
  };
  let before = Promise.resolve();

  async function answer(request: KeychainRequest): Promise<void> {
    try {
      const loaded = await import('keytar');
      // The bindings are CommonJS.
      const keytar = (loaded as { default?: Keytar }).default ?? loaded;
      send({ id: request.id, ok: true, value: await carryOut(keytar, request) });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      send({ id: request.id, ok: false, ...keychainProblem(message) });
    }
  }

  function receive(message: unknown): void {
    const parsed = keychainRequestSchema.safeParse(message);
    // One after the other: a second prompt over the first helps nobody.
    if (parsed.success) before = before.then(() => answer(parsed.data));
  }

  if (parentPort) parentPort.on('message', ({ data }) => receive(data));
  else {
    process.on('message', receive);
    // An exit would wait for a call that hangs.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
}
