/** Loads node-pty, which opens terminals of this computer. The package is optional; only this file imports it. */

export type Spawn = (typeof import('@lydell/node-pty'))['spawn'];

/** Or why it cannot be loaded, as a sentence for a person. Never rejects. */
export async function loadPty(): Promise<{ spawn: Spawn } | { problem: string }> {
  try {
    const loaded = await import('@lydell/node-pty');
    const { spawn } = loaded.default ?? loaded;
    return { spawn };
  } catch (error) {
    const cause = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return {
      problem: `The optional package node-pty, which opens terminals of this computer, is not installed here or does not run on ${process.platform} ${process.arch}. Install Hangar anew with its optional packages. (${cause})`,
    };
  }
}
