/** Which sheet lies over the page. */
import { create } from 'zustand';

/** Ways to begin a new endpoint. */
export const endpointSources = ['folder', 'image', 'sample'] as const;
export type EndpointSource = (typeof endpointSources)[number];

interface Overlays {
  shortcuts: boolean;
  /** The sheet for a new endpoint, opened at this way to begin; null while it is closed. */
  newEndpoint: EndpointSource | null;
}

export const useOverlays = create<Overlays>(() => ({ shortcuts: false, newEndpoint: null }));

export const toggleShortcuts = (): void => useOverlays.setState(({ shortcuts }) => ({ shortcuts: !shortcuts }));
export const closeShortcuts = (): void => useOverlays.setState({ shortcuts: false });

export const openNewEndpoint = (source: EndpointSource): void => useOverlays.setState({ newEndpoint: source });
export const closeNewEndpoint = (): void => useOverlays.setState({ newEndpoint: null });
