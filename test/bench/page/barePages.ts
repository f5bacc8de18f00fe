/** The peers: pages that do one thing as plainly as a browser can, without a library. */
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';

const frame = (body: string, script: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare page</title>${body}<script type="module">${script}</script>`;

/** A text field and a button, ready when its script has run. */
const form = frame(
  '<textarea aria-label="Body"></textarea><button disabled>Run</button>',
  `document.querySelector('button').disabled = false;`,
);

/** 100,000 rows of which those in sight are in the document. */
const list = frame(
  '<div id="box" style="height:700px;overflow:auto;position:relative"><div id="all"></div></div>',
  `const height = 32, count = 100_000, box = document.getElementById('box'), all = document.getElementById('all');
  all.style.height = height * count + 'px';
  const draw = () => {
    const first = Math.floor(box.scrollTop / height);
    all.replaceChildren(...Array.from({ length: 24 }, (_, at) => {
      const row = document.createElement('div');
      row.style.cssText = 'position:absolute;top:' + (first + at) * height + 'px';
      row.textContent = 'COMPLETED a picture of house number ' + (first + at);
      return row;
    }));
  };
  box.addEventListener('scroll', draw);
  draw();`,
);

/** A text field beside the end of a text that grows by every answer of a server, drawn once a frame. */
const stream = frame(
  '<textarea aria-label="Body"></textarea><pre style="height:600px;overflow:hidden"></pre>',
  `const box = document.querySelector('pre');
  let text = '', isDue = false;
  const draw = () => { isDue = false; box.textContent = text.slice(-5000); };
  new EventSource('/chunks').onmessage = ({ data }) => {
    text += data;
    if (!isDue) isDue = requestAnimationFrame(draw) > 0;
  };`,
);

/** Fetches an answer, reads it as JSON and shows its beginning. */
const json = frame(
  '<button>Open</button>',
  `document.querySelector('button').addEventListener('click', async () => {
    const value = await (await fetch('/large')).json();
    const text = document.createElement('pre');
    text.textContent = JSON.stringify(value.slice(0, 100), null, 2);
    document.body.append(text);
  });`,
);

/** Fetches lines, and shows the last of them once a frame. */
const lines = frame(
  '<button>Start</button><pre style="height:600px;overflow:hidden"></pre>',
  `const box = document.querySelector('pre');
  let text = '', isDue = false;
  const draw = () => { isDue = false; box.textContent = text.split('\\n').slice(-40).join('\\n'); };
  document.querySelector('button').addEventListener('click', async () => {
    const { body } = await fetch('/text' + location.search);
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text = (text + piece).slice(-10_000);
      if (!isDue) isDue = requestAnimationFrame(draw) > 0;
    }
  });`,
);

/** Sends each key to the server, and shows what it answers. */
const echo = frame(
  '<textarea aria-label="Keys"></textarea><pre></pre>',
  `document.querySelector('textarea').addEventListener('keydown', async ({ key }) => {
    const answer = await fetch('/key', { method: 'POST', body: key });
    document.querySelector('pre').append(await answer.text());
  });`,
);

/** Shows what somebody tells the server. */
const events = frame(
  '<pre role="grid"></pre>',
  `new EventSource('/told').onmessage = ({ data }) => { document.querySelector('pre').textContent = data; };`,
);

export const barePages = { form, list, stream, json, lines, echo, events };
export type BarePage = keyof typeof barePages;

export interface BareServer extends AsyncDisposable {
  /** Base address without a trailing slash; each page is at its name. */
  readonly address: string;
}

/** `large`: what the page `json` fetches. `chunks` come every 10 ms, ten at once, while a page listens. */
export async function startBareServer(large: string): Promise<BareServer> {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (path === '/large') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(large);
    } else if (path === '/key') {
      request.pipe(response);
    } else if (path === '/text') {
      const block = `${searchParams.get('line') ?? ''}\n`.repeat(1000);
      const blocks = Array.from({ length: Number(searchParams.get('count')) / 1000 }, () => block);
      Readable.from([...blocks, 'all-written\n']).pipe(response);
    } else if (path === '/told' && request.headers.accept === 'text/event-stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ready\n\n');
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    } else if (path === '/tell') {
      for (const listener of listeners) listener.write(`data: ${searchParams.get('text') ?? ''}\n\n`);
      response.end();
    } else if (path === '/chunks') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: word \n\n'.repeat(10)), 10);
      response.once('close', () => clearInterval(timer));
    } else {
      const page = barePages[path.slice(1) as BarePage] as string | undefined;
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
