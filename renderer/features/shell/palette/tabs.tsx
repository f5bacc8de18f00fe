/** Tabs in the palette that a person looks for by their names. On their own page they are its actions. */
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { Library, Settings } from 'lucide-react';
import { navigate } from '../../../state/route.ts';
import type { ResourceTab, SettingsTab } from '../../../state/routePath.ts';
import * as words from './keywords.ts';
import { t } from '../../../language/text.ts';

const ICON = 15;

/** `hasImages`: whether the target tells of its images. */
export function tabsGroup(hasImages: boolean): SpotlightActionGroupData {
  const settings = (tab: SettingsTab, title: string, keywords: string) => ({
    id: `settings-${tab}`,
    label: t`Settings: ${title}`,
    keywords,
    leftSection: <Settings size={ICON} aria-hidden />,
    onClick: () => navigate({ page: 'settings', tab }),
  });
  const resources = (tab: ResourceTab, title: string, keywords: string) => ({
    id: `resources-${tab}`,
    label: t`Resources: ${title}`,
    keywords,
    leftSection: <Library size={ICON} aria-hidden />,
    onClick: () => navigate({ page: 'resources', tab, volumeId: null, path: '' }),
  });
  return {
    group: t`Tabs`,
    actions: [
      settings('keys', t`Keys`, words.keysKeywords),
      settings('storage', t`Storage`, words.storageKeywords),
      settings('limits', t`Rates and limits`, words.limitKeywords),
      settings('ssh', t`SSH`, words.sshKeywords),
      settings('bucket', t`Bucket`, words.bucketKeywords),
      ...(hasImages ? [resources('images', t`Container images`, words.localImageKeywords)] : []),
      resources('volumes', t`Volumes`, words.volumeKeywords),
      resources('templates', t`Templates`, words.templateKeywords),
    ],
  };
}
