/** Which sheet lies over the page. */
import { create } from 'zustand';

/** Ways to begin a new endpoint. */
export const endpointSources = ['folder', 'image', 'sample'] as const;
export type EndpointSource = (typeof endpointSources)[number];

/** What the sheet for a new Pod begins with. */
export interface PodStart {
  gpuTypeId?: string;
  templateId?: string;
}

interface Overlays {
  shortcuts: boolean;
  /** The list of targets. */
  targets: boolean;
  /** The sheet for a new endpoint, opened at this way to begin; null while it is closed. */
  newEndpoint: EndpointSource | null;
  /** The sheet for a new Pod; null while it is closed. */
  newPod: PodStart | null;
  /** The sheet for a new account. */
  newAccount: boolean;
}

export const useOverlays = create<Overlays>(() => ({
  shortcuts: false,
  targets: false,
  newEndpoint: null,
  newPod: null,
  newAccount: false,
}));

export const toggleShortcuts = (): void => useOverlays.setState(({ shortcuts }) => ({ shortcuts: !shortcuts }));
export const closeShortcuts = (): void => useOverlays.setState({ shortcuts: false });

export const showTargets = (targets: boolean): void => useOverlays.setState({ targets });
export const toggleTargets = (): void => useOverlays.setState(({ targets }) => ({ targets: !targets }));

export const openNewEndpoint = (source: EndpointSource): void => useOverlays.setState({ newEndpoint: source });
export const closeNewEndpoint = (): void => useOverlays.setState({ newEndpoint: null });

export const openNewPod = (start: PodStart = {}): void => useOverlays.setState({ newPod: start });
export const closeNewPod = (): void => useOverlays.setState({ newPod: null });

export const showNewAccount = (newAccount: boolean): void => useOverlays.setState({ newAccount });
