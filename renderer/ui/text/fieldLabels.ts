/** Messages of an engine name fields as its API does. The window names them as its forms do. */
import { formatSetting } from './format.ts';
import { t } from '../../language/text.ts';

const labels: Readonly<Record<string, string>> = {
  containerDiskInGb: t`Container disk`,
  dockerStartCmd: t`Command`,
  dockerEntrypoint: t`Entrypoint`,
  imageName: t`Folder or image`,
  volumeInGb: t`Volume`,
  workersMax: t`Maximum workers`,
  workersMin: t`Minimum workers`,
};
const names = new RegExp(`\\b(${Object.keys(labels).join('|')})\\b`, 'g');
const TIMEOUT = /\bexecutionTimeout of (\d+) ms\b/;

/** The message with the labels of the window, in quotation marks. */
export const withFieldLabels = (message: string): string =>
  message
    .replace(TIMEOUT, (_, ms: string) => t`execution timeout of ${formatSetting(Number(ms))}`)
    .replace(names, (name) => `"${labels[name] ?? name}"`);
