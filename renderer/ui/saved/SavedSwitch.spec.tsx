import { useState } from 'react';
import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ReasonField } from '../popover/ReasonField.tsx';
import { SavedSwitch } from './SavedSwitch.tsx';

interface Change {
  value: boolean;
  save: () => Promise<void>;
  refuse: () => Promise<void>;
}

/** A switch, off, whose changes are saved when the test says so. */
function renderSwitch() {
  const changes: Change[] = [];
  function Setting() {
    const [saved, setSaved] = useState(false);
    const answer = (settle: () => void) =>
      act(async () => {
        settle();
        await new Promise((next) => setTimeout(next, 0));
      });
    const onChange = (value: boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        changes.push({
          value,
          save: () =>
            answer(() => {
              setSaved(value);
              resolve();
            }),
          refuse: () => answer(() => reject(new Error('Refused.'))),
        });
      });
    return <SavedSwitch label="Tray" checked={saved} onChange={onChange} />;
  }
  const page = renderPage(<Setting />);
  return { ...page, changes, tray: page.screen.getByRole('switch', { name: 'Tray' }) };
}

it('A switch turns at once, and a second click turns it back before the first is saved', async () => {
  const { user, changes, tray } = renderSwitch();
  await user.click(tray);
  expect(tray).toBeChecked();
  await user.click(tray);
  expect(tray).not.toBeChecked();
  await user.click(tray);
  expect(changes.map(({ value }) => value)).toEqual([true, false, true]);
  await changes[0]?.save();
  expect(tray).toBeChecked();
  await changes[1]?.save();
  expect(tray, 'the answer to an earlier click').toBeChecked();
  await changes[2]?.save();
  expect(tray).toBeChecked();
});

it('A switch whose change is refused shows what is saved', async () => {
  const { user, changes, tray } = renderSwitch();
  await user.click(tray);
  expect(tray).toBeChecked();
  await changes[0]?.refuse();
  expect(tray).not.toBeChecked();
});

it('A switch that cannot be used does not turn', async () => {
  const changes: boolean[] = [];
  const { user, screen } = renderPage(
    <ReasonField whyNot="There is no tray.">
      <SavedSwitch label="Tray" checked={false} onChange={(value) => Promise.resolve(changes.push(value))} />
    </ReasonField>,
  );
  const tray = screen.getByRole('switch', { name: 'Tray' });
  await user.click(tray);
  expect(tray).not.toBeChecked();
  expect(changes).toEqual([]);
});
