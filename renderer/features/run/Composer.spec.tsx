import { useState } from 'react';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { RunMode } from '#contract/app/ledger.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { requestRun } from '../../client/jobs/requestedRun.ts';
import { draftKey } from '../../state/drafts.ts';
import { navigate } from '../../state/route.ts';
import { shownEntry } from '../../state/selection.ts';
import { Composer } from './Composer.tsx';
import { usualCost, type UsualRuns } from './usualRuns.ts';

interface DraftProps {
  first: string;
  mode?: RunMode;
  usual?: UsualRuns | null;
  cost?: number | null;
  onRun?: (text: string) => void;
  hasFolder?: boolean;
}

/** The text as the Run page keeps it. */
function Draft({
  first,
  mode = 'run',
  usual = null,
  cost = null,
  hasFolder = false,
  onRun = () => undefined,
}: DraftProps) {
  const [text, setText] = useState(first);
  return (
    <>
      <output aria-label="Draft">{text}</output>
      <button onClick={() => setText('{"input": {"typed": 1}}')}>Type</button>
      <Composer
        draftKey="this-machine/e"
        source={{ accountId: 'this-machine', endpointId: 'e', hasFolder }}
        text={text}
        onText={setText}
        sample={null}
        mode={mode}
        targetName="this computer"
        spends={cost !== null}
        blocked={null}
        isUnstored={false}
        code={{
          address: 'http://127.0.0.1:47800',
          endpointId: 'abc',
          endpointName: 'words',
          accountId: 'this-machine',
          makesKeys: true,
        }}
        sending={false}
        usual={usual}
        cost={cost}
        onRun={() => onRun(text)}
      />
    </>
  );
}

/**
 * Clicks as a browser does. `act` would run the deferred renders as well, and so hide what a person sees before them.
 */
async function clickWithoutAct(...elements: HTMLElement[]): Promise<void> {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    for (const element of elements) {
      element.click();
      // React renders what a click changed in a microtask, before the next click can come.
      await Promise.resolve();
    }
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = true;
  }
}

const draft = () => screen.getByLabelText('Draft');
const lowPriority = () => screen.getByRole('checkbox', { name: 'Low priority' });

describe('the policy row', () => {
  it('keeps a click on its checkbox from the moment of the click', async () => {
    renderPage(<Draft first='{"input": {}}' />);
    await clickWithoutAct(lowPriority());
    expect(lowPriority()).toBeChecked();
    expect(draft()).toHaveTextContent('{"input": {}, "policy": { "lowPriority": true }}');
    await clickWithoutAct(lowPriority());
    expect(lowPriority()).not.toBeChecked();
    expect(draft()).toHaveTextContent('{"input": {}}');
  });

  it('writes into the text as it is now, and loses nothing that was typed just before', async () => {
    renderPage(<Draft first='{"input": {}}' />);
    await clickWithoutAct(screen.getByRole('button', { name: 'Type' }), lowPriority());
    expect(draft()).toHaveTextContent('{"input": {"typed": 1}, "policy": { "lowPriority": true }}');
  });

  it('follows what is typed into the editor', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    await user.click(lowPriority());
    await user.click(screen.getByRole('button', { name: 'Type' }));
    expect(lowPriority()).not.toBeChecked();
  });
});

describe('the duration of a policy', () => {
  it('is written into the JSON, and the rest of that stays as it was typed', async () => {
    const { user } = renderPage(<Draft first='{"input": {"n": 9007199254740993}}' />);
    await user.click(screen.getByRole('button', { name: /^Timeout/ }));
    const amount = await screen.findByRole('textbox', { name: 'How long the job may run' });
    await user.clear(amount);
    await user.type(amount, '2{Enter}');
    expect(screen.getByRole('button', { name: 'Timeout 2 min' })).toBeVisible();
    expect(draft()).toHaveTextContent('{"input": {"n": 9007199254740993}, "policy": { "executionTimeout": 120000 }}');
  });
});

describe('what a job usually takes', () => {
  const usual = { fromMs: 8000, toMs: 14_000, runs: 31 };

  it('is said with its cost, which stands on the button too', () => {
    renderPage(<Draft first='{"input": {}}' usual={usual} cost={usualCost(usual, 0.0002 / 1000)} />);
    expect(screen.getByText(/^Usually/)).toHaveTextContent('Usually 8–14 s, ≈ $0.0022 (31 jobs)');
    expect(screen.getByRole('button', { name: /^Run on this computer/ })).toHaveTextContent('· ≈ $0.0022');
  });

  it('has no cost where nothing has a price', () => {
    renderPage(<Draft first='{"input": {}}' usual={usual} cost={usualCost(usual, undefined)} />);
    expect(screen.getByText(/^Usually/)).toHaveTextContent('Usually 8–14 s (31 jobs)');
    expect(screen.getByRole('button', { name: /^Run on this computer/ })).not.toHaveTextContent('$');
  });
});

