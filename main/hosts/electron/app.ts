/** The desktop app: its steps before `ready`, its parts after `ready`, and its end. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { limits } from '#contract/core/limits.ts';
import { app, clipboard, dialog, protocol } from 'electron';
import { onCrash } from '../../app/crashes/crashHandler.ts';
import { createCrashes } from '../../app/crashes/crashes.ts';
import { systemClock } from '../../app/platform/clock.ts';
import { createLogger, openLogFile } from '../../app/platform/log.ts';
import { takeKeyOptions } from '../../app/platform/keyOptions.ts';
import type { LogFile } from '../../app/platform/log.ts';
import { makePrivateFiles } from '../../app/platform/privateFolder.ts';
import { pageScheme } from './addresses.ts';
import { createBackground } from './background/background.ts';
import { backgroundFlag } from './background/loginItem.ts';
import { openSettingsFile } from './background/settingsFile.ts';
import { forkProgram } from './childProgram.ts';
import { watchGpuProcess } from './gpuProcess.ts';
import type { Folders } from '../../app/platform/folders/desktopFolders.ts';
import type { Maintenance } from '../../app/storage/maintenance.ts';
import { guardEveryPage, refusePermissions } from './guards.ts';
import { deliverLinks } from './links/linkDelivery.ts';
import { showMenu } from './menu/menu.ts';
import { createNotifications } from './notifications/notifications.ts';
import { answerPage } from './pageFiles.ts';
import { watchPower } from './power.ts';
import { startService } from './service.ts';
import type { AppClient, Service } from './service.ts';
import { createTransport } from './transport.ts';
import { checkByHand, createProgramUpdates } from './updates/start.ts';
import { createWindows } from './windows/windows.ts';
import { chooseTexts, menuCase, t } from './language/text.ts';
import { dataHostOf, folderProblem, maintain, placeFolders } from './dataFolder.ts';
import { endGracefully } from './quit.ts';

/** `--port=N` as for the headless host; 0: any free port. */
function enginePort(args: readonly string[]): number {
  const value = args.find((argument) => argument.startsWith('--port='))?.slice('--port='.length);
  const port = Number(value);
  return value && Number.isInteger(port) && port >= 0 && port <= 65535 ? port : limits.usualPorts.api;
}

/** The logs, and what is noted of a crash. Nothing of it contains one of the `secrets`. */
function openLogs(folders: Folders, secrets: readonly string[]) {
  const logFile = (name: string): LogFile => openLogFile({ dir: folders.logs, name, secrets });
  const appLog = logFile('app');
  const logger = createLogger({ file: appLog, level: 'info', stderrLevel: null, secrets });
  const crashes = createCrashes({
    dataDir: folders.state,
    logsDir: folders.logs,
    version: app.getVersion(),
    host: 'electron',
    secrets,
    clock: systemClock,
    logger,
  });
  onCrash({
    crashes,
    secrets,
    // As Electron does by default: the person gets a message, and the program continues.
    onException: (message) => dialog.showErrorBox(t`Something in Hangar went wrong`, message),
    // The windows show the notice, and the program continues.
    onRejection: () => undefined,
    logger,
  });
  return { appLog, engineLog: logFile('engine'), logger, crashes };
}

/** The answer to the request for the work reaches its page before the app stops. */
const ANSWER_MS = 200;

/** Tells Electron the folders and the name of the program. */
function identify({ config, cache, logs }: Folders): void {
  app.setPath('userData', config);
  app.setPath('sessionData', cache);
  app.setAppLogsPath(logs);
  // Windows identifies the sender of a notification by this id.
  app.setAppUserModelId('dev.hangar.desktop');
}

function registerPageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
}

const updatesItem = (updates: Parameters<typeof checkByHand>[0]) => ({
  id: 'check-for-updates',
  label: menuCase(t`Check for updates…`),
  click: () => void checkByHand(updates),
});

/** The programs that the app starts, and the files that it hands to them. */
function programsOf(root: string, appLog: LogFile, engineLog: LogFile) {
  // Python and people read these files, so they are beside the archive of a package.
  const unpacked = root.replace(/\.asar$/, '.asar.unpacked');
  return {
    forkEngine: () => forkProgram(join(root, 'out/main/engine.js'), 'Hangar engine', engineLog),
    forkKeychain: () => forkProgram(join(root, 'out/main/keychain.js'), 'Hangar keychain', appLog),
    workerKitDir: join(unpacked, 'resources/worker-kit'),
    resourcesDir: join(unpacked, 'resources'),
  };
}

