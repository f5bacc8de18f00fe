/** Which sheet lies over the page. */
import { create } from 'zustand';

export const useOverlays = create<{ shortcuts: boolean }>(() => ({ shortcuts: false }));

export const toggleShortcuts = (): void => useOverlays.setState(({ shortcuts }) => ({ shortcuts: !shortcuts }));
export const closeShortcuts = (): void => useOverlays.setState({ shortcuts: false });
