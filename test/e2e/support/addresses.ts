/** The addresses of the page. */
import { pageFacts } from '#contract/app/pages.ts';
import { endpointTabs, resourceTabs, settingsTabs } from '../../../renderer/state/routePath.ts';

/** What a page shows at an address below its own, besides single things that a test makes. */
const below: Readonly<Record<string, readonly string[]>> = {
  run: ['~compare'],
  resources: resourceTabs.slice(1),
  accounts: ['this-machine'],
  // A browser has no settings of the desktop.
  settings: settingsTabs.slice(1).filter((tab) => tab !== 'desktop'),
};

/** Every page with its tabs, without those of a single thing and without the settings of the desktop. */
export const pageAddresses: readonly string[] = Object.keys(pageFacts).flatMap((name) => [
  `#/${name}`,
  ...(below[name] ?? []).map((part) => `#/${name}/${part}`),
]);

/** An endpoint with each of its tabs. */
export const endpointAddresses = (id: string): readonly string[] =>
  endpointTabs.map((tab, place) => (place === 0 ? `#/endpoints/${id}` : `#/endpoints/${id}/${tab}`));
