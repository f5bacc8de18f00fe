/** Creates, renames or enlarges a volume. */
import { useState } from 'react';
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { cloudDataCenters, LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import { limits } from '#contract/core/limits.ts';
import type { VolumeRow } from '#contract/bridge/resource.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { FormDialog } from '../../ui/form/sheet/FormDialog.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import dialog from '../../ui/theme/dialog.module.css';
import styles from '../../ui/theme/resources.module.css';
import { resourcesChanged } from './useResources.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';
import { requiredField } from '../../ui/theme/requiredField.ts';

/** Null for a new volume. */
export interface VolumeDialogOf {
  volume: VolumeRow | null;
}

interface VolumeDialogProps {
  accountId: string;
  target: string;
  /** Whether there are several data centers; one is chosen at creation. */
  hasRegions: boolean;
  of: VolumeDialogOf | null;
  onClose: () => void;
}

const FIRST_GB = 50;

export function VolumeDialog({ of, ...props }: VolumeDialogProps) {
  const title = of?.volume ? t`Change ${of.volume.name}` : t`New volume on ${props.target}`;
  return (
    <FormDialog opened={of !== null} onClose={props.onClose} title={title} size={440}>
      {of !== null && <Form volume={of.volume} {...props} />}
    </FormDialog>
  );
}

function Form({
  accountId,
  hasRegions,
  volume,
  onClose,
}: Omit<VolumeDialogProps, 'of'> & { volume: VolumeRow | null }) {
  const [name, setName] = useState(volume?.name ?? '');
  const [size, setSize] = useState<number | string>(volume?.size ?? FIRST_GB);
  const least = volume?.size ?? limits.volume.sizeGb.min;
  const most = limits.volume.sizeGb.max;
  const fits = typeof size === 'number' && Number.isInteger(size) && size >= least && size <= most;
  const [region, setRegion] = useState<string | null>(null);
  const asksRegion = hasRegions && volume === null;
  const noRegion = asksRegion && region === null ? t`Choose a data center first.` : null;
  const whyNot = name.trim() === '' ? t`Enter a name first.` : fits ? noRegion : t`Correct the marked fields first`;
  const save = useMutation({
    mutationFn: async () => {
      const fields = { name: name.trim(), size: Number(size) };
      if (volume) await api.resources.updateVolume({ accountId, id: volume.id, change: fields });
      else {
        const dataCenterId = region ?? LOCAL_DATA_CENTER;
        await api.resources.createVolume({ accountId, volume: { ...fields, dataCenterId } });
      }
    },
    onSuccess: async () => {
      onClose();
      notifications.show({
        title: volume ? t`Saved ${name.trim()}` : t`Created ${name.trim()}`,
        message: t`Pods and endpoints can use it now.`,
      });
      await resourcesChanged();
    },
  });
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === null) save.mutate();
      }}
    >
      <TextInput
        label={t`Name`}
        {...requiredField}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label={t`Size, GB`}
        description={volume ? t`It can grow, but never shrink` : t`For billing; it can grow later`}
        value={size}
        error={fits ? undefined : t`A whole number from ${least} to ${most}`}
        onChange={setSize}
      />
      {asksRegion && (
        <Select
          label={t`Data center`}
          {...requiredField}
          searchable
          description={t`Pods and endpoints that use it run there`}
          data={cloudDataCenters}
          value={region}
          onChange={setRegion}
        />
      )}
      {save.isError && (
        <Notice tone="bad" title={t`Not saved.`}>
          {errorText(save.error)}
        </Notice>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
        <ReasonButton type="submit" loading={save.isPending} whyNot={whyNot}>
          {volume ? t`Save` : t`Create the volume`}
        </ReasonButton>
      </div>
    </form>
  );
}
