/** The Settings page: appearance, storage, keys, limits of the service, and the bucket. */
import { Tabs } from '@mantine/core';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { settingsTabs, type SettingsTab } from '../../state/routePath.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { TabBar } from '../../ui/tabs/TabBar.tsx';
import page from '../../ui/theme/page.module.css';
import { BucketTab } from './bucket/BucketTab.tsx';
import { DesktopTab } from './DesktopTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { KeysTab } from './KeysTab.tsx';
import { LimitsTab } from './LimitsTab.tsx';
import { SshTab } from './SshTab.tsx';
import { StorageTab } from './storage/StorageTab.tsx';
import { t } from '../../language/text.ts';

const tabs: Record<SettingsTab, { title: string; Body: () => React.ReactNode }> = {
  general: { title: t`General`, Body: GeneralTab },
  desktop: { title: t`Desktop`, Body: DesktopTab },
  storage: { title: t`Storage`, Body: StorageTab },
  keys: { title: t`Keys`, Body: KeysTab },
  limits: { title: t`Rates and limits`, Body: LimitsTab },
  ssh: { title: t`SSH`, Body: SshTab },
  bucket: { title: t`Bucket`, Body: BucketTab },
};

/** A browser has neither a tray nor a login item. */
const shownTabs = settingsTabs.filter((name) => name !== 'desktop' || window.hangarHost !== undefined);

export default function SettingsPage({ tab }: { tab: SettingsTab }) {
  const shown = shownTabs.find((name) => name === tab) ?? 'general';
  const show = (next: SettingsTab) => navigate({ page: 'settings', tab: next });
  useCommands(
    shownTabs
      .filter((name) => name !== tab)
      .map((name) => ({
        label: t`Settings: ${tabs[name].title}`,
        run: () => show(name),
      })),
  );
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <span className={page.count}>{t`Changes apply at once, unless there is a button.`}</span>
      </header>
      <div className={page.frame}>
        <Card grow aria-label={t`Settings`} role="region">
          <Tabs
            value={shown}
            onChange={(value) => {
              const next = shownTabs.find((name) => name === value);
              if (next) show(next);
            }}
            keepMounted={false}
          >
            <TabBar
              label={t`Kinds of settings`}
              tabs={shownTabs.map((name) => ({ value: name, title: tabs[name].title }))}
              value={shown}
            />
            {shownTabs.map((name) => {
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
