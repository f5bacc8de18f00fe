import { useState } from 'react';
import { Checkbox, NumberInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ReasonField } from './ReasonField.tsx';

const WHY = 'Turn on the rule first.';

it.each([
  ['switch', <Switch key="a" label="Field" checked={false} />],
  ['checkbox', <Checkbox key="a" label="Field" checked={false} />],
  ['textbox', <TextInput key="a" label="Field" value="one" />],
  ['textbox', <NumberInput key="a" label="Field" value={1} />],
  ['combobox', <Select key="a" label="Field" data={['one', 'two']} value="one" />],
] as const)(
  'a %s that cannot be changed is reached by the keyboard, says why, and keeps its value',
  async (role, field) => {
    const { user, screen } = renderPage(<ReasonField whyNot={WHY}>{field}</ReasonField>);
    await user.tab();
    const element = screen.queryByRole(role, { name: 'Field' }) ?? screen.getByRole('textbox', { name: 'Field' });
    expect(element).toHaveFocus();
    expect(element).toHaveAccessibleDescription(WHY);
    expect(element).toHaveAttribute('aria-disabled', 'true');
    expect(await screen.findByRole('tooltip')).toHaveTextContent(WHY);
    const before = (element as HTMLInputElement).value;
    await user.keyboard('2 {ArrowDown}{Enter}');
    await user.click(element);
    expect((element as HTMLInputElement).value).toBe(before);
    expect((element as HTMLInputElement).checked).toBe(false);
    // The style sheet hides such a list.
    for (const option of screen.queryAllByRole('option')) expect(option.closest('[data-hidden]')).not.toBeNull();
  },
);

it('a segmented control keeps its choice and says why', async () => {
  const change = vi.fn<() => void>();
  const { user, screen } = renderPage(
    <ReasonField whyNot={WHY}>
      <SegmentedControl aria-label="Channel" data={['stable', 'beta']} value="stable" onChange={change} />
    </ReasonField>,
  );
  expect(screen.getByRole('radiogroup', { name: 'Channel' })).toHaveAccessibleDescription(WHY);
  await user.click(screen.getByRole('radio', { name: 'beta' }));
  expect(change).not.toHaveBeenCalled();
  expect(screen.getByRole('radio', { name: 'stable' })).toBeChecked();
});

it('a field that can be changed is left as it is, with the same element before and after', async () => {
  function Rule() {
    const [isOn, setOn] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOn(!isOn)}>
          Rule
        </button>
        <ReasonField whyNot={isOn ? null : WHY}>
          <Switch label="Field" defaultChecked={false} />
        </ReasonField>
      </>
    );
  }
  const { user, screen } = renderPage(<Rule />);
  const field = screen.getByRole('switch', { name: 'Field' });
  await user.click(screen.getByRole('button', { name: 'Rule' }));
  expect(screen.getByRole('switch', { name: 'Field' })).toBe(field);
  expect(field).not.toHaveAttribute('aria-disabled');
  await user.click(field);
  expect(field).toBeChecked();
});
