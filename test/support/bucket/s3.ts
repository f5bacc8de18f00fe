// oxlint-disable-next-line typescript/triple-slash-reference -- specs beside the code are checked with main, which has no other way to it
/// <reference path="./s3rver.d.ts" />
/** An S3 server on loopback with one bucket. It verifies Signature Version 4, of headers and of presigned addresses. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import accounts from '@20minutes/s3rver/lib/models/account.js';

/** The key that the server knows. The secret is long enough to be masked in logs. */
export const s3Key = { accessKeyId: 'AKIDOFTHETESTS', secret: 'wJalrXUtnFEMI-K7MDENG-bPxRfiCYofTests' } as const;

export interface S3Server extends AsyncDisposable {
  /** Base address, without the bucket. */
  readonly address: string;
  readonly bucket: string;
  stop(): Promise<void>;
}

/** `tls`: a key and a certificate; without them the server speaks plain HTTP. */
export async function startS3({ tls }: { tls?: { key: string; cert: string } } = {}): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'hangar-s3-'));
  const bucket = 'inputs';
  accounts.DUMMY_ACCOUNT.createKeyPair(s3Key.accessKeyId, s3Key.secret);
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
    ...tls,
  });
  const { port } = await server.run();
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      const { httpServer } = server;
      const closed = once(httpServer, 'close');
      httpServer.close();
      httpServer.closeAllConnections();
      await closed;
      rmSync(directory, { recursive: true, force: true });
    })());
  return {
    address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    bucket,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