/** `root` is the folder with `out` and `resources`. Returns immediately: nothing here may wait for `ready`. */
export function runDesktop(root: string): void {
  const workerMask = makePrivateFiles();
  const override = process.env['HANGAR_HOME'] ?? (app.commandLine.getSwitchValue('user-data-dir') || undefined);
  const { folders, data } = placeFolders(override);
  identify(folders);
  // The lock belongs to the userData folder, so the folders are set first. Nothing is written before it.
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const problem = folderProblem(data, folders.logs);
  if (problem !== null) {
    dialog.showErrorBox(t`Hangar cannot open its data folder`, problem);
    app.exit(1);
    return;
  }

  // The key of the app's own requests to its engine. The page never gets it, and no file contains it.
  const runKey = `rpa_${randomBytes(24).toString('base64url')}`;
  const keys = takeKeyOptions(process.env);
  const secrets = [runKey, ...(keys.passphrase === null ? [] : [keys.passphrase])];
  const { appLog, engineLog, logger, crashes } = openLogs(folders, secrets);
  registerPageScheme();
  app.enableSandbox();
  guardEveryPage(logger);

  let service: Service | null = null;
  /** Work on the data for which the program ends and, unless it removes all, starts again. */
  let maintenance: Maintenance | null = null;
  const preload = join(root, 'out/preload/index.cjs');
  const windows = createWindows({ preload, stateFile: join(folders.config, 'window.json'), crashes, logger });
  const transport = createTransport({ owns: windows.owns, logger });
  const settings = openSettingsFile(join(folders.config, 'desktop.json'), logger);
  watchGpuProcess(settings.now().drawWithGpu, { crashes, logger });
  const openWork = (): Promise<string[]> => service?.openWork() ?? Promise.resolve([]);
  const client = (): AppClient | null => service?.client() ?? null;
  const notifications = createNotifications({ settings: settings.now, windows, logger });
  const background = createBackground({
    settings,
    windows,
    client,
    openWork,
    transfers: () => service?.transfers() ?? [],
    onActivity: (activity, before) => notifications.activityChanged(activity, before),
    logger,
  });
  const links = deliverLinks({ send: windows.send, logger });

  app.on('second-instance', (_event, args) => {
    if (!links.takeArguments(args)) void app.whenReady().then(windows.present);
  });
  app.on('activate', () => void app.whenReady().then(windows.present));
  app.on('window-all-closed', () => {
    void background.goesOnWithoutWindow().then((goesOn) => goesOn || app.quit());
  });
  const updates = createProgramUpdates({ folders, openWork, logger });
  endGracefully(
    async () => {
      await updates.beforeQuit();
      updates.stop();
      await service?.stop();
    },
    async () => {
      background.stop();
      transport.stop();
      crashes.stop();
      await updates.install();
      if (maintenance !== null) await maintain(maintenance, folders);
    },
  );

  void app.whenReady().then(() => {
    chooseTexts([app.getLocale()]);
    const page = join(root, 'out/renderer');
    protocol.handle(pageScheme, (request) => answerPage(page, request, logger));
    refusePermissions();
    // At login no window opens, unless the tray cannot show.
    void background.start().then(() => {
      if (!process.argv.includes(backgroundFlag) || !background.showsTray()) windows.restore();
      links.takeArguments(process.argv);
    });
    service = startService({
      app: {
        ...programsOf(root, appLog, engineLog),
        dataDir: folders.state,
        version: app.getVersion(),
        enginePort: enginePort(process.argv),
        crashes,
        keys,
        desktop: background.desktop,
        dataHost: dataHostOf(data, (work) => {
          maintenance = work;
          setTimeout(() => app.quit(), ANSWER_MS);
        }),
        async showKey(key) {
          await clipboard.writeText(key);
          return { how: 'clipboard' };
        },
        runKey,
        logLevel: 'info',
        workerMask,
        updates,
        logger,
      },
      transport,
      quit: () => app.quit(),
      logger,
    });
    const power = watchPower({
      report: (report) => service?.powerChanged(report),
      onShutdown: windows.askNoMore,
      logger,
    });
    for (const follow of [power.reportSource, notifications.follow, background.refresh]) service.onStarted(follow);
    const more = [updatesItem(updates)];
    showMenu({ platform: process.platform, windows, service, logsDir: folders.logs, logger, more });
    void service.started.then(() => updates.start());
  });
}
