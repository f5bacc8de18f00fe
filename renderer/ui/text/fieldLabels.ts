/** Messages of an engine name fields as its API does. The window names them as its forms do. */
import { t } from '../../language/text.ts';

const labels: Readonly<Record<string, string>> = {
  dockerStartCmd: t`Command`,
  dockerEntrypoint: t`Entrypoint`,
  imageName: t`Folder or image`,
  workersMax: t`Maximum workers`,
  workersMin: t`Minimum workers`,
};
const names = new RegExp(`\\b(${Object.keys(labels).join('|')})\\b`, 'g');

/** The message with the labels of the window, in quotation marks. */
export const withFieldLabels = (message: string): string =>
  message.replace(names, (name) => `"${labels[name] ?? name}"`);
