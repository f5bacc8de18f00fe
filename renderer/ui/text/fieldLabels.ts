/** Messages of an engine name fields as its API does. The window names them as its forms do. */
import { formatBytes, formatCount, formatSetting } from './format.ts';
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
/** The only endpoints and templates that the engine says this of are made of folders. */
const FOLDER = /\bthe template's imageName\b/gi;
/** A Pod is made of an image alone. */
const POD_IMAGE = /\bthe Pod's imageName\b/g;
const names = new RegExp(`\\b(${Object.keys(labels).join('|')})\\b`, 'g');
/** The forms of endpoints have the field, and no template of that name. */
const COMMAND = /\bdockerStartCmd of the template\b/g;
const TIMEOUT = /\bexecutionTimeout of (\d+) ms\b/;

/** The message with the labels of the window, in quotation marks. */
export const withFieldLabels = (message: string): string =>
  message
    .replace(TIMEOUT, (_, ms: string) => t`execution timeout of ${formatSetting(Number(ms))}`)
    .replace(FOLDER, () => t`"Folder" in the settings`)
    .replace(POD_IMAGE, () => t`"Image" of the Pod`)
    .replace(COMMAND, 'dockerStartCmd')
    .replace(names, (name) => `"${labels[name] ?? name}"`);

const RANGE = /^([\w.]+) must be a (?:whole )?number from (-?[\d.]+) to (-?[\d.]+); got .*\.$/s;

/** The engine names the field as its API does, in its units. Beside the field, only the range is needed. */
export function fieldProblem(message: string): string {
  const [, name = '', min = '', max = ''] = RANGE.exec(message) ?? [];
  if (name === '') return message;
  const inUnits = (value: string): string => {
    if (name.endsWith('port')) return value;
    if (name.endsWith('Ms')) return formatSetting(Number(value));
    return name.endsWith('Bytes') ? formatBytes(Number(value)) : formatCount(Number(value));
  };
  return t`From ${inUnits(min)} to ${inUnits(max)}.`;
}
