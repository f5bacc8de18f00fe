/** Reasons why a container engine that answers is unusable, for a person. */
import { isLoopbackHost } from '#contract/network/hosts.ts';
import type { ContainerEngine } from './discovery.ts';
import { hostOf, type EngineSocket } from './sockets.ts';

/** The reason for an engine on another machine; null for one on this machine. */
export function elsewhere(place: EngineSocket): string | null {
  const host = hostOf(place);
  if (host === null || isLoopbackHost(host)) return null;
  return (
    `The container engine at ${place.address} runs on another machine, and its containers cannot reach this one. ` +
    'Run Hangar there ("npm run serve") and add it as an account, or unset DOCKER_HOST.'
  );
}

export function unfit({ linux, place }: ContainerEngine): string | null {
  if (linux) return elsewhere(place);
  return 'Docker is set to containers of Windows, and those of Linux are needed. Choose "Switch to Linux containers" in its menu.';
}
