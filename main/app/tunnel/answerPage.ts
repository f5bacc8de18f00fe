/** Short answers of the tunnel itself: a page for a browser, and lines of text for other programs. */
import type { ServerResponse } from 'node:http';

export interface TunnelAnswer {
  status: number;
  /** What happened, without a full stop. */
  title: string;
  /** Why, and what to do: sentences. */
  text: string;
}

const STYLE = [
  ':root { color-scheme: light dark; }',
  'body { margin: 0; display: grid; min-height: 100vh; place-items: center; font: 16px/1.5 system-ui, sans-serif;',
  'color: #25262b; background: #f6f7f9; }',
  'main { box-sizing: border-box; width: min(34rem, 100%); padding: 2rem 1.5rem; overflow-wrap: anywhere; }',
  'h1 { margin: 0 0 0.5rem; font-size: 1.25rem; line-height: 1.3; }',
  'p { margin: 0; }',
  '@media (prefers-color-scheme: dark) { body { color: #d5d7dc; background: #141517; } }',
].join('\n');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const pageOf = ({ title, text }: TunnelAnswer): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`;

/**
 * Sends the answer. `accept`: the `Accept` of the request, which says whether a browser shows the answer to a person.
 */
export function sendAnswer(response: ServerResponse, accept: string | undefined, answer: TunnelAnswer): void {
  const isPage = accept?.includes('text/html') === true;
  response.writeHead(answer.status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(isPage ? pageOf(answer) : `${answer.title}. ${answer.text}\n`);
}
