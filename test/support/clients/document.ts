/** The text of docs/clients.md, made of the table of clients and of the reasons. */
import { format } from 'oxfmt';
import { reasonOf } from '../../clients/reasons.ts';
import { allClients, type PublishedClient } from '../../clients/table.ts';

const HEAD = `# Published clients

\`npm run test:full\` installs these programs as they are published and runs them, unmodified, against a real engine.
Each row is one call, one thing that a worker does, or one test of a client's own suite; ✓ means that it passes. The
tests (\`npm test -- clients\`) fail when a row does not say what they see.

Each client gets the address and the key of the engine in its own way: a parameter, a variable, a file of settings. The
modules of dstack and SkyPilot have the address as a constant: the test sets it from outside and changes nothing else.
Rows about Pods run if the tests can start a container engine. The tests replace the tool of the GPU's maker with a
program that reports a GPU. No other program knows this GPU, so no container can start with it.

This page is made of \`test/clients/table.ts\` and \`test/clients/reasons.ts\`. To write it anew:
\`node scripts/clients.mjs\`.
`;

const REASON_MARKS = 'abcdefghijklmnopqrstuvwxyz';

/** One table of all versions of a client in one use. */
function section(versions: readonly PublishedClient[]): string {
  const [first] = versions;
  if (first === undefined) return '';
  const marks = new Map<string, string>();
  const cell = (client: PublishedClient, call: string): string => {
    const reason = reasonOf(client, call)?.reason;
    if (reason === undefined) return '✓';
    const mark = marks.get(reason) ?? REASON_MARKS[marks.size] ?? '';
    marks.set(reason, mark);
    return `no (${mark})`;
  };
  const rows = first.calls.map((call) => [call, ...versions.map((client) => cell(client, call))]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = [FIRST_COLUMN[first.use], ...versions.map(({ version }) => version)];
  const withOthers = first.packages.length > 1 ? ` with ${first.packages.slice(1).join(', ')}` : '';
  return [
    `## ${first.name} (${first.registry}${first.use === 'client' ? '' : `, ${first.use}`})${withOthers}`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
    ...[...marks].map(([reason, mark]) => `- (${mark}) ${reason}`),
    '',
  ].join('\n');
}

const FIRST_COLUMN = { client: 'Call', worker: 'What the worker does', 'end-to-end suite': 'Test' } as const;

export async function clientsDocument(): Promise<string> {
  const groups = Map.groupBy(allClients, ({ name, registry, use }) => `${name} ${registry} ${use}`);
  const text = [HEAD, ...[...groups.values()].map(section)].join('\n');
  return (await format('clients.md', text)).code;
}
