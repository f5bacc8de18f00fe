/** The fields of a Pod: its image, its access and its storage. */
import { useState } from 'react';
import { NumberInput, Select, TextInput } from '@mantine/core';
import type { LocalImage } from '#contract/local/image.ts';
import type { PodChoices, PodLack } from '#contract/bridge/pod.ts';
import { EntrypointField, RegistryAuthField } from '../../../ui/form/ContainerFields.tsx';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import styles from '../../../ui/form/form.module.css';
import { Section } from '../../../ui/form/Section.tsx';
import { ImageField } from '../../../ui/images/ImageField.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { newPodValues, type PodValues } from './podForm.ts';
import { portsOfImage } from './ports.ts';
import { PortsField } from './PortsField.tsx';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

export interface FieldsProps {
  accountId: string;
  values: PodValues;
  onChange: (change: Partial<PodValues>) => void;
  /** By field of the request. */
  problems: ReadonlyMap<string, string>;
  /** Undefined while they are loading, and after a failure. */
  choices: PodChoices | undefined;
  /** Features that the account lacks. */
  lacks: readonly PodLack[];
}

interface ImageFieldsProps extends FieldsProps {
  /** Takes a command that is pasted or dropped into the field of the image. Returns false if the text is not a command. */
  takeCommand?: (text: string) => boolean;
  /** Of a new Pod. Its ports are those of its image until a person writes others. */
  isNew?: boolean;
}

export function ImageFields(props: ImageFieldsProps) {
  const { accountId, values, onChange, problems, choices, lacks, takeCommand, isNew = false } = props;
  const [proposed, setProposed] = useState<readonly string[]>(newPodValues.ports);
  const changeImage = (imageName: string, local: LocalImage | undefined): void => {
    const exposed = local?.ports ?? [];
    // An image that names none may listen all the same.
    const ports = exposed.length === 0 ? newPodValues.ports : portsOfImage(exposed);
    const isOwn = values.ports.join() !== proposed.join();
    onChange({ imageName, ...(isNew && !isOwn && { ports }) });
    setProposed(ports);
  };
  const auths = choices?.registryAuths ?? [];
  const noEntrypoint = lacks.find(({ what }) => what === 'dockerEntrypoint');
  return (
    <>
      <ImageField
        accountId={accountId}
        value={values.imageName}
        problem={problems.get('imageName')}
        onChange={changeImage}
        {...(takeCommand && { takeCommand, description: t`Or paste a docker run command` })}
      />
      <TextInput
        label={t`Name`}
        {...requiredField}
        value={values.name}
        error={problems.get('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <TextInput
          label={t`Command`}
          description={t`Runs without a shell. Leave empty to use the image's own`}
          placeholder={t`sleep infinity`}
          value={values.command}
          error={problems.get('dockerStartCmd')}
          spellCheck={false}
          onChange={(event) => onChange({ command: event.currentTarget.value })}
        />
        {!noEntrypoint && (
          <EntrypointField
            value={values.entrypoint}
            problem={problems.get('dockerEntrypoint')}
            onChange={(entrypoint) => onChange({ entrypoint })}
          />
        )}
      </div>
      {noEntrypoint && <p className={panel.hint}>{noEntrypoint.reason}</p>}
      <RegistryAuthField
        auths={auths}
        value={values.containerRegistryAuthId}
        onChange={(containerRegistryAuthId) => onChange({ containerRegistryAuthId })}
      />
    </>
  );
}

export function AccessFields({ values, onChange, problems }: FieldsProps) {
  return (
    <>
      <Section title={t`Network`}>
        <PortsField ports={values.ports} problem={problems.get('ports')} onChange={(ports) => onChange({ ports })} />
      </Section>
      <Section title={t`Variables`}>
        <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => onChange({ env })} />
      </Section>
    </>
  );
}

/** `isNew`: a network volume can be chosen only when the Pod is created. */
export function DiskFields({ values, onChange, problems, choices, isNew }: FieldsProps & { isNew: boolean }) {
  const volumes = choices?.volumes ?? [];
  const ownVolume = values.networkVolumeId === '';
  return (
    <Section title={t`Disks`}>
      {isNew && volumes.length > 0 && (
        <Select
          label={t`Volume`}
          data={[
            { value: '', label: t`Its own, deleted with the Pod` },
            ...volumes.map(({ id, name }) => ({ value: id, label: t`${name}, a network volume` })),
          ]}
          value={values.networkVolumeId}
          allowDeselect={false}
          onChange={(id) => onChange({ networkVolumeId: id ?? '' })}
        />
      )}
      <div className={styles.triple}>
        <NumberInput
          label={t`Container disk, GB`}
          description={t`Lost when the Pod is reset`}
          value={values.containerDiskInGb}
          min={0}
          error={problems.get('containerDiskInGb')}
          onChange={(containerDiskInGb) => onChange({ containerDiskInGb })}
        />
        {ownVolume && (
          <NumberInput
            label={t`Volume, GB`}
            description={t`Kept with the Pod; 0 for none`}
            value={values.volumeInGb}
            min={0}
            error={problems.get('volumeInGb')}
            onChange={(volumeInGb) => onChange({ volumeInGb })}
          />
        )}
        <TextInput
          label={t`Volume at`}
          description={t`Its folder in the container`}
          value={values.volumeMountPath}
          error={problems.get('volumeMountPath')}
          spellCheck={false}
          onChange={(event) => onChange({ volumeMountPath: event.currentTarget.value })}
        />
      </div>
    </Section>
  );
}
