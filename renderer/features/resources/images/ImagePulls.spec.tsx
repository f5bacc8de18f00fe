import { ORPCError } from '@orpc/client';
import { act, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { ImagePull, ImagePullRequest } from '#contract/local/image.ts';
import type { Machine } from '#contract/local/machine.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { machineOf } from '../../../../test/support/page/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { createSampler } from '../../../../test/support/page/sampler.ts';
import { SampleFeeds } from '../../../client/changes/SampleFeeds.tsx';
import { ImagePulls } from './ImagePulls.tsx';
import { NoImages } from './NoImages.tsx';

afterEach(() => void vi.useRealTimers());

const containers = { ...machineOf().containers, available: true, problem: null };
const MB = 1024 * 1024;

const pullOf = (changes: Partial<ImagePull>): ImagePull => ({
  id: 'p1',
  name: 'me/model:1',
  containerRegistryAuthId: null,
  state: 'PULLING',
  percent: 25,
  downloadedBytes: 500 * MB,
  totalBytes: 900 * MB,
  layers: 3,
  layersDone: 1,
  problem: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  ...changes,
});

/** The app of a computer with these pulls, and what the page asked of it. */
function renderPulls(pulls: readonly ImagePull[]) {
  const requests: ImagePullRequest[] = [];
  const removed: string[] = [];
  let change: (pulls: ImagePull[]) => void = () => undefined;
  let disconnect: () => void = () => undefined;
  let connections = 0;
  let reads = 0;
  const view = renderPage(
    <ImagePulls accountId="this-machine" target="this computer" registryAuths={[{ id: 'a1', name: 'me at ghcr' }]} />,
    {
      accounts: { list: () => [thisComputer] },
      machine: {
        get: () => machineOf({ containers }),
        images: () => {
          reads++;
          return [{ name: 'ubuntu:24.04', sizeBytes: 1, createdAt: '2026-01-01T00:00:00.000Z' }];
        },
        pullImage: ({ request }) => {
          requests.push(request);
          if (request.name === 'me/away') throw new ORPCError('UNAVAILABLE', { message: 'Docker does not answer.' });
          return pullOf({ name: request.name });
        },
        removePull: ({ pullId }) => void removed.push(pullId),
        async *pulls(_, signal) {
          connections++;
          yield connections === 1 ? [...pulls] : [];
          while (!signal.aborted) {
            yield await new Promise<ImagePull[]>((resolve, reject) => {
              disconnect = () => reject(new ORPCError('UNAVAILABLE', { message: 'It is away.' }));
              change = resolve;
              signal.addEventListener('abort', () => resolve([]));
            });
          }
        },
      },
    },
  );
  return {
    ...view,
    requests,
    removed,
    change: (next: ImagePull[]) => change(next),
    disconnect: () => disconnect(),
    reads: () => reads,
  };
}

it('an image is pulled by its name, checked as it is typed, with the credentials that are chosen', async () => {
  const { screen, user, requests } = renderPulls([pullOf({})]);
  const field = await screen.findByLabelText('Pull an image');
  const button = screen.getByRole('button', { name: 'Pull' });
  expect(button).toHaveAccessibleDescription('Enter the name of an image first.');
  await user.type(field, 'Me/Model');
  expect(screen.getByText(/^The name must be lowercase: me\/model\./)).toBeVisible();
  expect(button).toHaveAccessibleDescription(/^The name must be lowercase/);
  await user.clear(field);
  await user.type(field, 'me/model:1');
  expect(screen.getByText('me/model:1 is already being pulled.')).toBeVisible();
  await user.keyboard('{Enter}');
  await user.click(button);
  expect(requests).toEqual([]);
  await user.clear(field);
  await user.type(field, 'ubuntu:24.04');
  expect(await screen.findByText(/^ubuntu:24\.04 is already on this computer\./)).toBeVisible();
  await user.clear(field);
  await user.type(field, 'docker pull me/other{Enter}');
  await expect.poll(() => requests).toEqual([{ name: 'me/other' }]);
  await expect.poll(() => (field as HTMLInputElement).value).toBe('');

  await user.click(screen.getByRole('combobox', { name: 'Credentials' }));
  await user.click(await screen.findByRole('option', { name: 'me at ghcr' }));
  await user.type(field, 'me/away{Enter}');
  expect(await screen.findByText('Docker does not answer.')).toBeVisible();
  expect(requests.at(-1)).toEqual({ name: 'me/away', containerRegistryAuthId: 'a1' });
  expect(field).toHaveValue('me/away');
});

it('each pull says how far it is and how it ended, is stopped and tried again, and its end reads the images again', async () => {
  const failed = pullOf({
    id: 'p2',
    name: 'me/gone:1',
    state: 'FAILED',
    containerRegistryAuthId: 'a1',
    problem: 'No.',
  });
  const { screen, user, requests, removed, change, reads } = renderPulls([pullOf({}), failed]);
  expect(await screen.findByText('25 % · 500 MB of 900 MB downloaded · 1 of 3 layers')).toBeVisible();
  expect(screen.getByText('No.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again: me/gone:1' }));
  await expect.poll(() => requests).toEqual([{ name: 'me/gone:1', containerRegistryAuthId: 'a1' }]);
  await user.click(screen.getByRole('button', { name: 'Stop the pull of me/model:1' }));
  await expect.poll(() => removed).toEqual(['p1']);

  change([pullOf({ downloadedBytes: 900 * MB, percent: 80, layersDone: 2 })]);
  expect(await screen.findByText('80 % · unpacking · 2 of 3 layers')).toBeVisible();
  const before = reads();
  change([pullOf({ state: 'DONE', percent: 100, downloadedBytes: 900 * MB, endedAt: '2026-01-01T00:01:00.000Z' })]);
  expect(await screen.findByText('Pulled, 900 MB downloaded')).toBeVisible();
  // The list also reads itself again, every ten seconds.
  await expect.poll(reads).toBe(before + 1);
});

