import { useState } from 'react';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { RunMode } from '#contract/app/ledger.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { Composer } from './Composer.tsx';

interface DraftProps {
  first: string;
  mode?: RunMode;
  onRun?: (text: string) => void;
}

/** The text as the Run page keeps it. */
function Draft({ first, mode = 'run', onRun = () => undefined }: DraftProps) {
  const [text, setText] = useState(first);
  return (
    <>
      <output aria-label="Draft">{text}</output>
      <button onClick={() => setText('{"input": {"typed": 1}}')}>Type</button>
      <Composer
        draftKey="local/one"
        text={text}
        onText={setText}
        sample={null}
        mode={mode}
        targetName="this computer"
        spends={false}
        blocked={null}
        unkept={false}
        code={{ address: 'http://127.0.0.1:47800', endpointId: 'abc' }}
        sending={false}
        onRun={() => onRun(text)}
      />
    </>
  );
}

/** Clicks as a browser does. `act` would run the deferred renders as well, and so hide what a person sees before them. */
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

describe('a request that is sent', () => {
  const run = () => screen.getByRole('button', { name: /^Run on this computer/ });
  const editor = () => screen.findByRole('textbox', { name: 'Request body, JSON' });

  it('is what stands in the editor', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />);
    await user.click(run());
    expect(sent).toEqual(['{"input": {}}']);
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
    expect(screen.getByRole('alert')).toHaveTextContent('Not sent. Line 1: There is a comma too many before "}".');
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

describe('the request as code', () => {
  it.each(['curl', 'Python', 'JS'])('carries the address and the endpoint in %s, and no key', async (language) => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    const links = within(screen.getByRole('group', { name: 'Request as code' }));
    await user.click(links.getByRole('button', { name: language }));
    const code = await screen.findByRole('dialog');
    expect(code).toHaveTextContent('http://127.0.0.1:47800/v2/abc');
    expect(code).toHaveTextContent('HANGAR_API_KEY');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
