/**
 * The app of a component spec, in memory: the bridge contract on the port of the desktop window, with the answers of
 * one test.
 */
import { isContractProcedure, ValidationError, type AnyContractRouter } from '@orpc/contract';
import { implement, ORPCError, type AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { bridgeContract, type BridgeClient } from '#contract/bridge/index.ts';
import { savedAnswers } from './saved.ts';

type Answer<Part> = Part extends (input: infer Input, ...rest: never[]) => Promise<infer Output>
  ? (input: Input, signal: AbortSignal) => Awaitable<Yielded<Output>>
  : { readonly [Name in keyof Part]?: Answer<Part[Name]> };
type Awaitable<Value> = Value | Promise<Value>;
/** What a procedure answers: a value, or the events of a watch. */
type Yielded<Output> = Output extends AsyncIterator<infer Event, unknown, unknown> ? AsyncGenerator<Event> : Output;

/**
 * What the app answers in one test, by procedure. A call without an answer, or with one that does not fit the schema of
 * the contract, fails the test by its name. An answer refuses by `throw new ORPCError(code, { message })`.
 */
export type Answers = Answer<BridgeClient>;

let current: Answers = {};
let unanswered: string[] = [];
/** Answers of the test that do not fit their schema, with what does not. */
let unfit: string[] = [];

/**
 * From now on the app answers so. Without answers about what is saved, it keeps that in memory. Without one about the
 * progress of jobs, there is none: each job that runs for a second is asked for it.
 */
export function setAnswers(answers: Answers): void {
  const progress = () => ({ text: null, leftOutBytes: null });
  current = { saved: savedAnswers(), ...answers, jobs: { progress, ...answers.jobs } };
}

/** A call of this procedure has no answer while it is used to wait for the calls before it. */
const LAST_CALL = 'host.info';
let isLast = false;

/**
 * Fails the test that let the page ask for what the test has no right answer to. Calls are served in order, so all that the
 * page has made are served once the one made here is.
 */
export async function expectAllAnswered(): Promise<void> {
  const { api } = await import('../../../renderer/client/transport/orpc.ts');
  isLast = true;
  await api.host.info().catch(() => undefined);
  isLast = false;
  const [calls, answers] = [unanswered, unfit];
  current = {};
  unanswered = [];
  unfit = [];
  if (calls.length > 0) throw new Error(`The page called what the test does not answer: ${calls.join(', ')}`);
  if (answers.length > 0) throw new Error(`Answers of the test do not fit the contract:\n${answers.join('\n')}`);
}

/** What of a value does not fit its schema: "queued: Invalid input: expected number, received undefined". */
const unfitParts = ({ issues }: ValidationError): string =>
  issues
    .map(({ message, path = [] }) => {
      const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
      return [names.join('.'), message].filter((text) => text !== '').join(': ');
    })
    .join('; ');

function answer(path: readonly string[], input: unknown, signal: AbortSignal | undefined): unknown {
  const handler = path.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], current);
  if (typeof handler === 'function') return (handler as (...args: unknown[]) => unknown)(input, signal);
  if (isLast && path.join('.') === LAST_CALL) throw new ORPCError('NOT_IMPLEMENTED');
  unanswered.push(path.join('.'));
  throw new ORPCError('NOT_IMPLEMENTED', { message: `The test does not answer ${path.join('.')}.` });
}

const bind = (contract: AnyContractRouter, path: readonly string[]): AnyRouter =>
  isContractProcedure(contract)
    ? implement(contract).handler(({ input, signal }) => answer(path, input, signal))
    : Object.fromEntries(Object.entries(contract).map(([name, part]) => [name, bind(part, [...path, name])]));

/** Both ends of the connection that is open now; none while the app is away. */
let open: MessagePort[] = [];
let isAway = false;
let isAsked = false;

const handler = new RPCHandler<Record<never, never>>(bind(bridgeContract, []), {
  clientInterceptors: [
    async ({ path, next }) => {
      try {
        return await next();
      } catch (error) {
        // That of an input is the fault of the page, which is told by its error.
        const isOfAnswer = error instanceof ORPCError && error.code === 'INTERNAL_SERVER_ERROR';
        if (isOfAnswer && error.cause instanceof ValidationError) {
          unfit.push(`${path.join('.')}: ${unfitParts(error.cause)}`);
        }
        throw error;
      }
    },
  ],
});

function handOver(): void {
  const { port1, port2 } = new MessageChannel();
  handler.upgrade(port1);
  port1.start();
  open = [port1, port2];
  isAsked = false;
  window.dispatchEvent(new MessageEvent('message', { data: 'hangar:port', source: window, ports: [port2] }));
}

/** Settles when the page has noticed that its connection is in this state. */
async function reach(wanted: 'open' | 'lost'): Promise<void> {
  const { useConnection, reconnectNow } = await import('../../../renderer/client/transport/orpc.ts');
  await new Promise<void>((resolve) => {
    const check = ({ state }: { state: string }) => {
      if (state !== wanted) return;
      stop();
      resolve();
    };
    const stop = useConnection.subscribe(check);
    if (wanted === 'open') reconnectNow();
    check(useConnection.getState());
  });
  // The connection lives as long as the page does, which is longer than a test.
  for (const port of open) (port as unknown as { unref(): void }).unref();
}

let isConnected = false;

/**
 * Hands the page its port, as the preload of a desktop window does. Settles once the page is connected. The specs of
 * one process share the page's modules, so only the first of them connects it.
 */
export async function connectPage(): Promise<void> {
  if (isConnected) return;
  isConnected = true;
  // The files of these tests are made by scripts, which have no path.
  const grantFile = () => Promise.resolve(null);
  Object.defineProperty(window, 'hangarHost', { configurable: true, value: { kind: 'electron', grantFile } });
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data !== 'hangar:ready') return;
    isAsked = true;
    if (!isAway) handOver();
  });
  const { queryClient } = await import('../../../renderer/client/transport/orpc.ts');
  const { queries, mutations } = queryClient.getDefaultOptions();
  // What a test asked for is forgotten at its end, not by a timer.
  const gcTime = Infinity;
  queryClient.setDefaultOptions({ queries: { ...queries, gcTime }, mutations: { ...mutations, gcTime } });
  await reach('open');
}

/** Ends the app. It is back when the function that this answers has settled, and at the latest after the test. */
export async function loseApp(): Promise<() => Promise<void>> {
  isAway = true;
  open[0]?.close();
  open = [];
  await reach('lost');
  return returnApp;
}

/** Starts an app that has ended. */
export async function returnApp(): Promise<void> {
  if (!isAway) return;
  isAway = false;
  if (isAsked) handOver();
  await reach('open');
}
