/** A tooltip that is no part of the first load of the page. Elsewhere, Mantine's own does. */
import { cloneElement, useRef, useState, type HTMLAttributes, type ReactElement, type Ref } from 'react';
import type { FloatingPosition } from '@mantine/core';
import { useMergedRef, useTimeout } from '@mantine/hooks';
import { deferredPart } from '../page/deferredPart.ts';

const TipBox = deferredPart(() => import('./TipBox.tsx'));

/** As `openDelay` of Tooltip in the theme. */
const DELAY_MS = 350;

interface TargetProps extends HTMLAttributes<HTMLElement> {
  ref?: Ref<HTMLElement>;
}

interface TipProps extends Omit<TargetProps, 'children'> {
  /** What the accessible name of the element says as well. */
  label: string;
  position?: FloatingPosition;
  disabled?: boolean;
  children: ReactElement<TargetProps>;
}

/**
 * The element stays the same while the tooltip is loaded, so that it keeps its focus. Other properties are given to it.
 */
export function Tip({ label, position, disabled = false, children, ref, ...others }: TipProps) {
  const target = useRef<HTMLElement>(null);
  const merged = useMergedRef(target, ref, children.props.ref);
  const [opened, setOpened] = useState<boolean>();
  const delay = useTimeout(() => setOpened(true), DELAY_MS);
  const hide = () => {
    delay.clear();
    setOpened((was) => (was === undefined ? undefined : false));
  };
  return (
    <>
      {cloneElement(children, {
        ...others,
        ref: merged,
        onPointerEnter: ({ pointerType }) => {
          if (pointerType === 'mouse' && !disabled) delay.start();
        },
        onPointerLeave: hide,
        // In a field, the focus is on an element inside.
        onFocus: ({ target: focused }) => {
          if (focused.matches(':focus-visible')) setOpened(true);
        },
        onBlur: hide,
      })}
      {opened !== undefined && (
        <TipBox
          target={target}
          label={label}
          opened={opened && !disabled}
          onClose={hide}
          {...(position && { position })}
        />
      )}
    </>
  );
}
