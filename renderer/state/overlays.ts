/** The sheet that covers the page. */
import type { AutoStopRules } from '#contract/api/autoStop.ts';
import type { Pod, PodFacts } from '#contract/api/pod.ts';
import type { HandlerKind } from '#contract/app/endpointReadModels.ts';
import type { AccountStart } from '#contract/app/hostMessage.ts';
import { createSpotlight } from '@mantine/spotlight';
import { create } from 'zustand';
import type { Route } from './routePath.ts';

/** The state of the command palette, which is loaded when it is opened first, and its actions. */
export const [paletteStore, palette] = createSpotlight();

/** Ways to begin a new endpoint. */
export const endpointSources = ['handler', 'folder', 'image', 'sample'] as const;
export type EndpointSource = (typeof endpointSources)[number];
/**
 * How the sheet for a new endpoint begins. `like`: the id of an endpoint of the target whose settings it begins with.
 * `handler`: what a new handler does.
 */
export type EndpointStart = EndpointSource | { like: string } | { handler: HandlerKind };

/** Initial values of the sheet for a new Pod. */
export interface PodStart {
  gpuTypeId?: string;
  templateId?: string;
  /** A Pod whose settings it begins with. */
  like?: Pod;
  /** When that Pod stops by itself; undefined if nothing stops it. */
  autoStop?: AutoStopRules | undefined;
  /** What limits the processor and the memory of that Pod; undefined if that is not known. */
  limits?: PodFacts['limits'];
  /** The page on which the person began: a sheet that is left without a Pod leads back there. */
  from?: Route;
}

/** A file in the folder of a handler of this computer. */
export interface CodePlace {
  endpointId: string;
  /** From the folder of the handler on. */
  path: string;
  /** The line that the editor begins at, from 1 on; null for the first one. */
  line: number | null;
}

interface Overlays {
  shortcuts: boolean;
  /** The list of targets. */
  targets: boolean;
  /** The sheet for a new endpoint; null while it is closed. */
  newEndpoint: EndpointStart | null;
  /** Whether a dialog is open that may be above a sheet and then takes Escape: for a path, or for the camera. */
  dialogAbove: boolean;
  /** The sheet for a new Pod; null while it is closed. */
  newPod: PodStart | null;
  /** Whether the field for the name of an image to pull is to get the focus. */
  imageToPull: boolean;
  /** The code that is open above the page; null for none. */
  code: CodePlace | null;
  /** The dialog for a new API key. */
  newApiKey: boolean;
  /** The sheet for a new account. */
  newAccount: boolean;
  /** Initial values of its form from a link; null for an empty form. */
  accountStart: AccountStart | null;
  /** What a restart of the engine would interrupt, while the person is asked; null while no one is asked. */
  restart: InterruptedWork | null;
}

/** Work of the engine of this computer that its restart interrupts. */
export interface InterruptedWork {
  /** Jobs that run. */
  jobs: number;
  /** Open terminals in Pods and workers. */
  terminals: number;
}

export const useOverlays = create<Overlays>(() => ({
  shortcuts: false,
  targets: false,
  newEndpoint: null,
  dialogAbove: false,
  newPod: null,
  imageToPull: false,
  code: null,
  newApiKey: false,
  newAccount: false,
  accountStart: null,
  restart: null,
}));

export const toggleShortcuts = (): void => useOverlays.setState(({ shortcuts }) => ({ shortcuts: !shortcuts }));
export const closeShortcuts = (): void => useOverlays.setState({ shortcuts: false });

export const showTargets = (targets: boolean): void => useOverlays.setState({ targets });
export const toggleTargets = (): void => useOverlays.setState(({ targets }) => ({ targets: !targets }));

export const openNewEndpoint = (start: EndpointStart): void => useOverlays.setState({ newEndpoint: start });
export const closeNewEndpoint = (): void => useOverlays.setState({ newEndpoint: null });

export const setDialogAbove = (dialogAbove: boolean): void => useOverlays.setState({ dialogAbove });

export const openNewPod = (start: PodStart = {}): void => useOverlays.setState({ newPod: start });
export const closeNewPod = (): void => useOverlays.setState({ newPod: null });

/** `start`: initial values. An open form starts again with them. */
export const showNewAccount = (newAccount: boolean, start: AccountStart | null = null): void =>
  useOverlays.setState({ newAccount, accountStart: start });

export const showNewApiKey = (newApiKey: boolean): void => useOverlays.setState({ newApiKey });

export const openCode = (code: CodePlace): void => useOverlays.setState({ code });
export const closeCode = (): void => useOverlays.setState({ code: null });

export const askForImage = (imageToPull: boolean): void => useOverlays.setState({ imageToPull });

export const askBeforeRestart = (restart: InterruptedWork): void => useOverlays.setState({ restart });
export const closeRestart = (): void => useOverlays.setState({ restart: null });
