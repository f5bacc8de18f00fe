/** How much of the processor and of the memory of its machine a Pod may use. */
import { NumberInput } from '@mantine/core';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import form from '../../../ui/form/form.module.css';
import { Section } from '../../../ui/form/Section.tsx';
import own from '../pods.module.css';
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
          label={t`Maximum cores`}
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
        label={t`Maximum memory, GB`}
        description={t`Empty: all ${size.memory}`}
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

/** The limits of an existing Pod. A Pod on the CPU has a number of cores. */
export function LimitSection({ values, problems, onChange, size }: LimitFieldsProps) {
  return (
    <Section title={t`Limits`}>
      <div className={form.pair}>
        {values.gpuTypeId === CPU_TYPE && (
          <CoresField values={values} problems={problems} onChange={onChange} size={size} />
        )}
        <LimitFields values={values} problems={problems} onChange={onChange} size={size} />
      </div>
      <p
        className={own.offer}
      >{t`They change while the container keeps running. Memory that the Pod is using cannot be taken away.`}</p>
    </Section>
  );
}

interface CoresFieldProps extends Pick<FieldsProps, 'values' | 'problems' | 'onChange'> {
  /** Null if it is not known. */
  size: MachineSize | null;
  min?: number;
}

/** The cores of a Pod on the CPU. */
export function CoresField({ values, problems, onChange, size, min = 1 }: CoresFieldProps) {
  return (
    <NumberInput
      label={t`Cores`}
      {...(size && { description: t`Of the machine's ${size.cores}` })}
      value={values.vcpuCount}
      min={min}
      error={problems.get('vcpuCount')}
      onChange={(vcpuCount) => onChange({ vcpuCount })}
    />
  );
}
