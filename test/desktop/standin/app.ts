/** The app object: its life from launch to exit, its folders, its command line and its single-instance lock. */
import { record } from './record.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter, preventable, represented } from './chromium/represented.ts';
import { runtime } from './chromium/runtime.ts';

interface Manifest {
  name?: string;
  productName?: string;
  version?: string;
  main?: string;
}

class App extends Emitter {
  /** As Electron, which this variable tells to behave as in a package. */
  readonly isPackaged = process.env['ELECTRON_FORCE_IS_PACKAGED'] === 'true';
  readonly #schemes = new Set<string>();
  #root = '';
  #manifest: Manifest = {};
  #name: string | undefined;
  readonly #paths = new Map<string, string>();
  #resolveReady: () => void = () => undefined;
  readonly #ready = new Promise<void>((resolve) => (this.#resolveReady = resolve));
  #closeWindows: () => Promise<boolean> = () => Promise.resolve(true);
  #quitting = false;
  #exiting = false;
  #lock: Server | undefined;

  constructor() {
    super([
      'will-finish-launching',
      'ready',
      'window-all-closed',
      'before-quit',
      'will-quit',
      'quit',
      'second-instance',
      'web-contents-created',
      'browser-window-created',
      'render-process-gone',
      'child-process-gone',
      // Emitted by no system here: macOS only. A test emits it itself.
      'activate',
      'open-url',
    ]);
  }

  readonly commandLine = represented<Electron.CommandLine>('app.commandLine', {
    hasSwitch: (name) => process.argv.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)),
    getSwitchValue: (name) =>
      process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
    appendSwitch: (name, value) => void process.argv.push(value === undefined ? `--${name}` : `--${name}=${value}`),
  });

  /** For the stand-in: the folder given on the command line. Answers the path of the app's entry. */
  open(root: string): string {
    this.#root = root;
    this.#manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    return join(root, this.#manifest.main ?? 'index.js');
  }

  /** For the stand-in: the entry was evaluated. */
  becomeReady(): void {
    this.emit('will-finish-launching');
    runtime.ready = true;
    this.emit('ready', preventable({}), {});
    this.#resolveReady();
  }

  /** For BrowserWindow: closes all, and answers whether none refused. */
  closesWindowsWith(closeAll: () => Promise<boolean>): void {
    this.#closeWindows = closeAll;
  }

  /** For BrowserWindow. Electron quits where nobody listens. */
  lastWindowClosed(): void {
    if (this.#quitting) return;
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  isReady(): boolean {
    return runtime.ready;
  }

  quit(): void {
    if (this.#exiting) return;
    const before = preventable({});
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    void this.#closeWindows().then((closed) => {
      const will = preventable({});
      if (closed) this.emit('will-quit', will);
      this.#quitting = false;
      if (closed && !will.defaultPrevented) this.exit();
    });
  }

  exit(code = 0): void {
    if (this.#exiting) return;
    this.#exiting = true;
    this.emit('quit', preventable({}), code);
    this.#lock?.close();
    const stopped = runtime.chromium?.stop() ?? Promise.resolve();
    void stopped.finally(() => process.exit(code));
  }

  getAppPath(): string {
    return this.#root;
  }

  getVersion(): string {
    return this.#manifest.version ?? runtime.versions.electron;
  }

  getName(): string {
    return this.#name ?? this.#manifest.productName ?? this.#manifest.name ?? 'Electron';
  }

  setName(name: string): void {
    this.#name = name;
  }

  getLocale(): string {
    return this.commandLine.getSwitchValue('lang') || 'en-US';
  }

  /** The next start is the test's own. */
  relaunch(): void {
    record('relaunch', '');
  }

  setAppUserModelId(): void {
    // Windows only, as in Electron.
  }

  setAboutPanelOptions(): void {
    // Shown by a native panel that a test cannot open.
  }

  #badge = 0;

  /** As Electron on a desktop with a launcher that has badges. */
  setBadgeCount(count = 0): boolean {
    this.#badge = count;
    return true;
  }

  getBadgeCount(): number {
    return this.#badge;
  }

  /** Known to this launch alone: no system is told. */
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.#schemes.add(scheme);
    return true;
  }

  isDefaultProtocolClient(scheme: string): boolean {
    return this.#schemes.has(scheme);
  }

  #hasAcceleration = true;

  disableHardwareAcceleration(): void {
    if (runtime.ready) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    this.#hasAcceleration = false;
  }

  isHardwareAccelerationEnabled(): boolean {
    return this.#hasAcceleration;
  }

  /** Only which processes there are: their use of memory and processor is not represented. */
  getAppMetrics(): { pid: number; type: string }[] {
    const types: Record<string, string> = { browser: 'Browser', renderer: 'Tab', GPU: 'GPU' };
    return (runtime.processes?.list() ?? []).map(({ id, type }) => ({ pid: id, type: types[type] ?? 'Utility' }));
  }

  enableSandbox(): void {
    // Every window of the stand-in is sandboxed.
  }

  /** Focus belongs to a window system that headless Chromium does not have. */
  focus(): void {}

  getPath(name: string): string {
    const set = this.#paths.get(name);
    if (set) return set;
    const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
    switch (name) {
      case 'home':
        return homedir();
      case 'appData':
        return config;
      case 'temp':
        return tmpdir();
      case 'exe':
        return process.execPath;
      case 'userData':
        return join(config, this.getName());
      case 'sessionData':
        return this.getPath('userData');
      case 'logs':
        return join(this.getPath('userData'), 'logs');
      case 'crashDumps':
        return join(this.getPath('userData'), 'Crashpad');
      default:
        throw new Error(`Failed to get '${name}' path`);
    }
  }

  setPath(name: string, path: string): void {
    this.getPath(name);
    this.#paths.set(name, path);
  }

  setAppLogsPath(path?: string): void {
    this.#paths.set('logs', path ?? this.getPath('logs'));
  }

  /**
   * One instance for each userData folder, as in Electron. The answer must be there at once, so the lock is an abstract
   * socket: taken by binding it, gone with its process.
   */
  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    if (this.#lock) return true;
    const address = `\0standin-${createHash('sha256').update(this.getPath('userData')).digest('hex').slice(0, 32)}`;
    const server = createServer((socket) => {
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => (text += part));
      socket.on('end', () => {
        const { argv, cwd, data } = JSON.parse(text) as { argv: string[]; cwd: string; data: unknown };
        this.emit('second-instance', preventable({}), argv, cwd, data);
      });
    });
    // A local socket is bound before listen() returns; only the news of it, good or bad, comes later.
    server.on('error', () => undefined);
    server.listen(address);
    if (server.listening) {
      this.#lock = server.unref();
      return true;
    }
    createConnection(address).end(JSON.stringify({ argv: process.argv, cwd: process.cwd(), data: additionalData }));
    return false;
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock !== undefined;
  }
}

export const app = new App();
