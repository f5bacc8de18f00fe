import { screen, within } from '@testing-library/react';
import { ORPCError } from '@orpc/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { loseApp } from '../../../../test/support/page/app.ts';
import { savedAnswers } from '../../../../test/support/page/saved.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { draftKey, draftText, setDraft } from '../../../state/drafts.ts';
import { HistoryMenu } from './HistoryMenu.tsx';
import { previewOfInput } from './inputPreview.ts';
import { SavedMenu } from './SavedMenu.tsx';

const KEY = draftKey('this-machine', 'e');

beforeEach(() => void draftText.set(KEY, null));

interface SavedProps {
  first: string;
  sample?: string;
  test?: { file: string; body: string } | null;
}

function Saved({ first, sample, test = null }: SavedProps) {
  const text = draftText.use(KEY) ?? first;
  return (
    <>
      <output aria-label="Draft">{text}</output>
      <button onClick={() => setDraft(KEY, '{"input": {"b": 2}}')}>Type</button>
      <SavedMenu draftKey={KEY} text={text} sample={sample ?? null} test={test} />
    </>
  );
}

const list = (name: string) => within(screen.getByRole('list', { name }));

describe('saved inputs', () => {
  it('are taken again by their names, replaced and removed', async () => {
    const { user } = renderPage(<Saved first='{"input": {"a": 1}}' />);
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name for this input' }), 'one{Enter}');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Type' }));
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name for this input' }), 'two');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(list('Saved inputs').getByRole('button', { name: 'one' }));
    expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"a": 1}}');

    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name for this input' }), 'two');
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(list('Saved inputs').getAllByRole('listitem')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Type' }));
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.click(list('Saved inputs').getByRole('button', { name: 'two' }));
    expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"a": 1}}');
  });
});

it('The sample of the endpoint is among the saved inputs, and what it replaces comes back by the notice', async () => {
  const sample = '{"input": {"sample": 1}}';
  const { user } = renderPage(<Saved first={sample} sample={sample} />);
  await user.click(screen.getByRole('button', { name: 'Type' }));
  await user.click(screen.getByRole('button', { name: 'Saved' }));
  await user.click(await screen.findByRole('button', { name: 'Sample of the endpoint' }));
  expect(screen.getByLabelText('Draft')).toHaveTextContent(sample);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"b": 2}}');
});

it('A saved input that is removed comes back by the notice', async () => {
  const { user } = renderPage(<Saved first='{"input": {"a": 1}}' />);
  await user.click(screen.getByRole('button', { name: 'Saved' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name for this input' }), 'one{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Remove one' }));
  expect(screen.queryByRole('button', { name: 'one' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  if (screen.queryByRole('dialog') === null) await user.click(screen.getByRole('button', { name: 'Saved' }));
  await user.click(await screen.findByRole('button', { name: 'one' }));
  expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"a": 1}}');
});

describe('an input that cannot be saved', () => {
  it('is said with its name kept, and can be saved again', async () => {
    let isFull = true;
    const saved = savedAnswers();
    const { user } = renderPage(<Saved first='{"input": {"a": 1}}' />, {
      saved: {
        ...saved,
        save(document) {
          if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
          return saved.save(document);
        },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name for this input' }), 'one{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not saved: The disk is full.');
    expect(screen.getByRole('textbox', { name: 'Name for this input' })).toHaveValue('one');
    isFull = false;
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'one' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('while the app is away says so once, on its button', async () => {
    const { user } = renderPage(<Saved first="{}" />);
    const back = await loseApp();
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    expect(await screen.findByText('Available again when Hangar is back')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(
      'Not available while Hangar is offline.',
    );
    await back();
    expect(await screen.findByText('Nothing is saved for this endpoint yet.')).toBeVisible();
  });
});

describe('the test input of a folder', () => {
  it('is offered beside the saved inputs, and taken with a click', async () => {
    const test = { file: 'test_input.json', body: '{"input": {"n": 1}}' };
    const { user } = renderPage(<Saved first='{"input": {}}' test={test} />);
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.click(list('Saved inputs').getByRole('button', { name: 'test_input.json of the folder' }));
    expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"n": 1}}');
    // Nothing that a person wrote was lost.
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();

    await user.click(screen.getByRole('button', { name: 'Type' }));
    await user.click(screen.getByRole('button', { name: 'Saved' }));
    await user.click(list('Saved inputs').getByRole('button', { name: 'test_input.json of the folder' }));
    expect(await screen.findByText('Replaced the input with test_input.json')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(screen.getByLabelText('Draft')).toHaveTextContent('{"input": {"b": 2}}');
  });
});

describe('the inputs of the last jobs', () => {
  it('are named by what they say, and taken with a click', async () => {
    const body = '{"input": {"prompt": "a quiet harbour", "steps": 30}}';
    const entries = [entryOf({ entryId: 'x', status: 'FAILED' }), entryOf({ entryId: 'y', inputBytes: 5_000_000 })];
    const { user } = renderPage(<HistoryMenu accountId="this-machine" endpointId="e" />, {
      jobs: {
        list: () => ({ entries, matching: 2, complete: true, total: 2 }),
        body: () => body,
      },
    });
    await user.click(screen.getByRole('button', { name: 'History' }));
    const small = await screen.findByRole('button', { name: /^a quiet harbour · steps 30\s*Failed/ });
    expect(screen.getByRole('button', { name: /^4\.8 MB\s*Queued/ })).toBeVisible();
    setDraft(KEY, '{"input": "typed"}');
    await user.click(small);
    // Laid out: it was sent on one line.
    await expect.poll(() => draftText.get(KEY)).toBe(JSON.stringify(JSON.parse(body), null, 2));

    // What was typed comes back.
    expect(await screen.findByText('Replaced the input with that of an earlier job')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(draftText.get(KEY)).toBe('{"input": "typed"}');
  });

  it.each([
    ['{"input": {"steps": 1, "prompt": "sea"}}', 'sea · steps 1'],
    ['{"input": {"n": 99, "label": "d"}}', 'n 99 · label d'],
    ['{"input": {}}', '{"input": {}}'],
    ['{"cut', '{"cut'],
  ])('%s reads %s', (body, words) => expect(previewOfInput(body)).toBe(words));
});
