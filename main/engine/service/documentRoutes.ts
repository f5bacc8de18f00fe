/** What tells of the management API, for programs and for people. Whoever wants to know how to call needs no key for that. */
import { needs } from './access/routeAccess.ts';
import type { Api } from './access/api.ts';
import type { DocsPage } from './openapi/docsPage.ts';

export interface DocumentRoutesOptions {
  /** The OpenAPI document, as JSON. */
  document(): string;
  page(): DocsPage;
}

export function registerDocumentRoutes(api: Api, { document, page }: DocumentRoutesOptions): void {
  api.get('/v1/openapi.json', needs(null), async (_request, reply) => reply.type('application/json').send(document()));
  api.get('/v1/docs', needs(null), async (_request, reply) => {
    const { html, styleHash } = page();
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(html);
  });
}
