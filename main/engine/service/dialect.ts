/** Where the service description and its real clients differ: what is served by default, what to whom else, and why. */

/** The public SDKs iterate `stream` of an envelope; the description says a bare array. So SDKs, known by their user agent, get what they parse. */
const ENVELOPE_AGENTS = /RunPod-(JS|Python)-SDK|runpod-cli|runpod-go/i;

export function wantsStreamEnvelope(userAgent: string | undefined, query: URLSearchParams | null): boolean {
  const asked = query?.get('envelope');
  if (asked !== null && asked !== undefined) return asked === 'true' || asked === '1';
  return userAgent !== undefined && ENVELOPE_AGENTS.test(userAgent);
}

/** Tools of the cloud send the bare key where the description declares the bearer scheme; both are keys here. */
export function keyOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const key = /^bearer /i.test(authorization) ? authorization.slice(7).trim() : authorization.trim();
  return key === '' ? null : key;
}

/** Clients take their message from `error`, `message` or `detail`, by their age; each error carries what all of them read. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ error: message, message, status });
