/** The hardware of a new Pod, with its price and current stock. */
import { NumberInput, Select } from '@mantine/core';
import { CPU_TYPE, isProcessor } from '#contract/api/gpuType.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { measuredMemory, type MeasuredMemory } from '../../../client/machine.ts';
import styles from '../../../ui/form/form.module.css';
import { areCountsEnough, formatGpuMemory } from '../../../ui/text/format.ts';
import { formatPrice } from '../../../ui/text/money.ts';
import own from '../pods.module.css';
import { GpuList } from './GpuList.tsx';
import { gpuStates, type MachineGpus } from './gpuState.ts';
import { CoresField, LimitFields } from './LimitFields.tsx';
import type { MachineSize } from './machineSize.ts';
import type { FieldsProps } from './PodFields.tsx';
import { hardwareValues, offerOf } from './podForm.ts';
import { joinFacts } from '../../../language/sentences.ts';
import { counted, t } from '../../../language/text.ts';

function offerText({ id, displayName, memoryInGb, securePrice, vcpu }: GpuOffer, measured: MeasuredMemory): string {
  if (isProcessor({ id, vcpu })) {
    const price = securePrice > 0 ? t`${formatPrice(securePrice)} a core` : formatPrice(securePrice);
    return joinFacts(t`CPU: ${displayName}`, vcpu && t`${memoryInGb} GB a core`, price);
  }
  return joinFacts(displayName, formatGpuMemory(measured.get(id) ?? memoryInGb), formatPrice(securePrice));
}

/**
 * How many GPUs a Pod can have now, also those that other programs use or that are shared; null if the service does not
 * report it.
 */
function mostAvailable({ lowestPrice }: GpuOffer): number | null {
  const { totalCount, rentedCount = 0, availableGpuCounts } = lowestPrice ?? {};
  return totalCount === undefined ? null : Math.max(totalCount - rentedCount, ...(availableGpuCounts ?? []));
}

/**
 * "2 of 4 free", with those that other programs or Pods use and that it can have as well; of many GPUs also the word of
 * the service: "90 of 400 free, stock Low". Without numbers if the service has none; null for the processor, which is
 * shared.
 */
export function stockText(offer: GpuOffer): string | null {
  const { id, lowestPrice } = offer;
  if (id === CPU_TYPE || lowestPrice === null) return null;
  const { totalCount, rentedCount = 0, stockStatus } = lowestPrice;
  if (totalCount === undefined) return stockStatus == null ? null : t`Stock ${stockStatus}`;
  const free = totalCount - rentedCount;
  const inUse = (mostAvailable(offer) ?? free) - free;
  return [
    t`${free} of ${totalCount} free`,
    ...(inUse > 0 ? [t`${inUse} in use that a Pod can share`] : []),
    ...(stockStatus == null || areCountsEnough(totalCount) ? [] : [t`stock ${stockStatus}`]),
  ].join(', ');
}

/** What the list says of a type beside its price: "1 of 2 free", or that none is. */
const availabilityText = (offer: GpuOffer): string | null =>
  isProcessor(offer) || unavailableReason(offer, 1) === null ? stockText(offer) : t`none is free`;

/** Who uses the GPUs of a type, each once: "used by Pod trainer; idle". Null where that is not known. */
function usersText(offer: GpuOffer, machine: MachineGpus | null): string | null {
  if (isProcessor(offer) || machine === null) return null;
  const uses = new Set(gpuStates(machine, offer.id, 1).map(({ use }) => use));
  return uses.size === 0 ? null : [...uses].join('; ');
}

