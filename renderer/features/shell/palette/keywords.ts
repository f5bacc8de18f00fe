/** Other words for pages and actions, which a person may type in the palette. They are not shown. */
import type { PageName } from '../../../state/routePath.ts';
import { t } from '../../../language/text.ts';

export const pageKeywords: Readonly<Record<PageName, string>> = {
  home: t`overview start dashboard attention`,
  run: t`request submit input prompt chat inference test`,
  jobs: t`requests results outputs history runs ledger failed errors`,
  endpoints: t`serverless handlers functions workers queues logs scaling deploy`,
  pods: t`containers instances machines docker notebooks logs`,
  terminals: t`shell ssh console bash command line`,
  machine: t`local engine GPU CUDA VRAM driver memory pause queue logs disk hardware`,
  gpus: t`CUDA VRAM cost compare stock availability rent`,
  resources: t`images docker volumes templates registry storage`,
  billing: t`cost money spending limit budget usage invoice prices credits`,
  accounts: t`cloud targets login API key providers`,
  settings: t`preferences options configuration theme keys token`,
};

export const themeKeywords = t`dark light night mode appearance colours colors`;
export const contrastKeywords = t`appearance accessibility colours colors`;
export const restartKeywords = t`reload reboot service stop`;
export const addressKeywords = t`url host port base API`;
export const imageKeywords = t`docker container download`;
export const accountKeywords = t`cloud API key token login connect`;
export const endpointKeywords = t`serverless handler function deploy create`;
export const codeKeywords = t`handler source file editor`;
export const podKeywords = t`container docker create start rent GPU`;
export const spendKeywords = t`spending limit spend cap budget money cost auto stop`;
export const shortcutKeywords = t`keys hotkeys help`;

/** Tabs that are reached from every page. */
export const keysKeywords = t`token API key secrets password vault keychain`;
export const storageKeywords = t`cache disk space backup export data folder`;
export const limitKeywords = t`rate limits retention timeout`;
export const bucketKeywords = t`S3 upload files storage`;
export const sshKeywords = t`identity key host terminal`;
export const localImageKeywords = t`docker container cache pull`;
export const volumeKeywords = t`files storage disk network`;
export const templateKeywords = t`docker image command variables`;
