/**
 * A switch of a setting that is saved at once. It turns when it is clicked, not when that is saved: otherwise it would
 * show the old value meanwhile, and a second click would ask for the same as the first.
 */
import { useRef, useState } from 'react';
import { Switch, type SwitchProps } from '@mantine/core';
import { notifyManager } from '@tanstack/react-query';

interface SavedSwitchProps extends Omit<SwitchProps, 'checked' | 'onChange'> {
  /** What is saved. */
  checked: boolean;
  /**
   * Saves it. Resolves or rejects once that is over, when `checked` tells the truth again; the reason of a refusal is
   * shown by whoever asks.
   */
  onChange: (checked: boolean) => Promise<unknown>;
}

export function SavedSwitch({ checked, onChange, readOnly, ...others }: SavedSwitchProps) {
  /** Null while nothing is being saved. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  const clicks = useRef(0);
  async function save(value: boolean): Promise<void> {
    const click = ++clicks.current;
    setWanted(value);
    await onChange(value).catch(() => undefined);
    // Behind what the queries have to tell: what was saved reaches the page first.
    if (click === clicks.current) notifyManager.schedule(() => setWanted(null));
  }
  return (
    <Switch
      {...others}
      {...(readOnly !== undefined && { readOnly })}
      checked={wanted ?? checked}
      onChange={(event) => {
        if (readOnly !== true) void save(event.currentTarget.checked);
      }}
    />
  );
}
