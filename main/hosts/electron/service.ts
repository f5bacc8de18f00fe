/** The app behind the window: started, started again when the person wants it, and told about when it cannot start. */
import { dialog } from 'electron';
import type { Logger } from 'pino';
import { createApp, EngineStartError } from '../../app/compose.ts';
import type { App, AppOptions } from '../../app/compose.ts';
import type { Transport } from './transport.ts';

export interface Service {
  /** Rejects while the app is not running. */
  createApiKey(name: string): Promise<string>;
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

/** The page has nobody to ask when the app cannot start, so this is said by a dialog. */
async function ask(error: unknown): Promise<Choice> {
  const portTaken = error instanceof EngineStartError && error.failure === 'port-taken';
  const choices: readonly (readonly [Choice, string])[] = [
    ['again', 'Try Again'],
    ...(portTaken ? ([['any-port', 'Use Another Port']] as const) : []),
    ['quit', 'Quit'],
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'Hangar could not start.',
    detail: error instanceof Error ? error.message : String(error),
    buttons: choices.map(([, label]) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
  });
  return choices[response]?.[0] ?? 'quit';
}

export function startService({ app: options, transport, quit, logger }: ServiceOptions): Service {
  let running: App | null = null;
  let stopping = false;
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
    // Not before: a page that lists the endpoints while the samples are being made would say that there are none.
    transport.serve(app.router);
    logger.info({ api }, 'started');
  }

  async function keepTrying(): Promise<void> {
    for (;;) {
      try {
        await startOnce();
        return;
      } catch (error) {
        running = null;
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
    createApiKey(name) {
      return running ? running.createApiKey(name) : Promise.reject(new Error('The engine is not running.'));
    },
    async stop() {
      stopping = true;
      transport.withdraw();
      await running?.stop();
      await started;
    },
  };
}
