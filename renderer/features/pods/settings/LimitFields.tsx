/** How much of the processor and of the memory of its machine a new Pod may use. */
import { NumberInput } from '@mantine/core';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { counted, t } from '../../../language/text.ts';
import type { MachineSize } from './machineSize.ts';
import type { FieldsProps } from './PodFields.tsx';

interface LimitFieldsProps extends Pick<FieldsProps, 'values' | 'problems' | 'onChange'> {
  size: MachineSize;
}

/** A Pod on the CPU has a number of cores in any case. */
export function LimitFields({ values, problems, onChange, size }: LimitFieldsProps) {
  return (
    <>
      {values.gpuTypeId !== CPU_TYPE && (
        <NumberInput
          label={t`Cores at most`}
          description={t`Empty: all ${counted(size.cores, '{0} core', '{0} cores')}`}
          clampBehavior="none"
          placeholder={t`all`}
          value={values.coreLimit}
          min={1}
          error={problems.get('vcpuCount')}
          onChange={(coreLimit) => onChange({ coreLimit })}
        />
      )}
      <NumberInput
        label={t`Memory at most, GB`}
        description={t`Empty: all ${size.memoryGb} GB`}
        clampBehavior="none"
        placeholder={t`all`}
        value={values.memoryLimit}
        min={1}
        error={problems.get('memoryInGb')}
        onChange={(memoryLimit) => onChange({ memoryLimit })}
      />
    </>
  );
}
