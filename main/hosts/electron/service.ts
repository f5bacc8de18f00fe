/** The app behind the windows: its start, its restart on request of the person, and the dialog about a failed start. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import { dialog } from 'electron';
import type { Logger } from 'pino';
import { createApp, EngineStartError } from '../../app/compose.ts';
import type { App, AppOptions } from '../../app/compose.ts';
import type { PowerReport } from './power.ts';
import type { Transport } from './transport.ts';
import { menuCase, t } from './language/text.ts';

/** The procedures of the page, called without a page. */
export type AppClient = RouterClient<App['router']>;

export interface Service {
  /** Rejects while the app is not running. */
  createApiKey(name: string): Promise<string>;
  /** Base address of the engine's API; null while it is not running. */
  address(): string | null;
  /** Calls the procedures of the page; null while the app is not running. */
  client(): AppClient | null;
  /** Calls the listener after each start of the app. */
  onStarted(listener: (client: AppClient) => void): void;
  /** The work that a stop would interrupt, such as "2 jobs"; empty if nothing runs. Never rejects. */
  openWork(): Promise<string[]>;
  /** The running transfers of files. */
  transfers: App['transfers'];
  /** Does nothing while the app is not running. */
  powerChanged(power: PowerReport): void;
  /** Resolves after the app has started, or the person gave up. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly app: Omit<AppOptions, 'hostKind' | 'engineHost' | 'allowedHosts'>;
  readonly transport: Transport;
  /** Called when the person gives up. */
  readonly quit: () => void;
  readonly logger: Logger;
}

type Choice = 'again' | 'any-port' | 'quit';

/** The page cannot reach an app that does not start, so a dialog reports it. */
async function ask(error: unknown): Promise<Choice> {
  const portTaken = error instanceof EngineStartError && error.failure === 'port-taken';
  const choices: readonly (readonly [Choice, string])[] = [
    ['again', menuCase(t`Try again`)],
    ...(portTaken ? ([['any-port', menuCase(t`Use another port`)]] as const) : []),
    ['quit', t`Quit`],
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: t`Hangar could not start.`,
    detail: error instanceof Error ? error.message : String(error),
    buttons: choices.map(([, label]) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
  });
  return choices[response]?.[0] ?? 'quit';
}

export function startService({ app: options, transport, quit, logger }: ServiceOptions): Service {
  let running: App | null = null;
  let client: AppClient | null = null;
  let address: string | null = null;
  let stopping = false;
  const listeners: ((client: AppClient) => void)[] = [];
  let port = options.enginePort;

  async function startOnce(): Promise<void> {
    const app = createApp({
      ...options,
      enginePort: port,
      hostKind: 'electron',
      engineHost: '127.0.0.1',
      allowedHosts: [],
    });
    running = app;
    const { api } = await app.start();
    // Only now: during the creation of the samples, a page would show an empty list of endpoints.
    transport.serve(app);
    address = api;
    client = createRouterClient(app.router);
    for (const listener of listeners) listener(client);
    logger.info({ api }, 'started');
  }

  async function keepTrying(): Promise<void> {
    for (;;) {
      try {
        await startOnce();
        return;
      } catch (error) {
        running = null;
        client = null;
        address = null;
        transport.withdraw();
        if (stopping) return;
        logger.error({ err: error }, 'the app could not start');
        const choice = await ask(error);
        if (stopping) return;
        if (choice === 'quit') return quit();
        if (choice === 'any-port') port = 0;
      }
    }
  }
  const started = keepTrying();

  return {
    started,
    openWork: () => running?.openWork() ?? Promise.resolve([]),
    transfers: () => running?.transfers() ?? [],
    createApiKey(name) {
      return running ? running.createApiKey(name) : Promise.reject(new Error('The engine is not running.'));
    },
    address: () => address,
    client: () => client,
    onStarted: (listener) => void listeners.push(listener),
    powerChanged: (power) => running?.powerChanged(power),
    async stop() {
      stopping = true;
      client = null;
      address = null;
      transport.withdraw();
      await running?.stop();
      await started;
    },
  };
}
