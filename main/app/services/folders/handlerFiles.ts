/** The files of a new handler, by what it does and its language. They run as they are, here and in the cloud. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HandlerKind, HandlerLanguage } from '#contract/app/endpointReadModels.ts';

/** In the folder `resources`: the code of each kind. The sample that chats is also the start of a chat in Node. */
const sources: Record<HandlerLanguage, Record<HandlerKind, string>> = {
  python: {
    job: 'handlers/python/job.py',
    stream: 'handlers/python/stream.py',
    chat: 'handlers/python/chat.py',
  },
  node: {
    job: 'handlers/node/job.mjs',
    stream: 'handlers/node/stream.mjs',
    chat: 'examples/small-chat/handler.mjs',
  },
};

const requirements = `# One package on each line. Hangar installs them from the overview of the endpoint.
runpod
`;

const languages: Record<HandlerLanguage, { handler: string; packages: Readonly<Record<string, string>> }> = {
  python: { handler: 'handler.py', packages: { 'requirements.txt': requirements } },
  node: {
    handler: 'handler.mjs',
    packages: { 'package.json': `${JSON.stringify({ private: true, type: 'module', dependencies: {} }, null, 2)}\n` },
  },
};

const greetInput = { name: 'world' };
const chatInput = {
  openai_route: '/v1/chat/completions',
  openai_input: { model: 'rules', messages: [{ role: 'user', content: 'What is 6 * 7?' }], stream: true },
};
const inputs: Record<HandlerKind, object> = { job: greetInput, stream: greetInput, chat: chatInput };

const chatNotes = `- On the Run page, choose Chat. OpenAI clients use the address of the endpoint with \`/openai/v1\`.
- Its model is a few rules. For your own, replace the body of \`reply\`: it yields the answer piece by piece.
`;

/** A list: a paragraph would be the description of the endpoint, and stay as it is while the code changes. */
const readmeOf = (name: string, kind: HandlerKind, handler: string): string => `# ${name}

- The code is in \`${handler}\`; a saved change reaches the next job.
${kind === 'chat' ? chatNotes : ''}- Run begins with this input. \`test_input.json\` has the same one for a run without Hangar.

\`\`\`json
${JSON.stringify({ input: inputs[kind] })}
\`\`\`
`;

/** The name of the handler's own file. */
export const handlerFileOf = (language: HandlerLanguage): string => languages[language].handler;

/** Text by file name. `resourcesDir`: the folder of the files that come with Hangar. */
export async function handlerFiles(
  { language, kind, name }: { language: HandlerLanguage; kind: HandlerKind; name: string },
  resourcesDir: string,
): Promise<Readonly<Record<string, string>>> {
  const { handler, packages } = languages[language];
  return {
    [handler]: await readFile(join(resourcesDir, sources[language][kind]), 'utf8'),
    ...packages,
    'test_input.json': `${JSON.stringify({ input: inputs[kind] }, null, 2)}\n`,
    'README.md': readmeOf(name, kind, handler),
  };
}
