/** The request as code for a terminal or a script, with the real address. The key is always the variable, never the key itself. */
import type { RunMode } from '#contract/app/ledger.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { pythonLiteral } from './pythonLiteral.ts';

/** The languages with their clients: first the client of the service, then one that needs no package of it. */
export const snippetLanguages = {
  curl: ['curl'],
  Python: ['runpod', 'requests'],
  JavaScript: ['runpod-sdk', 'fetch'],
  OpenAI: ['openai-python', 'openai-javascript'],
} as const;
export type SnippetLanguage = keyof typeof snippetLanguages;
export type SnippetClient = (typeof snippetLanguages)[SnippetLanguage][number];

/**
 * The languages for a request. Clients of the OpenAI kind send messages, so they are left out for an input without
 * messages. The clients of jobs cannot send a chat.
 */
export const languagesFor = ({ mode, body }: Pick<SnippetRequest, 'mode' | 'body'>): SnippetLanguage[] =>
  mode === 'chat'
    ? ['curl', 'OpenAI']
    : keysOf(snippetLanguages).filter((language) => language !== 'OpenAI' || body.includes('"messages"'));

export interface SnippetRequest {
  /** Base address without a trailing slash. */
  address: string;
  endpointId: string;
  /** `chat`: the body is a request of the chat of OpenAI clients, not one of a job. */
  mode: RunMode | 'chat';
  /** JSON text, put in as written. */
  body: string;
}

export const KEY_VARIABLE = 'HANGAR_API_KEY';

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const templateQuote = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;

/** `url`: the address of the endpoint. */
const makers: Record<SnippetClient, (request: SnippetRequest, url: string) => string> = {
  curl({ body, mode }, url) {
    const key = `-H "Authorization: Bearer $${KEY_VARIABLE}"`;
    if (mode === 'chat') {
      return `curl -sS -N ${shellQuote(`${url}/openai/v1/chat/completions`)} \\
  ${key} \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(body)}`;
    }
    const send = `curl -sS ${shellQuote(`${url}/${mode}`)} \\
  ${key} \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(body)}`;
    if (mode === 'runsync') return send;
    // The answer names the job: its chunks and its result are read by that id.
    return `id=$(${send} \\
  | sed 's/.*"id": *"\\([^"]*\\)".*/\\1/')

# Its chunks, each once. Ask again for those that come later.
curl -sS ${shellQuote(`${url}/stream/`)}"$id" \\
  ${key}

# Its state, and its result once it is COMPLETED.
curl -sS ${shellQuote(`${url}/status/`)}"$id" \\
  ${key}`;
  },

  runpod({ address, endpointId, body, mode }) {
    const { code, usesJson } = pythonLiteral(body);
    return `import ${usesJson ? 'json, ' : ''}os
import runpod

runpod.api_key = os.environ["${KEY_VARIABLE}"]
runpod.endpoint_url_base = ${JSON.stringify(`${address}/v2`)}
endpoint = runpod.Endpoint(${JSON.stringify(endpointId)})

body = ${code}
${mode === 'runsync' ? 'print(endpoint.run_sync(body))' : RUNPOD_STREAM}`;
  },

  requests({ body, mode }, url) {
    const { code, usesJson } = pythonLiteral(body);
    return `import ${usesJson ? 'json, ' : ''}os
${mode === 'runsync' ? '' : 'import time\n'}import requests

url = ${JSON.stringify(url)}
headers = {"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"]}

def call(path, body=None):
    method = "GET" if body is None else "POST"
    answer = requests.request(method, url + path, json=body, headers=headers)
    answer.raise_for_status()
    return answer.json()

body = ${code}
job = call("/${mode}", body)
${mode === 'runsync' ? 'print(job)' : PYTHON_STREAM}`;
  },

  'runpod-sdk': ({ address, endpointId, body, mode }) => `import runpodSdk from 'runpod-sdk';

const baseUrl = ${JSON.stringify(`${address}/v2`)};
const client = runpodSdk(process.env.${KEY_VARIABLE}, { baseUrl });
const endpoint = client.endpoint(${JSON.stringify(endpointId)});

const body = ${templateQuote(body)};
${mode === 'runsync' ? 'console.log(await endpoint.runSync(JSON.parse(body)));' : SDK_STREAM}`,

  fetch: ({ body, mode }, url) => `const call = async (path, body) => {
  const answer = await fetch(${JSON.stringify(url)} + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`, 'Content-Type': 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};

