/** The desktop app: what must be said before `ready`, what is made at `ready`, and how it ends. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, clipboard, dialog, protocol } from 'electron';
import type { BrowserWindow } from 'electron';
import { onCrash } from '../../app/platform/crashHandler.ts';
import { createLogger, openLogFile } from '../../app/platform/log.ts';
import { takeKeyOptions } from '../../app/platform/keyOptions.ts';
import type { LogFile } from '../../app/platform/log.ts';
import { makePrivateFiles } from '../../app/platform/privateFolder.ts';
import { pageScheme } from './addresses.ts';
import { forkProgram } from './childProgram.ts';
import { foldersFor } from './folders.ts';
import { guardEveryPage, refusePermissions } from './guards.ts';
import { showMenu } from './menu.ts';
import { answerPage } from './pageFiles.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';
import { createTransport } from './transport.ts';
import { bringForward, openWindow } from './window.ts';

/** Where other programs look for the API unless told otherwise. */
const usualPort = 47800;

/** `--port=N` as for the headless host; 0 = any free one. */
function enginePort(args: readonly string[]): number {
  const value = args.find((argument) => argument.startsWith('--port='))?.slice('--port='.length);
  const port = Number(value);
  return value && Number.isInteger(port) && port >= 0 && port <= 65535 ? port : usualPort;
}

/** `root` is the folder that holds `out` and `resources`. Returns at once: nothing here may wait for `ready`. */
export function runDesktop(root: string): void {
  const workerMask = makePrivateFiles();
  const override = process.env['HANGAR_HOME'] ?? (app.commandLine.getSwitchValue('user-data-dir') || undefined);
  const folders = foldersFor({ platform: process.platform, home: homedir(), env: process.env, override });
  app.setPath('userData', folders.config);
  app.setPath('sessionData', folders.cache);
  app.setAppLogsPath(folders.logs);
  // The lock is one for each userData folder, so it comes after the folders and before anything is written.
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }

  // The page never sees it and no file keeps it: the app's own requests to its engine carry it.
  const runKey = `rpa_${randomBytes(24).toString('base64url')}`;
  const keys = takeKeyOptions(process.env);
  const secrets = [runKey, ...(keys.passphrase === null ? [] : [keys.passphrase])];
  const logFile = (name: string): LogFile => openLogFile({ dir: folders.logs, name, secrets });
  const appLog = logFile('app');
  const logger = createLogger({ file: appLog, level: 'info', stderrLevel: null, secrets });
  // As Electron does it by itself: the person is told, and the program goes on.
  onCrash(logger, secrets, (message) => dialog.showErrorBox('Something in Hangar went wrong', message));
  const engineLog = logFile('engine');
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
  app.enableSandbox();
  guardEveryPage(logger);

  let window: BrowserWindow | null = null;
  let service: Service | null = null;
  const transport = createTransport({ page: () => window?.webContents ?? null, logger });

  function open(): void {
    window = openWindow({
      preload: join(root, 'out/preload/index.cjs'),
      boundsFile: join(folders.config, 'window.json'),
      logger,
    });
    window.on('closed', () => (window = null));
  }
  const present = (): void => (window ? bringForward(window) : open());

  app.on('second-instance', () => void app.whenReady().then(present));
  app.on('activate', () => void app.whenReady().then(present));
  // On macOS an app stays in the Dock without a window.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  endGracefully(
    () => service?.stop(),
    () => transport.stop(),
  );

  void app.whenReady().then(() => {
    const page = join(root, 'out/renderer');
    protocol.handle(pageScheme, (request) => answerPage(page, request));
    refusePermissions();
    open();
    service = startService({
      app: {
        dataDir: folders.state,
        version: app.getVersion(),
        enginePort: enginePort(process.argv),
        forkEngine: () => forkProgram(join(root, 'out/main/engine.js'), 'Hangar engine', engineLog),
        forkKeychain: () => forkProgram(join(root, 'out/main/keychain.js'), 'Hangar keychain', appLog),
        keys,
        async showKey(key) {
          await clipboard.writeText(key);
          return { how: 'clipboard' };
        },
        workerKitDir: join(root, 'resources/worker-kit'),
        examplesDir: join(root, 'resources/examples'),
        runKey,
        logLevel: 'info',
        workerMask,
        logger,
      },
      transport,
      quit: () => app.quit(),
      logger,
    });
    const { createApiKey } = service;
    showMenu({ platform: process.platform, createApiKey, logger });
  });
}

/** The windows close at once; the process stays until the engine has stopped. */
function endGracefully(stop: () => Promise<void> | undefined, afterwards: () => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void Promise.resolve(stop()).finally(() => {
      state = 'stopped';
      afterwards();
      app.quit();
    });
  });
}
