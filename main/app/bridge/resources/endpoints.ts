/** The rows of an account's endpoints: endpoint, template and readiness combined. */
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { knownRuntime } from '#contract/local/engine.ts';
import type { ComputeApi } from '../../services/directory.ts';

/** The first fenced `json` block of a readme. */
export const sampleInputOf = (readme: string): string | null =>
  /^```json[^\n]*\n([\s\S]*?)^```/m.exec(readme.replaceAll('\r\n', '\n'))?.[1]?.trimEnd() ?? null;

/** The first text paragraph of a readme, without the marks of code: no heading, fence, list, table or quotation. */
export function descriptionOf(readme: string): string | null {
  const paragraphs = readme.replaceAll('\r\n', '\n').split(/\n\s*\n/);
  for (const paragraph of paragraphs) {
    // A heading may stand directly above its paragraph.
    const text = paragraph.replace(/^\s*#.*$/gm, '').trim();
    if (text !== '' && !/^([`~]{3}|[-*+|>]\s|\d+\.\s)/.test(text)) return withoutCodeMarks(text.replace(/\s+/g, ' '));
  }
  return null;
}

const withoutCodeMarks = (text: string): string => text.replace(/(`+)([^`]+)\1/g, '$2');

export async function listEndpoints(accountId: string, { management, local }: ComputeApi): Promise<EndpointSummary[]> {
  const [endpoints, templates, readiness] = await Promise.all([
    management.endpoints(),
    management.templates(),
    local ? local.readiness() : [],
  ]);
  const templateOf = new Map(templates.map((template) => [template.id, template]));
  const readinessOf = new Map(readiness.map((ready) => [ready.id, ready]));
  // Oldest first, so that a new endpoint does not move the others.
  const ordered = endpoints.toSorted(
    (a, b) => (Date.parse(a.createdAt) || 0) - (Date.parse(b.createdAt) || 0) || a.name.localeCompare(b.name),
  );
  return ordered.map((endpoint) => {
    const template = templateOf.get(endpoint.templateId);
    const ready = readinessOf.get(endpoint.id);
    return {
      accountId,
      id: endpoint.id,
      name: endpoint.name,
      imageName: template?.imageName ?? null,
      workersMin: endpoint.workersMin,
      workersMax: endpoint.workersMax,
      runtime: ready ? knownRuntime(ready) : null,
      publicSdk: ready?.publicSdk ?? null,
      available: ready?.available ?? true,
      reason: ready?.reason ?? null,
      sampleInput: template ? sampleInputOf(template.readme) : null,
      description: template ? descriptionOf(template.readme) : null,
    };
  });
}
