/** When the server at a port of a Pod counts as ready. */
import { expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { checkPort, type PortProbe } from './check.ts';

const at = { podId: 'p', port: 8888, path: '/api' };
const pods = { reach: () => ({ host: '127.0.0.1', port: 40_000, name: 'notebook' }) };
/** A server that answers so. `requests` has the places that were requests. */
function serverWith(status: number | null, error: string | null = null) {
  const requests: string[] = [];
  const probe: PortProbe = {
    ask({ host, port, path }, _withinMs, done) {
      requests.push(`${host}:${port}${path}`);
      done({ status, error });
      return () => undefined;
    },
  };
  return { probe, requests };
}

it.each([200, 302, 401, 403, 404])('a server that answers %i is ready', async (status) => {
  const { probe, requests } = serverWith(status);
  expect(await checkPort(pods, probe, at)).toEqual({ ready: true, status, problem: null });
  expect(requests).toEqual(['127.0.0.1:40000/api']);
});

it.each([500, 502, 503])('a server that answers %i is not ready', async (status) => {
  expect(await checkPort(pods, serverWith(status).probe, at)).toEqual({
    ready: false,
    status,
    problem: `GET /api on port 8888 was answered with status ${status}.`,
  });
});

it('a port where nothing listens is not ready, and says why', async () => {
  expect(await checkPort(pods, serverWith(null, 'nothing listens there').probe, at)).toEqual({
    ready: false,
    status: null,
    problem: 'GET /api on port 8888: nothing listens there.',
  });
});

it('a Pod that does not run is not ready, and a port that it does not have is refused', async () => {
  const failing = (code: 'UPSTREAM' | 'NOT_FOUND') => ({
    reach: () => {
      throw new AppError(code, 'It is stopped; start it.');
    },
  });
  const { probe, requests } = serverWith(200);
  expect(await checkPort(failing('UPSTREAM'), probe, at)).toEqual({
    ready: false,
    status: null,
    problem: 'It is stopped; start it.',
  });
  await expect(checkPort(failing('NOT_FOUND'), probe, at)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(requests).toEqual([]);
});
