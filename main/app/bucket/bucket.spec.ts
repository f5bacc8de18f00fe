/** Rules of the bucket, against an S3 server that verifies signatures. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bucketPathSchema, bucketSettingsSchema, type BucketSettings } from '#contract/app/bucket.ts';
import { limits } from '#contract/core/limits.ts';
import { s3Key, startS3, type S3Server } from '../../../test/support/bucket/s3.ts';
import { until } from '../../../test/support/core/until.ts';
import { freePort } from '../../../test/support/http/freePort.ts';
import { selfSigned } from '../../../test/support/http/selfSigned.ts';
import { systemClock } from '../platform/clock.ts';
import { redact } from '../platform/redaction.ts';
import { createMemoryStore } from '../secrets/memory.ts';
import { createBucket } from './bucket.ts';
import { exchange, presign, send, type S3Body, type S3Place } from './s3Client.ts';

let server: S3Server;
let dataDir: string;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.stop());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hangar-bucket-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const settingsOf = (change: Partial<BucketSettings> = {}): BucketSettings =>
  bucketSettingsSchema.parse({
    endpoint: server.address,
    region: 'us-east-1',
    bucket: server.bucket,
    accessKeyId: s3Key.accessKeyId,
    ...change,
  });

function begin() {
  const store = createMemoryStore();
  const names = new Set<string>();
  const secrets = {
    kind: 'memory' as const,
    names: () => [...names],
    get: store.get,
    set: async (name: string, value: string) => {
      names.add(name);
      await store.set(name, value);
    },
    delete: async (name: string) => {
      names.delete(name);
      await store.delete(name);
    },
  };
  const stopping = new AbortController().signal;
  return { bucket: createBucket({ dataDir, secrets, clock: systemClock, stopping }) };
}

const bodyOf = (bytes: Uint8Array): S3Body => ({
  pieces: Readable.from([bytes]),
  lengthBytes: bytes.length,
  type: 'application/octet-stream',
});

/** What the check says with these settings and this secret. */
async function problemOf(change: Partial<BucketSettings>, secret: string = s3Key.secret): Promise<string> {
  const { bucket } = begin();
  await bucket.save(settingsOf(change), secret);
  const { problem } = await bucket.check();
  return problem ?? 'no problem';
}

const place = (): S3Place => ({ ...settingsOf(), secret: s3Key.secret });
const { signal } = new AbortController();

