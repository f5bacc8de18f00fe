/** The settings of an endpoint and its template in words: the name of each field, and how its values read. */
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { formatSetting } from '../../../ui/text/format.ts';
import { envChange } from '../../../ui/form/envRows.ts';
import {
  asCommand,
  asGigabytes,
  asLength,
  asList,
  asNumber,
  asText,
  written,
  type FieldWords,
} from '../../../ui/form/fieldChanges.ts';
import { t } from '../../../language/text.ts';

/** The fields of the two requests that the forms of an endpoint are sent as. */
export type TemplateFields = Pick<
  Template,
  | 'imageName'
  | 'readme'
  | 'dockerStartCmd'
  | 'dockerEntrypoint'
  | 'env'
  | 'containerRegistryAuthId'
  | 'containerDiskInGb'
>;
export type EndpointFields = Omit<Endpoint, 'id' | 'templateId' | 'createdAt' | 'version' | 'computeType'>;

export const scalerWords: Record<EndpointFields['scalerType'], string> = {
  QUEUE_DELAY: t`Waiting time`,
  REQUEST_COUNT: t`Number of jobs`,
};

export const endpointWords: FieldWords<Omit<EndpointFields, 'type'>> = {
  name: [t`Name`, asText],
  gpuTypeIds: [t`GPU types`, written((types: readonly string[]) => types.join(', ') || t`any`)],
  gpuCount: [t`GPUs per worker`, asNumber],
  networkVolumeIds: [t`Volumes`, asList],
  workersMin: [t`Minimum workers`, asNumber],
  workersMax: [t`Maximum workers`, asNumber],
  idleTimeout: [t`Idle timeout`, written((seconds: number) => formatSetting(seconds * 1000))],
  scalerType: [t`Scale by`, written((type: EndpointFields['scalerType']) => scalerWords[type])],
  scalerValue: [t`Scale at`, asNumber],
  executionTimeoutMs: [t`Execution timeout`, written(formatSetting)],
};

export const templateWords: FieldWords<TemplateFields> = {
  imageName: [t`Folder or image`, asText],
  readme: [t`Readme`, asLength],
  dockerStartCmd: [t`Command`, asCommand],
  dockerEntrypoint: [t`Entrypoint`, asCommand],
  env: [t`Variables`, envChange],
  containerRegistryAuthId: [t`Registry credentials`, asText],
  containerDiskInGb: [t`Container disk`, asGigabytes],
};
