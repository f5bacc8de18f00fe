/** The command that makes an API key. The page itself never sees one: the key is shown once, in the person's own terminal. */
import type { ApiKeyScope } from '#contract/local/engine.ts';

export const KEY_VARIABLE = 'HANGAR_API_KEY';

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const keyCommand = (address: string, name: string, scope: ApiKeyScope): string =>
  `curl -sS ${shellQuote(`${address}/local/v1/api-keys`)} \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(JSON.stringify({ name, scope }))}`;
