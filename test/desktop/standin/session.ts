/** Session and protocol: who may ask for what, and the answers to requests of the app's own schemes. */
import { fromChromium, isRegistered, registerScheme } from './addresses.ts';
import { record } from './record.ts';
import { represented } from './chromium/represented.ts';
import { afterReady, runtime } from './chromium/runtime.ts';

type SchemeHandler = (request: Request) => Response | Promise<Response>;
type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: object,
) => void;

const handlers = new Map<string, SchemeHandler>();
const permissions: { check: PermissionCheck | null; request: PermissionRequest | null } = {
  check: null,
  request: null,
};

/** Electron's name of a permission, and Chromium's. Both sides are asked for each, so that a grant shows. */
const permissionNames: readonly (readonly [electron: string, chromium: string, media?: string])[] = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['media', 'camera', 'video'],
  ['media', 'microphone', 'audio'],
  ['midi', 'midi'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
];

export const protocol = represented<Electron.Protocol>('protocol', {
  registerSchemesAsPrivileged(schemes) {
    if (runtime.ready) throw new Error('protocol.registerSchemesAsPrivileged must be called before the ready event');
    for (const { scheme, privileges } of schemes) {
      if (!privileges?.standard || !privileges.secure) {
        throw new Error(`the stand-in represents only schemes that are standard and secure, not ${scheme}`);
      }
      registerScheme(scheme);
    }
  },
  handle(scheme, handler) {
    afterReady('protocol.handle');
    if (!isRegistered(scheme)) throw new Error(`the stand-in handles only schemes registered before, not ${scheme}`);
    if (handlers.has(scheme)) throw new Error(`The scheme has been intercepted or registered: ${scheme}`);
    handlers.set(scheme, handler);
  },
  isProtocolHandled: (scheme) => handlers.has(scheme),
});

const defaultSession = represented<Electron.Session>('session.defaultSession', {
  protocol,
  setPermissionCheckHandler: (handler) => void (permissions.check = handler as PermissionCheck | null),
  setPermissionRequestHandler: (handler) => void (permissions.request = handler as PermissionRequest | null),
  // Headless Chromium has no devices and shows no chooser, so there is nothing these could be asked.
  setDevicePermissionHandler: () => undefined,
  setDisplayMediaRequestHandler: () => undefined,
});

export const session = represented<typeof Electron.session>('session', {
  get defaultSession() {
    afterReady('session.defaultSession');
    return defaultSession;
  },
  // Of requests of the main process: a page with a partition of its own is not represented.
  fromPartition: () => represented<Electron.Session>('session.fromPartition()', {}),
});

/** Electron grants where no handler was set. */
export async function permissionSettings(
  contents: unknown,
  origin: string,
): Promise<[name: string, granted: boolean][]> {
  return Promise.all(
    permissionNames.map(async ([permission, name, media]): Promise<[string, boolean]> => {
      const details = { requestingUrl: origin, isMainFrame: true };
      const checkDetails = { ...details, ...(media !== undefined && { securityOrigin: origin, mediaType: media }) };
      const checked = permissions.check?.(contents, permission, origin, checkDetails) ?? true;
      const { request } = permissions;
      const requestDetails = {
        ...details,
        ...(media !== undefined && { securityOrigin: origin, mediaTypes: [media] }),
      };
      const granted =
        checked &&
        (!request || (await new Promise<boolean>((answer) => request(contents, permission, answer, requestDetails))));
      return [name, granted];
    }),
  );
}

export interface PageRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly postData?: string;
}

/** The app's own answer, or undefined for a request that would have gone to a network. */
export async function answerRequest(request: PageRequest): Promise<Response | undefined> {
  const url = fromChromium(request.url);
  const handler = handlers.get(url.slice(0, url.indexOf(':')));
  if (!handler) {
    record('unknown-request', url);
    return undefined;
  }
  const body = request.postData === undefined ? {} : { body: request.postData };
  return handler(new Request(url, { method: request.method, headers: request.headers, ...body }));
}
