/** One polite live region for screen readers. It announces changes outside of the focus. */
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
