/** Keeps what the program opens outside of itself: a test must open no browser and no folder. */
import type { ElectronApplication } from '@playwright/test';

type WithOpened = typeof globalThis & { opened: string[] };

/** From now on nothing is opened. Begins a new list where there is one already. */
export const keepWhatIsOpened = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ shell }) => {
    const targets: string[] = [];
    Object.assign(globalThis, { opened: targets });
    shell.openExternal = async (address) => void targets.push(address);
    shell.openPath = async (path) => {
      targets.push(path);
      return '';
    };
  });

/** The addresses and paths that would have been opened since, in order. */
export const opened = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as WithOpened).opened);
