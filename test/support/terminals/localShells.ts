/** Shells in real terminals of this computer, and what they write. */
import type { LinkedShell } from '../../../main/app/terminals/linkedShell.ts';
import { loadPty, type Spawn } from '../../../main/app/terminals/host/loadPty.ts';
import { until } from '../core/until.ts';

const loaded = await loadPty();

/** Why there is no terminal here; null if there is one. */
export const whyNoPty = (): string | null => ('problem' in loaded ? loaded.problem : null);

export interface LocalShell {
  shell: LinkedShell;
  /** All that it has written. */
  text(): string;
  /** Resolves once this is in what it has written. */
  shows(what: string | RegExp): Promise<string>;
}

interface LocalShells {
  open(make: (spawn: Spawn, onOutput: (bytes: Buffer) => void) => LinkedShell): LocalShell;
  hangUpAll(): Promise<void>;
}

export function createLocalShells(): LocalShells {
  const shells: LinkedShell[] = [];
  return {
    open(make) {
      if ('problem' in loaded) throw new Error(loaded.problem);
      let text = '';
      const shell = make(loaded.spawn, (bytes) => (text += bytes.toString()));
      shells.push(shell);
      return {
        shell,
        text: () => text,
        shows: (what) =>
          until(
            `${what} on the screen`,
            () => text,
            (all) => (typeof what === 'string' ? all.includes(what) : what.test(all)),
          ),
      };
    },
    async hangUpAll() {
      for (const shell of shells.splice(0)) await shell.hangUp();
    },
  };
}
