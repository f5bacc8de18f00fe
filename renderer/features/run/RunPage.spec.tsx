import { act, cleanup, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import type { Answers } from '../../../test/support/page/app.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { endpointDetail, endpointSummary } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { commandsNow } from '../../state/commands.ts';
import { draftKey, draftText } from '../../state/drafts.ts';
import { targetAccount } from '../../state/selection.ts';
import RunPage from './RunPage.tsx';
import { runView } from './runView.ts';

const endpoint = endpointSummary();

const answers: Answers = {
  accounts: { list: () => [thisComputer] },
  endpoints: { list: () => [endpoint] },
  jobs: { list: () => ({ entries: [], matching: 0, total: 0, complete: true }) },
  batches: { list: () => [] },
  billing: { read: () => [] },
};

const labels = () => commandsNow().map(({ label }) => label);
const ofOneInput = ['Clear the input', 'Mode: Chat', 'Insert a file'];

it('Run offers only the actions of the view that is on screen', async () => {
  runView.set(draftKey(THIS_MACHINE, 'e'), 'job');
  renderPage(<RunPage endpointId="e" />, answers);
  await waitFor(() => expect(labels()).toEqual(expect.arrayContaining(['Run on this computer', ...ofOneInput])));
  cleanup();

  renderPage(<RunPage endpointId="e" view="batch" />, answers);
  await waitFor(() => expect(labels()).toContain('Run one input'));
  expect(labels().filter((label) => label.startsWith('Mode:') || ofOneInput.includes(label))).toEqual([]);
  cleanup();

  runView.set(draftKey(THIS_MACHINE, 'e'), 'chat');
  // A chat looks for the name of a model; that ends before the test does.
  let reads = 0;
  const get = () => {
    reads += 1;
    return endpointDetail();
  };
  renderPage(<RunPage endpointId="e" />, { ...answers, endpoints: { ...answers.endpoints, get } });
  await waitFor(() => expect(labels()).toEqual(expect.arrayContaining(['Load models', 'Mode: Stream'])));
  await waitFor(() => expect(reads).toBe(1));
  expect(labels().filter((label) => ofOneInput.includes(label))).toEqual([]);
});

it('an endpoint whose readme shows a message of a chat opens as a chat, with the model of that message', async () => {
  runView.set(draftKey(THIS_MACHINE, 'e'), null);
  const input = { openai_route: '/v1/chat/completions', openai_input: { model: 'rules', messages: [] } };
  const sampleInput = JSON.stringify({ input });
  const { screen } = renderPage(<RunPage endpointId="e" />, {
    ...answers,
    endpoints: {
      list: () => [endpointSummary({ sampleInput })],
      get: () => ({ ...endpointDetail(), sampleInput }),
    },
  });
  expect(await screen.findByText('Ask the model something')).toBeVisible();
  expect(screen.getByText("If empty: rules, the model in the endpoint's sample input.")).toBeVisible();
});

it('a loop that makes jobs wait is named in a few words, and explained by a click', async () => {
  runView.set(draftKey(THIS_MACHINE, 'e'), 'job');
  const sdk = endpointSummary({ runtime: 'python', publicSdk: '1.7.9' });
  const { user, screen } = renderPage(<RunPage endpointId="e" />, { ...answers, endpoints: { list: () => [sdk] } });
  await user.click(await screen.findByRole('button', { name: 'Up to 1 s between jobs' }));
  const words = 'Runs in the worker of the public SDK 1.7.9: it sleeps up to 1 s between jobs.';
  expect(await screen.findByText(words)).toBeVisible();
});

it('an endpoint that cannot run says why instead of how it runs', async () => {
  runView.set(draftKey(THIS_MACHINE, 'e'), 'job');
  const reason = "The folder /gone does not exist. Put it back, or change the template's imageName.";
  const gone = endpointSummary({ runtime: null, available: false, reason });
  const { user, screen } = renderPage(<RunPage endpointId="e" />, { ...answers, endpoints: { list: () => [gone] } });
  const job = within(await screen.findByRole('region', { name: 'Job' }));
  expect(job.getByText('Cannot run now')).toBeVisible();
  expect(
    job.getByText('The folder /gone does not exist. Put it back, or change "Folder" in the settings.'),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: /^Run on/ })).toHaveAttribute('aria-disabled', 'true');
  await user.click(job.getByRole('button', { name: 'Show the settings of the endpoint' }));
  expect(location.hash).toBe('#/endpoints/e/settings');
});

it('another target shows its endpoint of the same name, not an error about the id of the former target', async () => {
  const cloud = { ...thisComputer, id: 'cloud', name: 'work', kind: 'cloud' as const };
  const ofCloud = ['first', 'words'].map((name) => endpointSummary({ accountId: 'cloud', id: `c-${name}`, name }));
  const list = ({ accountId }: { accountId: string }) =>
    accountId === 'cloud' ? ofCloud : [{ ...endpoint, name: 'words' }];
  const { screen } = renderPage(<RunPage endpointId="e" />, {
    ...answers,
    accounts: { list: () => [thisComputer, cloud] },
    endpoints: { list },
  });
  expect(await screen.findByRole('button', { name: /^Run on this computer/ })).toBeVisible();
  act(() => void targetAccount.set('cloud'));
  await expect.poll(() => location.hash).toBe('#/run/c-words');
  expect(await screen.findByRole('button', { name: /^Run on work · costs money/ })).toBeVisible();
});

it('the list of many endpoints is searched by typing, and Enter takes the first that is found', async () => {
  const endpoints = Array.from({ length: 9 }, (_, at) => endpointSummary({ id: `e${at}`, name: `endpoint ${at}` }));
  const list = () => endpoints;
  const { screen, user } = renderPage(<RunPage endpointId="e0" />, { ...answers, endpoints: { list } });
  await user.click(await screen.findByRole('button', { name: 'Endpoint: endpoint 0' }));
  const search = await screen.findByRole('textbox', { name: 'Find an endpoint' });
  await waitFor(() => expect(search).toHaveFocus());
  await user.keyboard('t 7');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.hash).toBe('#/run/e7'));
});

it('an older run gives its input back, and Undo brings what was written', async () => {
  const key = draftKey(THIS_MACHINE, 'e');
  runView.set(key, 'job');
  draftText.set(key, '{"input": {"mine": true}}');
  const entry = entryOf({ entryId: 'old', endpointId: 'e', status: 'COMPLETED' });
  const { screen, user } = renderPage(<RunPage endpointId="e" />, {
    ...answers,
    jobs: {
      list: () => ({ entries: [entry], matching: 1, total: 1, complete: true }),
      async *watch() {
        yield { type: 'snapshot', entry, chunks: [], output: null };
      },
      body: () => '{"input": {"theirs": true}}',
    },
  });
  await user.click(await screen.findByRole('row', { name: /Done/ }));
  await user.click(await screen.findByRole('button', { name: 'Use its input' }));
  await waitFor(() => expect(draftText.get(key)).toContain('"theirs": true'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(draftText.get(key)).toBe('{"input": {"mine": true}}');
});
