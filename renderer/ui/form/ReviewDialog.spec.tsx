import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ORPCError } from '@orpc/client';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';
import { useSchemaForm, type SchemaForm } from './useSchemaForm.ts';

const form: SchemaForm<{ name: string }, object, { before: string; after: string }> = {
  problemsOf: ({ name }) => new Map(name === '' ? [['name', 'A name is missing.']] : []),
  changesOf: (before, after) =>
    before.name === after.name
      ? { change: {}, list: [] }
      : { change: { name: after.name }, list: [{ before: before.name, after: after.name }] },
};

function Settings({ send }: { send: (change: object) => Promise<string> }) {
  const { values, problems, change, list, ...state } = useSchemaForm(form, () => ({ name: 'old' }));
  const save = useMutation({
    mutationFn: () => send(change),
    onSuccess: (name) => state.settle({ name }),
  });
  return (
    <>
      <TextInput
        label="Name"
        value={values.name}
        error={problems.get('name')}
        onChange={(event) => state.put({ name: event.currentTarget.value })}
      />
      <button onClick={state.discard}>Discard</button>
      <button onClick={state.review}>Review</button>
      <output aria-label="Changes">{list.length}</output>
      <ReviewDialog
        opened={state.isReviewing}
        name="it"
        list={list.map((difference) => ({ setting: 'Name', ...difference }))}
        effect="It holds at once."
        save={save}
        onClose={state.closeReview}
      />
    </>
  );
}

describe('a form whose changes are reviewed', () => {
  it('shows old and new, sends only what is different, and begins anew with what was saved', async () => {
    const sent: object[] = [];
    const send = (change: object) => {
      sent.push(change);
      return Promise.resolve('new, as saved');
    };
    const { screen, user } = renderPage(<Settings send={send} />);
    await user.type(await screen.findByLabelText('Name'), 'er');
    await user.click(screen.getByRole('button', { name: 'Review' }));
    expect(await screen.findByRole('row', { name: 'Name old older' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save 1 change' }));
    await screen.findByDisplayValue('new, as saved');
    expect(sent).toEqual([{ name: 'older' }]);
    expect(screen.getByLabelText('Changes')).toHaveTextContent('0');
  });

  it('is not reviewed while something in it is wrong, and is discarded as a whole', async () => {
    const { screen, user } = renderPage(<Settings send={() => Promise.resolve('x')} />);
    await user.clear(await screen.findByLabelText('Name'));
    expect(screen.getByText('A name is missing.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Review' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByLabelText('Name')).toHaveValue('old');
  });

  it('says why it was not saved, and forgets that when it is closed', async () => {
    const send = () => Promise.reject(new ORPCError('CONFLICT', { message: 'It is locked.' }));
    const { screen, user } = renderPage(<Settings send={send} />);
    await user.type(await screen.findByLabelText('Name'), 'er');
    await user.click(screen.getByRole('button', { name: 'Review' }));
    await user.click(await screen.findByRole('button', { name: 'Save 1 change' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It is locked.');
    await user.click(screen.getByRole('button', { name: 'Go on editing' }));
    await user.click(screen.getByRole('button', { name: 'Review' }));
    await screen.findByRole('button', { name: 'Save 1 change' });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
