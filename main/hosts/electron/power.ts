/** Passes sleep, resume, and changes of the power source on to the app, and ends the program before a shutdown. */
import { app, powerMonitor } from 'electron';
import type { Logger } from 'pino';
import type { EnginePower } from '#contract/local/engine.ts';

export type PowerReport = Omit<EnginePower, 'type'>;

interface PowerOptions {
  readonly report: (power: PowerReport) => void;
  /** Called before the program ends because the system shuts down: no question may hold that up. */
  readonly onShutdown: () => void;
  readonly logger: Logger;
}

export interface Power {
  /** Reports the current power source, for an app that has just started. */
  reportSource(): void;
}

/** Call after `ready`. */
export function watchPower({ report, onShutdown, logger }: PowerOptions): Power {
  // On Linux, Electron has no such events and needs a service for the answer. The engine reads the kernel there.
  let onBattery = process.platform === 'linux' ? null : powerMonitor.isOnBatteryPower();

  function tell(event: PowerReport['event']): void {
    logger.info({ event, onBattery }, 'power');
    report({ event, onBattery });
  }
  powerMonitor.on('suspend', () => tell('suspend'));
  powerMonitor.on('resume', () => tell('resume'));
  powerMonitor.on('on-battery', () => {
    onBattery = true;
    tell('source');
  });
  powerMonitor.on('on-ac', () => {
    onBattery = false;
    tell('source');
  });
  // The engine then stops in order. Where the system does not wait for that, no job is lost either.
  powerMonitor.on('shutdown', () => {
    logger.info('the system shuts down');
    onShutdown();
    app.quit();
  });
  return { reportSource: () => report({ event: 'source', onBattery }) };
}
