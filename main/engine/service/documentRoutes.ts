/**
 * The OpenAPI documents, and that of the management API as a page. They need no key: a caller reads here how to call.
 */
import * as z from 'zod';
import type { Api } from './access/api.ts';
import { describeDocument, type Documents } from './openapi/documents.ts';
import { named, operation } from './openapi/operation.ts';
import { REST_V2_BASE } from './http/restV2Address.ts';

export function registerDocumentRoutes(
  api: Api,
  documents: Pick<Documents, 'management' | 'managementPage' | 'restV2' | 'local'>,
): void {
  const routes = [
    ['/v1/openapi.json', 'GetOpenAPI', 'docs', documents.management],
    [`${REST_V2_BASE}/openapi.json`, 'getOpenAPI', 'docs', documents.restV2],
    ['/local/v1/openapi.json', 'localDocument', 'engine', documents.local],
  ] as const;
  for (const [url, id, group, text] of routes) {
    api.get(url, operation(describeDocument(id, group)), async (_request, reply) =>
      reply.type('application/json').send(text()),
    );
  }
  api.get(
    '/v1/docs',
    operation({
      id: 'GetDocs',
      group: 'docs',
      need: null,
      summary: 'This document as a page to read.',
      answers: { 200: { words: 'The page.', shape: named('Page', z.string()), type: 'text/html' } },
    }),
    async (_request, reply) => {
      const { html, styleHash } = documents.managementPage();
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        .send(html);
    },
  );
}
