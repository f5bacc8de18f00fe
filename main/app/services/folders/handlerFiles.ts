/** The files of a new handler, in each language. They run as they are, here and in a container of the cloud. */
import type { HandlerLanguage } from '#contract/app/endpointReadModels.ts';

const input = { input: { name: 'world' } };

const python = `"""Answers with a greeting. Change the function to what your endpoint does."""

import runpod


def handler(job):
    name = job["input"].get("name", "world")
    # What you print is in the log of the job.
    print(f"Greeting {name}")
    return {"greeting": f"Hello, {name}!"}


runpod.serverless.start({"handler": handler})
`;

const node = `/** Answers with a greeting. Change the function to what your endpoint does. */
export default async function handler(job) {
  const { name = 'world' } = job.input;
  // What you print is in the log of the job.
  console.log(\`Greeting \${name}\`);
  return { greeting: \`Hello, \${name}!\` };
}
`;

const requirements = `# One package on each line. Hangar installs them from the overview of the endpoint.
runpod
`;

const languages: Record<
  HandlerLanguage,
  { handler: string; text: string; packages: Readonly<Record<string, string>> }
> = {
  python: { handler: 'handler.py', text: python, packages: { 'requirements.txt': requirements } },
  node: {
    handler: 'handler.mjs',
    text: node,
    packages: { 'package.json': `${JSON.stringify({ private: true, type: 'module', dependencies: {} }, null, 2)}\n` },
  },
};

/** Ten lines: the first paragraph describes the endpoint, and Run begins with the input of the block. */
const readmeOf = (name: string, handler: string): string => `# ${name}

Greets a name. The code is in \`${handler}\`; a saved change reaches the next job.

\`\`\`json
${JSON.stringify(input)}
\`\`\`

\`test_input.json\` has the same input for a run without Hangar.
`;

/** The name of the handler's own file. */
export const handlerFileOf = (language: HandlerLanguage): string => languages[language].handler;

/** Text by file name. */
export function handlerFiles(language: HandlerLanguage, name: string): Readonly<Record<string, string>> {
  const { handler, text, packages } = languages[language];
  return {
    [handler]: text,
    ...packages,
    'test_input.json': `${JSON.stringify(input, null, 2)}\n`,
    'README.md': readmeOf(name, handler),
  };
}
