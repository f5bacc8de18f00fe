/** utilityProcess: a child process of Node that has a parentPort and no other way to its parent. */
import { fork } from 'node:child_process';
import type { ChildProcess, IOType } from 'node:child_process';
import { join } from 'node:path';
import { createCodec } from '../codec.ts';
import { app } from '../app.ts';
import { Emitter, preventable, represented } from '../chromium/represented.ts';
import { afterReady } from '../chromium/runtime.ts';

const codec = createCodec();
const nodeExecutable = process.argv0;

class UtilityProcess extends Emitter {
  readonly #child: ChildProcess;
  readonly stdout: ChildProcess['stdout'];
  readonly stderr: ChildProcess['stderr'];

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super(['spawn', 'exit', 'message', 'error']);
    afterReady('utilityProcess.fork');
    const { stdio = 'inherit', env = process.env, cwd, execArgv = [] } = options;
    const [, out = 'inherit', error = 'inherit'] = (Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]) as IOType[];
    this.#child = fork(modulePath, [...args], {
      execPath: nodeExecutable,
      execArgv: ['--import', join(import.meta.dirname, 'utilityEntry.ts'), ...execArgv],
      env: { ...env, HANGAR_STANDIN_EXECUTABLE: process.execPath },
      stdio: ['ignore', out, error, 'ipc'],
      ...(cwd ? { cwd } : {}),
    });
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (coded) => this.emit('message', codec.decode(coded)));
    this.#child.on('exit', (code, signal) => {
      this.emit('exit', code ?? 128 + 9);
      if (code === 0 || signal === 'SIGTERM') return;
      const reason = signal ? 'killed' : 'abnormal-exit';
      const { serviceName: name = 'Node Utility Process' } = options;
      app.emit('child-process-gone', preventable({}), { type: 'Utility', name, reason, exitCode: code ?? 9 });
    });
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0)
      throw new Error('UtilityProcess.postMessage with ports is not represented by the stand-in');
    // A child that has gone hears nothing, as in Electron. The callback takes the error of one that has just ended.
    if (this.#child.connected) this.#child.send(codec.encode(message) as string, () => undefined);
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export const utilityProcess = represented<typeof Electron.utilityProcess>('utilityProcess', {
  fork: (modulePath, args = [], options = {}) => new UtilityProcess(modulePath, args, options),
});
