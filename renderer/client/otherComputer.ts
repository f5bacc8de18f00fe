/** Where the browser of this page runs: on the computer of Hangar, or on another one that reaches it over a network. */
import { isLoopbackName } from '#contract/network/hosts.ts';

/** Whether this page is shown on another computer. Addresses of `localhost` lead to that one, and not to Hangar. */
export const isOnOtherComputer = (): boolean => window.hangarHost === undefined && !isLoopbackName(location.hostname);
