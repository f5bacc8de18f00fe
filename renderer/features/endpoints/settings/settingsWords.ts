/** The settings of an endpoint in words: what a field is called, and what a value reads. */
import { formatSetting } from '../../../ui/text/format.ts';
import { joinCommand } from '../../../ui/form/commandText.ts';
import { envChange } from '../../../ui/form/envChange.ts';
import type { Difference } from './settingsForm.ts';

export const fieldWords: Record<string, string> = {
  name: 'Name',
  imageName: 'Folder or image',
  readme: 'Readme',
  dockerStartCmd: 'Command',
  dockerEntrypoint: 'Entrypoint',
  env: 'Variables',
  containerRegistryAuthId: 'Registry credentials',
  containerDiskInGb: 'Container disk',
  type: 'Type',
  gpuTypeIds: 'GPU types',
  gpuCount: 'GPUs per worker',
  networkVolumeIds: 'Volumes',
  workersMin: 'Workers, least',
  workersMax: 'Workers, most',
  idleTimeout: 'Idle timeout',
  scalerType: 'Scale by',
  scalerValue: 'Scale at',
  executionTimeoutMs: 'Execution timeout',
};

export const scalerWords: Record<string, string> = {
  QUEUE_DELAY: 'Waiting time',
  REQUEST_COUNT: 'Number of jobs',
};

/** Of variables only the names: what they hold may be a secret, and a screen may be shared. */
export function valueText(field: string, value: unknown): string {
  if (field === 'env') return Object.keys(value as object).join(', ') || 'none';
  if (field === 'dockerStartCmd' || field === 'dockerEntrypoint')
    return joinCommand(value as string[]) || 'as built in';
  if (field === 'gpuTypeIds') return (value as string[]).join(', ') || 'any';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (field === 'idleTimeout') return formatSetting(Number(value) * 1000);
  if (field === 'executionTimeoutMs') return formatSetting(Number(value));
  if (field === 'containerDiskInGb') return `${String(value)} GB`;
  if (field === 'scalerType') return scalerWords[String(value)] ?? String(value);
  if (field === 'readme') return value === '' ? 'none' : `${String(value).length} characters`;
  return value === '' ? 'none' : String(value);
}

/** One change as two texts, old and new. */
export function changeText({ field, before, after }: Difference): [string, string] {
  if (field === 'env') return envChange(before as Record<string, string>, after as Record<string, string>);
  return [valueText(field, before), valueText(field, after)];
}