describe('a request that is sent', () => {
  const run = () => screen.getByRole('button', { name: /^Run on this computer/ });
  const editor = () => screen.findByRole('textbox', { name: 'Request body, JSON' });

  it('is what stands in the editor', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />);
    await user.click(run());
    expect(sent).toEqual(['{"input": {}}']);
  });

  it('is sent by Mod+Enter from anywhere on the page, once', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />);
    await editor();
    lowPriority().focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual(['{"input": {}}']);
  });

  it('is taken from a pasted curl command, in place of the text before', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    (await editor()).focus();
    await user.paste(`curl https://a/v2/e/run -H 'A: b' -d '{"input": {"a": 1}}'`);
    // Laid out: the command has it on one line.
    expect(draft()).toHaveTextContent(/^\{ "input": \{ "a": 1 \} \}$/);
  });

  it('is written at once: the editor has the focus', async () => {
    renderPage(<Draft first='{"input": {}}' />);
    expect(await editor()).toHaveFocus();
  });

  it('is sent by Mod+Enter from within the editor, which adds no line to it', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />);
    (await editor()).focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual(['{"input": {}}']);
    expect(draft()).toHaveTextContent('{"input": {}}');
  });

  it('stays here while it is not JSON: the place is marked, and the editor has the focus', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {"a": 1,}}' onRun={(text) => sent.push(text)} />);
    const text = await editor();
    await user.click(run());
    expect(screen.getByRole('alert')).toHaveTextContent('Not sent. Line 1: There is an extra comma before "}".');
    await waitFor(() => expect(document.querySelector('.cm-lintRange-error')).toHaveTextContent(/^,$/));
    expect(text).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it('stays here while a value of its policy is out of range, and the range is said', async () => {
    const sent: string[] = [];
    const { user } = renderPage(
      <Draft first='{"input": {}, "policy": {"ttl": 5}}' onRun={(text) => sent.push(text)} />,
    );
    await user.click(run());
    expect(screen.getByRole('alert')).toHaveTextContent(
      /policy\.ttl must be a whole number of milliseconds from 10.000/,
    );
    expect(sent).toEqual([]);
  });
});

describe('a required text that is empty', () => {
  const schema = { type: 'object', required: ['prompt'], properties: { prompt: { type: 'string' } } };
  const declaredInput = () => ({
    schema: { text: JSON.stringify(schema), file: 'input_schema.json', line: null },
    test: null,
    notices: [],
  });

  it('holds back the run, with words at its field, until it has a value or is sent again unchanged', async () => {
    const sent: string[] = [];
    const first = '{"input": {"prompt": ""}}';
    const { user } = renderPage(<Draft first={first} hasFolder onRun={(text) => sent.push(text)} />, {
      folders: { declaredInput },
    });
    const run = () => user.click(screen.getByRole('button', { name: /^Run on/ }));
    await user.click(screen.getByRole('tab', { name: 'Form' }));
    const prompt = await screen.findByRole('textbox', { name: /^prompt/ });
    expect(prompt).not.toHaveAttribute('aria-invalid', 'true');
    await run();
    expect(await screen.findByText(/^Not sent\. prompt: required and empty\./)).toBeVisible();
    expect(prompt).toHaveAccessibleDescription('Enter a value: this field is required.');
    expect(sent).toEqual([]);
    await user.type(prompt, 'a');
    expect(prompt).not.toHaveAttribute('aria-invalid', 'true');
    await run();
    expect(sent).toEqual(['{"input": {"prompt": "a"}}']);
    await user.clear(prompt);
    await run();
    await run();
    expect(sent).toEqual(['{"input": {"prompt": "a"}}', first]);
  });
});

