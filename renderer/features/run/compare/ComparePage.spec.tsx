import { EditorView } from '@codemirror/view';
import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { endpointSummary } from '../../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { commandsNow } from '../../../state/commands.ts';
import { draftKey, draftText, setDraft } from '../../../state/drafts.ts';
import ComparePage from './ComparePage.tsx';
import { addColumn, columns, COMPARE_DRAFT } from './comparison.ts';

beforeEach(() => {
  columns.set([]);
  draftText.set(COMPARE_DRAFT, null);
});

it('a file becomes part of the input of all columns, in the way that is chosen as on Run', async () => {
  setDraft(COMPARE_DRAFT, '{"input": {"image": ""}}');
  const { screen, user } = renderPage(<ComparePage />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { list: () => [] },
  });
  const editor = await screen.findByRole('textbox', { name: 'Request body, JSON' });
  await user.click(screen.getByRole('button', { name: 'Files are sent as base64 or a link' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Always as base64 text in the request' }));
  expect(screen.getByRole('button', { name: 'Files are sent as base64' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());

  EditorView.findFromDOM(editor)?.dispatch({ selection: { anchor: 21 } });
  const field = document.querySelector('input[type=file]');
  if (!(field instanceof HTMLInputElement)) throw new Error('There is no field for files.');
  await user.upload(field, [new File(['four machines'], 'a.txt')]);
  await waitFor(() => expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": {"image": "Zm91ciBtYWNoaW5lcw=="}}'));
  expect(screen.getByRole('list', { name: 'Files of the input' })).toHaveTextContent('a.txt');
});

it('has its actions in the palette, with Ctrl+Enter and Ctrl+. from the field of the input', async () => {
  const labels = () => commandsNow().map(({ label }) => label);
  const done: string[] = [];
  const { screen, user } = renderPage(<ComparePage />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { list: () => [] },
    billing: { read: () => [] },
    jobs: {
      list: () => ({ entries: [], matching: 0, total: 0, complete: true }),
      submit: ({ endpointId, entryId }) => {
        done.push(`run ${endpointId}`);
        return entryOf({ endpointId, entryId });
      },
      async *watch({ entryId }, signal) {
        yield { type: 'snapshot', entry: entryOf({ entryId }), chunks: [], output: null };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      cancel: ({ entryId }) => {
        done.push('stop');
        return entryOf({ entryId });
      },
    },
  });
  await screen.findByRole('textbox', { name: 'Request body, JSON' });
  expect(labels()).toEqual(expect.arrayContaining(['Add a column', 'Mode: Wait for result', 'Run one input']));
  expect(labels().filter((label) => /^Run( all|$)/.test(label))).toEqual([]);
  act(() => {
    for (const endpointId of ['a', 'b']) addColumn({ accountId: THIS_MACHINE, endpointId, endpointName: endpointId });
  });
  expect(labels()).toEqual(expect.arrayContaining(['Run all 2', 'Remove the column a on This computer']));
  screen.getByRole('textbox', { name: 'Request body, JSON' }).focus();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(done).toEqual(['run a', 'run b']));
  await waitFor(() => expect(labels()).toContain('Stop all'));
  expect(labels()).not.toContain('Run all 2');
  await user.keyboard('{Control>}.{/Control}');
  await waitFor(() => expect(done.slice(2)).toEqual(['stop', 'stop']));
  commandsNow()
    .find(({ label }) => label === 'Add a column')
    ?.run();
  expect(screen.getByRole('combobox', { name: 'Add a column' })).toHaveFocus();
});

it('begins with the input that Run shows for the endpoint of the first column', async () => {
  const { screen } = renderPage(<ComparePage />, {
    accounts: { list: () => [thisComputer] },
    billing: { read: () => [] },
    endpoints: {
      list: () => [
        endpointSummary({ id: 'a', sampleInput: '{"input": {"text": "a sample"}}' }),
        endpointSummary({ id: 'b', sampleInput: '{"input": {"text": "another one"}}' }),
      ],
    },
    jobs: { list: () => ({ entries: [], matching: 0, total: 0, complete: true }) },
  });
  const editor = await screen.findByRole('textbox', { name: 'Request body, JSON' });
  const input = () => EditorView.findFromDOM(editor)?.state.doc.toString();
  expect(input()).toBe('{\n  "input": {}\n}');
  act(() => {
    for (const endpointId of ['a', 'b']) addColumn({ accountId: THIS_MACHINE, endpointId, endpointName: endpointId });
  });
  await waitFor(() => expect(input()).toContain('"a sample"'));
  act(() => setDraft(draftKey(THIS_MACHINE, 'a'), '{"input": {"text": "as it is on Run"}}'));
  await waitFor(() => expect(input()).toContain('as it is on Run'));
  act(() => setDraft(COMPARE_DRAFT, '{"input": {"text": "written here"}}'));
  act(() => setDraft(draftKey(THIS_MACHINE, 'a'), '{"input": {"text": "later"}}'));
  await waitFor(() => expect(input()).toContain('written here'));
});
