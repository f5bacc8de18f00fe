/**
 * The page from Vite's server, behind the host's pairing and with the host's content policy. The browser speaks to Vite
 * alone, so that a restart of the host costs the page nothing but its connection, which it opens again.
 */

import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, createServer } from 'vite';
import config from '../../electron.vite.config.ts';
import { root } from '../run24.mjs';

/** @typedef {{ port: number, hostPort: number, isHostReady: () => boolean }} PageOptions Ports of the page and of the host's interface. */

const PAGE = join(root, 'renderer');
/** The page loads these files of packages as they are. Vite compares real paths, without symbolic links. */
const FONTS = realpathSync(join(root, 'node_modules', '@fontsource-variable'));
/**
 * What the host answers itself: the document, the page for unpaired browsers, new keys, and files that are uploaded.
 */
const DOCUMENT = '^/(?:\\?.*)?$';
const OTHERS = '^/(?:not-paired$|new-key/|uploads/)';

/**
 * Without scripts inside the document, which the content policy refuses: the preamble of React's plug-in is a module as
 * well.
 */
const withoutInlineScripts = (/** @type {string} */ html) =>
  html.replace(
    /<script type="module">[^<]*\/@react-refresh[^<]*<\/script>/,
    '<script type="module" src="/@id/@vitejs/plugin-react/preamble"></script>',
  );

/** What the proxy cannot reach while the host starts again is no fault. */
function quietLogger(/** @type {() => boolean} */ isHostReady) {
  const logger = createLogger('info');
  return {
    ...logger,
    error: (/** @type {string} */ message, /** @type {import('vite').LogErrorOptions | undefined} */ options) => {
      if (isHostReady() || !message.includes('proxy')) logger.error(message, options);
    },
  };
}

/** Rejects where the port is taken. */
export async function servePage(/** @type {PageOptions} */ { port, hostPort, isHostReady }) {
  const target = `http://127.0.0.1:${hostPort}`;
  /** @param {import('node:http').IncomingMessage} answer @returns {import('node:http').IncomingHttpHeaders} */
  const headersOf = ({ headers }) => ({
    ...headers,
    // The host knows its own port only.
    ...(headers.location !== undefined && { location: headers.location.replace(`:${hostPort}/`, `:${port}/`) }),
  });
  const vite = await createServer({
    ...config.renderer,
    configFile: false,
    root: PAGE,
    cacheDir: join(root, '.cache', 'dev', 'vite'),
    customLogger: quietLogger(isHostReady),
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      fs: { allow: [PAGE, join(root, 'main', 'contract'), FONTS] },
      proxy: {
        [DOCUMENT]: {
          target,
          selfHandleResponse: true,
          configure: (proxy) => {
            proxy.on('proxyRes', (answer, request, response) => void answerDocument(answer, request, response));
          },
        },
        [OTHERS]: { target },
        '/rpc': { target, ws: true },
      },
    },
  });

  /**
   * Sends the host's answer on. In place of the built page, which may be old or missing, it sends Vite's.
   * @param {import('node:http').IncomingMessage} answer
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async function answerDocument(answer, request, response) {
    const status = answer.statusCode ?? 502;
    const headers = headersOf(answer);
    if (status !== 200 && status !== 404) {
      response.writeHead(status, headers);
      answer.pipe(response);
      return;
    }
    answer.resume();
    const html = await vite.transformIndexHtml(request.url ?? '/', readFileSync(join(PAGE, 'index.html'), 'utf8'));
    // A worker of Vite's asks whether its server is back. The policy of the built page does not allow it.
    const policy = String(headers['content-security-policy']).replace("worker-src 'self'", "worker-src 'self' blob:");
    const { 'content-length': _length, etag: _etag, 'last-modified': _modified, ...sentHeaders } = headers;
    response.writeHead(200, {
      ...sentHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(withoutInlineScripts(html));
  }

  await vite.listen();
  return vite;
}
