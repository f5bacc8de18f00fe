/** The request as code for a terminal or a script, with the real address. The key is always the variable, never the key itself. */
import type { RunMode } from '#contract/app/ledger.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { liftFiles, type LiftedBody, type NamedFile } from './bodyFiles.ts';
import { javascriptImport, javascriptLiteral, pythonLiteral } from './literals.ts';

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
  /** JSON text. */
  body: string;
  /** Whether the handler yields, so that the code reads the chunks as they come; null while nobody knows. */
  yields?: boolean | null;
  /** Files that the person gave to the input: the code names them. */
  files?: readonly NamedFile[];
}

export const KEY_VARIABLE = 'HANGAR_API_KEY';

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text of JavaScript for an address, an id or the like. */
const jsQuote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Lines of imports of Python: its own modules, then a package, or one `name` of it. */
const pythonImports = (own: readonly string[], of: string, name?: string): string => {
  const lines = own.map((module) => `import ${module}\n`);
  const last = name === undefined ? `import ${of}\n` : `from ${of} import ${name}\n`;
  return `${lines.join('')}\n${last}`;
};

/** Linux starts no program with a longer argument. */
const MOST_ARGUMENT_BYTES = 131_071;

/** The body as a word of a shell, which reads the files. */
const shellBody = ({ text, files }: LiftedBody): string =>
  files.reduce(
    (word, { mark, name }) => word.replace(mark, () => `'"$(base64 < ${shellQuote(name)} | tr -d '\\n')"'`),
    shellQuote(text),
  );

/** `body`: with marks in place of its files. `url`: the address of the endpoint. */
interface Request extends Omit<SnippetRequest, 'body' | 'files'> {
  body: LiftedBody;
}

const makers: Record<SnippetClient, (request: Request, url: string) => string> = {
  curl({ body, mode, yields }, url) {
    const key = `-H "Authorization: Bearer $${KEY_VARIABLE}"`;
    const isPiped = body.files.length > 0 || new Blob([body.text]).size > MOST_ARGUMENT_BYTES;
    const before = isPiped ? `printf '%s' ${shellBody(body)} | ` : '';
    const data = isPiped ? '--data-binary @-' : `-d ${shellBody(body)}`;
    const send = (to: string, flags = '') => `${before}curl -sS ${flags}${shellQuote(`${url}/${to}`)} \\
  ${key} \\
  -H 'Content-Type: application/json' \\
  ${data}`;
    if (mode === 'chat') return send('openai/v1/chat/completions', '-N ');
    if (mode === 'runsync') return send('runsync');
    const chunks = `# Its chunks, each once. Ask again for those that come later.
curl -sS ${shellQuote(`${url}/stream/`)}"$id" \\
  ${key}

`;
    // The answer names the job: its chunks and its result are read by that id.
    return `id=$(${send('run')} \\
  | sed 's/.*"id": *"\\([^"]*\\)".*/\\1/')

${yields ? chunks : ''}# Its state, and its output once it is COMPLETED.
curl -sS ${shellQuote(`${url}/status/`)}"$id" \\
  ${key}`;
  },

  runpod({ address, endpointId, body, mode, yields }) {
    const { code, modules } = pythonLiteral(body);
    return `${pythonImports([...modules, 'os'], 'runpod')}
runpod.api_key = os.environ["${KEY_VARIABLE}"]
runpod.endpoint_url_base = ${JSON.stringify(`${address}/v2`)}
endpoint = runpod.Endpoint(${JSON.stringify(endpointId)})

body = ${code}
${mode === 'runsync' ? '\nprint(endpoint.run_sync(body))' : yields ? RUNPOD_STREAM : RUNPOD_OUTPUT}`;
  },

  requests({ body, mode, yields }, url) {
    const { code, modules } = pythonLiteral(body);
    if (mode === 'runsync') {
      return `${pythonImports([...modules, 'os'], 'requests')}
url = ${JSON.stringify(`${url}/runsync`)}
headers = {"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"]}

body = ${code}
response = requests.post(url, json=body, headers=headers, timeout=${WAIT_S})
response.raise_for_status()

job = response.json()
${PYTHON_END}
${PYTHON_OUTPUT}`;
    }
    return `${pythonImports([...modules, 'os', 'time'], 'requests')}
url = ${JSON.stringify(url)}
session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["${KEY_VARIABLE}"]


def call(method, path, body=None):
    response = session.request(method, url + path, json=body, timeout=60)
    response.raise_for_status()
    return response.json()


body = ${code}

job = call("POST", "/run", body)
${yields ? `${PYTHON_STREAM}\n${PYTHON_END}` : `${PYTHON_STATUS}\n${PYTHON_END}\n${PYTHON_OUTPUT}`}`;
  },

  'runpod-sdk'({ address, endpointId, body, mode, yields }) {
    const code = javascriptLiteral(body);
    return `${javascriptImport(code)}import runpodSdk from 'runpod-sdk';

const runpod = runpodSdk(process.env.${KEY_VARIABLE}, {
  baseUrl: ${jsQuote(`${address}/v2`)},
});
const endpoint = runpod.endpoint(${jsQuote(endpointId)});

const body = ${code};
${mode === 'runsync' ? SDK_SYNC : yields ? SDK_STREAM : SDK_STATUS}`;
  },

  fetch({ body, mode, yields }, url) {
    const code = javascriptLiteral(body);
    const imports = javascriptImport(code).replace(/\n$/, '\n\n');
    const headers = `const headers = {
  Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
  'Content-Type': 'application/json',
};`;
    const check = 'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);';
    if (mode === 'runsync') {
      return `${imports}const url = ${jsQuote(`${url}/runsync`)};
${headers}

const body = ${code};
const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
${check}

const job = await response.json();
${JS_END}
${JS_OUTPUT}`;
    }
    return `${imports}const url = ${jsQuote(url)};
${headers}

async function call(method, path, body) {
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  ${check}
  return response.json();
}

const body = ${code};

let job = await call('POST', '/run', body);
${yields ? `${JS_STREAM}\n${JS_END}` : `${JS_STATUS}\n${JS_END}\n${JS_OUTPUT}`}`;
  },

  'openai-python'({ body, mode }, url) {
    const { code, modules } = pythonLiteral(body, mode === 'chat' ? undefined : 'input');
    return `${pythonImports([...modules, 'os'], 'openai', 'OpenAI')}
client = OpenAI(
    api_key=os.environ["${KEY_VARIABLE}"],
    base_url=${JSON.stringify(`${url}/openai/v1`)},
)

request = ${code}
${mode === 'chat' ? PYTHON_CHAT : PYTHON_INPUT}
for chunk in stream:
    for choice in chunk.choices:
        print(choice.delta.content or "", end="", flush=True)`;
  },

  'openai-javascript'({ body, mode }, url) {
    const code = javascriptLiteral(body, mode === 'chat' ? undefined : 'input');
    return `${javascriptImport(code)}import OpenAI from 'openai';

const client = new OpenAI({
  apiKey: process.env.${KEY_VARIABLE},
  baseURL: ${jsQuote(`${url}/openai/v1`)},
});

const request = ${code};
${mode === 'chat' ? JS_CHAT : JS_INPUT}
for await (const { choices } of stream) {
  for (const { delta } of choices) process.stdout.write(delta.content ?? '');
}`;
  },
};

