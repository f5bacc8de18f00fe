/** An update server on loopback: feeds as the packer writes them, and real files with their real checksums. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Release {
  readonly version: string;
  /** Name of the feed; `latest` is the stable one. */
  readonly channel?: 'latest' | 'beta';
  /** In place of the checksum of the file. */
  readonly sha512?: string;
  /** Per cent of the computers that it is offered to. */
  readonly stagingPercentage?: number;
  /** The extension of its program; `AppImage` without it. */
  readonly extension?: 'AppImage' | 'exe';
  /** Other packages of the release, by name. */
  readonly packages?: readonly string[];
}

export interface UpdateServer extends AsyncDisposable {
  readonly address: string;
  /** Every request, as its path and the range that it asked for. */
  readonly requests: { path: string; range: string | undefined }[];
  /** Writes the feed of a channel, and the AppImage that it names. */
  publish(release: Release): void;
  /** Answers the feed of a channel with this text. */
  publishText(text: string, channel?: 'latest' | 'beta'): void;
  /** Cuts the next `times` downloads after half of what they asked for. */
  cutDownloads(times: number): void;
  /** From now on downloads stop at half of the file, until the function that this answers is called. */
  holdDownloads(): () => void;
}

/** A program in the form that an AppImage has here: it notes beside itself that it was started, and how. */
export const programOf = (version: string, sizeBytes: number): Buffer => {
  const script = `#!/bin/sh\nprintf '%s %s\\n' '${version}' "\${APPIMAGE_EXIT_AFTER_INSTALL:-stays}" >> "$0.started"\nexit 0\n`;
  return Buffer.concat([Buffer.from(script), Buffer.alloc(sizeBytes - script.length, '#')]);
};

const FILE_BYTES = 2 * 1024 * 1024;

export async function startUpdateServer(): Promise<UpdateServer> {
  const files = new Map<string, Buffer>();
  const requests: UpdateServer['requests'] = [];
  let cuts = 0;
  let gate: Promise<void> | null = null;
  const suffix = process.arch === 'x64' ? '-linux' : `-linux-${process.arch}`;
  const feedName = (channel: string): string => `/${channel}${suffix}.yml`;

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://server');
    requests.push({ path: pathname, range: request.headers.range });
    const file = files.get(pathname);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const rest = file.subarray(from);
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length, ...(from > 0 && range) });
    const isProgram = pathname.endsWith('.AppImage');
    const half = rest.subarray(0, rest.length / 2);
    if (isProgram && cuts > 0) {
      cuts--;
      response.write(half, () => response.destroy());
    } else if (isProgram && gate !== null) {
      response.write(half);
      void gate.then(() => response.end(rest.subarray(half.length)));
    } else response.end(rest);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    publish({ version, channel = 'latest', extension = 'AppImage', sha512, stagingPercentage, packages = [] }) {
      const name = `Hangar-${version}.${extension}`;
      const content = programOf(version, FILE_BYTES);
      const sum = sha512 ?? createHash('sha512').update(content).digest('base64');
      const lines = [
        `version: ${version}`,
        'files:',
        ...[name, ...packages].flatMap((url) => [
          `  - url: ${url}`,
          `    sha512: ${sum}`,
          `    size: ${content.length}`,
        ]),
        `path: ${name}`,
        `sha512: ${sum}`,
        `releaseDate: '2026-01-01T00:00:00.000Z'`,
        ...(stagingPercentage === undefined ? [] : [`stagingPercentage: ${stagingPercentage}`]),
      ];
      files.set(`/${name}`, content);
      files.set(feedName(channel), Buffer.from(`${lines.join('\n')}\n`));
    },
    publishText: (text, channel = 'latest') => void files.set(feedName(channel), Buffer.from(text)),
    cutDownloads: (times) => (cuts = times),
    holdDownloads() {
      let release = (): void => undefined;
      gate = new Promise((resolve) => (release = resolve));
      return () => {
        gate = null;
        release();
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
