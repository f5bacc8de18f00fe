import { useState } from 'react';
import { Tabs } from '@mantine/core';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { TabBar } from './TabBar.tsx';

const names = ['Overview', 'Metrics', 'Logs', 'Settings'] as const;

function Page() {
  const [tab, setTab] = useState<string>('Overview');
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? '')}>
      <TabBar label="Endpoint" tabs={names.map((name) => ({ value: name, title: name }))} value={tab} />
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>{`About ${name}`}</Tabs.Panel>
      ))}
    </Tabs>
  );
}

it('all tabs are in the row, and the arrows go round them', async () => {
  const { screen, user } = renderPage(<Page />);
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(names);
  screen.getByRole('tab', { name: 'Overview' }).focus();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('tab', { name: 'Settings', selected: true })).toHaveFocus();
  expect(screen.getByRole('tabpanel')).toHaveTextContent('About Settings');
});
