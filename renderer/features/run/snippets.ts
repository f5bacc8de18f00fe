/** The request as code for a terminal or a script, with the real address. The key is always the variable, never the key itself. */
import type { RunMode } from '#contract/app/ledger.ts';

export const snippetLanguages = ['curl', 'Python', 'JS'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export interface SnippetRequest {
  /** Base address without a trailing slash. */
  address: string;
  endpointId: string;
  mode: RunMode;
  /** JSON text, put in as written. */
  body: string;
}

export const KEY_VARIABLE = 'HANGAR_API_KEY';

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A Python string literal that holds any text. */
function pythonQuote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `"""${escaped}"""`;
}

const templateQuote = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;

const makers: Record<SnippetLanguage, (request: SnippetRequest, url: string) => string> = {
  curl: ({ body }, url) => `curl -sS ${shellQuote(url)} \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuote(body)}`,

  Python: (request, url) => `import json, os, urllib.request

def call(path, body=None):
    request = urllib.request.Request(
        ${JSON.stringify(url.slice(0, url.lastIndexOf('/')))} + path,
        data=body,
        headers={
            "Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

body = ${pythonQuote(request.body)}
job = call("/${request.mode}", body.encode())
${request.mode === 'runsync' ? 'print(job)' : PYTHON_STREAM}`,

  JS: (request, url) => `const call = async (path, body) => {
  const answer = await fetch(${JSON.stringify(url.slice(0, url.lastIndexOf('/')))} + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`, 'Content-Type': 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};

const body = ${templateQuote(request.body)};
const job = await call('/${request.mode}', body);
${request.mode === 'runsync' ? 'console.log(job);' : JS_STREAM}`,
};

const PYTHON_STREAM = `while True:
    for chunk in call("/stream/" + job["id"]):
        print(chunk["output"], flush=True)
    status = call("/status/" + job["id"])
    if status["status"] not in ("IN_QUEUE", "IN_PROGRESS"):
        break
print(status)`;

const JS_STREAM = `for (;;) {
  for (const chunk of await call('/stream/' + job.id)) console.log(chunk.output);
  const status = await call('/status/' + job.id);
  if (!['IN_QUEUE', 'IN_PROGRESS'].includes(status.status)) {
    console.log(status);
    break;
  }
}`;

export function makeSnippet(language: SnippetLanguage, request: SnippetRequest): string {
  const url = `${request.address}/v2/${encodeURIComponent(request.endpointId)}/${request.mode}`;
  return makers[language](request, url);
}
