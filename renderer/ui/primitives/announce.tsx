/** What a screen reader is told: one polite line for everything that changes without the person doing it. */
import { VisuallyHidden } from '@mantine/core';
import { create } from 'zustand';

const useAnnouncement = create<{ text: string }>(() => ({ text: '' }));

export const announce = (text: string): void => useAnnouncement.setState({ text });

export function Announcer() {
  const text = useAnnouncement((state) => state.text);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}
