/** WebContents: one page of Chromium, its preload, its frames, its requests and its way out. */
import { readFileSync } from 'node:fs';
import { fromChromium, originOf, toChromium } from './addresses.ts';
import type { Session } from './chromium/cdp.ts';
import { ipcMain } from './ipc.ts';
import { answerFilePaths } from './chromium/filePaths.ts';
import { PageWorld } from './chromium/pageWorld.ts';
import type { MessagePortMain } from './ports.ts';
import { record } from './record.ts';
import { Emitter, preventable } from './chromium/represented.ts';
import { chromium } from './chromium/runtime.ts';
import { answerRequest, permissionSettings, session as sessions } from './session.ts';
import type { PageRequest } from './session.ts';
import { WebFrameMain } from './webFrameMain.ts';

const all = new Map<number, WebContents>();
let nextId = 1;

type WindowOpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;

interface PausedRequest {
  requestId: string;
  request: PageRequest & { urlFragment?: string };
  frameId: string;
  resourceType: string;
  redirectedRequestId?: string;
}

interface FrameNavigated {
  frame: { id: string; parentId?: string; url: string; urlFragment?: string; securityOrigin?: string; name?: string };
}

export class WebContents extends Emitter {
  readonly id = nextId++;
  readonly session = sessions.defaultSession;
  readonly #preferences: Electron.WebPreferences;
  readonly #frames = new Map<string, WebFrameMain>();
  /** Address of the navigation that a page itself asked for, by frame: only those may be refused. */
  readonly #requested = new Map<string, string>();
  readonly #opened: Promise<Session>;
  readonly #world = new PageWorld({
    evaluate: async (expression, contextId) => (await this.#opened).send('Runtime.evaluate', { expression, contextId }),
    onSend: (channel, args) => void ipcMain.emit(channel, { ...this.#ipcEvent(), ports: [] }, ...args),
    onInvoke: (channel, args) => ipcMain.invoked(channel, this.#ipcEvent(), args),
    onWindowOpen: ({ url, frameName, features }) => this.#windowOpen({ url: fromChromium(url), frameName, features }),
    onPreloadError: (message) => this.#preloadFailed(message),
  });
  #targetId = '';
  #mainFrame: WebFrameMain | undefined;
  #onWindowOpen: WindowOpenHandler | undefined;
  #title = '';
  #destroyed = false;
  #crashed = false;

  constructor(size: { width: number; height: number }, preferences: Electron.WebPreferences) {
    super([
      'did-start-loading',
      'did-finish-load',
      'did-fail-load',
      'did-navigate',
      'dom-ready',
      'page-title-updated',
      'will-navigate',
      'will-frame-navigate',
      'will-redirect',
      'will-prevent-unload',
      'render-process-gone',
      'preload-error',
      'destroyed',
      // Never emitted, and true so: webviewTag and further windows are not represented.
      'will-attach-webview',
      'did-create-window',
    ]);
    this.#preferences = preferences;
    all.set(this.id, this);
    this.#opened = this.#open(size);
    this.#opened.catch((error: unknown) => {
      // A window may be closed before it was there; whoever uses a broken one hears of it, but nobody may.
      if (!this.#destroyed) record('exception', `window: ${String(error)}`);
    });
  }

  async #open(size: { width: number; height: number }): Promise<Session> {
    const { browser } = chromium().connection;
    const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      ...size,
    });
    this.#targetId = targetId;
    const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const page = chromium().connection.session(sessionId);
    this.#mainFrame = new WebFrameMain(targetId, null, this.#frameHost);
    this.#frames.set(targetId, this.#mainFrame);
    this.#listen(page);
    // A link that opens a window does so before it could be refused, so the window is closed at once.
    browser.on('Target.targetCreated', ({ targetInfo }: { targetInfo: { targetId: string; openerId?: string } }) => {
      if (targetInfo.openerId === targetId) void browser.send('Target.closeTarget', { targetId: targetInfo.targetId });
    });
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    await answerFilePaths(page);
    const { name: worldName, binding } = this.#world;
    const { main, isolated } = this.#world.scripts(this.#preloadSource());
    await page.send('Runtime.addBinding', { name: binding, executionContextName: worldName });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: main });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: isolated, worldName });
    await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    return page;
  }

  #ipcEvent(): object {
    const { mainFrame } = this;
    return { sender: this, senderFrame: mainFrame, frameId: mainFrame.routingId, processId: 1, type: 'frame' };
  }

  readonly #frameHost = {
    deliver: (channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void =>
      this.#world.deliver(channel, args, ports),
  };

  #preloadSource(): string {
    const { preload } = this.#preferences;
    try {
      return preload ? readFileSync(preload, 'utf8') : '';
    } catch (error) {
      this.#preloadFailed(String(error));
      return '';
    }
  }

  #listen(page: Session): void {
    const inOrder = <Event>(name: string, listener: (event: Event) => void): void => void page.on(name, listener);
    inOrder<{ frameId: string; parentFrameId: string }>('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.#frames.set(frameId, new WebFrameMain(frameId, this.#frames.get(parentFrameId) ?? null, this.#frameHost));
    });
    inOrder<{ frameId: string; reason: string }>('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'remove') return;
      this.#frames.get(frameId)?.removed();
      this.#frames.delete(frameId);
    });
    inOrder<FrameNavigated>('Page.frameNavigated', ({ frame }) => {
      this.#frames.get(frame.id)?.navigated(frame);
      if (frame.id === this.#targetId) this.emit('did-navigate', preventable({}), fromChromium(frame.url), 200, 'OK');
    });
    inOrder<{ frameId: string; url: string }>('Page.navigatedWithinDocument', ({ frameId, url }) => {
      this.#frames.get(frameId)?.moved(url);
    });
    inOrder<{ frameId: string; url: string }>('Page.frameRequestedNavigation', ({ frameId, url }) => {
      this.#requested.set(frameId, url.replace(/#.*$/, ''));
    });
    inOrder<PausedRequest>('Fetch.requestPaused', (paused) => {
      this.#answer(page, paused).catch((error: unknown) => {
        // The page that asked may be gone by now, and so may be the document within it, with which Chromium forgets its
        // requests; anything else is the app's own failure.
        if (this.#destroyed || String(error).includes('Invalid InterceptionId')) return;
        record('exception', `answering ${fromChromium(paused.request.url)}: ${String(error)}`);
        page.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' }).catch(() => undefined);
      });
    });
    inOrder<{ url: string; windowName: string; windowFeatures: string[] }>('Page.windowOpen', (opened) => {
      const features = opened.windowFeatures.join(',');
      this.#windowOpen({ url: fromChromium(opened.url), frameName: opened.windowName, features });
    });
    inOrder<object>('Page.domContentEventFired', () => this.emit('dom-ready', preventable({})));
    inOrder<object>('Page.loadEventFired', () => this.emit('did-finish-load', preventable({})));
    inOrder<{ context: { id: number; name: string; auxData: { frameId: string } } }>(
      'Runtime.executionContextCreated',
      ({ context }) => {
        if (context.name !== this.#world.name || context.auxData.frameId !== this.#targetId) return;
        this.#world.entered(context.id);
      },
    );
    inOrder<{ name: string; payload: string; executionContextId: number }>('Runtime.bindingCalled', (call) => {
      // The binding may be heard of before its context is: only the top frame of a page calls it.
      if (call.name === this.#world.binding) this.#world.hear(call.payload);
    });
    inOrder<object>('Inspector.targetCrashed', () => {
      this.#crashed = true;
      this.#world.left();
      record('render-process-gone', 'crashed');
      this.emit('render-process-gone', preventable({}), { reason: 'crashed', exitCode: 5 });
    });
  }

  #preloadFailed(message: string): void {
    record('preload-error', message);
    this.emit('preload-error', preventable({}), this.#preferences.preload, new Error(message));
  }

  async #answer(page: Session, paused: PausedRequest): Promise<void> {
    const { requestId, request, frameId } = paused;
    if (paused.resourceType === 'Document' && this.#refused(paused)) {
      await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    if (paused.resourceType === 'Document' && frameId === this.#targetId) {
      await this.#applyPermissions(originOf(fromChromium(request.url)));
    }
    const response = await answerRequest(request);
    if (!response) {
      await page.send('Fetch.failRequest', { requestId, errorReason: 'NameNotResolved' });
      return;
    }
    await page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    });
  }

  /** Asks the app's listeners about a navigation that the page itself wants. */
  #refused(paused: PausedRequest): boolean {
    const frame = this.#frames.get(paused.frameId);
    const url = fromChromium(paused.request.url);
    const isMainFrame = paused.frameId === this.#targetId;
    const event = preventable({ url, isMainFrame, isSameDocument: false, frame, initiator: frame });
    if (paused.redirectedRequestId) {
      this.emit('will-redirect', event, url, false, isMainFrame);
      if (event.defaultPrevented) record('refused-redirect', url);
      return event.defaultPrevented;
    }
    if (this.#requested.get(paused.frameId) !== paused.request.url) return false;
    this.#requested.delete(paused.frameId);
    this.emit('will-frame-navigate', event);
    if (isMainFrame && !event.defaultPrevented) this.emit('will-navigate', event, url);
    if (event.defaultPrevented) record('refused-navigation', url);
    return event.defaultPrevented;
  }

  async #applyPermissions(origin: string): Promise<void> {
    if (origin === 'null') return;
    const { browser } = chromium().connection;
    for (const [name, granted] of await permissionSettings(this, `${origin}/`)) {
      const setting = granted ? 'granted' : 'denied';
      await browser.send('Browser.setPermission', { permission: { name }, setting, origin: toChromium(`${origin}/`) });
    }
  }

  #windowOpen(request: { url: string; frameName: string; features: string }): void {
    const details = {
      ...request,
      disposition: request.features.includes('popup') ? ('new-window' as const) : ('foreground-tab' as const),
      referrer: { url: this.getURL(), policy: 'strict-origin-when-cross-origin' as const },
    };
    if (this.#onWindowOpen?.(details).action === 'deny') record('refused-window', request.url);
    else record('exception', `the stand-in cannot open a second window for ${request.url}`);
  }

  get mainFrame(): WebFrameMain {
    if (!this.#mainFrame) throw new Error('the page is not there yet');
    return this.#mainFrame;
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#onWindowOpen = handler;
  }

  /** Not in the public types of Electron, but there, and the only way to ask. */
  getLastWebPreferences(): Electron.WebPreferences {
    return { ...this.#preferences };
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#opened;
    const finished = new Promise((resolve) => page.once('Page.loadEventFired', resolve));
    const { errorText, loaderId } = await page.send<{ errorText?: string; loaderId?: string }>('Page.navigate', {
      url: toChromium(url),
    });
    if (errorText) {
      this.emit('did-fail-load', preventable({}), -2, errorText, url, true);
      throw Object.assign(new Error(`${errorText} loading '${url}'`), { code: errorText });
    }
    if (loaderId) await finished;
  }

  getURL(): string {
    return this.#mainFrame?.url ?? '';
  }

  getTitle(): string {
    return this.#title;
  }

  reload(): void {
    this.#crashed = false;
    void this.#opened.then((page) => page.send('Page.reload')).catch(() => undefined);
  }

  send(channel: string, ...args: unknown[]): void {
    this.#world.deliver(channel, args, []);
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.#world.deliver(channel, [message], transfer);
  }

  async executeJavaScript(code: string): Promise<unknown> {
    const page = await this.#opened;
    const { result, exceptionDetails } = await page.send<{ result: { value?: unknown }; exceptionDetails?: object }>(
      'Runtime.evaluate',
      { expression: code, awaitPromise: true, returnByValue: true },
    );
    if (exceptionDetails) throw new Error('Script failed to execute');
    return result.value;
  }

  forcefullyCrashRenderer(): void {
    // The page is gone before it could answer.
    void this.#opened.then((page) => page.send('Page.crash')).catch(() => undefined);
  }

  isCrashed(): boolean {
    return this.#crashed;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** For BrowserWindow. */
  async resize(size: { width: number; height: number }): Promise<void> {
    await this.#opened;
    const { browser } = chromium().connection;
    const { windowId } = await browser.send<{ windowId: number }>('Browser.getWindowForTarget', {
      targetId: this.#targetId,
    });
    await browser.send('Browser.setWindowBounds', { windowId, bounds: { width: size.width, height: size.height } });
  }

  /** For BrowserWindow, which asks its own listeners first. */
  /**
   * For BrowserWindow, which is about to close: runs the `beforeunload` handlers of the page, and asks the app where one
   * of them refuses. The stand-in asks about a close alone, Electron also about a reload.
   */
  async mayUnload(): Promise<boolean> {
    if (this.#destroyed || this.#crashed) return true;
    const expression = `(() => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    })()`;
    try {
      const page = await this.#opened;
      const { result } = await page.send<{ result: { value?: unknown } }>('Runtime.evaluate', { expression });
      if (result.value !== true) return true;
    } catch {
      // A page that is gone refuses nothing.
      return true;
    }
    const event = preventable({});
    this.emit('will-prevent-unload', event);
    return event.defaultPrevented;
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    all.delete(this.id);
    this.#world.left();
    void this.#opened
      .then(() => chromium().connection.browser.send('Target.closeTarget', { targetId: this.#targetId }))
      // Chromium may have ended with the app.
      .catch(() => undefined);
    this.emit('destroyed');
  }

  /** As Electron: closes the window round it, whose listeners may refuse. */
  close(): void {
    this.emit(closeRequested);
  }

  static fromId(id: number): WebContents | undefined {
    return all.get(id);
  }

  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return [...all.values()].find((contents) => contents.#targetId === targetId);
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()];
  }
}

/** Between a page and the window round it. */
export const closeRequested = Symbol('close');
