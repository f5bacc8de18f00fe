/**
 * Secrets in the system's keychain, one entry for each. A separate process accesses it, which can be killed if the
 * keychain hangs.
 */
import { limits } from '#contract/core/limits.ts';
import type { SecretProblem } from '#contract/bridge/secrets.ts';
import { createDeaths, exitText, isCrash } from '../crashes/restartPolicy.ts';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { keychainAnswerSchema, type KeychainRequest } from './keychainMessages.ts';
import { brokenKeychain, crashingKeychain, slowKeychain } from './keychainTrouble.ts';
import { problemOf, unavailable, type SecretStore } from './secretStore.ts';

export interface Keychain extends SecretStore {
  /** Why the keychain cannot be used now; null if it can. */
  check(): Promise<SecretProblem | null>;
  /**
   * Calls the listener after an answer for which nobody waited any more, for example because a prompt was answered
   * late.
   */
  onLateAnswer(listener: () => void): void;
  stop(): Promise<void>;
}

export interface KeychainOptions {
  fork: () => ChildProgram;
  clock: Clock;
  /** Called after each end of the process that this program did not cause; `cause`: how it ended, as a sentence. */
  onCrash?: (exit: ChildExit, cause: string) => void;
  /** The service name of the entries. */
  service?: string;
  answerMs?: number;
}

/** The default service name, which the system's keychain program shows. */
export const KEYCHAIN_SERVICE = 'dev.hangar.keys';

type KeychainOperation = { op: 'get' | 'delete'; name: string } | { op: 'set'; name: string; value: string };

interface Call {
  readonly request: KeychainRequest;
  readonly sentAt: number;
  /** A process has already ended before it answered this call, which may be the cause. */
  sentAgain: boolean;
  /** The caller has stopped waiting. */
  late: boolean;
  readonly settle: (value: string | null) => void;
  readonly fail: (problem: SecretProblem) => void;
}

/** The calls without an answer, in the order in which they were made. */
function createCalls(clock: Clock, service: string, answerMs: number) {
  const calls = new Map<number, Call>();
  let nextId = 1;

  function add(operation: KeychainOperation): { request: KeychainRequest; answered: Promise<string | null> } {
    const request: KeychainRequest = { ...operation, id: nextId, service };
    nextId += 1;
    const answered = new Promise<string | null>((resolve, reject) => {
      const cancel = clock.after(answerMs, () => {
        call.late = true;
        reject(unavailable(slowKeychain(answerMs)));
      });
      const call: Call = {
        request,
        sentAt: clock.now(),
        sentAgain: false,
        late: false,
        settle(value) {
          cancel();
          resolve(value);
        },
        fail(problem) {
          cancel();
          reject(unavailable(problem));
        },
      };
      calls.set(request.id, call);
    });
    return { request, answered };
  }

  /** Fails the calls that `isHopeless` names. */
  function fail(problem: SecretProblem, isHopeless: (call: Call) => boolean = () => true): void {
    for (const [id, call] of [...calls]) {
      if (!isHopeless(call)) continue;
      calls.delete(id);
      call.fail(problem);
    }
  }

  return {
    add,
    fail,
    all: () => [...calls.values()],
    /** Removes and returns the call; undefined if there is none with this id. */
    take(id: number): Call | undefined {
      const call = calls.get(id);
      calls.delete(id);
      return call;
    },
  };
}

/** Starts a crashed process again, later after each crash, and not at all after too many. */
interface Recovery {
  /** Why it is not started any more; null if it is. */
  readonly givenUp: string | null;
  /** Whether it is started again soon. */
  readonly isDue: boolean;
  /** Decides about the next start. `isNeeded`: whether calls wait for it. */
  crashed(exit: ChildExit, isNeeded: () => boolean): void;
  cancel(): void;
  /** A person looks again: the process gets another chance. */
  forget(): void;
}

