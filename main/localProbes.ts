/** The probes of app and engine, for the command line where no Hangar runs. Each is loaded when it is asked for. */
import type { LocalData } from './cli/data/localData.ts';
import type { Probes } from './cli/doctor/probes.ts';
import type { ProgramPaths } from './hosts/headless/serve.ts';

/** Loads the parts at the first use. */
function createLazyData(program: string): LocalData {
  let loaded: Promise<LocalData> | null = null;
  const load = (): Promise<LocalData> =>
    (loaded ??= import('./localData.ts').then(({ createLocalData }) => createLocalData(program)));
  return {
    async *places(...parameters) {
      yield* (await load()).places(...parameters);
    },
    requireNoPods: async (...parameters) => (await load()).requireNoPods(...parameters),
    unfinishedMove: async (...parameters) => (await load()).unfinishedMove(...parameters),
    move: async (...parameters) => (await load()).move(...parameters),
    discardMove: async (...parameters) => (await load()).discardMove(...parameters),
    export: async (...parameters) => (await load()).export(...parameters),
    import: async (...parameters) => (await load()).import(...parameters),
    remove: async (...parameters) => (await load()).remove(...parameters),
  };
}

/** `paths`: where the parts of the program lie. */
export function createLocalProbes({ keychain: program }: Pick<ProgramPaths, 'keychain'>): Probes {
  return {
    async machine() {
      const { reportMachine } = await import('./engine/machineReport.ts');
      return reportMachine();
    },
    async keychain() {
      const [{ createKeychain }, { systemClock }, { forkProgram }] = await Promise.all([
        import('./app/secrets/keychain.ts'),
        import('./app/platform/clock.ts'),
        import('./hosts/headless/childProgram.ts'),
      ]);
      const keychain = createKeychain({
        clock: systemClock,
        fork: () => forkProgram({ program, nodeFlags: [], log: { write: () => undefined }, onLine: () => undefined }),
      });
      try {
        return await keychain.check();
      } finally {
        await keychain.stop();
      }
    },
    data: createLazyData(program),
    async portTaken(port, flag) {
      const { portTaken } = await import('./hosts/headless/commandLine/portHolder.ts');
      return portTaken(port, flag);
    },
  };
}
