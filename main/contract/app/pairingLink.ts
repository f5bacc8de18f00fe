/**
 * The link that adds an engine to Hangar on another computer (`<address>/#<pairing code>`), and the one of the page.
 */
import { PAIRING_PREFIX } from '../local/engine.ts';

export const isPairingCode = (text: string): boolean => text.trim().startsWith(PAIRING_PREFIX);

/** The code stands behind `#`, because browsers do not send that part. */
export const pairingLink = (address: string, code: string): string => `${address.replace(/\/+$/, '')}/#${code}`;

/** The address and the code of a pasted link; null for any other text. */
export function readPairingLink(text: string): { address: string; code: string } | null {
  const [address = '', code = '', ...more] = text.trim().split('#');
  if (more.length > 0 || !code.startsWith(PAIRING_PREFIX) || !/^\w+$/.test(code)) return null;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return { address: address.replace(/\/+$/, ''), code };
}

/** What the page of a Hangar answers to a request without a paired browser, such as one that is meant for the API. */
export const PAGE_REFUSAL = 'This browser is not paired with Hangar.';

/** Whether a text is the link that opens the page of a Hangar in a browser (`<address>/?pair=<code>`). */
export function isPageLink(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.searchParams.has('pair');
}
