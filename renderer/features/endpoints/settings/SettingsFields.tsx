/** The fields of an endpoint's settings: what it is made of, where it runs, how it scales. */
import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { EndpointChoices } from '#contract/app/endpointReadModels.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import { EntrypointField, RegistryAuthField } from '../../../ui/form/ContainerFields.tsx';
import styles from '../../../ui/form/form.module.css';
import panel from '../../../ui/theme/panel.module.css';
import type { SettingsValues } from './settingsForm.ts';
import { scalerWords } from './settingsWords.ts';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

export interface FieldsProps {
  values: SettingsValues;
  onChange: (change: Partial<SettingsValues>) => void;
  /** By field of the request. */
  problems: ReadonlyMap<string, string>;
  /** Undefined while they are read, or when they could not be. */
  choices: EndpointChoices | undefined;
  isNew: boolean;
}

/** What only containers have. */
export function ImageFields({ values, onChange, problems, choices }: FieldsProps) {
  const auths = choices?.registryAuths ?? [];
  return (
    <>
      <EntrypointField
        value={values.entrypoint}
        problem={problems.get('dockerEntrypoint')}
        onChange={(entrypoint) => onChange({ entrypoint })}
      />
      <div className={styles.pair}>
        <RegistryAuthField
          auths={auths}
          value={values.containerRegistryAuthId}
          onChange={(containerRegistryAuthId) => onChange({ containerRegistryAuthId })}
        />
        <NumberInput
          label={t`Container disk, GB`}
          value={values.containerDiskInGb}
          min={0}
          error={problems.get('containerDiskInGb')}
          onChange={(containerDiskInGb) => onChange({ containerDiskInGb })}
        />
      </div>
    </>
  );
}

interface CommandFieldProps extends FieldsProps {
  ofImage: boolean;
  needed?: boolean;
}

export function CommandField({ values, onChange, problems, ofImage, needed }: CommandFieldProps) {
  return (
    <TextInput
      label={t`Command`}
      description={
        ofImage
          ? t`Runs without a shell. Leave empty to use the image's own`
          : needed
            ? t`The program of a worker: it keeps running and takes one job after another. For a script that ends by itself, write a handler: "New handler" above makes one`
            : t`Runs in the folder, without a shell. If empty, its handler file`
      }
      placeholder={t`python -u serve.py`}
      value={values.command}
      {...(needed && requiredField)}
      error={problems.get('dockerStartCmd')}
      spellCheck={false}
      onChange={(event) => onChange({ command: event.currentTarget.value })}
    />
  );
}

export function PlaceFields({ values, onChange, problems, choices, isNew }: FieldsProps) {
  const volumes = choices?.volumes ?? [];
  return (
    <>
      {isNew && (
        <div className={styles.labelled}>
          <span id="type-label">{t`Type`}</span>
          <Segments
            aria-labelledby="type-label"
            data={[
              { value: 'QB', label: t`Queue` },
              { value: 'LB', label: t`HTTP, load balanced` },
            ]}
            value={values.type}
            onChange={(type) => onChange({ type: type === 'LB' ? 'LB' : 'QB' })}
          />
        </div>
      )}
      {choices?.gpuTypes?.length === 0 && values.gpuTypeIds.length === 0 ? (
        <p className={panel.hint}>{t`There is no GPU here: its workers run on the CPU.`}</p>
      ) : (
        <div className={styles.pair}>
          <GpuTypes values={values} onChange={onChange} choices={choices} problems={problems} />
          <NumberInput
            label={t`GPUs per worker`}
            value={values.gpuCount}
            error={problems.get('gpuCount')}
            onChange={(gpuCount) => onChange({ gpuCount })}
          />
        </div>
      )}
      {volumes.length > 0 && (
        <MultiSelect
          label={t`Volumes`}
          description={t`Workers find them in /runpod-volume`}
          data={volumes.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.networkVolumeIds}
          onChange={(networkVolumeIds) => onChange({ networkVolumeIds })}
        />
      )}
    </>
  );
}

/** The GPUs of the machine to choose from; free text where it cannot tell, or has none. */
function GpuTypes({ values, onChange, choices, problems }: Omit<FieldsProps, 'isNew'>) {
  const types = choices?.gpuTypes ?? null;
  const shared = {
    label: t`GPU types, first choice first`,
    classNames: { input: styles.pills ?? '' },
    value: values.gpuTypeIds,
    error: problems.get('gpuTypeIds'),
    onChange: (gpuTypeIds: string[]) => onChange({ gpuTypeIds }),
  };
  if (types === null || types.length === 0) {
    return <TagsInput {...shared} placeholder={values.gpuTypeIds.length === 0 ? t`Any` : ''} />;
  }
  const known = types.map(({ id, count, memoryBytes }) => ({
    value: id,
    label: `${count > 1 ? `${count} × ` : ''}${id}, ${formatMemory(memoryBytes)}`,
  }));
  const others = values.gpuTypeIds.filter((id) => !types.some((type) => type.id === id));
  const data = [...known, ...others.map((id) => ({ value: id, label: t`${id}, not in this machine` }))];
  return <MultiSelect {...shared} data={data} placeholder={values.gpuTypeIds.length === 0 ? t`Any` : ''} clearable />;
}

export function ScaleFields({ values, onChange, problems }: FieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <NumberInput
          label={t`Minimum workers`}
          value={values.workersMin}
          error={problems.get('workersMin')}
          onChange={(workersMin) => onChange({ workersMin })}
        />
        <NumberInput
          label={t`Maximum workers`}
          value={values.workersMax}
          error={problems.get('workersMax')}
          onChange={(workersMax) => onChange({ workersMax })}
        />
      </div>
      <div className={styles.pair}>
        <NumberInput
          label={t`Idle timeout, s`}
          value={values.idleTimeout}
          error={problems.get('idleTimeout')}
          onChange={(idleTimeout) => onChange({ idleTimeout })}
        />
        <NumberInput
          label={t`Execution timeout, s`}
          value={values.executionTimeoutS}
          error={problems.get('executionTimeoutMs')}
          onChange={(executionTimeoutS) => onChange({ executionTimeoutS })}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label={t`Scale by`}
          data={Object.entries(scalerWords).map(([value, label]) => ({ value, label }))}
          value={values.scalerType}
          allowDeselect={false}
          onChange={(type) => onChange({ scalerType: type === 'REQUEST_COUNT' ? 'REQUEST_COUNT' : 'QUEUE_DELAY' })}
        />
        <NumberInput
          label={values.scalerType === 'QUEUE_DELAY' ? t`Add a worker after waiting, s` : t`Jobs per worker`}
          value={values.scalerValue}
          error={problems.get('scalerValue')}
          onChange={(scalerValue) => onChange({ scalerValue })}
        />
      </div>
    </>
  );
}
