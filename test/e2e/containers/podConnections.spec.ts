// SSH into a Pod and its forwarded ports, from the page: with the real client, through the built host and a real
// container.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { makeKey } from '../../support/ssh/sshd.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

/** Its server is reached from inside the container only. */
const SERVES = [
  '/bin/sh',
  '-c',
  `trap 'exit 0' TERM; echo inside > /tmp/index.html; httpd -p 127.0.0.1:9000 -h /tmp; while :; do sleep 0.2; done`,
];

test('the person’s key is allowed by a click, ssh gets in, and a forwarded port survives a reload', async ({
  page,
  shell,
  pods,
}) => {
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-pod:1');
  const home = await mkdtemp(join(tmpdir(), 'hangar-home-'));
  await mkdir(join(home, '.ssh'));
  const key = await makeKey(join(home, '.ssh'), 'id_ed25519');
  const host = await startHost({
    dockerHost: containers.host,
    env: { HOME: home, SSH_AUTH_SOCK: join(home, 'no-agent') },
  });
  try {
    const fields = { name: 'trainer', imageName: 'hangar-pod:1', dockerStartCmd: SERVES, gpuCount: 0, ports: [] };
    const { id } = await call<{ id: string }>(host, 'POST', '/v1/pods', fields);
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Pods');
    await pods.open('trainer');
    await pods.tab('Overview');
    await expect(pods.state).toHaveText('Running');

    const ssh = pods.inspector.getByRole('region', { name: 'SSH' });
    await expect(ssh).toContainText('No key may sign in yet.');
    await expect(ssh).toContainText(key.fingerprint);
    await expectNoFault(page, 'no key', '[aria-label=Pod]');
    await ssh.getByRole('button', { name: 'Allow this key' }).click();
    const port = Number(new URL(host.api).port) + 22;
    await expect(ssh).toContainText(`ssh -p ${port} ${id}@127.0.0.1`);
    await expect(ssh.getByRole('link', { name: 'Open in VS Code' })).toHaveAttribute('href', new RegExp(`${id}@`));
    const known = ['UserKnownHostsFile=/dev/null', 'StrictHostKeyChecking=no', 'LogLevel=ERROR', 'IdentitiesOnly=yes'];
    const args = ['-F', 'none', ...known.flatMap((option) => ['-o', option]), '-i', key.path, '-p', String(port)];
    const { stdout } = await promisify(execFile)('ssh', [...args, `${id}@127.0.0.1`, 'echo "$RUNPOD_POD_ID"']);
    expect(stdout).toBe(`${id}\n`);

    const ports = pods.inspector.getByRole('region', { name: 'Forwarded ports' });
    await ports.getByLabel('Port of the Pod').fill('9000');
    await ports.getByRole('button', { name: 'Forward', exact: true }).click();
    const address = ports.getByText(/^localhost:\d+$/);
    await expect(address).toBeVisible();
    const at = `http://${(await address.textContent())!}/`;
    expect(await (await fetch(at)).text()).toBe('inside\n');
    await expect(ports).toContainText(/open of 1 .*received/);
    await expectNoFault(page, 'a forwarded port', '[aria-label=Pod]');

    await page.reload();
    await shell.ready();
    await expect(address).toBeVisible();
    expect(await (await fetch(at)).text()).toBe('inside\n');
    await ports.getByRole('button', { name: 'Stop forwarding port 9000' }).click();
    await expect(address).toBeHidden();
    await expect(fetch(at)).rejects.toThrow();
  } finally {
    for (const pod of await call<{ id: string }[]>(host, 'GET', '/v1/pods'))
      await call(host, 'DELETE', `/v1/pods/${pod.id}`);
    await host.stop();
    await rm(home, { recursive: true });
  }
});