describe('a file in the bucket', () => {
  it('is read by its address without a key, byte for byte, and is gone after its removal', async () => {
    const { bucket } = begin();
    await bucket.save(settingsOf({ folder: 'from/hangar' }), s3Key.secret);
    const bytes = randomBytes(3_000_000);
    const path = bucket.newPath('Seehafen, grün.PNG', bytes.length);
    expect(path).toMatch(/^from\/hangar\/[0-9a-f-]{36}\/Seehafen_gr_n\.PNG$/);
    expect(bucketPathSchema.parse(path)).toBe(path);
    await bucket.objects.put(path, bodyOf(bytes));

    const before = Date.now();
    const { url, expiresAt } = await bucket.objects.link(path);
    expect(url).not.toContain(s3Key.secret);
    expect(expiresAt - before).toBeGreaterThanOrEqual(limits.bucket.linkHours.default * 3_600_000);
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);

    await bucket.objects.remove(path);
    expect((await fetch(url)).status).toBe(404);
  });

  it('is listed from its last byte to its removal, under its own name, for its own bucket alone', async () => {
    const { bucket } = begin();
    expect(bucket.uploads()).toEqual([]);
    await bucket.save(settingsOf(), s3Key.secret);
    const [first, second] = [bucket.newPath('Seehafen.png', 3), bucket.newPath('b.bin', 4)];
    await bucket.upload({ path: first, name: 'Seehafen.png' }, bodyOf(Buffer.alloc(3)));
    await bucket.upload({ path: second, name: 'b.bin' }, bodyOf(Buffer.alloc(4)));
    const refused = bucket.newPath('refused.bin', 1);
    await bucket.save(settingsOf(), 'a wrong secret');
    await expect(bucket.upload({ path: refused, name: 'refused.bin' }, bodyOf(Buffer.alloc(1)))).rejects.toThrow();
    await bucket.save(settingsOf(), s3Key.secret);
    expect(bucket.uploads()).toEqual([
      { path: second, name: 'b.bin', sizeBytes: 4, uploadedAt: expect.any(Number) },
      { path: first, name: 'Seehafen.png', sizeBytes: 3, uploadedAt: expect.any(Number) },
    ]);

    await bucket.save(settingsOf({ bucket: 'another' }), null);
    expect(bucket.uploads()).toEqual([]);
    await bucket.save(settingsOf(), null);
    const { url } = await bucket.objects.link(second);
    await bucket.discard(second);
    expect((await fetch(url)).status).toBe(404);
    // After a restart, too.
    const restarted = begin().bucket;
    expect(restarted.uploads().map(({ path }) => path)).toEqual([first]);
    await restarted.forget();
    expect(restarted.uploads()).toEqual([]);
    await bucket.save(settingsOf(), s3Key.secret);
    await bucket.discard(first);
  });

  it('arrives piece by piece: the next one is read after the service took the one before', async () => {
    const { bucket } = begin();
    await bucket.save(settingsOf(), s3Key.secret);
    const path = bucket.newPath('pieces.bin', 64);
    let sentPieces = 0;
    async function* pieces() {
      for (; sentPieces < 64; sentPieces++) yield Buffer.alloc(1_000_000, sentPieces);
    }
    await bucket.objects.put(path, { pieces: pieces(), lengthBytes: 64_000_000, type: 'video/mp4' });
    expect(sentPieces).toBe(64);
    const answer = await fetch((await bucket.objects.link(path)).url, { method: 'GET' });
    expect(answer.headers.get('content-length')).toBe('64000000');
    await answer.body?.cancel();
    await bucket.objects.remove(path);
  });

  it('does not exist after its upload was cancelled', async () => {
    const { bucket } = begin();
    await bucket.save(settingsOf(), s3Key.secret);
    const path = bucket.newPath('half.bin', 2_000_000);
    const cancel = new AbortController();
    async function statusNow() {
      const answer = await fetch((await bucket.objects.link(path)).url);
      await answer.body?.cancel();
      return answer.status;
    }
    async function* pieces() {
      yield Buffer.alloc(1_000_000);
      // This server shows a file while it arrives. A file that it begins after the removal would stay, which S3 never
      // does.
      await until('the server has begun the file', statusNow, (status) => status === 200);
      cancel.abort(new Error('cancelled by the person'));
      yield Buffer.alloc(1_000_000);
    }
    const upload = bucket.objects.put(path, {
      pieces: pieces(),
      lengthBytes: 2_000_000,
      type: '',
      signal: cancel.signal,
    });
    await expect(upload).rejects.toThrow('cancelled by the person');
    expect(await statusNow()).toBe(404);
  });

  it('may have at most what S3 takes in one upload, and its name keeps its end', () => {
    const { bucket } = begin();
    expect(() => bucket.newPath('a', 1)).toThrow('No bucket is set up');
    return bucket.save(settingsOf(), s3Key.secret).then(() => {
      expect(() => bucket.newPath('a', limits.bucket.uploadBytes + 1)).toThrow(/takes at most 5\.0 GB in one upload/);
      expect(bucket.newPath('C:\\films\\one two.mp4', limits.bucket.uploadBytes)).toMatch(/\/one_two\.mp4$/);
      expect(bucket.newPath('..', 1)).toMatch(/\/file$/);
      expect(bucket.newPath(`${'x'.repeat(300)}.webm`, 1)).toMatch(/\/x{95}\.webm$/);
    });
  });
});

describe('the server of these tests', () => {
  it('refuses a wrong secret, in a header and in an address', async () => {
    const path = `${randomUUID()}/a.txt`;
    const wrong = { ...place(), secret: `${s3Key.secret}x` };
    const put = { method: 'PUT', path, body: bodyOf(Buffer.from('a')), signal } as const;
    expect(await send(wrong, put, Date.now())).toMatchObject({ status: 403, text: /SignatureDoesNotMatch/ });
    expect((await send(place(), { ...put, body: bodyOf(Buffer.from('a')) }, Date.now())).status).toBe(200);
    expect((await fetch(await presign(wrong, path, 60, Date.now()))).status).toBe(403);
    expect((await fetch(await presign(place(), path, 60, Date.now()))).status).toBe(200);
  });

  it('refuses an address that was changed, or that has expired', async () => {
    const path = `${randomUUID()}/a.txt`;
    await send(place(), { method: 'PUT', path, body: bodyOf(Buffer.from('a')), signal }, Date.now());
    const url = new URL(await presign(place(), path, 60, Date.now()));
    url.searchParams.set('X-Amz-Expires', '600');
    expect((await fetch(url)).status).toBe(403);
    const old = await presign(place(), path, 60, Date.now() - 61_000);
    const answer = await fetch(old);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
  });

  it('refuses a request whose signed header or method was changed', async () => {
    const path = `${randomUUID()}/a.txt`;
    const url = new URL(await presign(place(), path, 60, Date.now()));
    expect((await exchange(url, { method: 'DELETE', headers: {}, signal })).status).toBe(403);
    const { AwsV4Signer } = await import('aws4fetch');
    const signer = new AwsV4Signer({
      method: 'GET',
      url: `${server.address}/${server.bucket}/${path}`,
      headers: { 'x-amz-meta-owner': 'me' },
      accessKeyId: s3Key.accessKeyId,
      secretAccessKey: s3Key.secret,
      service: 's3',
      region: 'us-east-1',
    });
    const signed = await signer.sign();
    const headers = Object.fromEntries(signed.headers);
    expect((await exchange(signed.url, { method: 'GET', headers, signal })).status).toBe(404);
    const changed = { ...headers, 'x-amz-meta-owner': 'you' };
    expect((await exchange(signed.url, { method: 'GET', headers: changed, signal })).status).toBe(403);
  });
});

