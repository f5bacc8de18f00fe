/** The fields of a Pod: what it is made of, how it is reached, what it keeps. */
import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { PodChoices, PodLack } from '#contract/bridge/pod.ts';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import styles from '../../../ui/form/form.module.css';
import { Section } from '../../../ui/form/Section.tsx';
import panel from '../../../ui/theme/panel.module.css';
import type { PodValues } from './podForm.ts';

export interface FieldsProps {
  values: PodValues;
  onChange: (change: Partial<PodValues>) => void;
  /** By field of the request. */
  problems: ReadonlyMap<string, string>;
  /** Undefined while they are read, or when they could not be. */
  choices: PodChoices | undefined;
  /** What the account does not take. */
  lacks: readonly PodLack[];
}

export function ImageFields({ values, onChange, problems, choices, lacks }: FieldsProps) {
  const auths = choices?.registryAuths ?? [];
  const noEntrypoint = lacks.find(({ what }) => what === 'dockerEntrypoint');
  return (
    <>
      <TextInput
        label="Image"
        withAsterisk
        placeholder="ubuntu:24.04"
        value={values.imageName}
        error={problems.get('imageName')}
        spellCheck={false}
        onChange={(event) => onChange({ imageName: event.currentTarget.value })}
      />
      <TextInput
        label="Name"
        withAsterisk
        value={values.name}
        error={problems.get('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Command"
          description="Without a shell. Empty: as built in"
          placeholder="sleep infinity"
          value={values.command}
          error={problems.get('dockerStartCmd')}
          spellCheck={false}
          onChange={(event) => onChange({ command: event.currentTarget.value })}
        />
        {!noEntrypoint && (
          <TextInput
            label="Entrypoint"
            description="Empty: as built in"
            value={values.entrypoint}
            error={problems.get('dockerEntrypoint')}
            spellCheck={false}
            onChange={(event) => onChange({ entrypoint: event.currentTarget.value })}
          />
        )}
      </div>
      {noEntrypoint && <p className={panel.hint}>{noEntrypoint.reason}</p>}
      {auths.length > 0 && (
        <Select
          label="Registry credentials"
          data={[{ value: '', label: 'None' }, ...auths.map(({ id, name }) => ({ value: id, label: name }))]}
          value={values.containerRegistryAuthId}
          allowDeselect={false}
          onChange={(id) => onChange({ containerRegistryAuthId: id ?? '' })}
        />
      )}
    </>
  );
}

export function AccessFields({ values, onChange, problems }: FieldsProps) {
  return (
    <>
      <Section title="Ports">
        <TagsInput
          label="Ports"
          description="8888/http has an address of its own; 22/tcp gets a free port of the machine at each start"
          classNames={{ input: styles.pills ?? '' }}
          placeholder={values.ports.length === 0 ? '8888/http' : ''}
          splitChars={[',', ' ']}
          value={values.ports}
          error={problems.get('ports')}
          onChange={(ports) => onChange({ ports: ports.map((port) => port.trim().toLowerCase()) })}
        />
      </Section>
      <Section title="Variables">
        <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => onChange({ env })} />
      </Section>
    </>
  );
}

/** `isNew`: a network volume is chosen once, when the Pod is made. */
export function DiskFields({ values, onChange, problems, choices, isNew }: FieldsProps & { isNew: boolean }) {
  const volumes = choices?.volumes ?? [];
  const ownVolume = values.networkVolumeId === '';
  return (
    <Section title="Disks">
      {isNew && volumes.length > 0 && (
        <Select
          label="Volume"
          data={[
            { value: '', label: 'Its own, deleted with it' },
            ...volumes.map(({ id, name }) => ({ value: id, label: `${name}, a network volume` })),
          ]}
          value={values.networkVolumeId}
          allowDeselect={false}
          onChange={(id) => onChange({ networkVolumeId: id ?? '' })}
        />
      )}
      <div className={styles.pair}>
        <NumberInput
          label="Container disk, GB"
          description="Lost when it is reset"
          value={values.containerDiskInGb}
          min={0}
          error={problems.get('containerDiskInGb')}
          onChange={(containerDiskInGb) => onChange({ containerDiskInGb })}
        />
        {ownVolume && (
          <NumberInput
            label="Volume, GB"
            description="Kept until it is deleted; 0: none"
            value={values.volumeInGb}
            min={0}
            error={problems.get('volumeInGb')}
            onChange={(volumeInGb) => onChange({ volumeInGb })}
          />
        )}
        <TextInput
          label="Volume at"
          description="Its folder in the container"
          value={values.volumeMountPath}
          error={problems.get('volumeMountPath')}
          spellCheck={false}
          onChange={(event) => onChange({ volumeMountPath: event.currentTarget.value })}
        />
      </div>
    </Section>
  );
}
