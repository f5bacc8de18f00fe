/** Runs an installed Hangar as a person would, and gives it work. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isTerminal, jobAcceptedSchema, jobViewSchema, type JobView } from '#contract/api/job.ts';
import { endpointSchema, templateSchema } from '#contract/api/resources.ts';
import * as z from 'zod';
import { settles, until } from '../support/core/until.ts';
import { createHttp, type Http } from '../support/http/client.ts';
import { accepted } from '../support/resources/resources.ts';

const readySchema = z.object({ event: z.literal('ready'), api: z.string(), ui: z.string(), apiKey: z.string() });
type Ready = z.infer<typeof readySchema>;

/** Stops with the scope that holds it. */
export interface Installed extends AsyncDisposable {
  readonly ready: Ready;
  readonly http: Http;
  /** The process that was started; its command may have become another program. */
  readonly pid: number;
  /** Settles with the exit code once it has ended. */
  ended(): Promise<number | null>;
  stop(): Promise<number | null>;
}

/** Starts `command`, which ends in a call of `hangar`, with `serve` on free ports, and waits for its first line. */
export async function serve(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  dataDir: string,
): Promise<Installed> {
  const [program, ...args] = command;
  const flags = ['serve', '--json', '--port', '0', '--ui-port', '0', '--data-dir', dataDir];
  const child: ChildProcess = spawn(program, [...args, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr, pid } = child;
  if (stdout === null || stderr === null || pid === undefined) throw new Error(`${program} could not be started.`);
  let output = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  const closed = once(child, 'close').then(() => child.exitCode);
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve);
    void closed.then((code) => reject(new Error(`It ended with ${code} and without a line. It wrote:\n${output}`)));
  });
  const ready = readySchema.parse(JSON.parse(await settles('the ready line', firstLine, () => output)));
  const http = createHttp(ready.api, ready.apiKey);
  const ended = (): Promise<number | null> => settles('Hangar to end', closed, () => output);
  const stop = (): Promise<number | null> => {
    http.stop();
    child.kill('SIGTERM');
    return ended();
  };
  return { ready, http, pid, ended, stop, [Symbol.asyncDispose]: () => stop().then(() => undefined) };
}

/** The job API of one endpoint, whose handler lies in a folder that the program sees by this path. */
export interface Endpoint {
  run(input: object): Promise<string>;
  status(id: string): Promise<JobView>;
  finished(id: string): Promise<JobView>;
}

export const jobsAt = (http: Http, endpointId: string): Endpoint => {
  const path = `/v2/${endpointId}`;
  const status = async (id: string): Promise<JobView> =>
    jobViewSchema.parse(accepted(await http.get(`${path}/status/${id}`)));
  return {
    run: async (input) => jobAcceptedSchema.parse(accepted(await http.post(`${path}/run`, { input }))).id,
    status,
    finished: (id) =>
      until(
        `job ${id} to finish`,
        () => status(id),
        (view) => isTerminal(view.status),
      ),
  };
};

/** Makes an endpoint of a handler's folder and returns its id. */
export async function makeEndpoint(http: Http, folder: string): Promise<string> {
  const template = await http.post('/v1/templates', {
    name: 'packaged',
    imageName: `file://${folder}`,
    isServerless: true,
  });
  const { id: templateId } = templateSchema.parse(accepted(template));
  const endpoint = await http.post('/v1/endpoints', { name: 'packaged', templateId, workersMax: 1 });
  return endpointSchema.parse(accepted(endpoint)).id;
}