describe('the check', () => {
  it('finds nothing wrong with a bucket that takes, shows and removes a file', async () => {
    const { bucket } = begin();
    await bucket.save(settingsOf(), s3Key.secret);
    expect(await bucket.check()).toEqual({ problem: null, warning: null });
  });

  it('says that the secret is wrong, that the key is not known, and that there is no such bucket', async () => {
    expect(await problemOf({}, 'not-the-secret')).toBe(
      'The secret does not belong to the access key id AKIDOFTHETESTS. Enter the secret again.',
    );
    expect(await problemOf({ accessKeyId: 'AKIDNOBODY' })).toMatch(/does not know the access key id AKIDNOBODY/);
    expect(await problemOf({ bucket: 'nowhere' })).toMatch(/^There is no bucket "nowhere" at 127\.0\.0\.1:\d+\./);
  });

  it('says that nothing answers, that the host is not known, and that it speaks no TLS', async () => {
    expect(await problemOf({ endpoint: `http://127.0.0.1:${await freePort()}` })).toMatch(
      /^Nothing answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/,
    );
    expect(await problemOf({ endpoint: 'https://bucket.invalid' })).toMatch(/^The host bucket\.invalid was not found/);
    expect(await problemOf({ endpoint: server.address.replace('http:', 'https:') })).toMatch(/does not speak TLS/);
  });

  it('says that the certificate is not trusted, and sends nothing then', async () => {
    await using private_ = await startS3({ tls: selfSigned });
    expect(await problemOf({ endpoint: private_.address })).toMatch(
      /does not trust the TLS certificate.*Nothing was sent/,
    );
  });

  it('says that it is no S3 service, and does not follow it to another host', async () => {
    const seen: string[] = [];
    const website = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization === undefined}`);
      if (request.url?.startsWith('/moved')) response.writeHead(307, { location: `${server.address}/x` }).end();
      else response.writeHead(405).end('<html>Not here</html>');
    }).listen(0, '127.0.0.1');
    await once(website, 'listening');
    try {
      const endpoint = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
      expect(await problemOf({ endpoint })).toMatch(/answered 405, but not like an S3 service/);
      expect(await problemOf({ endpoint: `${endpoint}/moved` })).toMatch(
        /sends requests on to another address, at http:\/\/127\.0\.0\.1:\d+\. Nothing was sent there/,
      );
      expect(seen).toEqual(['PUT false', 'PUT false']);
    } finally {
      website.closeAllConnections();
      website.close();
    }
  });
});

describe('the record of the bucket', () => {
  it('never has the secret, and outlives it', async () => {
    const { bucket } = begin();
    expect(bucket.state()).toEqual({ settings: null, keptIn: null });
    await bucket.save(settingsOf(), s3Key.secret);
    const text = readFileSync(join(dataDir, 'bucket.json'), 'utf8');
    expect(text).toContain(s3Key.accessKeyId);
    expect(text).not.toContain(s3Key.secret);
    expect(redact(`it was ${s3Key.secret}`)).not.toContain(s3Key.secret);
    // As after an import, which has no keys.
    const { bucket: other } = begin();
    expect(other.state()).toMatchObject({ settings: { bucket: server.bucket }, keptIn: null });
    expect(await other.check()).toMatchObject({ problem: expect.stringContaining('Enter it in Settings, Bucket') });
  });

  it('keeps its secret where none is entered, and fields of a newer version', async () => {
    const { bucket } = begin();
    await bucket.save(settingsOf(), s3Key.secret);
    await bucket.save(settingsOf({ folder: '/a//b/' }), null);
    expect(bucket.state()).toMatchObject({ settings: { folder: 'a/b' }, keptIn: 'memory' });
    expect(await bucket.check()).toEqual({ problem: null, warning: null });
    expect(await bucket.forget()).toEqual({ settings: null, keptIn: null });
    await expect(bucket.objects.link(`${randomUUID()}/a`)).rejects.toThrow('No bucket is set up');
  });

  it('takes http:// for a network of one’s own only, and no name or password in the address', async () => {
    const { bucket } = begin();
    const saved = (endpoint: string) => bucket.save(settingsOf({ endpoint }), 'a secret');
    expect((await saved('minio.local:9000/')).settings?.endpoint).toBe('http://minio.local:9000');
    expect((await saved('s3.eu-central-1.amazonaws.com')).settings?.endpoint).toBe(
      'https://s3.eu-central-1.amazonaws.com',
    );
    await expect(saved('http://s3.example.com')).rejects.toThrow('Use https://');
    await expect(saved('https://me:pass@s3.example.com')).rejects.toThrow('Remove it');
  });
});
