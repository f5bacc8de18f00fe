import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '#contract/bridge/openai/chat.ts';
import { ORPCError } from '@orpc/client';
import type { Answers } from '../../../../test/support/page/app.ts';
import { closeNewEndpoint, useOverlays } from '../../../state/overlays.ts';
import { commandsNow } from '../../../state/commands.ts';
import { queryClient } from '../../../client/transport/orpc.ts';
import { endpointDetail } from '../../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { runView } from '../runView.ts';
import ChatView from './ChatView.tsx';

const health = {
  jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 },
  workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
};

interface Sent {
  body: string;
}

/** An app whose endpoint answers each chat with these events. */
function appOf(chat: (sent: Sent, signal: AbortSignal) => AsyncGenerator<ChatEvent>): {
  sent: object[];
  answers: Answers;
} {
  const sent: object[] = [];
  const answers: Answers = {
    endpoints: { health: () => health },
    openai: {
      models: () => ['one', 'two'],
      chat(input, signal) {
        sent.push(JSON.parse(input.body) as object);
        return chat(input, signal);
      },
    },
  };
  return { sent, answers };
}

const called = { address: 'http://127.0.0.1:47800', endpointId: 'e', endpointName: 'words', accountId: 'this-machine' };
const nothing = (): void => undefined;
const show = (
  answers: Answers,
  { spends = false, blocked = null as string | null, onStream = nothing, onRender = nothing } = {},
) =>
  renderPage(
    <ChatView
      draftKey="local/e"
      accountId="this-machine"
      endpointId="e"
      targetName="this computer"
      spends={spends}
      blocked={blocked}
      endpointName="my-worker"
      called={{
        ...called,
        get makesKeys() {
          onRender();
          return true;
        },
      }}
      onStream={onStream}
    />,
    {
      ...answers,
      jobs: { list: () => ({ entries: [], matching: 0, complete: true, total: 0 }), ...answers.jobs },
      endpoints: {
        get() {
          throw new ORPCError('NOT_FOUND', { message: 'There is no such endpoint.' });
        },
        ...answers.endpoints,
      },
    },
  );

/** Without a click: in jsdom, which has no layout, the pane divider takes each one. */
async function say(user: UserEvent, text: string): Promise<void> {
  (await screen.findByRole('textbox', { name: 'Message' })).focus();
  await user.keyboard(`${text}{Enter}`);
}
async function loadModels(user: UserEvent): Promise<void> {
  await user.click(within(await screen.findByRole('log')).getByRole('button', { name: 'Load models' }));
  await screen.findByDisplayValue('one');
}
const labels = () => commandsNow().map(({ label }) => label);
const answer = () => screen.findByRole('article', { name: 'Assistant' });

