/** Where the browser of this page runs: on the computer of Hangar, or on another one that reaches it over a network. */

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name leads each computer to itself. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Whether this page is shown on another computer. Addresses of `localhost` lead to that one, and not to Hangar. */
export const isOnOtherComputer = (): boolean => window.hangarHost === undefined && !isLoopbackName(location.hostname);