function createRecovery(clock: Clock, startAgain: () => void): Recovery {
  const deaths = createDeaths();
  let cancelStart: Cancel | null = null;
  let givenUp: string | null = null;
  return {
    get givenUp() {
      return givenUp;
    },
    get isDue() {
      return cancelStart !== null;
    },
    crashed(exit, isNeeded) {
      const decision = deaths.record(isCrash(exit), clock.now());
      if ('giveUp' in decision) givenUp = decision.giveUp;
      else if (isNeeded()) {
        cancelStart = clock.after(decision.delayMs, () => {
          cancelStart = null;
          startAgain();
        });
      }
    },
    cancel() {
      cancelStart?.();
      cancelStart = null;
    },
    forget() {
      givenUp = null;
      deaths.forget();
    },
  };
}

export function createKeychain({
  fork,
  clock,
  onCrash,
  service = KEYCHAIN_SERVICE,
  answerMs = limits.secrets.answerMs,
}: KeychainOptions): Keychain {
  const { promptMs, idleMs } = limits.secrets;
  let child: ChildProgram | null = null;
  let exited: Promise<void> = Promise.resolve();
  let lateAnswer = (): void => undefined;
  let rest: Cancel = () => undefined;
  const calls = createCalls(clock, service, answerMs);
  const recovery = createRecovery(clock, () => {
    child = open();
    for (const { request } of calls.all()) child.send(request);
    watch();
  });

  /** Ends the process when it is idle, and when the oldest call exceeds its time. */
  function watch(): void {
    rest();
    const oldest = calls.all().at(0);
    if (oldest) rest = clock.after(Math.max(0, oldest.sentAt + promptMs - clock.now()), end);
    else rest = clock.after(idleMs, end);
  }

  function end(): void {
    rest();
    recovery.cancel();
    const ended = child;
    // First, because its exit is no crash.
    child = null;
    ended?.kill('SIGKILL');
    calls.fail(slowKeychain(promptMs));
  }

  function open(): ChildProgram {
    const opened = fork();
    opened.onMessage((message) => {
      const parsed = keychainAnswerSchema.safeParse(message);
      const call = parsed.success ? calls.take(parsed.data.id) : undefined;
      if (!parsed.success || !call) return;
      // Its state of a restarted keychain is stale: the next call starts a new process.
      if (!parsed.data.ok && calls.all().length === 0) end();
      else watch();
      if (call.late && parsed.data.ok) lateAnswer();
      else if (parsed.data.ok) call.settle(parsed.data.value);
      else call.fail(parsed.data);
    });
    exited = new Promise((resolve) => {
      opened.onExit((exit) => {
        resolve();
        if (child !== opened) return;
        child = null;
        rest();
        crashed(exit);
      });
    });
    return opened;
  }

  /** The calls that wait go to the next process, each once: one that ends two processes is probably the cause. */
  function crashed(exit: ChildExit): void {
    onCrash?.(exit, `The process that reads the keychain ended unexpectedly (${exitText(exit)}).`);
    calls.fail(brokenKeychain(exitText(exit)), ({ sentAgain, late }) => sentAgain || late);
    recovery.crashed(exit, () => calls.all().length > 0);
    if (recovery.givenUp !== null) calls.fail(crashingKeychain(recovery.givenUp));
    for (const call of calls.all()) call.sentAgain = true;
  }

  function ask(operation: KeychainOperation): Promise<string | null> {
    // A call hangs: another one would only queue behind it.
    const stuck = calls.all().find(({ late }) => late);
    if (stuck) return Promise.reject(unavailable(slowKeychain(clock.now() - stuck.sentAt)));
    if (recovery.givenUp !== null) return Promise.reject(unavailable(crashingKeychain(recovery.givenUp)));
    const { request, answered } = calls.add(operation);
    // The next process gets this call, too.
    if (recovery.isDue) return answered;
    child ??= open();
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
      recovery.forget();
      try {
        // No entry has this name. A search for it needs every permission that other calls need.
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
