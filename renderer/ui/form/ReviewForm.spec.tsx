import { TextInput } from '@mantine/core';
import { cleanup } from '@testing-library/react';
import { useMutation } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ORPCError } from '@orpc/client';
import { renderPage } from '../../../test/support/page/render.tsx';
import { asText, fieldChanges } from './fieldChanges.ts';
import { createFormDrafts, type FormDrafts } from './formDrafts.ts';
import { ReviewForm } from './ReviewForm.tsx';
import { useReviewedForm, type ReviewedSchema } from './useSchemaForm.ts';

interface Named {
  name: string;
}

const schema: ReviewedSchema<Named, Partial<Named>> = {
  problemsOf: ({ name }) => new Map(name === '' ? [['name', 'A name is missing.']] : []),
  changesOf: (before, after) => fieldChanges<Named>({ name: ['Name', asText] }, before, after),
};

interface SettingsProps {
  send: (change: Partial<Named>) => Promise<string>;
  drafts?: FormDrafts<Named>;
}

function Settings({ send, drafts }: SettingsProps) {
  const form = useReviewedForm(schema, () => ({ name: 'old' }), drafts && { drafts, key: 'it' });
  const save = useMutation({
    mutationFn: () => send(form.change),
    onSuccess: (name) => form.settle({ name }),
  });
  return (
    <ReviewForm form={form} name="it" effect="It holds at once." save={save}>
      <TextInput
        label="Name"
        value={form.values.name}
        error={form.problems.get('name')}
        onChange={(event) => form.put({ name: event.currentTarget.value })}
      />
    </ReviewForm>
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
    await user.click(screen.getByRole('button', { name: 'Review and save…' }));
    expect(await screen.findByRole('row', { name: 'Name old older' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save 1 change' }));
    await screen.findByDisplayValue('new, as saved');
    expect(sent).toEqual([{ name: 'older' }]);
    expect(screen.getByText('No changes')).toBeVisible();
  });

  it('is not reviewed while something in it is wrong, and is discarded as a whole', async () => {
    const { screen, user } = renderPage(<Settings send={() => Promise.resolve('x')} />);
    await user.clear(await screen.findByLabelText('Name'));
    expect(screen.getByText('A name is missing.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Review and save…' })).toHaveAccessibleDescription(
      'Correct the marked fields first',
    );
    await user.type(screen.getByLabelText('Name'), '{Enter}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByLabelText('Name')).toHaveValue('old');
  });

  it('has its unsaved changes again after it was away, until they are discarded', async () => {
    const drafts = createFormDrafts<Named>();
    const open = () => renderPage(<Settings send={() => Promise.resolve('x')} drafts={drafts} />);
    const { screen, user } = open();
    await user.type(await screen.findByLabelText('Name'), 'er');
    cleanup();
    open();
    expect(await screen.findByLabelText('Name')).toHaveValue('older');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    cleanup();
    open();
    expect(await screen.findByLabelText('Name')).toHaveValue('old');
  });

  it('says why it was not saved, and forgets that when it is closed', async () => {
    const send = () => Promise.reject(new ORPCError('CONFLICT', { message: 'It is locked.' }));
    const { screen, user } = renderPage(<Settings send={send} />);
    await user.type(await screen.findByLabelText('Name'), 'er');
    await user.click(screen.getByRole('button', { name: 'Review and save…' }));
    await user.click(await screen.findByRole('button', { name: 'Save 1 change' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('It is locked.');
    expect(alert).toHaveTextContent('Not saved. Nothing was changed.');
    await user.click(screen.getByRole('button', { name: 'Continue editing' }));
    await user.click(screen.getByRole('button', { name: 'Review and save…' }));
    await screen.findByRole('button', { name: 'Save 1 change' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['a part of it was saved', new ORPCError('CONFLICT', { message: 'One half.', data: { changed: true } })],
    ['the answer was lost', new ORPCError('UNAVAILABLE', { message: 'It broke.', data: { sent: 'maybe' } })],
    ['a proxy answered', new ORPCError('UNAVAILABLE', { message: 'Bad gateway.', data: { status: 502 } })],
    ['Hangar failed', new ORPCError('INTERNAL_SERVER_ERROR')],
  ])('does not claim that nothing was changed where %s', async (_, error) => {
    const { screen, user } = renderPage(<Settings send={() => Promise.reject(error)} />);
    await user.type(await screen.findByLabelText('Name'), 'er');
    await user.click(screen.getByRole('button', { name: 'Review and save…' }));
    await user.click(await screen.findByRole('button', { name: 'Save 1 change' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Not saved, or only partly.');
  });
});