it('a pull that ended with its engine is told as such, and is tried again or forgotten', async () => {
  const done = pullOf({ id: 'p2', name: 'me/done:1', state: 'DONE', endedAt: '2026-01-01T00:01:00.000Z' });
  const { screen, user, requests, removed, change, disconnect } = renderPulls([pullOf({}), done]);
  expect(await screen.findByText(/^25 %/)).toBeVisible();
  disconnect();
  const words = /^The pull ended because the engine stopped or restarted/;
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByText('me/done:1')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again: me/model:1' }));
  await expect.poll(() => requests).toEqual([{ name: 'me/model:1' }]);
  change([pullOf({ id: 'p3' })]);
  await expect.poll(() => screen.queryByText(words)).toBeNull();
  disconnect();
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Forget me/model:1' }));
  await expect.poll(() => screen.queryByText(words)).toBeNull();
  expect(removed).toEqual([]);
});

it('a Hangar that is too old says so in the place of the field', async () => {
  const { screen } = renderPage(<ImagePulls accountId="this-machine" target="work" registryAuths={[]} />, {
    machine: {
      get: () => machineOf({ containers }),
      async *pulls() {
        throw new ORPCError('NOT_FOUND', { message: 'The Hangar of this account is too old. Update it.' });
      },
    },
  });
  expect(await screen.findByText('The Hangar of this account is too old. Update it.')).toBeVisible();
  expect(screen.queryByLabelText('Pull an image')).toBeNull();
});

it.each([
  [containers, /^Images are pulled when a Pod or worker first needs them/],
  [{ ...containers, available: false, problem: 'Install Docker.' }, /^Install Docker\.$/],
])('without images the page says how they come, or why there can be none: %#', async (now, words) => {
  const { screen } = renderPage(<NoImages accountId="this-machine" target="work" />, {
    machine: { get: () => machineOf({ containers: now }) },
  });
  expect(await screen.findByText(words)).toBeVisible();
  const title = now.available ? 'No images on work' : 'No container engine answers on work';
  expect(screen.getByText(title)).toBeVisible();
});

it('without a container engine the commands that get one are steps to copy, and it is looked for again', async () => {
  const problem = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';
  let now: Machine['containers'] = { ...containers, available: false, problem };
  const { user, screen } = renderPage(<NoImages accountId="this-machine" target="work" />, {
    machine: { get: () => machineOf({ containers: now }) },
  });
  const steps = await screen.findByRole('list', { name: 'Commands' });
  expect(steps).toHaveTextContent('Install Dockersudo apt-get install docker.io');
  expect(within(steps).getByRole('button', { name: 'Copy command' })).toBeVisible();
  expect(screen.getByText('No container engine was found.')).toBeVisible();
  now = containers;
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  // Before the page asks by itself, every ten seconds.
  expect(await screen.findByText('No images on work')).toBeVisible();
});

it('a container engine that is stopped is seen without a question', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { streams, say, open } = createSampler<Machine>();
  let questions = 0;
  const get = () => {
    questions++;
    return machineOf({ containers });
  };
  const { screen } = renderPage(
    <>
      <SampleFeeds />
      <NoImages accountId={thisComputer.id} target="work" />
    </>,
    { accounts: { list: () => [thisComputer] }, machine: { get, machineSamples: open } },
  );
  await waitFor(() => expect(streams).toHaveLength(1));
  await say(machineOf({ containers }));
  expect(await screen.findByText('No images on work')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await say(machineOf({ containers: { ...containers, available: false, problem: 'It was stopped.' } }));
  expect(await screen.findByText('It was stopped.')).toBeVisible();
  expect(questions).toBe(1);
});
