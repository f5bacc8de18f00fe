import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { PassphraseForm } from './PassphraseForm.tsx';
import type { SecretsState } from '#contract/bridge/secrets.ts';

const state: SecretsState = {
  kind: 'file',
  chosen: true,
  problem: null,
  keychainProblem: null,
  filePath: '/data/secrets.vault',
  fileExists: true,
  entries: 2,
  outlivesRun: true,
};

interface Passphrases {
  from: string;
  to: string;
}

/** The form, and what was asked of the app. The app knows one passphrase. */
function renderForm(known = 'the first passphrase') {
  const requests: Passphrases[] = [];
  const states: SecretsState[] = [];
  const { screen, user } = renderPage(<PassphraseForm onState={(next) => states.push(next)} />, {
    secrets: {
      changePassphrase: (passphrases) => {
        requests.push(passphrases);
        if (passphrases.from !== known)
          throw new ORPCError('INVALID', { message: 'This is not the passphrase of the file.' });
        return state;
      },
    },
  });
  const fields = () =>
    [/^Current passphrase/, /^New passphrase/, /^Repeat the new passphrase/].map((label) =>
      screen.getByLabelText(label),
    );
  const change = async (...texts: [string, string, string]) => {
    for (const [index, field] of fields().entries()) {
      await user.click(field);
      await user.paste(texts[index] ?? '');
    }
    await user.click(screen.getByRole('button', { name: 'Change the passphrase' }));
  };
  return { screen, requests, states, fields, change };
}

describe('the form of another passphrase', () => {
  it('sends nothing while the new one is typed in two ways, and empties every field', async () => {
    const { screen, requests, fields, change } = renderForm();
    await change('the first passphrase', 'the second passphrase', 'the second pasphrase');
    expect(screen.getByRole('alert')).toHaveTextContent('The new passphrases differ.');
    expect(requests).toEqual([]);
    for (const field of fields()) expect(field).toHaveValue('');
  });

  it('sends no new passphrase that is too short, and leaves it in its field', async () => {
    const { screen, requests, fields, change } = renderForm();
    await change('the first passphrase', 'short', 'short');
    expect(screen.getByRole('button', { name: 'Change the passphrase' })).toHaveAccessibleDescription(
      'Fill in all three fields first. A new passphrase has at least 8 characters.',
    );
    expect(requests).toEqual([]);
    expect(fields()[1]).toHaveValue('short');
  });

  it('says why the app refused, and keeps no passphrase in its fields', async () => {
    const { screen, states, fields, change } = renderForm();
    await change('another passphrase', 'the second passphrase', 'the second passphrase');
    expect(await screen.findByText(/This is not the passphrase/)).toBeVisible();
    expect(states).toEqual([]);
    for (const field of fields()) expect(field).toHaveValue('');
  });

  it('says that the passphrase has changed, and tells the state that came', async () => {
    const { screen, requests, states, fields, change } = renderForm();
    await change('the first passphrase', 'the second passphrase', 'the second passphrase');
    expect(await screen.findByText('Changed.')).toBeVisible();
    expect(requests).toEqual([{ from: 'the first passphrase', to: 'the second passphrase' }]);
    expect(states).toEqual([state]);
    for (const field of fields()) expect(field).toHaveValue('');
  });

  it('cannot be sent before all three are typed', async () => {
    const { screen } = renderForm();
    expect(screen.getByRole('button', { name: 'Change the passphrase' })).toHaveAccessibleDescription(
      'Fill in all three fields first. A new passphrase has at least 8 characters.',
    );
  });
});
