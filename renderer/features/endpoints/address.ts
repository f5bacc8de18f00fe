/** How a program reaches an endpoint. The key is always the variable, never the key itself. */
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';

export const KEY_VARIABLE = 'HANGAR_API_KEY';

type Named = Pick<EndpointRow, 'id' | 'type'>;

/** One that balances load has a path and, on a loopback address, a host name of its own. */
export function endpointAddress({ id, type }: Named, base: string): string[] {
  if (type === 'QB') return [`${base}/v2/${encodeURIComponent(id)}`];
  const path = `${base}/lb/${encodeURIComponent(id)}/`;
  const own = new URL(base);
  if (own.hostname !== '127.0.0.1' && own.hostname !== 'localhost') return [path];
  return [path, `${own.protocol}//${id.toLowerCase()}.localhost:${own.port}/`];
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that sends a job with `body`, a JSON text, or that calls an endpoint that balances load. */
export function curlOf(endpoint: Named, base: string, body: string): string {
  const [url] = endpointAddress(endpoint, base);
  const key = `-H "Authorization: Bearer $${KEY_VARIABLE}"`;
  if (endpoint.type === 'LB') return `curl -sS '${url}' \\\n  ${key}`;
  return `curl -sS '${url}/run' \\\n  ${key} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuote(body)}`;
}