const body = ${templateQuote(body)};
const job = await call('/${mode}', body);
${mode === 'runsync' ? 'console.log(job);' : JS_STREAM}`,

  'openai-python'({ body, mode }, url) {
    const { code, usesJson } = pythonLiteral(body, mode === 'chat' ? undefined : 'input');
    return `import ${usesJson ? 'json, ' : ''}os
import openai

client = openai.OpenAI(
    api_key=os.environ["${KEY_VARIABLE}"],
    base_url=${JSON.stringify(`${url}/openai/v1`)},
)

request = ${code}
${mode === 'chat' ? PYTHON_CHAT : PYTHON_INPUT}
    for choice in piece.choices:
        print(choice.delta.content or "", end="", flush=True)`;
  },

  'openai-javascript': ({ body, mode }, url) => `import OpenAI from 'openai';

const client = new OpenAI({
  apiKey: process.env.${KEY_VARIABLE},
  baseURL: ${JSON.stringify(`${url}/openai/v1`)},
});

${mode === 'chat' ? jsChat(body) : jsInput(body)}
for await (const { choices } of pieces) {
  for (const { delta } of choices) process.stdout.write(delta.content ?? '');
}`,
};

const PYTHON_INPUT = `model = request.get("model") or client.models.list().data[0].id
for piece in client.chat.completions.create(model=model, messages=request["messages"], stream=True):`;

const PYTHON_CHAT = `for piece in client.chat.completions.create(**request):`;

const jsInput = (body: string): string => `const request = JSON.parse(${templateQuote(body)}).input;
const model = request.model || (await client.models.list()).data[0].id;
const pieces = await client.chat.completions.create({ model, messages: request.messages, stream: true });`;

const jsChat = (body: string): string => `const request = JSON.parse(${templateQuote(body)});
const pieces = await client.chat.completions.create(request);`;

const RUNPOD_STREAM = `job = endpoint.run(body)
for chunk in job.stream():
    print(chunk, flush=True)
print(job.output())`;

const SDK_STREAM = `const job = await endpoint.run(JSON.parse(body));
for await (const chunk of endpoint.stream(job.id)) console.log(chunk.output);
console.log(await endpoint.status(job.id));`;

/** Seconds between two questions of a program that waits. */
const PAUSE_S = 0.5;

/**
 * Services answer the chunks in an envelope, or bare. The status is read before the chunks: a job that ended between the
 * two would otherwise leave its last chunks unread.
 */
const PYTHON_STREAM = `while True:
    status = call("/status/" + job["id"])
    answer = call("/stream/" + job["id"])
    chunks = answer["stream"] if isinstance(answer, dict) else answer
    for chunk in chunks:
        print(chunk["output"], flush=True)
    if not chunks:
        if status["status"] not in ("IN_QUEUE", "IN_PROGRESS"):
            break
        time.sleep(${PAUSE_S})
print(status)`;

const JS_STREAM = `for (;;) {
  const status = await call('/status/' + job.id);
  const answer = await call('/stream/' + job.id);
  const chunks = answer.stream ?? answer;
  for (const chunk of chunks) console.log(chunk.output);
  if (chunks.length > 0) continue;
  if (!['IN_QUEUE', 'IN_PROGRESS'].includes(status.status)) {
    console.log(status);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, ${PAUSE_S * 1000}));
}`;

/** What a program needs before it runs, as its first line. */
const needs: Readonly<Record<SnippetClient, string>> = {
  curl: '',
  runpod: '# Needs: pip install runpod\n',
  requests: '# Needs: pip install requests\n',
  'runpod-sdk': '// Needs: npm install runpod-sdk, and a file name that ends in .mjs\n',
  fetch: '// Needs: a file name that ends in .mjs\n',
  'openai-python': '# Needs: pip install openai\n',
  'openai-javascript': '// Needs: npm install openai, and a file name that ends in .mjs\n',
};

/** The request as a program of one client. */
export function makeSnippet(client: SnippetClient, request: SnippetRequest): string {
  const url = `${request.address}/v2/${encodeURIComponent(request.endpointId)}`;
  return needs[client] + makers[client](request, url);
}
