/** A volume that is made, renamed or grown. */
import { useState } from 'react';
import { Button, Modal, NumberInput, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { cloudDataCenters, LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import { limits } from '#contract/core/limits.ts';
import type { VolumeRow } from '#contract/bridge/resource.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import styles from '../../ui/theme/resources.module.css';
import { resourcesChanged } from './useResources.ts';

/** Null for a new one. */
export interface VolumeDialogOf {
  volume: VolumeRow | null;
}

interface VolumeDialogProps {
  accountId: string;
  target: string;
  /** Whether it is in one of several data centers, which is chosen when it is made. */
  hasRegions: boolean;
  of: VolumeDialogOf | null;
  onClose: () => void;
}

const FIRST_GB = 50;

export function VolumeDialog({ of, ...props }: VolumeDialogProps) {
  const title = of?.volume ? `Change ${of.volume.name}` : `New volume on ${props.target}`;
  return (
    <Modal opened={of !== null} onClose={props.onClose} title={title} size={440}>
      {of !== null && <Form volume={of.volume} {...props} />}
    </Modal>
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
  const complete = name.trim() !== '' && fits && (!asksRegion || region !== null);
  const save = useMutation({
    mutationFn: async () => {
      const given = { name: name.trim(), size: Number(size) };
      if (volume) await api.resources.updateVolume({ accountId, id: volume.id, change: given });
      else {
        const dataCenterId = region ?? LOCAL_DATA_CENTER;
        await api.resources.createVolume({ accountId, volume: { ...given, dataCenterId } });
      }
    },
    onSuccess: async () => {
      onClose();
      notifications.show({
        title: `${volume ? 'Saved' : 'Made'} ${name.trim()}`,
        message: 'Pods and endpoints can be given it.',
      });
      await resourcesChanged();
    },
  });
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) save.mutate();
      }}
    >
      <TextInput
        label="Name"
        withAsterisk
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label="Size, GB"
        description={volume ? 'It can grow, and never shrinks' : 'What it counts as; it can grow later'}
        value={size}
        error={fits ? undefined : `A whole number from ${least} to ${most}`}
        onChange={setSize}
      />
      {asksRegion && (
        <Select
          label="Data center"
          withAsterisk
          searchable
          description="What uses it runs there"
          data={cloudDataCenters}
          value={region}
          onChange={setRegion}
        />
      )}
      {save.isError && (
        <Notice tone="bad" title="Not saved.">
          {errorText(save.error)}
        </Notice>
      )}
      <div className={styles.answers}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!complete}>
          {volume ? 'Save' : 'Make the volume'}
        </Button>
      </div>
    </form>
  );
}