/** Why it is not available now; null if it is. */
export function unavailableReason(offer: GpuOffer | undefined, count: number | string): string | null {
  if (offer === undefined || offer.id === CPU_TYPE || offer.lowestPrice === null) return null;
  if (offer.vcpu) {
    const { min, max } = offer.vcpu;
    if (offer.lowestPrice.stockStatus === 'None') return t`${offer.displayName} is not available: none is free.`;
    if (typeof count !== 'number' || (count >= min && count <= max)) return null;
    return t`A Pod on ${offer.displayName} has ${min} to ${max} cores.`;
  }
  const { totalCount, stockStatus } = offer.lowestPrice;
  /** A service that reports its stock as a word has as many as a Pod can have, or none. */
  const free = mostAvailable(offer) ?? (stockStatus === 'None' ? 0 : offer.maxGpuCount);
  if (typeof count !== 'number' || count <= free) return null;
  if (totalCount === undefined && free > 0) return t`A Pod has ${free} × ${offer.displayName} at most.`;
  return free === 0
    ? t`${count} × ${offer.displayName} is not available: none is free. Choose other hardware, or try again later.`
    : t`${count} × ${offer.displayName} is not available: ${counted(free, '{0} is free', '{0} are free')}.`;
}

/** Whether nobody has one of its GPUs, and no other program uses it. */
function hasIdle({ lowestPrice }: GpuOffer): boolean {
  const { totalCount, rentedCount = 0 } = lowestPrice ?? {};
  return totalCount === undefined || totalCount > rentedCount;
}

/** The first type with an idle GPU, else the first one that a Pod can have now, else the processor. */
export function firstType(offers: readonly GpuOffer[]): string {
  const available = offers.filter((offer) => !isProcessor(offer) && unavailableReason(offer, 1) === null);
  return (available.find(hasIdle) ?? available[0])?.id ?? CPU_TYPE;
}

interface HardwareFieldsProps extends FieldsProps {
  /** Null for an account that does not report its GPUs. */
  machine: MachineGpus | null;
  /** The size of the machine, if its engine can limit what a Pod uses of it; else null. */
  size: MachineSize | null;
}

export function HardwareFields({ values, onChange, problems, choices, machine, size }: HardwareFieldsProps) {
  const offers = choices?.gpuTypes ?? [];
  const chosen = offerOf(values, offers);
  const onCpu = values.gpuTypeId === CPU_TYPE;
  const stock = chosen === undefined ? null : stockText(chosen);
  const measured = measuredMemory(machine?.gpus ?? []);
  return (
    <>
      <Select
        label={t`GPU or CPU`}
        data={offers.map((offer) => ({
          value: offer.id,
          label: joinFacts(offerText(offer, measured), availabilityText(offer)),
        }))}
        renderOption={({ option: { value, label } }) => {
          const offer = offers.find(({ id }) => id === value);
          return (
            <span className={own.offered}>
              {label}
              <em>{offer && usersText(offer, machine)}</em>
            </span>
          );
        }}
        value={chosen?.id ?? values.gpuTypeId}
        allowDeselect={false}
        error={problems.get('gpuTypeIds')}
        onChange={(id) => onChange(hardwareValues(id ?? CPU_TYPE, offers))}
      />
      <div className={styles.triple}>
        {onCpu ? (
          <CoresField
            values={values}
            problems={problems}
            onChange={onChange}
            size={size}
            min={chosen?.vcpu?.min ?? 1}
          />
        ) : (
          <NumberInput
            label={t`GPUs`}
            value={values.gpuCount}
            min={1}
            error={problems.get('gpuCount')}
            onChange={(gpuCount) => onChange({ gpuCount })}
          />
        )}
        {size && <LimitFields values={values} problems={problems} onChange={onChange} size={size} />}
      </div>
      {stock !== null && <p className={own.offer}>{stock}</p>}
      {machine && (
        <GpuList
          machine={machine}
          typeId={values.gpuTypeId}
          count={typeof values.gpuCount === 'number' ? values.gpuCount : 1}
        />
      )}
      {choices && !offers.some(isProcessor) && (
        <p className={own.offer}>{t`This account does not report its CPUs, so you can only choose GPUs.`}</p>
      )}
    </>
  );
}
