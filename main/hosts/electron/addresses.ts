/** Decides which addresses belong to the page, and which may open in the person's browser. */

export const pageScheme = 'app';
export const pageHost = 'bundle';
export const pageOrigin = `${pageScheme}://${pageHost}`;
export const pageAddress = `${pageOrigin}/index.html`;

const parse = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);

/** True for every address of Hangar's own origin. */
export function isOurs(address: string): boolean {
  const url = parse(address);
  // A URL reports the origin of a custom scheme as "null", so its parts are compared.
  return url?.protocol === `${pageScheme}:` && url.host === pageHost && !url.username && !url.password;
}

/** True for the page itself, which is the only document that a window may show. */
export function isPage(address: string): boolean {
  return isOurs(address) && ['/', '/index.html'].includes(new URL(address).pathname);
}

/** The host name of an http port of a Pod, which is always on this computer. */
const POD_HOST = /^[a-z0-9]+-\d{1,5}\.localhost$/;
/** A folder of a Pod in VS Code, over SSH. No other command of VS Code has this form. */
const VSCODE_FOLDER = /^vscode:\/\/vscode-remote\/ssh-remote\+[\w.-]+@[\w.-]+(:\d{1,5})?\/[\w./-]*$/;

/**
 * True for addresses that a click may open outside: https, an http port of a Pod, and a folder of a Pod in VS Code;
 * none with credentials.
 */
export function mayOpenOutside(address: string): boolean {
  const url = parse(address);
  if (url === null) return false;
  if (url.protocol === 'vscode:') return VSCODE_FOLDER.test(address);
  if (url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && POD_HOST.test(url.hostname));
}
