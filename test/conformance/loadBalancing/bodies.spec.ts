/** Bodies that pass between a caller and the worker of a load-balancing endpoint: streamed, and limited. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { makeBalanced, openAnswer } from '../../support/loadBalancing/endpoint.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { standsStill, until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let path: string;
beforeAll(async () => {
  engine = await startEngine();
  path = `/lb/${(await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id}`;
});
afterAll(() => engine.close());

describe('a body', () => {
  /** 30 MB exactly, made as it is sent. */
  async function* most(hash = createHash('sha1')) {
    for (let left = limits.balancing.bodyBytes; left > 0; left -= 65_536) {
      const part = Buffer.alloc(Math.min(left, 65_536), left % 251);
      hash.update(part);
      yield await Promise.resolve(part);
    }
  }

  test('of 30 MB passes either way', async () => {
    const hash = createHash('sha1');
    const up = await openAnswer(engine, `${path}/x`, most(hash));
    const text = Buffer.concat(await up.toArray()).toString();
    expect(JSON.parse(text)).toMatchObject({ bytes: limits.balancing.bodyBytes, sha1: hash.digest('hex') });
    for (const declared of [true, false]) {
      let bytes = 0;
      const down = await openAnswer(engine, `${path}/bytes?bytes=${limits.balancing.bodyBytes}&declared=${declared}`);
      for await (const part of down) bytes += (part as Buffer).length;
      expect(bytes).toBe(limits.balancing.bodyBytes);
    }
  });

  test('of a request is with the worker while it is still being sent, and its answer with the caller', async () => {
    let sendMore: (() => void) | null = null;
    const answer = await openAnswer(
      engine,
      `${path}/pipe`,
      (async function* () {
        yield Buffer.from('one');
        await new Promise<void>((resolve) => (sendMore = resolve));
        yield Buffer.from('two');
      })(),
      { early: true },
    );
    const read = answer.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await read.next()).value).toBe('one');
    await until(
      'the rest to be asked for',
      () => sendMore,
      (send) => send !== null,
    );
    sendMore!();
    expect((await read.next()).value).toBe('two');
    expect((await read.next()).done).toBe(true);
  });

  test('that nobody reads waits where it comes from', async () => {
    const bytes = limits.balancing.bodyBytes;
    // Twelve times 30 MB each way: answers that no caller reads, and bodies that no worker reads.
    const many = Array.from({ length: 12 });
    const part = Buffer.alloc(65_536);
    const writtenByWorker = async (): Promise<number> => (await engine.http.get(`${path}/written`)).json as number;
    const writtenBefore = await writtenByWorker();
    const answers = await Promise.all(many.map(() => openAnswer(engine, `${path}/bytes?bytes=${bytes}`)));
    let taken = 0;
    const stuck = many.map(() => {
      const socket = connect({ port: engine.port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      const send = (error?: Error | null): void => {
        if (error) return;
        taken += part.length;
        socket.write(part, send);
      };
      socket.write(`POST ${path}/never HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\n`);
      socket.write(`Content-Length: ${bytes}\r\n\r\n`, send);
      return socket;
    });
    await until('something to be taken', () => taken > 0);
    // It is never too early to look: the engine must not take more than this at any time.
    await standsStill('what is taken', () => taken);
    expect(taken).toBeLessThan((many.length * bytes) / 2);
    expect((await writtenByWorker()) - writtenBefore).toBeLessThan((many.length * bytes) / 2);
    for (const open of [...answers, ...stuck]) open.destroy();
  });

  test('above 30 MB is a 413, announced or not', async () => {
    using socket = await openSocket(engine.port);
    const bytes = limits.balancing.bodyBytes + 1;
    socket.send(
      `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    expect(await socket.heard(/413[\s\S]*\}/)).toContain(`${bytes} were announced`);
    const streamed = await openAnswer(
      engine,
      `${path}/x`,
      (async function* () {
        yield* most();
        yield Buffer.from('one more');
      })(),
    );
    expect(streamed.statusCode).toBe(413);
    streamed.resume();
    await once(streamed, 'end');
  });

  test('of an answer above 30 MB is a 502 where it is announced, and cut where it is not', async () => {
    const bytes = limits.balancing.bodyBytes + 1;
    const announced = await engine.http.get(`${path}/bytes?bytes=${bytes}&declared=true`);
    expect(announced.status).toBe(502);
    expect(messageOf(announced)).toContain(String(limits.balancing.bodyBytes));
    await expect(engine.http.get(`${path}/bytes?bytes=${bytes}`)).rejects.toThrow();
    await until(
      'the log to say why',
      () => engine.stderr,
      (text) => text.includes(`answered too much: at most ${limits.balancing.bodyBytes} bytes`),
    );
    // HEAD asks for the length alone.
    const head = await engine.http.send('HEAD', `${path}/bytes?bytes=${bytes}&declared=true`);
    expect(head.headers).toMatchObject({ 'content-length': String(bytes) });
  });
});
