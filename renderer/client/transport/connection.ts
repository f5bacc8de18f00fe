/** Keeps one connection to the app: opens it, detects its loss, and reconnects with back-off. */
import { create, type StoreApi, type UseBoundStore } from 'zustand';

/** One open connection. `closed` resolves at its end and never rejects. */
export interface Opened<Link> {
  link: Link;
  closed: Promise<void>;
}

export interface ConnectionStatus {
  state: 'connecting' | 'open' | 'lost';
  /** Counts opened connections. Subscribers subscribe again when it grows. */
  generation: number;
  /** When the next try is due, in milliseconds since the epoch. */
  nextTryAt: number | null;
}

export interface Connection<Link> {
  useStatus: UseBoundStore<StoreApi<ConnectionStatus>>;
  /** Null if there is no connection. */
  link(): Link | null;
  tryNow(): void;
}

const RETRY_MS = [250, 500, 1000, 2000, 5000];

export function createConnection<Link>(open: () => Promise<Opened<Link>>): Connection<Link> {
  const useStatus = create<ConnectionStatus>(() => ({ state: 'connecting', generation: 0, nextTryAt: null }));
  let current: Link | null = null;
  let wake = (): void => undefined;
  let failures = 0;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const once = async () => {
    try {
      const opened = await open();
      failures = 0;
      current = opened.link;
      useStatus.setState(({ generation }) => ({ state: 'open', generation: generation + 1, nextTryAt: null }));
      await opened.closed;
    } catch {
      // Browsers do not report the reason; the page shows the state "lost".
    }
    current = null;
  };

  const keep = async () => {
    for (;;) {
      await once();
      const ms = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 5000;
      failures += 1;
      useStatus.setState({ state: 'lost', nextTryAt: Date.now() + ms });
      await pause(ms);
    }
  };
  void keep();

  return { useStatus, link: () => current, tryNow: () => wake() };
}
