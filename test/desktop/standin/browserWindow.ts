/** BrowserWindow: a page of Chromium with the bounds, the visibility and the closing of a window. */
import { app } from './app.ts';
import { Emitter, preventable } from './chromium/represented.ts';
import { afterReady } from './chromium/runtime.ts';
import { WebContents, closeRequested } from './webContents.ts';

type Bounds = Electron.Rectangle;

const known = new Set<keyof Electron.WebPreferences>([
  'preload',
  'sandbox',
  'contextIsolation',
  'nodeIntegration',
  'nodeIntegrationInWorker',
  'nodeIntegrationInSubFrames',
  'webSecurity',
  'allowRunningInsecureContent',
  'webviewTag',
  'navigateOnDragDrop',
  'experimentalFeatures',
  'spellcheck',
  'devTools',
  'v8CacheOptions',
  'backgroundThrottling',
  'safeDialogs',
  'disableDialogs',
]);

/** Only what every page of Chromium is: sandboxed, isolated, without Node. */
function checkPreferences(preferences: Electron.WebPreferences): void {
  const wrong = Object.keys(preferences).filter((name) => !known.has(name as keyof Electron.WebPreferences));
  if (preferences.sandbox === false) wrong.push('sandbox');
  if (preferences.contextIsolation === false) wrong.push('contextIsolation');
  if (preferences.webSecurity === false) wrong.push('webSecurity');
  for (const name of [
    'nodeIntegration',
    'nodeIntegrationInWorker',
    'nodeIntegrationInSubFrames',
    'webviewTag',
  ] as const) {
    if (preferences[name]) wrong.push(name);
  }
  if (wrong.length > 0) throw new Error(`the stand-in cannot represent webPreferences: ${wrong.join(', ')}`);
}

/** Electron's own defaults, so that a test reads what holds and not only what was said. */
const defaults: Electron.WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
};

let focused: BrowserWindow | undefined;
const all = new Set<BrowserWindow>();
let nextId = 1;

export class BrowserWindow extends Emitter {
  readonly id = nextId++;
  readonly webContents: WebContents;
  #bounds: Bounds;
  #title: string;
  #background: string;
  #visible = false;
  #destroyed = false;
  #state: 'normal' | 'maximized' | 'minimized' | 'full-screen' = 'normal';
  readonly #minimum: [number, number];

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super([
      'ready-to-show',
      'show',
      'hide',
      'focus',
      'blur',
      'close',
      'closed',
      'resize',
      'move',
      'maximize',
      'unmaximize',
      'minimize',
      'restore',
      'enter-full-screen',
      'leave-full-screen',
      'page-title-updated',
    ]);
    afterReady('BrowserWindow');
    checkPreferences(options.webPreferences ?? {});
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.#title = options.title ?? app.getName();
    this.#background = options.backgroundColor ?? '#FFFFFF';
    this.webContents = new WebContents({ width, height }, { ...defaults, ...options.webPreferences });
    all.add(this);
    this.webContents.on(closeRequested, () => this.close());
    this.webContents.once('dom-ready', () => this.emit('ready-to-show'));
    app.emit('web-contents-created', preventable({}), this.webContents);
    app.emit('browser-window-created', preventable({}), this);
    this.webContents.on('render-process-gone', (event: object, details: object) =>
      app.emit('render-process-gone', event, this.webContents, details),
    );
    if (options.show !== false) this.show();
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  show(): void {
    this.#visible = true;
    this.emit('show');
    this.focus();
  }

  hide(): void {
    this.#visible = false;
    this.emit('hide');
    this.blur();
  }

  focus(): void {
    if (focused === this) return;
    focused?.blur();
    // oxlint-disable-next-line typescript/no-this-alias -- which window has the focus is known to all of them
    focused = this;
    this.emit('focus');
  }

  blur(): void {
    if (focused !== this) return;
    focused = undefined;
    this.emit('blur');
  }

  isVisible(): boolean {
    return this.#visible;
  }

  isFocused(): boolean {
    return focused === this;
  }

  minimize(): void {
    this.#state = 'minimized';
    this.blur();
    this.emit('minimize');
  }

  maximize(): void {
    this.#state = 'maximized';
    this.emit('maximize');
  }

  unmaximize(): void {
    this.#state = 'normal';
    this.emit('unmaximize');
  }

  restore(): void {
    this.#state = 'normal';
    this.emit('restore');
  }

  setFullScreen(on: boolean): void {
    this.#state = on ? 'full-screen' : 'normal';
    this.emit(on ? 'enter-full-screen' : 'leave-full-screen');
  }

  isMinimized(): boolean {
    return this.#state === 'minimized';
  }

  isMaximized(): boolean {
    return this.#state === 'maximized';
  }

  isFullScreen(): boolean {
    return this.#state === 'full-screen';
  }

  getBounds(): Bounds {
    return { ...this.#bounds };
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }

  getMinimumSize(): [number, number] {
    return [...this.#minimum];
  }

  setBounds(bounds: Partial<Bounds>): void {
    const [minWidth, minHeight] = this.#minimum;
    const next = { ...this.#bounds, ...bounds };
    this.#bounds = { ...next, width: Math.max(next.width, minWidth), height: Math.max(next.height, minHeight) };
    // The page may close before Chromium has resized it.
    void this.webContents.resize(this.#bounds).catch(() => undefined);
    this.emit('resize');
    this.emit('move');
  }

  /** Kept for tests: nothing is drawn. */
  progress = -1;

  setProgressBar(progress: number): void {
    this.progress = progress;
  }

  setBackgroundColor(color: string): void {
    this.#background = color;
  }

  getBackgroundColor(): string {
    return this.#background;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  close(): void {
    void this.closed();
  }

  /** For `app.quit`: closes, and settles once the window is gone or has refused. */
  async closed(): Promise<void> {
    if (this.#destroyed) return;
    const event = preventable({});
    this.emit('close', event);
    if (!event.defaultPrevented && (await this.webContents.mayUnload())) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.blur();
    all.delete(this);
    this.webContents.destroy();
    this.emit('closed');
    if (all.size === 0) app.lastWindowClosed();
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  static getAllWindows(): BrowserWindow[] {
    return [...all];
  }

  static getFocusedWindow(): BrowserWindow | null {
    return focused ?? null;
  }

  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return [...all].find((window) => window.webContents === contents) ?? null;
  }

  static fromId(id: number): BrowserWindow | null {
    return [...all].find((window) => window.id === id) ?? null;
  }
}

app.closesWindowsWith(async () => {
  await Promise.all([...all].map((window) => window.closed()));
  return all.size === 0;
});