const PYTHON_INPUT = `model = request.get("model") or client.models.list().data[0].id
stream = client.chat.completions.create(model=model, messages=request["messages"], stream=True)`;

const PYTHON_CHAT = `stream = client.chat.completions.create(**request)`;

const JS_INPUT = `const model = request.model || (await client.models.list()).data[0].id;
const stream = await client.chat.completions.create({ model, messages: request.messages, stream: true });`;

const JS_CHAT = `const stream = await client.chat.completions.create(request);`;

/** Seconds that a program waits for a job at most, where its client asks for such a number. */
const WAIT_S = 600;

const RUNPOD_END = `if job.status() != "COMPLETED":
    raise SystemExit(f"{job.job_id}: {job.status()}")`;

const RUNPOD_OUTPUT = `
job = endpoint.run(body)
output = job.output(timeout=${WAIT_S})  # seconds
${RUNPOD_END}
print(output)`;

const RUNPOD_STREAM = `
job = endpoint.run(body)
for chunk in job.stream():
    print(chunk, flush=True)
${RUNPOD_END}`;

const PYTHON_END = `if job["status"] != "COMPLETED":
    raise SystemExit(job.get("error") or job["status"])`;

const PYTHON_OUTPUT = 'print(job.get("output"))';

const JS_END = `if (job.status !== 'COMPLETED') throw new Error(job.error ?? job.status);`;

const JS_OUTPUT = 'console.log(job.output);';

const SDK_SYNC = `
const job = await endpoint.runSync(body);
${JS_END}
${JS_OUTPUT}`;

/** Seconds between two questions of a program that waits. */
const PAUSE_S = 0.5;

const JS_PAUSE = `await new Promise((resolve) => setTimeout(resolve, ${PAUSE_S * 1000}));`;

const SDK_STATUS = `
const { id } = await endpoint.run(body);
let job = await endpoint.status(id);
while (!job.completed) {
  ${JS_PAUSE}
  job = await endpoint.status(id);
}
${JS_END}
${JS_OUTPUT}`;

const SDK_STREAM = `
const { id } = await endpoint.run(body);
for await (const chunk of endpoint.stream(id)) console.log(chunk.output);
const job = await endpoint.status(id);
${JS_END}`;

const PYTHON_STATUS = `while job["status"] in ("IN_QUEUE", "IN_PROGRESS"):
    time.sleep(${PAUSE_S})
    job = call("GET", "/status/" + job["id"])`;

const JS_STATUS = `while (['IN_QUEUE', 'IN_PROGRESS'].includes(job.status)) {
  ${JS_PAUSE}
  job = await call('GET', \`/status/\${job.id}\`);
}`;

/**
 * Services answer the chunks in an envelope, or bare. The status is read before the chunks: a job that ended between the
 * two would otherwise leave its last chunks unread.
 */
const PYTHON_STREAM = `while True:
    job = call("GET", "/status/" + job["id"])
    answer = call("GET", "/stream/" + job["id"])
    chunks = answer["stream"] if isinstance(answer, dict) else answer
    for chunk in chunks:
        print(chunk["output"], flush=True)
    if not chunks:
        if job["status"] not in ("IN_QUEUE", "IN_PROGRESS"):
            break
        time.sleep(${PAUSE_S})`;

const JS_STREAM = `for (;;) {
  job = await call('GET', \`/status/\${job.id}\`);
  const answer = await call('GET', \`/stream/\${job.id}\`);
  const chunks = answer.stream ?? answer;
  for (const chunk of chunks) console.log(chunk.output);
  if (chunks.length > 0) continue;
  if (!['IN_QUEUE', 'IN_PROGRESS'].includes(job.status)) break;
  ${JS_PAUSE}
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

/** The request as a program of one client. It reads files of the input from its folder: `files` names these. */
export function makeSnippet(client: SnippetClient, { body, files, ...request }: SnippetRequest): string {
  const url = `${request.address}/v2/${encodeURIComponent(request.endpointId)}`;
  return needs[client] + makers[client]({ ...request, body: liftFiles(body, files) }, url);
}
