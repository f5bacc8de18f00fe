import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { EnvFields } from './EnvFields.tsx';
import type { EnvRow } from './envRows.ts';

function Form({ names, onChange }: { names: string[]; onChange: (rows: EnvRow[]) => void }) {
  const [rows, setRows] = useState(names.map((name): EnvRow => ({ name, value: '' })));
  return (
    <EnvFields
      rows={rows}
      problem={undefined}
      onChange={(next) => {
        setRows(next);
        onChange(next);
      }}
    />
  );
}

/** The fields, with a row for each name. `rows` answers the rows as they are after the last change. */
function renderFields(...names: string[]) {
  let last: EnvRow[] = [];
  const page = renderPage(<Form names={names} onChange={(rows) => (last = rows)} />);
  return { ...page, rows: () => last.map(({ name, value }) => `${name}=${value}`) };
}

it('The text of a .env file makes rows where it is pasted, and a line that is no variable is named', async () => {
  const { screen, user, rows } = renderFields('HOST', '', 'LAST');
  await user.click(screen.getByLabelText('Name of variable 2'));
  await user.paste('# mine\nexport A="1 2"\nHOST=there\nwhat\nKEY="one\ntwo"\n');
  expect(rows()).toEqual(['A=1 2', 'HOST=there', 'KEY=one\ntwo', 'LAST=']);
  expect(screen.getByLabelText('Value of variable 3')).toHaveValue('one\ntwo');
  expect(screen.getByRole('status')).toHaveTextContent('Pasted 3 variables. Line 4 is left out: it is not NAME=value.');
});

it('A value is pasted as it is: an option with "=", and lines that are no variables', async () => {
  const { screen, user, rows } = renderFields('OPTIONS', 'CERTIFICATE');
  await user.click(screen.getByLabelText('Value of variable 1'));
  await user.paste('mode=fast');
  await user.click(screen.getByLabelText('Value of variable 2'));
  await user.paste('-----BEGIN-----\nabc=\n-----END-----');
  expect(rows()).toEqual(['OPTIONS=mode=fast', 'CERTIFICATE=-----BEGIN-----\nabc=\n-----END-----']);
});

it('Fields without a variable tell that a .env file can be pasted, and so do those with one', async () => {
  const { screen, user } = renderFields();
  expect(screen.getByRole('status')).toHaveTextContent(/paste the text of a \.env file into the name of a new one/);
  await user.click(screen.getByRole('button', { name: 'Add a variable' }));
  expect(screen.getByRole('status')).toHaveTextContent(/text of a \.env file can be pasted into a name/);
});

it('A new variable has the focus in its name, where the text of a .env file is pasted', async () => {
  const { screen, user, rows } = renderFields('FIRST');
  await user.click(screen.getByRole('button', { name: 'Add a variable' }));
  expect(screen.getByLabelText('Name of variable 2')).toHaveFocus();
  await user.paste('A=1\nB=2');
  expect(rows()).toEqual(['FIRST=', 'A=1', 'B=2']);
});