describe('the request as code', () => {
  const links = () => within(screen.getByRole('group', { name: 'Request as code' }));

  it.each([
    ['curl', 'curl'],
    ['Python', 'runpod.Endpoint'],
    ['JS', 'runpod-sdk'],
  ])('carries the address and the endpoint in %s, and no key', async (language, words) => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    await user.click(links().getByRole('button', { name: language }));
    const code = await screen.findByRole('dialog');
    expect(code).toHaveTextContent('http://127.0.0.1:47800/v2');
    expect(code).toHaveTextContent('abc');
    expect(code).toHaveTextContent(words);
    expect(code).toHaveTextContent('HANGAR_API_KEY');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('has a client that needs no package of the service', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    await user.click(links().getByRole('button', { name: 'JS' }));
    await user.click(await screen.findByRole('radio', { name: 'fetch' }));
    expect(screen.getByRole('region', { name: 'Code for fetch' })).toHaveTextContent('await fetch(');
  });

  it('has the OpenAI client in Python and in JavaScript, for an input with messages', async () => {
    const { user } = renderPage(<Draft first='{"input": {"messages": []}}' />);
    await user.click(links().getByRole('button', { name: 'OpenAI' }));
    expect(await screen.findByRole('region', { name: 'Code for Python' })).toHaveTextContent(
      'from openai import OpenAI',
    );
    await user.click(screen.getByRole('radio', { name: 'JavaScript' }));
    expect(screen.getByRole('region', { name: 'Code for JavaScript' })).toHaveTextContent("from 'openai'");
  });

  it('gets a key in one click, which says where it came from and is copied by the host', async () => {
    const made: unknown[] = [];
    const create = (input: { name: string }) => {
      made.push(input);
      const record = {
        id: 'k1',
        name: input.name,
        scope: 'jobs' as const,
        endpointIds: [],
        disabled: false,
        last4: 'abcd',
        createdAt: '2026-01-01T00:00:00Z',
        lastUsedAt: null,
      };
      return { record, shown: { how: 'clipboard' as const } };
    };
    const { user } = renderPage(<Draft first='{"input": {}}' />, { apiKeys: { list: () => [], create } });
    await user.click(links().getByRole('button', { name: 'curl' }));
    await user.click(await screen.findByRole('button', { name: 'Create a key and copy' }));
    expect(await screen.findByText(/Copied the key "Code of words"/)).toBeVisible();
    expect(made).toEqual([
      { accountId: 'this-machine', name: 'Code of words', scope: 'endpoints', endpointIds: ['abc'] },
    ]);
  });
});

describe('the request as code', () => {
  it.each([
    ['run', 'If the handler yields, /status returns an empty output.'],
    ['runsync', 'If the handler yields, /runsync returns an empty output.'],
  ] as const)('with %s says what a handler that yields returns', async (mode, words) => {
    const { user } = renderPage(<Draft first='{"input": {}}' mode={mode} />);
    await user.click(screen.getByRole('button', { name: 'Python' }));
    await waitFor(() => expect(document.body).toHaveTextContent(words));
  });
});

describe('a run that another page asks for', () => {
  const schema = { type: 'object', required: ['prompt'], properties: { prompt: { type: 'string' } } };
  const ask = () => act(() => requestRun('this-machine', 'e'));

  it('is sent once, with the text as it is, and the earlier result is not shown any more', async () => {
    const sent: string[] = [];
    shownEntry.set(draftKey('this-machine', 'e'), 'an earlier job');
    renderPage(<Draft first='{"input": {"a": 1}}' onRun={(text) => sent.push(text)} />);
    ask();
    expect(sent).toEqual(['{"input": {"a": 1}}']);
    expect(shownEntry.get(draftKey('this-machine', 'e'))).toBeNull();
    expect(location.hash).toBe('#/run/e');
  });

  it('waits for the schema of the changed code, and says what is missing', async () => {
    const sent: string[] = [];
    const declared = { schema: { text: JSON.stringify(schema), file: 'handler.py', line: 3 }, test: null, notices: [] };
    const answers: (() => void)[] = [];
    renderPage(<Draft first='{"input": {"prompt": ""}}' hasFolder onRun={(text) => sent.push(text)} />, {
      folders: { declaredInput: () => new Promise((resolve) => answers.push(() => resolve(declared))) },
    });
    ask();
    await waitFor(() => expect(answers).not.toEqual([]));
    expect(sent).toEqual([]);
    for (const answer of answers) answer();
    expect(await screen.findByText(/^Not sent\. prompt: required and empty\./)).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('is forgotten when the person goes to another page first', () => {
    const sent: string[] = [];
    ask();
    act(() => navigate({ page: 'home' }));
    renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />);
    expect(sent).toEqual([]);
  });
});
