/** Secrets in the system's keychain, one entry each, asked for through a process that can be ended when the keychain hangs. */
import { limits } from '#contract/core/limits.ts';
import type { SecretProblem } from '#contract/bridge/secrets.ts';
import type { ChildProgram } from '../platform/childProgram.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { keychainAnswerSchema, type KeychainRequest } from './keychainMessages.ts';
import { brokenKeychain, slowKeychain } from './keychainTrouble.ts';
import { problemOf, unavailable, type SecretStore } from './secretStore.ts';

export interface Keychain extends SecretStore {
  /** Why it cannot be used now; null where it can. */
  check(): Promise<SecretProblem | null>;
  /** Called when the keychain did what nobody waited for any more, such as after a prompt was answered late. */
  onLateAnswer(listener: () => void): void;
  stop(): Promise<void>;
}

export interface KeychainOptions {
  fork: () => ChildProgram;
  clock: Clock;
  /** What the entries are found by, besides their names. */
  service?: string;
  answerMs?: number;
}

/** The service name, as the system's keychain program shows it. */
const SERVICE = 'dev.hangar.keys';

type KeychainOperation = { op: 'get' | 'delete'; name: string } | { op: 'set'; name: string; value: string };

interface Waiting {
  settle: (value: string | null) => void;
  fail: (problem: SecretProblem) => void;
  sentAt: number;
  /** Nobody waits for it any more. */
  late: boolean;
  cancel: Cancel;
}

export function createKeychain({
  fork,
  clock,
  service = SERVICE,
  answerMs = limits.secrets.answerMs,
}: KeychainOptions): Keychain {
  const { promptMs, idleMs } = limits.secrets;
  let child: ChildProgram | null = null;
  let exited: Promise<void> = Promise.resolve();
  let nextId = 1;
  let lateAnswer = (): void => undefined;
  let rest: Cancel = () => undefined;
  const waiting = new Map<number, Waiting>();

  /** The process ends when nothing was asked for a while, and when the oldest call has had more than its time. */
  function watch(): void {
    rest();
    const oldest = [...waiting.values()].at(0);
    if (oldest) rest = clock.after(Math.max(0, oldest.sentAt + promptMs - clock.now()), end);
    else rest = clock.after(idleMs, end);
  }

  function end(): void {
    rest();
    child?.kill('SIGKILL');
    child = null;
    failAll(slowKeychain(promptMs));
  }

  function failAll(problem: SecretProblem): void {
    for (const { fail } of [...waiting.values()]) fail(problem);
    waiting.clear();
  }

  function open(): ChildProgram {
    const opened = fork();
    opened.onMessage((message) => {
      const parsed = keychainAnswerSchema.safeParse(message);
      const call = parsed.success ? waiting.get(parsed.data.id) : undefined;
      if (!parsed.success || !call) return;
      waiting.delete(parsed.data.id);
      // What it knows of a keychain that was restarted is stale: the next call begins anew.
      if (!parsed.data.ok && waiting.size === 0) end();
      else watch();
      if (call.late && parsed.data.ok) lateAnswer();
      else if (parsed.data.ok) call.settle(parsed.data.value);
      else call.fail(parsed.data);
    });
    exited = new Promise((resolve) => {
      opened.onExit(({ code, signal }) => {
        resolve();
        if (child !== opened) return;
        child = null;
        rest();
        failAll(brokenKeychain(signal ?? `exit code ${code}`));
      });
    });
    return opened;
  }

  function ask(operation: KeychainOperation): Promise<string | null> {
    // A call is stuck: another one would only stand behind it.
    const stuck = [...waiting.values()].find(({ late }) => late);
    if (stuck) return Promise.reject(unavailable(slowKeychain(clock.now() - stuck.sentAt)));
    child ??= open();
    const id = nextId;
    nextId += 1;
    const request: KeychainRequest = { ...operation, id, service };
    const answered = new Promise<string | null>((resolve, reject) => {
      const call: Waiting = {
        sentAt: clock.now(),
        late: false,
        cancel: clock.after(answerMs, () => {
          call.late = true;
          reject(unavailable(slowKeychain(answerMs)));
        }),
        settle(value) {
          call.cancel();
          resolve(value);
        },
        fail(problem) {
          call.cancel();
          reject(unavailable(problem));
        },
      };
      waiting.set(id, call);
    });
    watch();
    child.send(request);
    return answered;
  }

  return {
    kind: 'keychain',
    get: (name) => ask({ op: 'get', name }),
    async set(name, value) {
      await ask({ op: 'set', name, value });
    },
    async delete(name) {
      await ask({ op: 'delete', name });
    },
    async check() {
      try {
        // There is none of this name, and finding that out asks all that there is to ask.
        await ask({ op: 'get', name: 'probe' });
        return null;
      } catch (thrown) {
        return problemOf(thrown);
      }
    },
    onLateAnswer(listener) {
      lateAnswer = listener;
    },
    async stop() {
      end();
      await exited;
    },
  };
}
