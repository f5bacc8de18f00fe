/** The Settings page: how Hangar looks, where everything is kept, and what its service allows. */
import { Tabs } from '@mantine/core';
import { navigate } from '../../state/route.ts';
import { settingsTabs, type SettingsTab } from '../../state/routePath.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import page from '../../ui/theme/page.module.css';
import { ApiKeysTab } from './apiKeys/ApiKeysTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { LimitsTab } from './LimitsTab.tsx';
import { SshTab } from './SshTab.tsx';
import { SecretsTab } from './SecretsTab.tsx';
import { StorageTab } from './StorageTab.tsx';

const tabs: Record<SettingsTab, { title: string; Body: () => React.ReactNode }> = {
  general: { title: 'General', Body: GeneralTab },
  storage: { title: 'Storage', Body: StorageTab },
  secrets: { title: 'Keys', Body: SecretsTab },
  'api-keys': { title: 'API keys', Body: ApiKeysTab },
  limits: { title: 'Rates and limits', Body: LimitsTab },
  ssh: { title: 'SSH', Body: SshTab },
};

export default function SettingsPage({ tab }: { tab: SettingsTab }) {
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
      </header>
      <div className={page.frame}>
        <Card grow aria-label="Settings" role="region">
          <Tabs
            value={tab}
            onChange={(value) => {
              const next = settingsTabs.find((name) => name === value);
              if (next) navigate({ page: 'settings', tab: next });
            }}
            keepMounted={false}
          >
            <Tabs.List aria-label="Kinds of settings">
              {settingsTabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {tabs[name].title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {settingsTabs.map((name) => {
              const { Body } = tabs[name];
              return (
                <Tabs.Panel key={name} value={name}>
                  <Body />
                </Tabs.Panel>
              );
            })}
          </Tabs>
        </Card>
      </div>
    </div>
  );
}