describe('the chat of an endpoint', () => {
  it('an Enter that accepts a word of an input method sends nothing, also in Safari', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'begun', jobId: 'j' };
    });
    const { user } = show(answers);
    await loadModels(user);
    const message = screen.getByRole('textbox', { name: 'Message' });
    message.focus();
    await user.keyboard('hello');
    // Chromium and Firefox tell it by the flag, Safari by the code.
    fireEvent.keyDown(message, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(message, { key: 'Enter', keyCode: 229 });
    expect(message).toHaveValue('hello');
    expect(sent).toEqual([]);
  });

  it('chooses a listed model, streams, and counts what the worker counted', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'begun', jobId: 'j' };
      yield { type: 'piece', text: 'It is ', reasoning: '' };
      yield { type: 'piece', text: '**warm**.', reasoning: '' };
      yield { type: 'end', finish: 'length', inputTokens: 3, outputTokens: 1204 };
    });
    const { user } = show(answers);
    await loadModels(user);
    await say(user, 'How is it?');
    expect(await answer()).toHaveTextContent(/It is warm\..*1 204 tokens.*cut off: it reached the maximum length/u);
    expect(within(await answer()).getByText('warm').tagName).toBe('STRONG');
    expect(sent).toMatchObject([{ model: 'one', messages: [{ role: 'user', content: 'How is it?' }] }]);
  });

  it('renders its field and its options no more for a piece of an answer', async () => {
    let [step, renders] = [0, 0];
    const { answers } = appOf(async function* () {
      yield { type: 'piece', text: 'It is ', reasoning: '' };
      await expect.poll(() => step).toBe(1);
      yield { type: 'piece', text: 'warm.', reasoning: '' };
      await expect.poll(() => step).toBe(2);
    });
    const { user } = show(answers, { onRender: () => void (renders += 1) });
    await loadModels(user);
    await say(user, 'How is it?');
    await screen.findByText('It is');
    const before = renders;
    step = 1;
    await screen.findByText('It is warm.');
    const after = renders;
    step = 2;
    await answer();
    expect(after).toBe(before);
  });

  it('says why no answer begins, and is stopped', async () => {
    const { answers } = appOf(async function* (_, signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const { user } = show(answers);
    await loadModels(user);
    await say(user, 'Hello');
    expect(await screen.findByText(/Waiting for the first token\. No workers are running yet\./)).toBeVisible();
    const link = screen.getByRole('link', { name: 'Show the endpoint' });
    expect(link).toHaveAttribute('href', expect.stringMatching(/^#\/endpoints\/[^/]+/));
    for (const name of ['New', 'Delete', 'Edit and send again', 'Remove the conversation Hello']) {
      const button = screen.getByRole('button', { name });
      expect(button).toHaveAccessibleDescription('An answer is still arriving. Stop it or wait for it to finish.');
      button.focus();
      expect(button, name).toHaveFocus();
      await user.keyboard('{Enter}');
    }
    expect(screen.getByText('Hello', { selector: 'p' }), 'the conversation stays').toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await answer()).toHaveTextContent('stopped by you');
  });

  it('says what was wrong and what to do, and asks again without the failed answer', async () => {
    let fails = true;
    const { sent, answers } = appOf(async function* () {
      if (fails) throw new ORPCError('UNAVAILABLE', { message: 'The endpoint did not answer in time.' });
      yield { type: 'piece', text: 'Yes.', reasoning: 'It asked.' };
      yield { type: 'end', finish: 'stop', inputTokens: null, outputTokens: null };
    });
    const { user } = show(answers);
    await loadModels(user);
    await say(user, 'Hello');
    const problem = await screen.findByRole('alert');
    expect(problem).toHaveTextContent('The endpoint did not answer in time.On the Endpoints page');
    fails = false;
    await user.click(within(problem).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Yes.')).toBeVisible();
    expect(await answer()).toHaveTextContent('≈ 1 token');
    expect(screen.getByText('Reasoning')).toBeVisible();
    expect(sent[1]).toMatchObject({ messages: [{ role: 'user', content: 'Hello' }] });
  });

  it('blames nobody where a handler fails that may not be made for chats', async () => {
    const { answers } = appOf(async function* () {
      throw new ORPCError('UPSTREAM', { message: 'input.text must be a string.' });
    });
    const { user } = show(answers);
    const field = await screen.findByPlaceholderText('The name of a model');
    field.focus();
    await user.keyboard('tiny');
    await say(user, 'Hello');
    const problem = await screen.findByRole('alert');
    expect(problem).toHaveTextContent('The handler of this endpoint may not be made for chats.');
    cleanup();
    queryClient.clear();
    show(answers);
    await loadModels(user);
    await say(user, 'Again');
    expect(await screen.findByText(/^The handler of the endpoint failed\./)).toBeVisible();
  });

  it('says that it sends a job to find out whether the endpoint chats, and offers a new endpoint that does', async () => {
    const { answers } = appOf(async function* () {});
    const { user } = show(answers);
    expect(
      await screen.findByText(/It is not known whether my-worker does\. "Load models" sends one job to find out/),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'New chat endpoint' }));
    expect(useOverlays.getState().newEndpoint).toEqual({ handler: 'chat' });
    act(closeNewEndpoint);
  });

  it('sends nothing before a person asks: neither without a model nor for the models', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'end', finish: null, inputTokens: null, outputTokens: null };
    });
    let requests = 0;
    const models = () => {
      requests += 1;
      return ['one', 'two'];
    };
    const { user } = show({ ...answers, openai: { ...answers.openai, models } }, { spends: true });
    await say(user, 'Hello');
    expect(await screen.findByRole('alert')).toHaveTextContent('Choose a model first, or load the models');
    expect([sent, requests]).toEqual([[], 0]);
    await user.click(screen.getByRole('button', { name: 'Load models · costs money' }));
    expect(await screen.findByText('2 listed by the endpoint')).toBeVisible();
    expect(requests).toBe(1);
    const send = await screen.findByRole('button', { name: 'Send to this computer · costs money' });
    expect(within(send).getByTitle('this computer'), 'a long name is cut').toHaveTextContent('this computer');
    expect(send).not.toHaveAttribute('aria-disabled');
    await user.clear(screen.getByRole('textbox', { name: 'Message' }));
    expect(send).toHaveAccessibleDescription('Enter a message first.');
  });

  it('takes the model of the last request of a script where none is entered, and says so', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'piece', text: 'Yes.', reasoning: '' };
      yield { type: 'end', finish: null, inputTokens: null, outputTokens: null };
    });
    const entry = entryOf({ endpointId: 'e' });
    const body = JSON.stringify({ input: { openai_route: '/v1/chat/completions', openai_input: { model: 'tiny' } } });
    const { user } = show({
      ...answers,
      jobs: {
        list: ({ filter }) => {
          const entries = filter.openai === true ? [entry] : [];
          return { entries, matching: entries.length, complete: true, total: 1 };
        },
        get: () => ({ entry, body, output: null }),
      },
    });
    expect(await screen.findByText('If empty: tiny, as in the last request of a script.')).toBeVisible();
    await say(user, 'Hello');
    expect(await answer()).toHaveTextContent('Yes.');
    expect(sent).toMatchObject([{ model: 'tiny' }]);
    // The chat itself is newer now.
    expect(await screen.findByText('If empty: tiny, which answered the last chat.')).toBeVisible();
  });

  it('takes the model that the settings of the endpoint name where nobody has asked it yet', async () => {
    const { answers } = appOf(async function* () {
      yield { type: 'end', finish: null, inputTokens: null, outputTokens: null };
    });
    const env = { MODEL_NAME: 'org/large', OPENAI_SERVED_MODEL_NAME_OVERRIDE: 'large' };
    show({ ...answers, endpoints: { ...answers.endpoints, get: () => endpointDetail(env) } });
    expect(await screen.findByText("If empty: large, the model in the endpoint's settings.")).toBeVisible();
  });

  it('forgets why no models were listed once a name is typed', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'piece', text: 'Yes.', reasoning: '' };
    });
    const models = () => {
      throw new ORPCError('UNAVAILABLE', { message: 'The endpoint did not answer in time.' });
    };
    const { user } = show({ ...answers, openai: { ...answers.openai, models } });
    await user.click(within(await screen.findByRole('log')).getByRole('button', { name: 'Load models' }));
    const field = await screen.findByPlaceholderText('The name of a model');
    await waitFor(() => expect(field).toBeInvalid());
    field.focus();
    await user.keyboard('tiny');
    await waitFor(() => expect(field).toBeValid());
    expect(field).toHaveValue('tiny');
    expect(screen.queryByText('The endpoint did not answer in time.')).toBeNull();
    expect(sent).toEqual([]);
  });

  it('names an endpoint without a chat, offers Stream, and keeps that for the next visit, which begins with its jobs', async () => {
    let requests = 0;
    let streams = 0;
    const answers: Answers = {
      openai: {
        models() {
          requests += 1;
          throw new ORPCError('UNSUPPORTED', { message: 'The endpoint answered with something that is no list.' });
        },
      },
    };
    const onStream = () => (streams += 1);
    const { user } = show(answers, { onStream });
    await user.click(within(await screen.findByRole('log')).getByRole('button', { name: 'Load models' }));
    expect(await screen.findByText('my-worker is not a chat model')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    runView.set('local/e', 'chat');
    cleanup();
    expect(runView.get('local/e')).toBe('job');
    queryClient.clear();
    show(answers, { onStream });
    expect(await screen.findByText('my-worker is not a chat model')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Use Stream' }));
    expect([requests, streams]).toEqual([1, 1]);
  });

  it('has its actions in the palette while they are possible, with Ctrl+Enter and Ctrl+.', async () => {
    const { sent, answers } = appOf(async function* (_, signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const { user } = show(answers, { spends: true });
    await waitFor(() => expect(labels()).toContain('Load models'));
    expect(labels()).not.toContain('Send to this computer');
    commandsNow()
      .find(({ label }) => label === 'Load models')
      ?.run();
    await screen.findByDisplayValue('one');
    (await screen.findByRole('textbox', { name: 'Message' })).focus();
    await user.keyboard('Hello');
    expect(commandsNow()).toContainEqual(
      expect.objectContaining({ label: 'Send to this computer', description: 'Costs money' }),
    );
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(labels()).toContain('Stop the answer'));
    expect(labels()).not.toContain('New conversation');
    await user.keyboard('{Control>}.{/Control}');
    expect(await answer()).toHaveTextContent('stopped by you');
    expect(labels()).toEqual(expect.arrayContaining(['New conversation', 'Delete the conversation']));
    expect(sent).toHaveLength(1);
  });

  it('sends an edited message, and not the next one, by Ctrl+Enter in it', async () => {
    const { sent, answers } = appOf(async function* () {
      yield { type: 'piece', text: 'Yes.', reasoning: '' };
      yield { type: 'end', finish: 'stop', inputTokens: null, outputTokens: null };
    });
    const { user } = show(answers);
    await loadModels(user);
    await say(user, 'First');
    await screen.findByText('Yes.');
    (await screen.findByRole('textbox', { name: 'Message' })).focus();
    await user.keyboard('Next');
    fireEvent.click(screen.getByRole('button', { name: 'Edit and send again' }));
    const edited = await screen.findByRole('textbox', { name: 'Edited message' });
    await user.clear(edited);
    await user.keyboard('Second{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ messages: [{ role: 'user', content: 'Second' }] });
  });

  it('is there as code for the clients of a chat, with its options and a key', async () => {
    const { answers } = appOf(async function* () {
      yield { type: 'end', finish: 'stop', inputTokens: null, outputTokens: null };
    });
    const { user } = show(answers);
    await loadModels(user);
    const code = within(screen.getByRole('group', { name: 'Request as code' }));
    expect(code.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['curl', 'OpenAI']);
    code.getByRole('button', { name: 'curl' }).focus();
    await user.keyboard('{Enter}');
    const text = await screen.findByRole('region', { name: 'Code for curl' });
    expect(text).toHaveTextContent(/\/v2\/e\/openai\/v1\/chat\/completions.*"model": "one"/);
    expect(screen.getByRole('button', { name: 'Create a key and copy' })).toBeVisible();
  });

  it('gives a removed conversation back by Undo, from its head and from the list', async () => {
    const { answers } = appOf(async function* () {
      yield { type: 'piece', text: 'Yes.', reasoning: '' };
      yield { type: 'end', finish: 'stop', inputTokens: null, outputTokens: null };
    });
    const { user } = show(answers);
    await loadModels(user);
    await say(user, 'Hello');
    await screen.findByText('Yes.');
    for (const name of ['Delete', 'Remove the conversation Hello']) {
      const remove = screen.getByRole('button', { name });
      await waitFor(() => expect(remove).toBeEnabled());
      remove.focus();
      await user.keyboard('{Enter}');
      await screen.findByText('Removed the conversation Hello');
      expect(screen.queryByText('Yes.')).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Undo' }));
      expect(await screen.findByText('Yes.')).toBeVisible();
      await waitFor(() => expect(screen.queryByText('Removed the conversation Hello')).toBeNull());
    }
  });
});
