/**
 * The last button of a row of work: it stops the work, and takes the row away once that is over. It keeps the width of its
 * words, so that nothing else comes under a pointer that has just stopped the work.
 */
import { ActionIcon, Button } from '@mantine/core';
import { X } from 'lucide-react';
import styles from './transfers.module.css';

interface LastButtonProps {
  /** The words of the button that stops. */
  stop: string;
  stopLabel: string;
  /** Null once the work is over. */
  onStop: (() => void) | null;
  isStopping?: boolean;
  forgetLabel: string;
  onForget: () => void;
}

export function LastButton({ stop, stopLabel, onStop, isStopping, forgetLabel, onForget }: LastButtonProps) {
  return (
    <span className={styles.last}>
      <Button
        size="xs"
        variant="default"
        loading={isStopping ?? false}
        aria-label={stopLabel}
        {...(onStop === null ? { 'aria-hidden': true, disabled: true } : { onClick: onStop })}
      >
        {stop}
      </Button>
      {onStop === null && (
        <ActionIcon aria-label={forgetLabel} onClick={onForget}>
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}
