/** The program JupyterLab of the gallery of Pods, with the JupyterLab that PyPI has. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { podPortCheckSchema } from '#contract/local/podMetrics.ts';
import { pageLink, podPrograms } from '../../renderer/features/pods/settings/gallery/programs.ts';
import { install } from '../support/clients/install.ts';
import { whyNoContainers } from '../support/containers/engine.ts';
import { makeEnvironmentImage } from '../support/containers/images.ts';
import { until } from '../support/core/until.ts';
import { startPodEngine, type PodEngine } from '../support/pods/podEngine.ts';
import { volumeOf } from '../support/pods/pods.ts';
import { accepted } from '../support/resources/resources.ts';

/** As whom and where the image of the gallery runs it. */
const USER = { name: 'jovyan', id: 1000 };
const HOME = '/home/jovyan';
/** As the image of the gallery sets it. */
const LISTENS = '"--ServerApp.ip=", "--ServerApp.port=8888", "--ServerApp.open_browser=False"';
/** The notebook's name on the volume. */
const FILE = 'lesson.ipynb';
const NOTEBOOK = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };

const program = podPrograms.find(({ id }) => id === 'jupyterlab')!;
let started: PodEngine | undefined;
/** Why it cannot be tried here. */
let missing: string | null = null;

// Here and not in the test: what is installed and made into an image takes minutes on a slow machine.
beforeAll(async () => {
  missing = whyNoContainers();
  if (missing !== null) return;
  const installed = await install({ registry: 'PyPI', packages: ['jupyterlab@4.6.6'] });
  if ('missing' in installed) {
    ({ missing } = installed);
    return;
  }
  started = await startPodEngine({
    makeImage: (docker) =>
      makeEnvironmentImage(docker, program.imageName, installed.folder, {
        user: USER,
        home: HOME,
        changes: [`CMD ["python", "-m", "jupyterlab", ${LISTENS}]`],
      }),
  });
});
afterAll(async () => {
  // The Pods first, also after a failure.
  await started?.pods.deleteAll();
  await started?.close();
});

test('JupyterLab of the gallery opens by its link, and a notebook on its volume stays over a stop', async ({
  skip,
}) => {
  if (started === undefined) return skip(missing ?? '');
  const { engine, pods } = started;
  const { port = '', readyPath = '' } = program.firstPage ?? {};
  const { imageName, ports, volumeInGb, volumeMountPath, secretVariables } = program;
  const secrets = Object.fromEntries(secretVariables.map((name) => [name, randomBytes(16).toString('hex')]));
  const { id } = await pods.make({
    imageName,
    dockerStartCmd: [],
    env: { ...program.env, ...secrets },
    ports,
    volumeInGb,
    volumeMountPath,
  });

  /** Asks for the link once its server is ready, and for its API with the token of the link. */
  async function opened() {
    await until(
      'JupyterLab to be ready',
      async () =>
        podPortCheckSchema.parse(
          accepted(await engine.http.get(`/local/v1/pods/${id}/ports/${port}/check?path=${readyPath}`)),
        ),
      ({ ready }) => ready,
    );
    const [pod, { httpAddresses }] = await Promise.all([pods.get(id), pods.facts(id)]);
    const link = new URL(pageLink(pod, { port, address: httpAddresses[port] ?? '' }).address);
    /** Without a token in the address or a body, nobody is signed in. */
    const ask = (method: string, path: string, body?: object) =>
      engine.http.send(method, `http://127.0.0.1:${engine.port}${path}`, body, {
        authorization: body === undefined ? null : `token ${link.searchParams.get('token')}`,
        headers: { host: link.host },
      });
    return { link, ask };
  }

  const first = await opened();
  const page = await first.ask('GET', `${first.link.pathname}${first.link.search}`);
  expect(page.status).toBe(200);
  // It shows the folder of the volume.
  const folder = posix.relative(HOME, volumeMountPath);
  expect(page.text).toContain(`"treePath": "${folder}"`);
  const stranger = await first.ask('GET', first.link.pathname);
  expect({ status: stranger.status, to: stranger.headers['location'] }).toEqual({
    status: 302,
    to: expect.stringContaining('/login?') as string,
  });
  const contents = `/api/contents/${folder}/${FILE}`;
  const saved = await first.ask('PUT', contents, { type: 'notebook', content: NOTEBOOK });
  expect(saved.status, saved.text).toBe(201);
  const file = volumeOf(engine, id, FILE);
  expect(statSync(file).uid).toBe(USER.id);
  await pods.act(id, 'stop');
  await pods.act(id, 'start');
  const again = await opened();
  expect((await again.ask('GET', contents + again.link.search)).status).toBe(200);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(NOTEBOOK);
});
