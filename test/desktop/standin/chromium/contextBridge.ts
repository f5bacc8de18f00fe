/**
 * Both ends of contextBridge. They speak by events, whose details Chromium clones between the worlds of a page. The
 * sources are evaluated in the page, so each function is self-contained.
 */

/** What the preload exposes under a name. Only functions directly below it are represented. */
export interface Exposed {
  key: string;
  text: string;
  functions: string[];
}

/** The answer of an exposed function: `promise` is the number of one that is settled later. */
interface CallAnswer {
  promise?: number;
  value?: unknown;
  error?: string;
}

/** The end in the page's own world: makes the function that stands for an exposed one. */
export function createCallable(secret: string): (name: string) => (...args: unknown[]) => unknown {
  // A page may replace what this uses later on.
  const dispatch = window.dispatchEvent.bind(window);
  const BridgeEvent = CustomEvent;
  const promises = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let answer: CallAnswer | undefined;
  window.addEventListener(`${secret}:answer`, (event) => (answer = (event as CustomEvent<CallAnswer>).detail));
  window.addEventListener(`${secret}:settled`, (event) => {
    const { promise = 0, value, error } = (event as CustomEvent<CallAnswer>).detail;
    const waiting = promises.get(promise);
    promises.delete(promise);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  });
  return (name) =>
    (...args) => {
      answer = undefined;
      dispatch(new BridgeEvent(`${secret}:call`, { detail: { name, args } }));
      const refused: CallAnswer = { error: 'An object could not be cloned.' };
      const { promise, value, error } = answer ?? refused;
      if (error !== undefined) throw new Error(error);
      if (promise === undefined) return value;
      return new Promise((resolve, reject) => promises.set(promise, { resolve, reject }));
    };
}

/** The end in the isolated world. After `end`, nothing more is exposed. */
export function createContextBridge(secret: string): {
  members: { exposeInMainWorld: (key: string, value: object) => void };
  end: () => void;
} {
  type Run = (...args: unknown[]) => unknown;
  const exposed = new Map<string, Run>();
  let lastPromise = 0;
  const signal = (detail: Partial<Exposed>): boolean =>
    window.dispatchEvent(new CustomEvent(secret, { detail: JSON.stringify(detail) }));
  const reply = (kind: 'answer' | 'settled', detail: CallAnswer): boolean =>
    window.dispatchEvent(new CustomEvent(`${secret}:${kind}`, { detail }));
  const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  window.addEventListener(`${secret}:call`, (event) => {
    // Null: what was passed cannot be cloned.
    const call = (event as CustomEvent<{ name: string; args: unknown[] } | null>).detail;
    if (call === null) return;
    try {
      const value = exposed.get(call.name)?.(...call.args);
      if (!(value instanceof Promise)) return void reply('answer', { value });
      const promise = (lastPromise += 1);
      reply('answer', { promise });
      value.then(
        (settled: unknown) => reply('settled', { promise, value: settled }),
        (error: unknown) => reply('settled', { promise, error: words(error) }),
      );
    } catch (error) {
      reply('answer', { error: words(error) });
    }
  });
  return {
    members: {
      exposeInMainWorld(key, value) {
        const own = Object.entries(value).filter((entry): entry is [string, Run] => typeof entry[1] === 'function');
        for (const [name, run] of own) exposed.set(`${key}.${name}`, run);
        const functions = own.map(([name]) => name);
        const text = JSON.stringify(value, (name, item: unknown) => {
          if (typeof item !== 'function') return item;
          if (functions.includes(name)) return undefined;
          throw new Error(`contextBridge: the function ${name} is not represented`);
        });
        signal({ key, text, functions });
      },
    },
    end: () => void signal({}),
  };
}
