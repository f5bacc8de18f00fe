/**
 * Accesses the system's keychain in a separate process: a call of keytar cannot be aborted, and a hanging one would
 * block a thread of the app and its end. Only this file imports keytar.
 */
import { keychainRequestSchema, type KeychainAnswer, type KeychainRequest } from './keychainMessages.ts';
import { keychainProblem } from './keychainTrouble.ts';

/** The counterpart of process.send in a utility process of Electron. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const isParentPort = (value: unknown): value is ParentPort =>
  typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value;

type Keytar = typeof import('keytar');

/** An entry without content. A write of it shows whether a keyring without entries is locked. */
const MARK = 'in-use';

/** A locked Linux keyring answers "no such entry". Rejects if the keyring is locked. */
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

/** Runs until the host ends, or until the host kills it. */
export function runKeychainProcess(): void {
  const candidate: unknown = Reflect.get(process, 'parentPort');
  const parentPort = isParentPort(candidate) ? candidate : null;
  const send = (answer: KeychainAnswer): void => {
    if (parentPort) parentPort.postMessage(answer);
    // The callback takes the error of a host that has just ended, which would be thrown; `disconnect` follows it.
    else if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
  };
  let before = Promise.resolve();

  async function answer(request: KeychainRequest): Promise<void> {
    try {
      const loaded = await import('keytar');
      // The bindings are CommonJS.
      const keytar = loaded.default ?? loaded;
      send({ id: request.id, ok: true, value: await carryOut(keytar, request) });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      send({ id: request.id, ok: false, ...keychainProblem(message) });
    }
  }

  function receive(message: unknown): void {
    const parsed = keychainRequestSchema.safeParse(message);
    // One call after the other, so that there is only one prompt.
    if (parsed.success) before = before.then(() => answer(parsed.data));
  }

  if (parentPort) parentPort.on('message', ({ data }) => receive(data));
  else {
    process.on('message', receive);
    // A normal exit would wait for a hanging call.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
}
