/**
 * What runs in a page before its own scripts: the preload in an isolated world, and the main world's end of
 * contextBridge.
 */
import { createCodec } from '../codec.ts';
import { createCallable, createContextBridge, type Exposed } from './contextBridge.ts';
import { createWebUtils } from './filePaths.ts';

/** Messages from the isolated world to this process, over one binding. */
export type FromWorld =
  | { kind: 'send'; channel: string; args: unknown[] }
  | { kind: 'invoke'; channel: string; call: number; args: unknown[] }
  | { kind: 'port'; port: number; data: unknown }
  | { kind: 'port-closed'; port: number }
  | { kind: 'window-open'; url: string; frameName: string; features: string }
  | { kind: 'preload-error'; message: string };

/** Messages from this process to the isolated world. */
export type ToWorld =
  | { kind: 'deliver'; channel: string; args: unknown[]; ports: number[] }
  | { kind: 'answer'; call: number; value: unknown; error: string | null }
  | { kind: 'port'; port: number; data: unknown }
  | { kind: 'port-closed'; port: number };

export interface WorldSettings {
  readonly binding: string;
  readonly receiver: string;
  /** Names of events between the worlds: of the bridge, and of window.open. */
  readonly secret: string;
  readonly opening: string;
  readonly process: object;
}

/** What the isolated world is made of. Their sources are evaluated there, so each is self-contained. */
const isolatedParts = { createCodec, createContextBridge, createWebUtils };
type Parts = typeof isolatedParts;
type CreateCallable = typeof createCallable;

type Preload = (require: (name: string) => unknown, module: object, exports: object, process: object) => void;
type World = Record<string, (text: string) => void>;

/** Runs in the page's own world, before any script of the page; leaves nothing but what the preload exposes. */
function mainWorld(secret: string, opening: string, createCallable: CreateCallable): void {
  if (window !== window.top) return;
  // Electron asks before there is a window, and null is the answer. Chromium makes one first, which a page could keep.
  const open = window.open.bind(window);
  window.open = (url = '', target = '_blank', features = '') => {
    if (['_self', '_top', '_parent'].includes(target)) return open(url, target, features);
    const detail = JSON.stringify({ url: new URL(url, document.baseURI).href, frameName: target, features });
    window.dispatchEvent(new CustomEvent(opening, { detail }));
    return null;
  };
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const callable = createCallable(secret);
  const expose = (event: Event): void => {
    const { key, text, functions } = JSON.parse((event as CustomEvent<string>).detail) as Partial<Exposed>;
    if (key === undefined || text === undefined) return window.removeEventListener(secret, expose);
    const value = JSON.parse(text) as Record<string, unknown>;
    for (const name of functions ?? []) value[name] = callable(`${key}.${name}`);
    Object.defineProperty(window, key, { value: freeze(value), enumerable: true });
  };
  window.addEventListener(secret, expose);
}

/** Runs in the isolated world. Only the top frame has a preload, as with nodeIntegrationInSubFrames off. */
function isolatedWorld(settings: WorldSettings, parts: Parts, preload: Preload): void {
  if (window !== window.top) return;
  const codec = parts.createCodec();
  const world = window as unknown as World;
  const tell = (message: FromWorld): void => world[settings.binding]?.(JSON.stringify(message));
  const only = <Members extends object>(name: string, members: Members): Members =>
    new Proxy(members, {
      get(target, property) {
        if (property in target || typeof property === 'symbol') return Reflect.get(target, property) as unknown;
        throw new Error(`${name}.${property} is not represented by the stand-in for Electron`);
      },
    });

  const ports = new Map<number, MessagePort>();
  const openPort = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    port2.addEventListener('message', (event) => tell({ kind: 'port', port: id, data: codec.encode(event.data) }));
    port2.addEventListener('close', () => tell({ kind: 'port-closed', port: id }));
    port2.start();
    ports.set(id, port2);
    return port1;
  };

  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, Set<Listener>>();
  const on = (channel: string, listener: Listener): void => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
  };
  const invoked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastCall = 0;
  const ipcRenderer = only('ipcRenderer', {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        invoked.set((lastCall += 1), { resolve, reject });
        tell({ kind: 'invoke', channel, call: lastCall, args: args.map(codec.encode) });
      }),
    send: (channel: string, ...args: unknown[]) => tell({ kind: 'send', channel, args: args.map(codec.encode) }),
    on,
    addListener: on,
    removeListener: (channel: string, listener: Listener) => void listeners.get(channel)?.delete(listener),
    removeAllListeners: (channel: string) => void listeners.delete(channel),
  });

  window.addEventListener(settings.opening, (event) => {
    const request = JSON.parse((event as CustomEvent<string>).detail) as {
      url: string;
      frameName: string;
      features: string;
    };
    tell({ kind: 'window-open', ...request });
  });

  world[settings.receiver] = (text) => {
    const message = JSON.parse(text) as ToWorld;
    if (message.kind === 'port') ports.get(message.port)?.postMessage(codec.decode(message.data));
    else if (message.kind === 'port-closed') ports.get(message.port)?.close();
    else if (message.kind === 'answer') {
      const { call, value, error } = message;
      if (error === null) invoked.get(call)?.resolve(codec.decode(value));
      else invoked.get(call)?.reject(new Error(error));
      invoked.delete(call);
    } else {
      const event = { sender: ipcRenderer, ports: message.ports.map(openPort) };
      const args = message.args.map(codec.decode);
      for (const listener of [...(listeners.get(message.channel) ?? [])]) listener(event, ...args);
    }
  };

  const bridge = parts.createContextBridge(settings.secret);
  const contextBridge = only('contextBridge', bridge.members);
  const webUtils = only('webUtils', parts.createWebUtils());
  const electron = only('electron', { contextBridge, ipcRenderer, webUtils });
  const load = (name: string): unknown => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  try {
    const module = { exports: {} };
    preload(load, module, module.exports, settings.process);
  } catch (error) {
    tell({ kind: 'preload-error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  bridge.end();
}

export const mainWorldScript = ({ secret, opening }: Pick<WorldSettings, 'secret' | 'opening'>): string =>
  `(${mainWorld.toString()})(${JSON.stringify(secret)}, ${JSON.stringify(opening)}, ${createCallable.toString()})`;

export function isolatedWorldScript(settings: WorldSettings, preloadSource: string): string {
  const preload = `function (require, module, exports, process) {\n${preloadSource}\n}`;
  const parts = Object.entries(isolatedParts).map(([name, create]) => `${name}: ${create.toString()}`);
  return `(${isolatedWorld.toString()})(${JSON.stringify(settings)}, { ${parts.join(', ')} }, ${preload})`;
}
