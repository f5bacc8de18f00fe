// Files that the page of a browser sends in one request: who may, and what becomes of them.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { PAGE_TOKEN_HEADER, UPLOAD_PATH } from '#contract/app/pageSession.ts';
import { until } from '../../support/core/until.ts';
import { connect, newDataDir, pair, startHost, type BridgeClient, type Session } from './headlessHost.ts';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

let link: URL;
let session: Session;
let client: BridgeClient;
let volumeId: string;
let folder: string;

beforeAll(async () => {
  const { path } = cleanup.use(await newDataDir());
  const host = cleanup.use(startHost(['--json', '--port', '0', '--ui-port', '0', '--data-dir', path]));
  link = new URL((await host.ready()).ui ?? '');
  session = await pair(link.href);
  ({ client } = cleanup.use(await connect(link.href, session)));
  const volume = { name: 'uploads', size: 10, dataCenterId: 'EU-RO-1' };
  ({ id: volumeId } = await client.resources.createVolume({ accountId: THIS_MACHINE, volume }));
  const { volumes } = await client.resources.now({ accountId: THIS_MACHINE });
  folder = volumes.find(({ id }) => id === volumeId)?.folder ?? '';
});

const begin = async (path: string, sizeBytes: number): Promise<string> => {
  const holder = { in: 'volume', id: volumeId } as const;
  const file = { path, sizeBytes, modifiedAt: 0, replaces: false, startsOver: false };
  return (await client.files.beginUpload({ accountId: THIS_MACHINE, holder, ...file })).uploadId;
};

/** Opens the request of a page; `headers`: instead of its own, null leaves one out. */
function open(uploadId: string, headers: Record<string, string | null>): ClientRequest {
  const own = { host: link.host, origin: link.origin, cookie: session.cookie, [PAGE_TOKEN_HEADER]: session.pageToken };
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== null);
  return request({
    host: '127.0.0.1',
    port: link.port,
    path: `${UPLOAD_PATH}${uploadId}`,
    method: 'PUT',
    agent: false,
    headers: Object.fromEntries(all) as Record<string, string>,
  }).on('error', () => undefined);
}

async function answerOf(sending: ClientRequest): Promise<number | undefined> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

const send = (uploadId: string, text: string, headers: Record<string, string | null> = {}) =>
  answerOf(open(uploadId, { 'content-length': String(text.length), ...headers }).end(text));

describe('a file in one request', () => {
  it('is in the volume once all of it has come', async () => {
    const text = 'abc'.repeat(1_000_000);
    const uploadId = await begin('whole.bin', text.length);
    const followed = client.files.followUpload({ uploadId });
    expect(await send(uploadId, text)).toBe(204);
    await followed;
    expect(readFileSync(`${folder}/whole.bin`, 'utf8')).toBe(text);
    expect(await send(uploadId, text)).toBe(404);
  });

  it('is taken of the paired page only: by its origin, its cookie and its token', async () => {
    const uploadId = await begin('foreign.bin', 3);
    for (const [headers, status] of [
      [{ origin: 'http://evil.example' }, 403],
      [{ origin: null }, 403],
      [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
      [{ cookie: null }, 401],
      [{ [PAGE_TOKEN_HEADER]: null }, 401],
      [{ [PAGE_TOKEN_HEADER]: 'x'.repeat(32) }, 401],
    ] as const) {
      expect(await send(uploadId, 'abc', headers), JSON.stringify(headers)).toBe(status);
    }
    expect(readdirSync(folder)).not.toContain('foreign.bin');
    expect(await send(uploadId, 'abc')).toBe(204);
  });

  it('is refused unread with another length than the upload has, and without one', async () => {
    const uploadId = await begin('length.bin', 3);
    // Of these bodies nothing is sent: the answer comes without them.
    const headers = { 'content-length': String(50 * 1024 ** 3) };
    const large = open(uploadId, headers);
    large.flushHeaders();
    expect(await answerOf(large)).toBe(400);
    const unknown = open(uploadId, { 'transfer-encoding': 'chunked' });
    unknown.flushHeaders();
    expect(await answerOf(unknown)).toBe(411);
    expect(await send(uploadId, 'abc')).toBe(204);
  });

  it('that breaks off leaves nothing, and the page is told', async () => {
    const uploadId = await begin('half.bin', 1_000_000);
    const followed = client.files.followUpload({ uploadId });
    const sending = open(uploadId, { 'content-length': '1000000' });
    sending.write('x'.repeat(500_000));
    await until('a part is there', () => readdirSync(folder).some((name) => name.startsWith('.hangar-part-')));
    expect(await send(uploadId, 'x'.repeat(1_000_000))).toBe(409);
    sending.destroy();
    await expect(followed).rejects.toThrow('not sent to its end');
    await until('the part is gone', () => !readdirSync(folder).some((name) => name.startsWith('.hangar-part-')));
    expect(readdirSync(folder)).not.toContain('half.bin');
  });

  it('that the volume refuses is answered with a conflict on the bridge while the request is open', async () => {
    const uploadId = await begin('whole.bin', 50 * 1024 ** 2);
    const followed = client.files.followUpload({ uploadId });
    const sending = open(uploadId, { 'content-length': String(50 * 1024 ** 2) });
    sending.write('x'.repeat(100_000));
    await expect(followed).rejects.toMatchObject({ code: 'CONFLICT' });
    sending.destroy();
  });
});
